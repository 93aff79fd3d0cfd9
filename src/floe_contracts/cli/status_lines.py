"""How contracts stand, and what came of their slots, as lines for people and as values for machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from ..checks.moments import iso, roughly
from ..monitor.settings.model import CHECKS
from ..monitor.store.outbox import Backlog
from ..monitor.store.protocol import SlotOutcome
from ..monitor.store.status import SeriesStatus
from ..render.running import measured
from ..render.safe import log_safe

_LONGEST = 300


def status_lines(found: Iterable[SeriesStatus], backlog: Iterable[Backlog], now_us: int) -> Iterator[str]:
    """Contract by contract, one line per check; at the end what waits to be sent."""
    key = lambda one: (one.series.namespace, one.name, one.totals.version)  # noqa: E731
    for (namespace, name, version), checks in groupby(found, key=key):
        yield log_safe(f"{name} {version}  {namespace}", _LONGEST)
        for one in sorted(checks, key=lambda each: CHECKS.index(each.series.check_type)):
            yield log_safe(f"  {one.series.check_type:<13}{_state(one):<9} {_when(one, now_us)}", _LONGEST)
    for waiting in backlog:
        yield log_safe(_waiting(waiting, now_us), _LONGEST)


def status_values(found: Iterable[SeriesStatus], backlog: Iterable[Backlog]) -> dict[str, Any]:
    """The same for machines; times in UTC."""
    return {
        "checks": [_standing(one) for one in found],
        "backlog": [
            {
                "sink": one.sink,
                "pending": one.pending,
                "dead": one.dead,
                "oldest": _time(one.oldest_us),
                "reason": one.reason,
            }
            for one in backlog
        ],
    }


def history_lines(outcomes: Iterable[SlotOutcome]) -> Iterator[str]:
    """One line per slot, the newest first."""
    for one in outcomes:
        result = one.result
        parts = (measured(result), f"attempt {one.claim.attempt}" if one.claim.attempt > 1 else "")
        said = " · ".join(part for part in parts if part)
        yield log_safe(f"{one.key.when}  {result.check:<13}{result.outcome.value:<9} {said}".rstrip(), _LONGEST)
        for item in result.findings:
            if item.violation_type:
                yield log_safe(f"    {item.code.id} {item.severity.value} {item.message}", _LONGEST)


def history_values(outcomes: Iterable[SlotOutcome]) -> list[dict[str, Any]]:
    """The same for machines, with every number that was measured."""
    return [
        {
            "slot": one.key.when,
            "check": one.key.check_type,
            "namespace": one.key.namespace,
            "outcome": one.result.outcome.value,
            "attempt": one.claim.attempt,
            "as_of": iso(one.as_of_us),
            "seconds": str(one.seconds),
            "version": one.version,
            "gauges": {name: str(value) for name, value in one.gauges},
            "context": dict(one.result.context),
            "findings": [
                {
                    "code": item.code.id,
                    "severity": item.severity.value,
                    "element": item.element,
                    "message": item.message,
                    "expected": item.expected,
                    "actual": item.actual,
                }
                for item in one.result.findings
            ],
        }
        for one in outcomes
    ]


def _standing(one: SeriesStatus) -> dict[str, Any]:
    totals = one.totals
    return {
        "namespace": one.series.namespace,
        "contract": one.series.contract,
        "name": one.name,
        "version": totals.version,
        "check": one.series.check_type,
        "state": _state(one),
        "since": _time(totals.since_us),
        "last_slot": _time(totals.last_run_us),
        "last_checked": _time(totals.last_done_us),
        "expected_slots": one.expected,
        "missed_slots": one.missed,
        "errors": totals.errors,
        "violations": sum(totals.counters.values()),
    }


def _state(one: SeriesStatus) -> str:
    return one.totals.state.value if one.totals.state else ""


def _when(one: SeriesStatus, now_us: int) -> str:
    totals = one.totals
    parts = []
    if totals.since_us is not None:
        parts.append(f"since {iso(totals.since_us)} ({roughly(max(0, now_us - totals.since_us))})")
    if totals.last_run_us is not None:
        parts.append(f"last slot {iso(totals.last_run_us)}")
    if one.missed:
        parts.append(f"{one.missed} of {one.expected} slots missed")
    return ", ".join(parts)


def _waiting(one: Backlog, now_us: int) -> str:
    parts = [f"{one.pending} waiting"] if one.pending else []
    parts += [f"{one.dead} refused for good"] if one.dead else []
    since = f", the oldest for {roughly(max(0, now_us - one.oldest_us))}" if one.oldest_us is not None else ""
    return f"backlog of {one.sink}: {', '.join(parts)}{since}{f' ({one.reason})' if one.reason else ''}"


def _time(us: int | None) -> str | None:
    return iso(us) if us is not None else None
