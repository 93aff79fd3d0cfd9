"""How contracts stand, and what came of their slots, as lines for people and as values for machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from ..checks.moments import iso, spell_roughly
from ..monitor.settings.model import CHECKS
from ..monitor.store.outbox import Backlog
from ..monitor.store.protocol import SlotOutcome
from ..monitor.store.totals import SeriesStatus
from ..render.running import describe_result
from ..render.safe import log_safe

_LONGEST = 300


def status_lines(statuses: Iterable[SeriesStatus], backlog: Iterable[Backlog], now_us: int) -> Iterator[str]:
    """Contract by contract, one line per check; at the end what waits to be sent."""
    key = lambda status: (status.series.namespace, status.name, status.totals.version)  # noqa: E731
    for (namespace, name, version), checks in groupby(statuses, key=key):
        yield log_safe(f"{name} {version}  {namespace}", _LONGEST)
        for status in sorted(checks, key=lambda each: CHECKS.index(each.series.check_type)):
            yield log_safe(f"  {status.series.check_type:<13}{_state(status):<9} {_when(status, now_us)}", _LONGEST)
    for waiting in backlog:
        yield log_safe(_backlog_line(waiting, now_us), _LONGEST)


def status_values(statuses: Iterable[SeriesStatus], backlog: Iterable[Backlog]) -> dict[str, Any]:
    """Checks with their state, and the backlog, as values for JSON; times in UTC."""
    return {
        "checks": [_status_value(status) for status in statuses],
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
        parts = (describe_result(result), f"attempt {outcome.claim.attempt}" if outcome.claim.attempt > 1 else "")
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


def _status_value(status: SeriesStatus) -> dict[str, Any]:
    totals = status.totals
    return {
        "namespace": status.series.namespace,
        "contract": status.series.contract,
        "name": status.name,
        "version": totals.version,
        "check": status.series.check_type,
        "state": _state(status),
        "since": _time(totals.since_us),
        "last_slot": _time(totals.last_run_us),
        "last_checked": _time(totals.last_done_us),
        "expected_slots": status.expected,
        "missed_slots": status.missed,
        "errors": totals.errors,
        "violations": sum(totals.counters.values()),
    }


def _state(status: SeriesStatus) -> str:
    return status.totals.state.value if status.totals.state else ""


def _when(status: SeriesStatus, now_us: int) -> str:
    totals = status.totals
    parts = []
    if totals.since_us is not None:
        parts.append(f"since {iso(totals.since_us)} ({spell_roughly(max(0, now_us - totals.since_us))})")
    if totals.last_run_us is not None:
        parts.append(f"last slot {iso(totals.last_run_us)}")
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
