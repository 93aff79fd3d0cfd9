"""What checks measured and what reports cover, as typed values, and their projection to pairs of text.

Published JSON and stored records show facts as `context`: key and text, in the order of the fields below. A key that is
absent was not measured. Code decides by the typed values alone; pairs are only written and read here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from ..frozen import dataclass, replace

TYPE_CHECKING = False  # importing typing would cost every commit a few milliseconds
if TYPE_CHECKING:
    from decimal import Decimal
    from typing import Any, TypeVar

    from . import CheckResult, Finding, Pairs, Report

    Kind = TypeVar("Kind")


class SkipReason(str, Enum):
    """Why a run did not make a check at all."""

    OFF = "off"
    BUSY = "busy"  # another run holds the slot
    EXPIRED = "expired"  # the slot is older than what the store remembers


@dataclass(frozen=True, slots=True)
class ContractFacts:
    """A contract as lint and gate read it."""

    dialect: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class FreshnessFacts:
    """Of the worst table; threshold and value in hours."""

    deadline: str = ""  # met | missed | pending
    latency_seconds: Decimal | None = None
    freshness_seconds: int | None = None  # age of the newest row, not below 0; of the worst group with group_by
    occurrence: str = ""  # the deadline or scheduled time in question, ISO 8601 in UTC
    how: str = ""  # how it was measured; several joined by `; `
    threshold: Decimal | None = None
    value: Decimal | None = None
    late_by: str = ""  # ISO 8601 duration
    future_rows: int | None = None
    late_groups: int | None = None
    latency_negatives: int | None = None  # rows that arrived before they happened
    status: tuple[str, ...] = ()  # why a promise was skipped or is pending


@dataclass(frozen=True, slots=True)
class DriftFacts:
    """Columns against the contract and the last schema."""

    not_compared: str = ""  # columns whose promised type no engine here knows, joined by `, `
    schema_drift_detected: bool | None = None
    status: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleFact:
    """One quality rule and what came of it: pass, fail, error or skip."""

    name: str
    status: str
    column: str = ""
    dimension: str = ""


@dataclass(frozen=True, slots=True)
class QualityFacts:
    """Rules of all tables; score, threshold, value and coverage in percent, rounded down."""

    how: str = ""
    status: tuple[str, ...] = ()
    score: Decimal | None = None
    value: Decimal | None = None
    threshold: Decimal | None = None
    rules: int | None = None  # judged rules
    rules_failed: int | None = None
    rules_errored: int | None = None  # could not be measured; not part of the score
    rules_skipped: int | None = None  # no engine can run them
    coverage: Decimal | None = None  # of columns with an executed rule
    rows_of_day: int | None = None
    day: str = ""
    tests: tuple[RuleFact, ...] = ()


@dataclass(frozen=True, slots=True)
class AvailabilityFacts:
    """The last probe and the window before it; shares in percent."""

    up: bool | None = None
    probe_seconds: Decimal | None = None
    outages: int | None = None  # runs of two or more failed probes
    status: tuple[str, ...] = ()
    threshold: Decimal | None = None
    value: Decimal | None = None
    availability: Decimal | None = None  # of good probes
    probe_coverage: Decimal | None = None  # of the expected probes that were made
    error_budget: int | None = None  # failed probes that the promise allows in the window
    error_budget_left: int | None = None  # below 0 when overspent
    burn_rate: Decimal | None = None  # share of failed probes over the share allowed


@dataclass(frozen=True, slots=True)
class LifecycleFacts:
    """The stage of a contract's life: active, deprecated, sunset or retired."""

    stage: str = ""
    sunset_date: str = ""
    retires: str = ""
    status: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StreamFacts:
    """One batch of a stream, beside what its check found."""

    check: FreshnessFacts | QualityFacts | None = None
    late_rows: int | None = None  # came longer after their time than promised
    batch: int | None = None
    rows: int | None = None
    unreadable_rows: int | None = None  # not as promised, so that nothing else could be judged about them
    bad_rows: int | None = None  # unreadable, or without a value that is required
    how: str = ""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The run that a result belongs to."""

    skipped: SkipReason | None = None
    checked_at: str = ""  # ISO 8601 in UTC
    enforcement: str = ""  # off | warn | alert_only | block
    slot: str = ""
    attempt: int | None = None
    repeated: bool = False  # answered from the store
    engine_gone: bool = False  # the engine ended before it could answer
    slice: str = ""  # the filter of the settings: only rows that meet it were looked at


@dataclass(frozen=True, slots=True)
class FindingFacts:
    """What a finding is about, beyond its element."""

    table: str | None = None
    sla: str | None = None  # the service level as the contract names it
    occurrence: str | None = None
    late_by: str | None = None
    rule_id: str | None = None  # unique in the contract and stable across runs
    rule_name: str | None = None
    dimension: str | None = None
    day: str | None = None
    reason: str | None = None
    sunset_date: str | None = None
    waiver: str | None = None
    standing: str | None = None


@dataclass(frozen=True, slots=True)
class GateScope:
    """What was compared with what; `unchanged` contracts were not looked into."""

    base: str = ""
    head: str = ""
    how: str = ""
    unchanged: int | None = None
    profile: str = ""
    history: str = ""  # shallow: not all versions that were ever used are known
    base_ref: str = ""
    same: bool = False  # the head is the base itself: nothing could differ


@dataclass(frozen=True, slots=True)
class RunScope:
    """Which check ran, over the contracts of which namespace."""

    check: str = ""
    namespace: str = ""
    dry_run: bool = False
    fail_on_error: bool = False  # --fail-on-error was given


CheckFacts = (
    ContractFacts | FreshnessFacts | DriftFacts | QualityFacts | AvailabilityFacts | LifecycleFacts | StreamFacts
)
Scope = GateScope | RunScope

_OF_CHECK: dict[str, type] = {
    "availability": AvailabilityFacts,
    "freshness": FreshnessFacts,
    "schema_drift": DriftFacts,
    "quality": QualityFacts,
    "lifecycle": LifecycleFacts,
}
_SPELLED = {"skipped": "status"}
_FLAGS = frozenset({"repeated", "engine_gone", "dry_run", "fail_on_error", "same"})  # said only when they are true


def status_of(facts: CheckFacts | None) -> tuple[str, ...]:
    """Why promises were skipped or are pending."""
    known = facts.check if isinstance(facts, StreamFacts) else facts
    return () if known is None or isinstance(known, ContractFacts) else known.status


def skipped_facts(check: str, status: str) -> CheckFacts:
    """The facts of a check that had nothing to measure."""
    facts: CheckFacts = _OF_CHECK[check](status=(status,))
    return facts


def number_of(facts: CheckFacts | None, name: str) -> Decimal | None:
    """A fact by its name as a number, for gauges; None where it was not measured."""
    from decimal import Decimal

    value = getattr(facts, name, None)
    if value is None and isinstance(facts, StreamFacts):
        value = getattr(facts.check, name, None)
    return Decimal(value) if isinstance(value, (int, Decimal)) else None


def threshold_and_value(facts: CheckFacts | None) -> tuple[Decimal | None, Decimal | None]:
    """What is promised and what was measured, for checks that compare two numbers."""
    known = facts.check if isinstance(facts, StreamFacts) else facts
    if isinstance(known, (FreshnessFacts, QualityFacts, AvailabilityFacts)):
        return known.threshold, known.value
    return None, None


def shown(number: Decimal | None) -> str:
    """A number as text without an exponent; empty where there is none."""
    return "" if number is None else f"{number:f}"


def result_pairs(result: CheckResult) -> Pairs:
    """The context of a result: which contract, what was measured, which run, and what nobody here knows."""
    known = {"key": result.key, "version": result.contract_version}
    pairs = {key: text for key, text in known.items() if text}
    pairs.update(facts_pairs(result.facts))
    pairs.update(result.extra)
    pairs.update(facts_pairs(result.run))
    first = {key: pairs[key] for key in result.order if key in pairs}
    return tuple({**first, **pairs}.items())


def facts_pairs(facts: object | None) -> Iterator[tuple[str, str]]:
    """The facts that are there, as key and text."""
    empty = (None,) if isinstance(facts, FindingFacts) else (None, "", ())
    for name in () if facts is None else type(facts).__match_args__:  # type: ignore[attr-defined]
        value = getattr(facts, name)
        if isinstance(facts, StreamFacts) and name == "check":
            yield from facts_pairs(value)
        elif name in _FLAGS:
            yield from ((name, "true"),) if value else ()
        elif value not in empty:
            yield _SPELLED.get(name, name), _text(value)


def read_result(result: CheckResult, pairs: Iterable[tuple[str, str]]) -> CheckResult:
    """The result with facts from a context that was stored, published or given by a plugin; nothing is lost."""
    given = tuple(pairs)
    left = dict(given)
    key = left.pop("key") if left.get("key") else ""
    version = left.pop("version") if left.get("version") else ""
    kind = _OF_CHECK.get(result.check, ContractFacts)
    skipped = left.get("status") in {reason.value for reason in SkipReason}
    run = _taken(RunFacts, left, without=() if skipped else ("skipped",))
    facts: Any = None
    if kind in (FreshnessFacts, QualityFacts) and "batch" in left:
        outer = _taken(StreamFacts, left, without=("check",) if kind is QualityFacts else ("check", "how"))
        inner: Any = _taken(kind, left)
        facts = replace(outer, check=inner if any(True for _ in facts_pairs(inner)) else None)
    else:
        facts = _taken(kind, left)
    made = replace(
        result,
        key=key,
        contract_version=version,
        facts=facts if any(True for _ in facts_pairs(facts)) else None,
        run=run if any(True for _ in facts_pairs(run)) else None,
        extra=tuple(left.items()),
        order=(),
    )
    names = tuple(name for name, _ in given)
    return made if tuple(name for name, _ in result_pairs(made)) == names else replace(made, order=names)


def read_finding(item: Finding, pairs: Iterable[tuple[str, str]]) -> Finding:
    """The finding with facts from a context."""
    left = dict(pairs)
    facts = _taken(FindingFacts, left)
    known = any(True for _ in facts_pairs(facts))
    return replace(item, facts=facts if known else None, extra=tuple(left.items()))


def read_scope(report: Report, pairs: Iterable[tuple[str, str]]) -> Report:
    """The report with its scope from a context."""
    left = dict(pairs)
    scope: Any = _taken(RunScope if report.command.startswith("monitor ") else GateScope, left)
    known = any(True for _ in facts_pairs(scope))
    return replace(report, scope=scope if known else None, extra=tuple(left.items()))


def _taken(kind: type[Kind], left: dict[str, str], *, without: tuple[str, ...] = ()) -> Kind:
    """The facts of one kind out of the pairs; a text that would not be written like this stays among them."""
    values: dict[str, object] = {}
    for name in kind.__match_args__:  # type: ignore[attr-defined]
        key = _SPELLED.get(name, name)
        if key not in left or name in without or not (left[key] or kind is FindingFacts):
            continue
        value = _read(name, left[key])
        if value is not None and (left[key] == "true" if name in _FLAGS else _text(value) == left[key]):
            values[name] = value
            del left[key]
    return kind(**values)


def _read(name: str, text: str) -> object | None:
    try:
        return _READERS.get(name, str)(text)
    except (ValueError, ArithmeticError, LookupError, TypeError):
        return None


def _text(value: Any) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return ", ".join(value) if isinstance(value[0], str) else _rules_text(value)
    return f"{value:f}"


def _rules_text(rules: tuple[RuleFact, ...]) -> str:
    import json

    listed = [
        {
            "name": rule.name,
            **({"column": rule.column} if rule.column else {}),
            "status": rule.status,
            **({"dimension": rule.dimension} if rule.dimension else {}),
        }
        for rule in rules
    ]
    return json.dumps(listed, ensure_ascii=False, separators=(",", ":"))


def _rules(text: str) -> tuple[RuleFact, ...]:
    import json

    return tuple(
        RuleFact(rule["name"], rule["status"], rule.get("column", ""), rule.get("dimension", ""))
        for rule in json.loads(text)
    )


def _decimal(text: str) -> Decimal:
    from decimal import Decimal

    number = Decimal(text)
    if not number.is_finite():
        raise ValueError("no number")
    return number


def _flag(text: str) -> bool:
    return {"1": True, "0": False, "true": True}[text]


_READERS: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(
        ("latency_seconds", "threshold", "value", "score", "coverage", "probe_seconds", "availability"), _decimal
    ),
    **dict.fromkeys(("probe_coverage", "burn_rate"), _decimal),
    **dict.fromkeys(("freshness_seconds", "future_rows", "late_groups", "latency_negatives", "rules"), int),
    **dict.fromkeys(("rules_failed", "rules_errored", "rules_skipped", "rows_of_day", "outages"), int),
    **dict.fromkeys(("error_budget", "error_budget_left", "late_rows", "batch", "rows", "unreadable_rows"), int),
    **dict.fromkeys(("bad_rows", "attempt", "unchanged"), int),
    **dict.fromkeys(("schema_drift_detected", "up", "repeated", "dry_run", "fail_on_error", "same"), _flag),
    "status": lambda text: tuple(text.split(", ")),
    "skipped": SkipReason,
    "tests": _rules,
}
