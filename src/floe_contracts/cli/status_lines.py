"""How contracts stand, and what came of their slots, as lines for people and as values for machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from ..checks.moments import iso, spell_roughly
from ..monitor.settings.model import CHECKS
from ..monitor.store.outbox import Backlog
from ..monitor.store.protocol import SlotOutcome, Store
from ..monitor.store.slots import Series
from ..monitor.store.totals import SeriesStatus
from ..render.running import describe_result
from ..render.safe import log_safe
from ..results import Outcome

_LONGEST = 300
_RANKS = {
    state: rank for rank, state in enumerate((Outcome.VIOLATED, Outcome.ERRORED, Outcome.PASSED, Outcome.SKIPPED))
}
Contract = tuple[str, str, str]  # namespace, name, version


def order_worst_first(statuses: Iterable[SeriesStatus], *, violated: bool) -> tuple[SeriesStatus, ...]:
    """By the worst check of each contract, then by name; `violated` leaves out contracts without trouble."""
    worst: dict[Contract, int] = {}
    for status in statuses:
        worst[_contract(status)] = min(_rank(status), worst.get(_contract(status), len(_RANKS)))
    listed = [status for status in statuses if not violated or worst[_contract(status)] < _RANKS[Outcome.PASSED]]
    return tuple(sorted(listed, key=lambda status: (worst[_contract(status)], *_contract(status))))


def read_reasons(store: Store, statuses: Iterable[SeriesStatus]) -> Mapping[Series, str]:
    """What the newest slot of every check in trouble said."""
    reasons = {}
    for status in statuses:
        newest = store.history(status.series, 0, limit=1) if _rank(status) < _RANKS[Outcome.PASSED] else ()
        messages = [item.message for outcome in newest for item in outcome.result.findings if item.violation_type]
        words = messages or [describe_result(outcome.result) for outcome in newest]
        more = f" (and {len(words) - 1} more)" if len(words) > 1 else ""
        reasons[status.series] = f"{words[0]}{more}" if words else ""
    return reasons


def status_lines(
    statuses: Iterable[SeriesStatus], backlog: Iterable[Backlog], now_us: int, reasons: Mapping[Series, str]
) -> Iterator[str]:
    """Contract by contract, one line per check and one for what is wrong; at the end what waits to be sent."""
    for (namespace, name, version), checks in groupby(statuses, key=_contract):
        yield log_safe(f"{name} {version}  {namespace}", _LONGEST)
        for status in sorted(checks, key=lambda each: CHECKS.index(each.series.check_type)):
            yield log_safe(f"  {status.series.check_type:<13}{_state(status):<9} {_when(status, now_us)}", _LONGEST)
            if reasons.get(status.series):
                yield log_safe(f"    {reasons[status.series]}", _LONGEST)
    for waiting in backlog:
        yield log_safe(_backlog_line(waiting, now_us), _LONGEST)


def status_values(
    statuses: Iterable[SeriesStatus], backlog: Iterable[Backlog], reasons: Mapping[Series, str]
) -> dict[str, Any]:
    """Checks with their state, and the backlog, as values for JSON; times in UTC."""
    return {
        "checks": [_status_value(status, reasons.get(status.series, "")) for status in statuses],
        "backlog": [
            {
                "sink": entry.sink,
                "pending": entry.pending,
                "dead": entry.dead,
                "oldest": _time(entry.oldest_us),
                "reason": entry.reason,
            }
            for entry in backlog
        ],
    }


def history_lines(outcomes: Iterable[SlotOutcome]) -> Iterator[str]:
    """One line per slot, the newest first."""
    for outcome in outcomes:
        result = outcome.result
        parts = (
            describe_result(result),
            f"only rows where {result.run.slice}" if result.run and result.run.slice else "",
            f"attempt {outcome.claim.attempt}" if outcome.claim.attempt > 1 else "",
        )
        words = " · ".join(part for part in parts if part)
        yield log_safe(f"{outcome.key.when}  {result.check:<13}{result.outcome.value:<9} {words}".rstrip(), _LONGEST)
        for item in result.findings:
            if item.violation_type:
                yield log_safe(f"    {item.code.id} {item.severity.value} {item.message}", _LONGEST)


def history_values(outcomes: Iterable[SlotOutcome]) -> list[dict[str, Any]]:
    """Slots as values for JSON, with every number that was measured."""
    return [
        {
            "slot": outcome.key.when,
            "check": outcome.key.check_type,
            "namespace": outcome.key.namespace,
            "outcome": outcome.result.outcome.value,
            "attempt": outcome.claim.attempt,
            "as_of": iso(outcome.as_of_us),
            "seconds": str(outcome.seconds),
            "version": outcome.version,
            "gauges": {name: str(value) for name, value in outcome.gauges},
            "context": dict(outcome.result.context),
            "findings": [
                {
                    "code": item.code.id,
                    "severity": item.severity.value,
                    "element": item.element,
                    "message": item.message,
                    "expected": item.expected,
                    "actual": item.actual,
                }
                for item in outcome.result.findings
            ],
        }
        for outcome in outcomes
    ]


def _status_value(status: SeriesStatus, reason: str) -> dict[str, Any]:
    totals = status.totals
    return {
        "namespace": status.series.namespace,
        "contract": status.series.contract,
        "name": status.name,
        "version": totals.version,
        "check": status.series.check_type,
        "state": _state(status),
        "reason": reason,
        "since": _time(totals.since_us),
        "last_slot": _time(totals.last_run_us),
        "last_checked": _time(totals.last_done_us),
        "expected_slots": status.expected,
        "missed_slots": status.missed,
        "errors": totals.errors,
        "violations": sum(totals.counters.values()),
    }


def _contract(status: SeriesStatus) -> Contract:
    return status.series.namespace, status.name, status.totals.version


def _rank(status: SeriesStatus) -> int:
    return _RANKS[status.totals.state] if status.totals.state else len(_RANKS)


def _state(status: SeriesStatus) -> str:
    return status.totals.state.value if status.totals.state else ""


def _when(status: SeriesStatus, now_us: int) -> str:
    totals = status.totals
    parts = []
    if totals.since_us is not None:
        parts.append(f"since {_to_the_second(totals.since_us)} ({spell_roughly(max(0, now_us - totals.since_us))})")
    if totals.last_run_us is not None:
        parts.append(f"last slot {_to_the_second(totals.last_run_us)}")
    if status.missed:
        parts.append(f"{status.missed} of {status.expected} slots missed")
    return ", ".join(parts)


def _backlog_line(entry: Backlog, now_us: int) -> str:
    parts = [f"{entry.pending} waiting"] if entry.pending else []
    parts += [f"{entry.dead} refused for good"] if entry.dead else []
    since = f", the oldest for {spell_roughly(max(0, now_us - entry.oldest_us))}" if entry.oldest_us is not None else ""
    return f"backlog of {entry.sink}: {', '.join(parts)}{since}{f' ({entry.reason})' if entry.reason else ''}"


def _time(us: int | None) -> str | None:
    return iso(us) if us is not None else None


def _to_the_second(us: int) -> str:
    """Runs outside slots, such as those after a pipeline, begin within a second; people need no fraction of it."""
    return iso(us - us % 1_000_000)
