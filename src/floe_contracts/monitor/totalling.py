"""How one more outcome changes where a series stands; every store adds up by these functions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from ..results import Outcome
from .store import DURATION_BOUNDS, CounterKey, SlotOutcome, Totals, Violation


def moved_on(before: Totals, outcome: SlotOutcome) -> Totals:
    """Names, errors, last slots and state; durations only of what is published."""
    errored = outcome.result.outcome is Outcome.ERRORED
    newest = before.last_run_us is None or outcome.slot_us >= before.last_run_us
    after = replace(
        before,
        label=outcome.label or before.label,
        version=outcome.version or before.version,
        errors=before.errors + errored,
        last_run_us=_later(before.last_run_us, outcome.slot_us),
        last_done_us=before.last_done_us if errored else _later(before.last_done_us, outcome.slot_us),
    )
    after = _stands(after, outcome) if newest else after
    return _timed(after, outcome.seconds) if outcome.published else after


def raised(before: Totals, new: Iterable[Violation]) -> Totals:
    """Counters with violations that were not counted yet."""
    counters: dict[CounterKey, int] = dict(before.counters)
    for one in new:
        counters[one.type, one.severity] = counters.get((one.type, one.severity), 0) + 1
    return replace(before, counters=counters)


def _stands(before: Totals, outcome: SlotOutcome) -> Totals:
    state = outcome.result.outcome
    since_us = before.since_us if state is before.state else outcome.slot_us
    return replace(before, interval_us=outcome.key.interval_us, state=state, since_us=since_us)


def _timed(before: Totals, seconds: Decimal) -> Totals:
    buckets = list(before.durations or (0,) * (len(DURATION_BOUNDS) + 1))
    buckets[bisect_left(DURATION_BOUNDS, seconds)] += 1
    return replace(before, durations=tuple(buckets), duration_sum=before.duration_sum + seconds)


def _later(before_us: int | None, now_us: int) -> int:
    return now_us if before_us is None else max(before_us, now_us)
