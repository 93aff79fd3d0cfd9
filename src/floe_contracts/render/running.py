"""Run-time checks in words: what was promised and what was measured, in one line; the verdict of a run in another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation

from ..checks import context_keys as keys
from ..checks.moments import HOUR, SECOND, roughly
from ..codes import Severity
from ..monitor.store.protocol import LEASE_US
from ..results import ENFORCEMENT, CheckResult, ExitCode, Outcome, Report, decide, not_made, unmeasured
from .outline import Show, plural

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
    "not_a_percentage": "the promise is no percentage",
    "off": "enforcement is off",
    "past_slot": "the slot is over, and its source keeps no history",
    "pending": "the next deadline has not passed",
    "sparse": "too many probes are missing to judge the promise",
    "too_few_events": "too few events to tell",
}

_NEXT = {
    "busy": f"Wait for that run; if it was killed, its slot is free {roughly(LEASE_US)} after it began.",
    "expired": "Name a later --slot.",
    "past_slot": "Name a later --slot, or set a check_interval that fits the scheduler.",
}


def measured(result: CheckResult) -> str:
    """What was found, beside what is promised; for a check that found nothing the reason."""
    said = dict(result.context)
    if result.outcome in (Outcome.PASSED, Outcome.VIOLATED):
        return _MEASURED.get(result.check, _plain)(said, result)
    if result.outcome is Outcome.SKIPPED:
        return why_skipped(said.get(keys.STATUS, ""))
    reasons = dict.fromkeys(item.actual for item in result.findings if not item.location and item.actual)
    return "; ".join(reasons) or "the contract has errors"


def why_skipped(status: str) -> str:
    """Why nothing was checked."""
    return ", ".join(_WHY.get(word, word.replace("_", " ")) for word in status.split(", ") if word)


def circumstances(result: CheckResult) -> tuple[str, ...]:
    """How it was measured, for which slot, and whether it was measured now at all."""
    said = dict(result.context)
    slot, attempt = said.get("slot", ""), said.get("attempt", "")
    parts = (
        said.get(keys.HOW, ""),
        slot if slot.startswith("run ") else f"slot {slot}" if slot else "",
        f"attempt {attempt}" if attempt not in ("", "1") else "",
        "checked before" if said.get("repeated") else "",
    )
    return tuple(part for part in parts if part)


def run_verdict(report: Report, show: Show = str) -> tuple[str, str]:
    """The verdict in one word, and how many contracts stand how."""
    code = decide(report)
    if not report.results:
        nothing = "nothing was checked." if report.allow_empty else "0 contracts found. Check the paths and globs."
        return "PASS" if code is ExitCode.PASS else "NOTHING CHECKED", nothing
    passed_over = _passed_over(report)
    standing = " ".join(part for part in (_standing(report, show), passed_over) if part)
    if code is ExitCode.BLOCKED:
        return "BLOCKED", f"{standing} Enforcement is block for {_named(_blocking(report), show)}.{_again(report)}"
    if code is ExitCode.COULD_NOT_CHECK:
        why = " The lines below say why." if any(unmeasured(one) for one in report.results) else ""
        return "COULD NOT CHECK", f"{standing}{why}{_again(report)}"
    if passed_over == standing:
        return "NOTHING CHECKED", standing
    troubled = any(one.outcome in (Outcome.VIOLATED, Outcome.ERRORED) for one in report.results)
    return ("ALERT", f"{standing} Nothing blocks.") if troubled else ("PASS", standing)


def _passed_over(report: Report) -> str:
    """Checks that were not made though something is promised: why, and what to do."""
    found = Counter(word for one in report.results for word in not_made(one))
    return " ".join(
        f"{plural(count, 'check')} {'was' if count == 1 else 'were'} not made: {_WHY[word]}. {_NEXT[word]}"
        for word, count in found.items()
    )


def _again(report: Report) -> str:
    """A slot that is finished answers from the store, however well the data was mended."""
    stuck = any(dict(one.context).get("repeated") and one.findings for one in report.results)
    return " The slot was checked before; --recheck measures it again." if stuck else ""


def run_totals(report: Report) -> str:
    """The last line: checks by outcome, violations by severity."""
    outcomes = Counter(one.outcome.value for one in report.results)
    counted = ", ".join(f"{outcomes[one.value]} {one.value}" for one in Outcome if outcomes[one.value])
    worst_first = sorted(Severity, key=lambda one: -one.rank)
    found = Counter(item.severity.value for item in report.all_findings() if item.violation_type)
    severities = ", ".join(f"{found[one.value]} {one.value}" for one in worst_first if found[one.value])
    contracts = plural(len({(one.path, one.contract) for one in report.results}), "contract")
    violations = f"{plural(found.total(), 'violation')} ({severities})" if found else "no violations"
    return f"{contracts} · {plural(len(report.results), 'check')}: {counted} · {violations}"


def _standing(report: Report, show: Show) -> str:
    """Contracts by their worst check; nothing of those whose checks were all passed over."""
    by_contract: dict[tuple[str, str], list[CheckResult]] = {}
    for one in report.results:
        if one.outcome is not Outcome.SKIPPED or not not_made(one):
            by_contract.setdefault((one.path, one.contract), []).append(one)
    violated = _with(by_contract, lambda one: one.outcome is Outcome.VIOLATED)
    errored = _with(by_contract, lambda one: one.outcome is Outcome.ERRORED)
    partly = [name for name in _with(by_contract, unmeasured) if name not in errored]
    among = "" if len(by_contract) == 1 else f" of {plural(len(by_contract), 'contract')}"
    parts = [f"{_few(violated, among, show)} {_verb(violated)} broken promises"] if violated else []
    parts += [f"{_few(errored, among, show)} could not be checked"] if errored else []
    parts += [f"{_few(partly, among, show)} could not be checked in full"] if partly else []
    if parts or not by_contract:
        return "; ".join(parts) + "." if parts else ""
    kept = bool(_with(by_contract, lambda one: one.outcome is Outcome.PASSED))
    return f"{plural(len(by_contract), 'contract')} checked, {'every promise kept' if kept else 'nothing to check'}."


def _with(by_contract: Mapping[tuple[str, str], list[CheckResult]], fits: Callable[[CheckResult], bool]) -> list[str]:
    return [name for (_, name), found in by_contract.items() if any(fits(one) for one in found)]


def _few(names: list[str], among: str, show: Show) -> str:
    return show(names[0]) if len(names) == 1 else f"{len(names)}{among}"


def _verb(names: list[str]) -> str:
    return "has" if len(names) == 1 else "have"


def _blocking(report: Report) -> list[str]:
    enforced = [one for one in report.results if dict(one.context).get(ENFORCEMENT) == "block"]
    return sorted({one.contract for one in enforced if any(item.blocks for item in one.findings)})


def _named(names: list[str], show: Show) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(show(name) for name in names[:3])}{more}"


def _plain(said: Mapping[str, str], _: CheckResult) -> str:
    value, promised = said.get(keys.VALUE, ""), said.get(keys.THRESHOLD, "")
    return f"{value}{f', {promised} promised' if promised else ''}" if value else ""


def _freshness(said: Mapping[str, str], _: CheckResult) -> str:
    value, promised = _hours(said.get(keys.VALUE, "")), _hours(said.get(keys.THRESHOLD, ""))
    parts = []
    if keys.LATENCY_SECONDS in said:
        parts.append(f"{value} to arrival, {promised} promised")
    elif value:
        parts.append(f"{value} old, {promised} promised")
    if keys.DEADLINE in said:
        parts.append(f"deadline {said.get(keys.OCCURRENCE, '')} {said[keys.DEADLINE]}")
    if said.get(keys.FUTURE_ROWS, "0") != "0":
        parts.append(f"{said[keys.FUTURE_ROWS]} rows of the future")
    return ", ".join(parts) or why_skipped(said.get(keys.STATUS, ""))


def _availability(said: Mapping[str, str], _: CheckResult) -> str:
    up = "up" if said.get(keys.UP) == "1" else "down"
    if keys.RATIO not in said:
        return f"{up}, nothing promised"
    status = why_skipped(said.get(keys.STATUS, ""))
    ratio = f"{_short(said[keys.RATIO])}% of probes, {_short(said.get(keys.THRESHOLD, ''))}% promised"
    return f"{up}, {ratio}{f' ({status})' if status else ''}"


def _drift(_: Mapping[str, str], result: CheckResult) -> str:
    found = sum(1 for item in result.findings if item.violation_type)
    return plural(found, "difference") if found else "columns as promised"


def _quality(said: Mapping[str, str], _: CheckResult) -> str:
    parts = []
    if said.get(keys.SCORE):
        promised = said.get(keys.THRESHOLD, "")
        parts.append(f"score {_short(said[keys.SCORE])}{f', {_short(promised)} promised' if promised else ''}")
        judged, failed = int(said.get(keys.RULES, "0")), int(said.get(keys.RULES_FAILED, "0"))
        parts.append(f"{judged - failed} of {plural(judged, 'rule')} met")
    for key, words in ((keys.RULES_ERRORED, "not measured"), (keys.RULES_SKIPPED, "not measurable")):
        if said.get(key, "0") != "0":
            parts.append(f"{said[key]} {words}")
    if said.get(keys.ROWS_OF_DAY):
        parts.append(f"{said[keys.ROWS_OF_DAY]} rows on {said.get(keys.DAY, '')}")
    return ", ".join(parts)


def _lifecycle(said: Mapping[str, str], _: CheckResult) -> str:
    ending = f", sunset on {said[keys.SUNSET]}" if said.get(keys.SUNSET) else ""
    return f"{said.get(keys.STAGE, '')}{ending}"


_MEASURED: dict[str, Callable[[Mapping[str, str], CheckResult], str]] = {
    "availability": _availability,
    "freshness": _freshness,
    "schema_drift": _drift,
    "quality": _quality,
    "lifecycle": _lifecycle,
}


def _hours(text: str) -> str:
    """A number of hours as people say it."""
    try:
        us = int(Decimal(text) * HOUR)
    except (InvalidOperation, ValueError, OverflowError):
        return text
    return roughly(us) if us >= SECOND else "0 seconds"


def _short(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
