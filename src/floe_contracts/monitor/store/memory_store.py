"""A store that lives as long as its process: for single runs, tests, and as the shortest statement of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from threading import Lock

from ...checks.measured import ActualColumn
from .memory_outbox import MemoryOutbox
from .outbox import Message
from .protocol import (
    LEASE_US,
    STREAM,
    AlreadyDone,
    Busy,
    Claim,
    Claimed,
    Committed,
    Expired,
    Filled,
    Lost,
    PartitionState,
    Pruned,
    SeriesTotals,
    SlotOutcome,
    Violation,
    is_done_for,
    stream_names,
)
from .slots import Kind, Series, SlotKey
from .totals import add_outcome, add_violations

_Counted = tuple[Series, int, str]  # series, slot, fingerprint


@dataclass(slots=True)
class _Slot:
    """What is known of one slot: the last attempt's result, the number of attempts, and who works on it now."""

    attempts: int = 0
    outcome: SlotOutcome | None = None
    claim: Claim | None = None


@dataclass(slots=True)
class MemoryStore:
    """All rules of `monitor.store.protocol`, under one lock."""

    _slots: dict[SlotKey, _Slot] = field(default_factory=dict)
    _counted: dict[_Counted, int] = field(default_factory=dict)  # and the newest slot that saw it
    _totals: dict[Series, SeriesTotals] = field(default_factory=dict)
    _schemas: dict[str, tuple[int, tuple[ActualColumn, ...]]] = field(default_factory=dict)
    _states: dict[tuple[str, str], tuple[PartitionState, ...]] = field(default_factory=dict)
    _commits: Counter[Series] = field(default_factory=Counter)
    _pruned_us: int = 0
    _forgotten_runs: set[SlotKey] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)
    _locks: dict[str, Lock] = field(default_factory=dict)
    outbox: MemoryOutbox = field(init=False)

    def __post_init__(self) -> None:
        self.outbox = MemoryOutbox(self._revisions)

    def claim(
        self, key: SlotKey, *, now_us: int, lease_us: int = LEASE_US, recheck: bool = False, promise: str = ""
    ) -> Claimed:
        with self._lock:
            if self._is_forgotten(key):
                return Expired(self._pruned_us)
            slot = self._slots.setdefault(key, _Slot())
            if slot.claim is not None and slot.claim.expires_us > now_us:
                return Busy(slot.claim.expires_us)
            if slot.outcome is not None and is_done_for(slot.outcome, promise) and not recheck:
                return AlreadyDone(slot.outcome)
            slot.attempts += 1
            token = f"{key}#{slot.attempts}"
            slot.claim = Claim(key, slot.attempts, token, now_us + lease_us, promise, slot.outcome)
            return slot.claim

    def is_done(self, key: SlotKey, promise: str = "") -> bool:
        with self._lock:
            outcome = self._slots[key].outcome if key in self._slots else None
            return self._is_forgotten(key) or (outcome is not None and is_done_for(outcome, promise))

    def commit(self, outcome: SlotOutcome, *, now_us: int, messages: Sequence[Message] = ()) -> Committed | Lost:
        """A lease that ended is no reason to refuse as long as nobody else took the slot."""
        with self._lock:
            slot = self._slots.get(outcome.key)
            if slot is None or slot.claim != outcome.claim:
                return Lost(TAKEN)
            slot.claim, slot.outcome = None, replace(outcome, claim=replace(outcome.claim, previous=None))
            for seen in outcome.schemas:
                before = self._schemas.get(seen.table)
                if before is None or before[0] <= outcome.slot_us:
                    self._schemas[seen.table] = (outcome.slot_us, seen.columns)
            self._keep_states(outcome.states)
            self.outbox.write(outcome, messages, now_us)
            return Committed(self._add_up(outcome))

    def release(self, claim: Claim) -> None:
        with self._lock:
            slot = self._slots.get(claim.key)
            if slot is not None and slot.claim == claim:
                slot.claim = None

    def history(
        self,
        series: Series,
        since_us: int,
        until_us: int | None = None,
        limit: int | None = None,
        like: SlotKey | None = None,
    ) -> tuple[SlotOutcome, ...]:
        with self._lock:
            done = [slot.outcome for slot in self._slots.values() if slot.outcome is not None]
        outcomes = [
            outcome
            for outcome in done
            if outcome.key.series == series
            and since_us <= outcome.slot_us
            and (until_us is None or outcome.slot_us < until_us)
            and (like is None or _is_alike(outcome.key.run_id, like.run_id))
        ]
        return tuple(sorted(outcomes, key=lambda outcome: (outcome.slot_us, str(outcome.key)), reverse=True)[:limit])

    def gauge_history(
        self, series: Series, name: str, since_us: int, until_us: int | None = None
    ) -> tuple[tuple[int, Decimal], ...]:
        outcomes = self.history(series, since_us, until_us)
        return tuple(
            (outcome.slot_us, value) for outcome in outcomes for gauge, value in outcome.gauges if gauge == name
        )

    def last_schema(self, table: str) -> tuple[ActualColumn, ...] | None:
        with self._lock:
            return self._schemas[table][1] if table in self._schemas else None

    def partition_states(self, table: str, plan_hash: str) -> tuple[PartitionState, ...]:
        with self._lock:
            return self._states.get((table, plan_hash), ())

    def totals(self, namespace: str) -> Mapping[Series, SeriesTotals]:
        with self._lock:
            return {series: total for series, total in self._totals.items() if series.namespace == namespace}

    def namespaces(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(sorted({series.namespace for series in self._totals}))

    def filled(self, namespace: str, since_us: int) -> Mapping[tuple[Series, int], Filled]:
        filled: dict[tuple[Series, int], list[int]] = {}
        with self._lock:
            for key, slot in self._slots.items():
                if key.namespace == namespace and not key.run_id and key.start_us >= since_us and slot.outcome:
                    filled.setdefault((key.series, key.interval_us), []).append(key.start_us)
        return {key: Filled(min(starts), len(starts)) for key, starts in filled.items()}

    def prune(self, before_us: int) -> Pruned:
        with self._lock:
            self._pruned_us = max(self._pruned_us, before_us)
            old = [key for key, slot in self._slots.items() if _moment(key, slot) < self._pruned_us]
            self._forgotten_runs |= {key for key in old if key.run_id and self._slots[key].outcome}
            for key in old:
                del self._slots[key]
            for counted in [key for key, seen_us in self._counted.items() if seen_us < self._pruned_us]:
                del self._counted[counted]
            gone = [series for series, total in self._totals.items() if (total.last_run_us or 0) < self._pruned_us]
            for series in gone:
                del self._totals[series], self._commits[series]
            self.outbox.outdate((series.namespace, series.check_type) for series in gone)
        return Pruned(len(old), len(gone), self.outbox.forget(before_us))

    def mark_gone(self, gone: Sequence[Series], now_us: int) -> int:
        with self._lock:
            new = [series for series in gone if series in self._totals and self._totals[series].gone_us is None]
            for series in new:
                self._totals[series] = replace(self._totals[series], gone_us=now_us)
                self._commits[series] += 1
            return len(new)

    @contextmanager
    def lock(self, name: str, wait_s: float) -> Iterator[bool]:
        with self._lock:
            lock = self._locks.setdefault(name, Lock())
        held = lock.acquire(timeout=max(0.0, wait_s))
        try:
            yield held
        finally:
            if held:
                lock.release()

    def _is_forgotten(self, key: SlotKey) -> bool:
        return key in self._forgotten_runs or (not key.run_id and key.start_us < self._pruned_us)

    def _revisions(self) -> dict[tuple[str, Kind], int]:
        with self._lock:
            revisions: Counter[tuple[str, Kind]] = Counter()
            for series, commits in self._commits.items():
                revisions[series.namespace, series.check_type] += commits
            return dict(revisions)

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
        self._commits[series] += 1
        total = add_outcome(self._totals.get(series, SeriesTotals()), outcome)
        new: tuple[Violation, ...] = ()
        if outcome.published:
            new = tuple(self._not_counted(series, outcome))
            total = add_violations(total, new)
        self._totals[series] = total
        return new

    def _not_counted(self, series: Series, outcome: SlotOutcome) -> Iterable[Violation]:
        """What is new; from before the last pruning nothing is, because it may have been counted and forgotten."""
        for violation in outcome.violations:
            key = (series, violation.slot_us, violation.fingerprint)
            known = key in self._counted
            if known or violation.slot_us >= self._pruned_us:
                self._counted[key] = max(self._counted.get(key, 0), violation.slot_us, outcome.slot_us)
            if not known and violation.slot_us >= self._pruned_us:
                yield violation


TAKEN = "another run has taken or finished the slot"


def _is_alike(run_id: str, like: str) -> bool:
    if not like:
        return not run_id
    names = stream_names(like)
    return run_id.startswith(names) if names else bool(run_id) and not run_id.startswith(STREAM)


def _moment(key: SlotKey, slot: _Slot) -> int:
    """When a slot is; a run without a result is as old as the lease on it."""
    if not key.run_id:
        return key.start_us
    return slot.outcome.slot_us if slot.outcome else slot.claim.expires_us if slot.claim else 0
