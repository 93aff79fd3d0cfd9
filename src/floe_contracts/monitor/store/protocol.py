"""What every store of results must do: one claim per slot, one transaction per outcome, and the state it adds up to.

- A slot is claimed with a lease. While the lease runs others are told Busy; when it expires they may claim the slot.
- A finished slot is immutable: claiming it again for the same promise answers AlreadyDone with what was found. A
  recheck, another promise, or a slot whose last attempt ended errored, gives a new attempt. Who says no promise, or
  found one before promises were kept, means the same.
- An outcome is committed in one transaction: the result, the violations it counts, gauges, duration, schemas, states.
  It is refused when the lease was lost to another attempt.
- Counters never fall. A violation is counted once per slot and fingerprint, so a recheck adds only what is new.
  Quality rules are counted by the first attempt of a slot and promise that was done and published, and by no other.
- A step of a pipeline counts a run id once as a run and at most once as a failure, with the duration of its first end.
- State and gauges are those of the newest measurement, scheduled or after a run: one that is older and committed later
  changes neither. A check that was done replaces all gauges of its series; one that could not be done leaves them.
- Streams of several tables share a series, and its state is that of the worst; a check of all tables replaces them.
- A series whose contract is gone is marked, and stays in the history; the next result of it takes the mark away.
- Messages are written with the outcome they tell of (`monitor.store.outbox`).
- Pruning forgets slots before a moment, and never lets them in again: claiming one answers Expired, and a violation
  from before that moment which is not known as counted is not counted any more. So nothing is counted twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Protocol, TypeAlias

from ...checks.measured import ActualColumn
from ...codes import Severity, ViolationType
from ...results import CheckResult, Outcome
from .outbox import Message, Outbox
from .slots import Series, SlotKey

LEASE_US = 3_600_000_000  # longer than any single contract may take; a crashed run frees its slots after it


@dataclass(frozen=True, slots=True)
class RuleCount:
    """Rules that were judged; what could not be measured is not part of it."""

    passed: int = 0
    failed: int = 0

    @property
    def judged(self) -> int:
        return self.passed + self.failed

    def plus(self, more: RuleCount) -> RuleCount:
        return RuleCount(self.passed + more.passed, self.failed + more.failed)


@dataclass(frozen=True, slots=True)
class RunCount:
    """Runs of a step of a pipeline, and those of them that failed; a run id is one run, however often it is tried."""

    runs: int = 0
    failures: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to fill one slot until the lease ends; `token` tells this claim from any other on the same slot."""

    key: SlotKey
    attempt: int
    token: str
    expires_us: int
    promise: str = ""  # the digest of what is promised and of how it is looked at (`monitor.run.promised`)
    previous: SlotOutcome | None = field(default=None, compare=False, repr=False)  # what the last attempt found


@dataclass(frozen=True, slots=True)
class AlreadyDone:
    """The slot is finished; this is what was found."""

    outcome: SlotOutcome


@dataclass(frozen=True, slots=True)
class Busy:
    """Somebody else works on the slot."""

    until_us: int


@dataclass(frozen=True, slots=True)
class Expired:
    """The slot lies before what the store remembers, so nobody knows whether it was counted."""

    before_us: int


Claimed: TypeAlias = "Claim | AlreadyDone | Busy | Expired"


@dataclass(frozen=True, slots=True)
class Violation:
    """One violation to be counted; `slot_us` is the deadline's own time where it is about one, else the slot's."""

    type: ViolationType
    severity: Severity
    fingerprint: str
    slot_us: int


@dataclass(frozen=True, slots=True)
class SeenSchema:
    """The columns of one table as they were in this slot."""

    table: str
    columns: tuple[ActualColumn, ...]


@dataclass(frozen=True, slots=True)
class PartitionState:
    """What one partition or snapshot of a table adds to the whole; `files` tells whether it changed since."""

    table: str
    plan_hash: str
    partition: str
    files: str
    state: bytes = field(repr=False, default=b"")


@dataclass(frozen=True, slots=True)
class SlotOutcome:
    """Everything that one attempt found, to be written at once.

    `states` replace those of the same table and plan; None leaves them as they are.
    """

    claim: Claim
    result: CheckResult
    as_of_us: int
    label: str = ""  # the contract's name in metrics and lineage
    version: str = ""
    seconds: Decimal = Decimal(0)
    published: bool = True  # False under `warn`: it is in the log and in the history, and nowhere else
    violations: tuple[Violation, ...] = ()
    gauges: tuple[tuple[str, Decimal], ...] = ()
    schemas: tuple[SeenSchema, ...] = ()
    states: tuple[PartitionState, ...] | None = None
    first_us: int | None = None  # the moment of the slot's first attempt: what a run violates is counted at it
    rules: RuleCount | None = None  # what the slot counts, in this attempt or in one before; None while in none
    project: str = ""  # the digest of whose run it is; kept with the series
    counted: tuple[str, ...] = ()  # the promises whose rules the slot counted; without any that of `rules` alone
    runs: RunCount | None = None  # what a run of a pipeline's step counts, in this attempt and all before; else None

    @property
    def key(self) -> SlotKey:
        return self.claim.key

    @property
    def slot_us(self) -> int:
        """The time of the slot; for a check after a run the moment of the check."""
        return self.as_of_us if self.key.run_id else self.key.start_us


@dataclass(frozen=True, slots=True)
class Committed:
    """What the transaction added: the violations that were not counted before."""

    counted: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """Nothing was written, because the slot is somebody else's by now."""

    reason: str


def is_done_for(outcome: SlotOutcome, promise: str) -> bool:
    """Whether the last attempt of a slot answers whoever claims it for this promise."""
    return outcome.result.outcome is not Outcome.ERRORED and is_same_promise(outcome.claim.promise, promise)


def is_same_promise(promise: str, other: str) -> bool:
    """Whether two attempts are about one promise; one that is not known is taken for the same."""
    return not promise or not other or promise == other


def counts_rules(outcome: SlotOutcome) -> bool:
    """Whether the rules of an attempt are new to its slot.

    Nobody else can have filled the slot since it was claimed, so the attempt before knows what was counted.
    """
    if outcome.rules is None:
        return False
    return not any(is_same_promise(outcome.claim.promise, promise) for promise in promises_counted(outcome.claim))


def promises_counted(claim: Claim) -> tuple[str, ...]:
    """The promises whose rules the slot of a claim has counted before it."""
    last = claim.previous
    if last is None or last.rules is None:
        return ()
    return last.counted or (last.claim.promise,)


CounterKey: TypeAlias = "tuple[ViolationType, Severity]"


@dataclass(frozen=True, slots=True)
class StreamState:
    """How one stream of a series stands: what came of its newest batch, or of its end."""

    state: Outcome
    as_of_us: int
    gauges: Mapping[str, Decimal] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeriesTotals:
    """Where one series stands: absolute numbers, so that a sink can lose everything and be right again."""

    label: str = ""
    version: str = ""
    counters: Mapping[CounterKey, int] = field(default_factory=dict)
    gauges: Mapping[str, Decimal] = field(default_factory=dict)
    durations: tuple[int, ...] = ()  # slots by bucket of DURATION_BOUNDS, the last for all that took longer
    duration_sum: Decimal = Decimal(0)
    rules: RuleCount = RuleCount()  # judged in all slots, each slot once
    runs: RunCount = RunCount()  # of a pipeline's step, each run id once
    errors: int = 0
    last_run_us: int | None = None  # the newest slot that was tried
    last_done_us: int | None = None  # the newest slot that was checked, whatever came of it
    interval_us: int = 0  # of the newest slot that has one; 0 when there were only checks after a run
    state: Outcome | None = None  # what came of the newest measurement
    since_us: int | None = None  # the slot from which on it was always that
    as_of_us: int | None = None  # the moment of the newest measurement
    published: bool = True  # whether the newest measurement is
    streams: Mapping[str, StreamState] = field(default_factory=dict)  # by name; the worst of them is the series' state
    project: str = ""  # that last wrote it
    gone_us: int | None = None  # since when its contract is gone; then it is in the history alone


@dataclass(frozen=True, slots=True)
class Filled:
    """How many slots of one interval have a result, and which of those asked for is the first."""

    first_us: int
    slots: int


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was forgotten."""

    slots: int = 0
    series: int = 0
    messages: int = 0


DURATION_BOUNDS: tuple[Decimal, ...] = tuple(
    Decimal(text) for text in ("0.5", "1", "2.5", "5", "10", "30", "60", "120", "300", "600", "1800", "3600")
)

INTERVAL_GAUGE = "interval_seconds"  # how often the check runs, so that an alert knows when one is missing

STREAM = "stream:"  # what the runs of streams begin with: stream:NAME@CHECKPOINT:BATCH, stream:NAME:stopped:MOMENT
_OF_STREAM = re.compile(r"(stream:.+?)(?:@[^:]*|:stopped)?:\d+")


def stream_names(run_id: str) -> tuple[str, ...]:
    """What all runs of the same stream begin with; empty for the run of a pipeline."""
    stream = _OF_STREAM.fullmatch(run_id)
    return (f"{stream[1]}@", f"{stream[1]}:") if stream else ()


class Store(Protocol):
    """Times are UTC microseconds and come from the caller; a store has no clock of its own."""

    def claim(
        self, key: SlotKey, *, now_us: int, lease_us: int = LEASE_US, recheck: bool = False, promise: str = ""
    ) -> Claimed: ...

    def is_done(self, key: SlotKey, promise: str = "") -> bool:
        """Whether a claim would find nothing to do: the slot is finished for this promise, or forgotten."""

    def commit(self, outcome: SlotOutcome, *, now_us: int, messages: Sequence[Message] = ()) -> Committed | Lost: ...

    def release(self, claim: Claim) -> None:
        """Give a slot back without a result."""

    def history(
        self,
        series: Series,
        since_us: int,
        until_us: int | None = None,
        limit: int | None = None,
        like: SlotKey | None = None,
    ) -> tuple[SlotOutcome, ...]:
        """The last attempt of each slot in [since, until), newest first, at most so many.

        `like` leaves only slots of its kind: those of intervals, of runs, or of the same stream (`stream_names`).
        """

    def gauge_history(
        self, series: Series, name: str, since_us: int, until_us: int | None = None
    ) -> tuple[tuple[int, Decimal], ...]:
        """Slot and value of one gauge in the same slots and order, published or not: months of probes in one read."""

    def last_schema(self, table: str) -> tuple[ActualColumn, ...] | None: ...

    def partition_states(self, table: str, plan_hash: str) -> tuple[PartitionState, ...]: ...

    def totals(self, namespace: str) -> Mapping[Series, SeriesTotals]: ...

    def namespaces(self) -> tuple[str, ...]: ...

    def filled(self, namespace: str, since_us: int) -> Mapping[tuple[Series, int], Filled]:
        """By series and interval: slots since a moment that have a result; what is missing was missed."""

    def prune(self, before_us: int) -> Pruned:
        """Forget what is older, and series with nothing newer; totals of the others stay as they are."""

    def mark_gone(self, gone: Sequence[Series], now_us: int) -> int:
        """Mark series whose contracts are gone, so that mirrors are told; how many were not marked before."""

    def lock(self, name: str, wait_s: float) -> AbstractContextManager[bool]:
        """Held by one thread of one process at a time, and freed when it dies; False when it was not free."""

    @property
    def outbox(self) -> Outbox: ...
