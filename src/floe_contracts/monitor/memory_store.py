"""A store that lives as long as its process: for single runs, tests, and as the shortest statement of the rules."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from threading import Lock

from ..checks.measured import ActualColumn
from ..results import Outcome
from .slots import Series, SlotKey
from .store import (
    DURATION_BOUNDS,
    LEASE_US,
    AlreadyDone,
    Busy,
    Claim,
    Claimed,
    Committed,
    CounterKey,
    Lost,
    PartitionState,
    SlotOutcome,
    Totals,
    Violation,
)

_Counted = tuple[Series, int, str]  # series, slot, fingerprint


@dataclass(slots=True)
class _Slot:
    """What is known of one slot: the last attempt's result, the number of attempts, and who works on it now."""

    attempts: int = 0
    outcome: SlotOutcome | None = None
    claim: Claim | None = None


@dataclass(slots=True)
class MemoryStore:
    """All rules of `monitor.store`, under one lock."""

    _slots: dict[SlotKey, _Slot] = field(default_factory=dict)
    _counted: set[_Counted] = field(default_factory=set)
    _totals: dict[Series, Totals] = field(default_factory=dict)
    _gauge_slots: dict[tuple[Series, str], int] = field(default_factory=dict)
    _schemas: dict[str, tuple[int, tuple[ActualColumn, ...]]] = field(default_factory=dict)
    _states: dict[tuple[str, str], tuple[PartitionState, ...]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def claim(self, key: SlotKey, *, now_us: int, lease_us: int = LEASE_US, recheck: bool = False) -> Claimed:
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            if slot.claim is not None and slot.claim.expires_us > now_us:
                return Busy(slot.claim.expires_us)
            done = slot.outcome is not None and slot.outcome.result.outcome is not Outcome.ERRORED
            if done and not recheck and slot.outcome is not None:
                return AlreadyDone(slot.outcome)
            slot.attempts += 1
            slot.claim = Claim(key, slot.attempts, f"{key}#{slot.attempts}", now_us + lease_us)
            return slot.claim

    def commit(self, outcome: SlotOutcome, *, now_us: int) -> Committed | Lost:
        """A lease that ended is no reason to refuse as long as nobody else took the slot."""
        with self._lock:
            slot = self._slots.get(outcome.key)
            if slot is None or slot.claim != outcome.claim:
                return Lost("another run has taken or finished the slot")
            slot.claim, slot.outcome = None, outcome
            for seen in outcome.schemas:
                before = self._schemas.get(seen.table)
                if before is None or before[0] <= outcome.slot_us:
                    self._schemas[seen.table] = (outcome.slot_us, seen.columns)
            self._keep_states(outcome.states)
            return Committed(self._add_up(outcome))

    def release(self, claim: Claim) -> None:
        with self._lock:
            slot = self._slots.get(claim.key)
            if slot is not None and slot.claim == claim:
                slot.claim = None

    def history(
        self, series: Series, since_us: int, until_us: int | None = None, limit: int | None = None
    ) -> tuple[SlotOutcome, ...]:
        with self._lock:
            done = [slot.outcome for slot in self._slots.values() if slot.outcome is not None]
        found = [
            one
            for one in done
            if one.key.series == series and since_us <= one.slot_us and (until_us is None or one.slot_us < until_us)
        ]
        return tuple(sorted(found, key=lambda one: (one.slot_us, str(one.key)), reverse=True)[:limit])

    def gauge_history(
        self, series: Series, name: str, since_us: int, until_us: int | None = None
    ) -> tuple[tuple[int, Decimal], ...]:
        found = self.history(series, since_us, until_us)
        return tuple((one.slot_us, value) for one in found for gauge, value in one.gauges if gauge == name)

    def last_schema(self, table: str) -> tuple[ActualColumn, ...] | None:
        with self._lock:
            return self._schemas[table][1] if table in self._schemas else None

    def partition_states(self, table: str, plan_hash: str) -> tuple[PartitionState, ...]:
        with self._lock:
            return self._states.get((table, plan_hash), ())

    def totals(self, namespace: str) -> Mapping[Series, Totals]:
        with self._lock:
            return {series: total for series, total in self._totals.items() if series.namespace == namespace}

    def _keep_states(self, states: tuple[PartitionState, ...] | None) -> None:
        """The states of a table are those of its newest plan; others would never be asked for again."""
        for table in {state.table for state in states or ()}:
            for key in [key for key in self._states if key[0] == table]:
                del self._states[key]
        for state in states or ():
            key = (state.table, state.plan_hash)
            self._states[key] = (*self._states.get(key, ()), state)

    def _add_up(self, outcome: SlotOutcome) -> tuple[Violation, ...]:
        series = outcome.key.series
        before = self._totals.get(series, Totals())
        errored = outcome.result.outcome is Outcome.ERRORED
        total = replace(
            before,
            label=outcome.label or before.label,
            version=outcome.version or before.version,
            errors=before.errors + errored,
            last_run_us=_later(before.last_run_us, outcome.slot_us),
            last_done_us=before.last_done_us if errored else _later(before.last_done_us, outcome.slot_us),
        )
        new: tuple[Violation, ...] = ()
        if outcome.published:
            new = tuple(self._not_counted(series, outcome.violations))
            total = replace(_timed(total, outcome.seconds), counters=_raised(total, new))
            total = replace(total, gauges={**total.gauges, **dict(self._forward(series, outcome))})
        self._totals[series] = total
        return new

    def _not_counted(self, series: Series, violations: Iterable[Violation]) -> Iterable[Violation]:
        for one in violations:
            key = (series, one.slot_us, one.fingerprint)
            if key not in self._counted:
                self._counted.add(key)
                yield one

    def _forward(self, series: Series, outcome: SlotOutcome) -> Iterable[tuple[str, Decimal]]:
        for name, value in outcome.gauges:
            if self._gauge_slots.get((series, name), outcome.slot_us) <= outcome.slot_us:
                self._gauge_slots[series, name] = outcome.slot_us
                yield name, value


def _later(before_us: int | None, now_us: int) -> int:
    return now_us if before_us is None else max(before_us, now_us)


def _raised(total: Totals, new: Iterable[Violation]) -> dict[CounterKey, int]:
    counters = dict(total.counters)
    for one in new:
        counters[one.type, one.severity] = counters.get((one.type, one.severity), 0) + 1
    return counters


def _timed(total: Totals, seconds: Decimal) -> Totals:
    buckets = list(total.durations or (0,) * (len(DURATION_BOUNDS) + 1))
    buckets[bisect_left(DURATION_BOUNDS, seconds)] += 1
    return replace(total, durations=tuple(buckets), duration_sum=total.duration_sum + seconds)
