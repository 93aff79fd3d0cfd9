"""From a verdict to what is written into the store: violations to count, gauges to set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from ... import codes
from ...checks import gauges
from ...checks.moments import SECOND, micros
from ...frozen import replace
from ...product.data_contracts import Enforcement
from ...results import CheckResult, Finding, Outcome
from ...results.facts import FindingFacts, RunFacts, number_of
from ..store.protocol import (
    INTERVAL_GAUGE,
    Claim,
    RuleCount,
    SlotOutcome,
    Violation,
    is_same_promise,
    promises_counted,
)
from ..store.slots import SlotKey
from ..store.totals import rules_in
from .context import Checked
from .targets import Target

# What each check measures as a number over time; sinks give the names that metrics have.
GAUGES = {
    "availability": (
        *(gauges.UP, gauges.RATIO, gauges.PROBE_SECONDS, gauges.PROBE_COVERAGE),
        *(gauges.BUDGET, gauges.BUDGET_LEFT, gauges.BURN_RATE),
    ),
    "freshness": (gauges.FRESHNESS_SECONDS, gauges.FUTURE_ROWS, gauges.LATENCY_SECONDS, gauges.LATE_ROWS),
    "schema_drift": (gauges.DRIFT,),
    "quality": (
        *(gauges.SCORE, gauges.COVERAGE, gauges.ROWS_OF_DAY, gauges.RULES_FAILED),
        *(gauges.ROWS, gauges.UNREADABLE_ROWS, gauges.BAD_ROWS),
    ),
    "lifecycle": (),
}
STATUS_GAUGE = "status"  # 1 while the promise is kept, 0 while it is not; nothing where nobody could tell
UPDATED_GAUGE = "updated_seconds"  # when the data was last updated: its age goes on growing while nobody looks


def slot_outcome(claim: Claim, target: Target, checked: Checked, as_of_us: int, seconds: Decimal) -> SlotOutcome:
    """Everything to be committed for one attempt."""
    last = claim.previous
    first_us = as_of_us if last is None else last.as_of_us if last.first_us is None else last.first_us
    published = target.enforcement.rank >= Enforcement.ALERT_ONLY.rank
    rules, counted = _count_rules(claim, rules_in(checked.result) if published else None)
    return SlotOutcome(
        claim=claim,
        result=checked.result,
        as_of_us=as_of_us,
        label=target.name,
        version=target.contract.version,
        seconds=seconds,
        published=published,
        violations=violations_of(checked.result, claim.key.start_us or first_us),
        gauges=(*_gauges(checked.result), *_moments(checked.result, claim.key, as_of_us)),
        schemas=checked.schemas,
        states=checked.states,
        first_us=first_us,
        rules=rules,
        counted=counted,
    )


def _count_rules(claim: Claim, rules: RuleCount | None) -> tuple[RuleCount | None, tuple[str, ...]]:
    """The rules that the slot counts after this attempt, and for which promises; each promise counts once."""
    before = promises_counted(claim)
    if rules is None or any(is_same_promise(claim.promise, promise) for promise in before):
        return claim.previous.rules if claim.previous else None, before
    return rules, (*before, claim.promise)


def violations_of(result: CheckResult, start_us: int) -> tuple[Violation, ...]:
    """One per kind, element and rule; info is counted too, what could not be measured is not."""
    violations: dict[tuple[str, int], Violation] = {}
    for item in result.findings:
        if item.violation_type is not None:
            slot_us = _occurrence_us(item, start_us)
            mark = fingerprint(item)
            violations.setdefault((mark, slot_us), Violation(item.violation_type, item.severity, mark, slot_us))
    return tuple(violations.values())


def fingerprint(item: Finding) -> str:
    """The same for the same violation in every slot; never the message, which holds the age."""
    about = item.facts or FindingFacts()
    kind = item.violation_type.value if item.violation_type else ""
    parts = (
        kind,
        about.table or "",
        item.element,
        "missed" if item.code is codes.E551 else item.rule,  # a deadline that is missed now was late later on
        about.rule_id or "",
        about.sla or "",
    )
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def _occurrence_us(item: Finding, start_us: int) -> int:
    """A missed deadline or scheduled update is one violation, however many slots see it."""
    text = item.facts.occurrence if item.facts else None
    try:
        return micros(datetime.fromisoformat(text.replace("Z", "+00:00"))) if text else start_us
    except ValueError:
        return start_us


def _gauges(result: CheckResult) -> Iterator[tuple[str, Decimal]]:
    for name in GAUGES.get(result.check, ()):
        value = number_of(result.facts, name)
        if value is not None:
            yield name, value
    if result.outcome in (Outcome.PASSED, Outcome.VIOLATED):
        yield STATUS_GAUGE, Decimal(result.outcome is Outcome.PASSED)


def _moments(result: CheckResult, key: SlotKey, as_of_us: int) -> Iterator[tuple[str, Decimal]]:
    if key.interval_us:
        yield INTERVAL_GAUGE, Decimal(key.interval_us) / SECOND
    age = number_of(result.facts, gauges.FRESHNESS_SECONDS)
    if age is not None and result.check == "freshness":
        yield UPDATED_GAUGE, as_of_us // SECOND - age


def name_result(result: CheckResult, target: Target, run: RunFacts) -> CheckResult:
    """The result under the target's own name and path, with the run that it belongs to."""
    findings = tuple(replace(item, contract=target.name) for item in result.findings)
    return replace(result, contract=target.name, path=target.path, findings=findings, run=run)
