"""Run-time checks in words: what was promised and what was measured, in one line; the verdict of a run in another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal

from ..checks.moments import HOUR, SECOND, spell_roughly
from ..codes import Severity
from ..contract.meaning.phrase import plural
from ..monitor.store.protocol import LEASE_US
from ..results import CheckResult, ExitCode, Outcome, Report, decide, enforces, not_made, unmeasured
from ..results.facts import (
    AvailabilityFacts,
    FreshnessFacts,
    LifecycleFacts,
    QualityFacts,
    RunFacts,
    StreamFacts,
    shown,
    status_of,
)
from .outline import Show

_WHY = {
    "busy": "another run is checking this slot",
    "closed": "no deadline has passed on an open day",
    "continuous": "continuous data has no age to check",
    "expired": "the slot is older than what the store remembers",
    "insufficient_history": "too few probes yet to judge the promise",
    "never_due": "its schedule is never due",
    "no_promise": "nothing is promised",
    "no_rows": "no rows arrived",
    "no_rules": "no rule to score",
    "no_source": "neither contract nor settings say where the data is",
    "no_table": "the contract has no table",
    "not_a_percentage": "the promise is not a percentage",
    "off": "enforcement is off",
    "past_slot": "the slot is over, and its source keeps no history",
    "pending": "the next deadline has not passed",
    "sparse": "too many probes are missing to judge the promise",
    "too_few_events": "too few events to tell",
}

_NEXT = {
    "busy": f"Wait for that run; if it was killed, its slot is free {spell_roughly(LEASE_US)} after it began.",
    "expired": "Name a later --slot.",
    "past_slot": "Name a later --slot, or set a check_interval that fits the scheduler.",
}


def describe_result(result: CheckResult) -> str:
    """What was found, beside what is promised; for a check that found nothing the reason."""
    if result.outcome in (Outcome.PASSED, Outcome.VIOLATED):
        return _describe_facts(result)
    if result.outcome is Outcome.SKIPPED:
        skipped = (result.run.skipped.value,) if result.run and result.run.skipped else ()
        return why_skipped((*skipped, *status_of(result.facts)))
    reasons = dict.fromkeys(item.actual for item in result.findings if not item.location and item.actual)
    return "; ".join(reasons) or "the contract has errors"


def why_skipped(status: tuple[str, ...]) -> str:
    """Why nothing was checked."""
    return ", ".join(_WHY.get(word, word.replace("_", " ")) for word in status)


def circumstances(result: CheckResult) -> tuple[str, ...]:
    """How it was measured, for which slot, and whether it was measured now at all."""
    run = result.run or RunFacts()
    parts = (
        _how(result),
        f"only rows where {run.slice}" if run.slice else "",
        run.slot if run.slot.startswith("run ") else f"slot {run.slot}" if run.slot else "",
        f"attempt {run.attempt}" if run.attempt not in (None, 1) else "",
        "checked before" if run.repeated else "",
    )
    return tuple(part for part in parts if part)


def run_verdict(report: Report, show: Show = str) -> tuple[str, str]:
    """The verdict in one word, and how many contracts stand how."""
    code = decide(report)
    if not report.results:
        nothing = "nothing was checked." if report.allow_empty else "0 contracts found. Check the paths and globs."
        return "PASS" if code is ExitCode.PASS else "NOTHING CHECKED", nothing
    passed_over = _describe_skipped(report)
    standing = " ".join(part for part in (_describe_contracts(report, show), passed_over) if part)
    if code is ExitCode.BLOCKED:
        return "BLOCKED", f"{standing} Enforcement is block for {_list_blocking(report, show)}.{_again(report)}"
    if code is ExitCode.COULD_NOT_CHECK:
        why = " The lines below say why." if any(unmeasured(result) for result in report.results) else ""
        return "COULD NOT CHECK", f"{standing}{why}{_again(report)}"
    if passed_over == standing:
        return "NOTHING CHECKED", standing
    troubled = any(result.outcome in (Outcome.VIOLATED, Outcome.ERRORED) for result in report.results)
    before = _before(report)
    return ("ALERT", f"{standing} {_why_zero(report)}{before}") if troubled else ("PASS", f"{standing}{before}")


def _why_zero(report: Report) -> str:
    """Why trouble does not fail the run: the enforcement of the contracts that have it."""
    troubled = (result for result in report.results if result.outcome in (Outcome.VIOLATED, Outcome.ERRORED))
    words = {(result.run.enforcement if result.run else "") or "alert_only" for result in troubled}
    return f"Exit 0: enforcement is {' and '.join(sorted(words))}."


def _describe_skipped(report: Report) -> str:
    """Checks that were not made though something is promised: why, and what to do."""
    words = Counter(word for result in report.results for word in not_made(result))
    return " ".join(
        f"{plural(count, 'check')} {'was' if count == 1 else 'were'} not made: {_WHY[word]}. {_NEXT[word]}"
        for word, count in words.items()
    )


def _before(report: Report) -> str:
    """That results are not of now: a green line from the store says nothing of data that came since."""
    repeated = sum(result.run is not None and result.run.repeated for result in report.results)
    if not repeated:
        return ""
    which = "All of it was" if repeated == len(report.results) else f"{repeated} of {len(report.results)} checks were"
    place, option = _begun_by(report)
    return f" {which} checked before in this {place}; {option} measures again."


def _again(report: Report) -> str:
    """A slot that is finished answers from the store, whatever was fixed in the data since."""
    stuck = any(result.run and result.run.repeated and result.findings for result in report.results)
    place, option = _begun_by(report)
    return f" The {place} was checked before; {option} measures it again." if stuck else ""


def _begun_by(report: Report) -> tuple[str, str]:
    """What claimed the checks, and the option that has them made anew."""
    runs = any(result.run is not None and result.run.slot.startswith("run ") for result in report.results)
    return ("run", "another --run-id") if runs else ("slot", "--recheck")


def run_totals(report: Report) -> str:
    """The last line: checks by outcome, violations by severity."""
    outcomes = Counter(result.outcome.value for result in report.results)
    counted = ", ".join(f"{outcomes[outcome.value]} {outcome.value}" for outcome in Outcome if outcomes[outcome.value])
    worst_first = [severity.value for severity in sorted(Severity, key=lambda severity: -severity.rank)]
    violated = Counter(item.severity.value for item in report.all_findings() if item.violation_type)
    severities = ", ".join(f"{violated[word]} {word}" for word in worst_first if violated[word])
    contracts = plural(len({(result.path, result.contract) for result in report.results}), "contract")
    violations = f"{plural(violated.total(), 'violation')} ({severities})" if violated else "no violations"
    return f"{contracts} · {plural(len(report.results), 'check')}: {counted} · {violations}"


def _describe_contracts(report: Report, show: Show) -> str:
    """Contracts by their worst check; nothing of those whose checks were all passed over."""
    by_contract: dict[tuple[str, str], list[CheckResult]] = {}
    for result in report.results:
        if result.outcome is not Outcome.SKIPPED or not not_made(result):
            by_contract.setdefault((result.path, result.contract), []).append(result)
    violated = _with(by_contract, lambda result: result.outcome is Outcome.VIOLATED)
    errored = _with(by_contract, lambda result: result.outcome is Outcome.ERRORED)
    partly = [name for name in _with(by_contract, unmeasured) if name not in errored]
    among = "" if len(by_contract) == 1 else f" of {plural(len(by_contract), 'contract')}"
    parts = [f"{_few(violated, among, show)} {_verb(violated)} broken promises"] if violated else []
    parts += [f"{_few(errored, among, show)} could not be checked"] if errored else []
    parts += [f"{_few(partly, among, show)} could not be checked in full"] if partly else []
    if parts or not by_contract:
        return "; ".join(parts) + "." if parts else ""
    kept = bool(_with(by_contract, lambda result: result.outcome is Outcome.PASSED))
    return f"{plural(len(by_contract), 'contract')} checked, {'every promise kept' if kept else 'nothing to check'}."


def _with(by_contract: Mapping[tuple[str, str], list[CheckResult]], fits: Callable[[CheckResult], bool]) -> list[str]:
    return [name for (_, name), results in by_contract.items() if any(fits(result) for result in results)]


def _few(names: list[str], among: str, show: Show) -> str:
    return show(names[0]) if len(names) == 1 else f"{len(names)}{among}"


def _verb(names: list[str]) -> str:
    return "has" if len(names) == 1 else "have"


def _list_blocking(report: Report, show: Show) -> str:
    enforced = [result for result in report.results if enforces(result)]
    names = sorted({result.contract for result in enforced if any(item.blocks for item in result.findings)})
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(show(name) for name in names[:3])}{more}"


def _describe_facts(result: CheckResult) -> str:
    facts = result.facts.check if isinstance(result.facts, StreamFacts) else result.facts
    if isinstance(facts, FreshnessFacts):
        return _freshness(facts)
    if result.check == "availability":
        return _availability(facts if isinstance(facts, AvailabilityFacts) else AvailabilityFacts())
    if isinstance(facts, QualityFacts):
        return _quality(facts)
    if isinstance(facts, LifecycleFacts):
        return f"{facts.stage}{f', sunset on {facts.sunset_date}' if facts.sunset_date else ''}"
    return _drift(result) if result.check == "schema_drift" else ""


def _how(result: CheckResult) -> str:
    inner = result.facts.check if isinstance(result.facts, StreamFacts) else None
    return getattr(inner, "how", "") or getattr(result.facts, "how", "")


def _freshness(facts: FreshnessFacts) -> str:
    value, promised = _hours(facts.value), _hours(facts.threshold)
    parts = []
    if facts.latency_seconds is not None:
        parts.append(f"{value} to arrival, {promised} promised")
    elif value:
        parts.append(f"{value} old, {promised} promised")
    if facts.deadline:
        parts.append(f"deadline {facts.occurrence} {facts.deadline}")
    if facts.future_rows:
        parts.append(f"{facts.future_rows} rows of the future")
    return ", ".join(parts) or why_skipped(facts.status)


def _availability(facts: AvailabilityFacts) -> str:
    up = "up" if facts.up else "down"
    if facts.availability is None:
        return f"{up}, no availability is promised"
    status = why_skipped(facts.status)
    ratio = f"{_short(facts.availability)}% of probes, {_short(facts.threshold)}% promised"
    return f"{up}, {ratio}{f' ({status})' if status else ''}"


def _drift(result: CheckResult) -> str:
    differences = sum(1 for item in result.findings if item.violation_type)
    return plural(differences, "difference") if differences else "columns as promised"


def _quality(facts: QualityFacts) -> str:
    parts = []
    if facts.score is not None:
        promised = f", {_short(facts.threshold)} promised" if facts.threshold is not None else ""
        parts.append(f"score {_short(facts.score)}{promised}")
        judged, failed = facts.rules or 0, facts.rules_failed or 0
        parts.append(f"{judged - failed} of {plural(judged, 'rule')} met")
    for count, words in ((facts.rules_errored, "not measured"), (facts.rules_skipped, "not measurable")):
        if count:
            parts.append(f"{count} {words}")
    if facts.rows_of_day is not None:
        parts.append(f"{facts.rows_of_day} rows on {facts.day}")
    return ", ".join(parts)


def _hours(hours: Decimal | None) -> str:
    """A number of hours as people say it."""
    if hours is None:
        return ""
    try:
        us = int(hours * HOUR)
    except (ValueError, OverflowError):
        return shown(hours)
    return spell_roughly(us) if us >= SECOND else "0 seconds"


def _short(number: Decimal | None) -> str:
    text = shown(number)
    return text.rstrip("0").rstrip(".") if "." in text else text
