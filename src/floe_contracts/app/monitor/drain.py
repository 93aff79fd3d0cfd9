"""The drain: brings what waits in a store to its sinks and mirrors, within a limit of time that holds whatever they do.

Each of them has a thread of its own and a lock of its own, so that a dead one delays no other and two processes never
talk over each other. Two failures in a row end the work for one of them; what is left waits for the next run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from threading import Thread

from ...monitor.run.delivery import Delivered, Delivery, MessageRefused, Mirror, Retry, Sink
from ...monitor.store.outbox import MetricsGroup, Pending
from ...monitor.store.protocol import Store
from ...monitor.store.slots import Kind

LIMIT_S = 8.0  # a job may end at most 10 s after its last check
TRY_S = 3.0
BUSY_S = 60.0
_FAILURES = 2

GroupName = tuple[str, Kind]


@dataclass(frozen=True, slots=True)
class Sinks:
    """All sinks and mirrors; notes say which are configured and cannot be used, in a line each."""

    sinks: tuple[Sink, ...] = ()
    mirrors: tuple[Mirror, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drained:
    """The result for one sink or mirror; a reason says why something may be left."""

    outlet: str
    delivered: int = 0
    refused: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DrainLimits:
    """The limits of a drain, and its clocks; `due` False tries also what should wait longer.

    The limit counts anew whenever a sink has taken a message, up to `busy_s` in all: a receiver that works is given a
    large backlog, and one that does not costs no more than the limit.
    """

    limit_s: float = LIMIT_S
    try_s: float = TRY_S
    due: bool = True
    now_us: Callable[[], int] = lambda: time.time_ns() // 1000
    seconds: Callable[[], float] = time.monotonic
    busy_s: float = BUSY_S


def drain(
    store: Store, sinks: Sinks, groups: Collection[GroupName] = (), limits: DrainLimits | None = None
) -> tuple[Drained, ...]:
    """Deliver what waits, and push groups that changed, as well as those named, which may have been lost out there."""
    limits = limits or DrainLimits()
    since = limits.seconds()
    until, latest = since + limits.limit_s, since + limits.busy_s
    threads = [
        *(_DrainThread(sink.name, _SinkDrain(store, sink, limits, until, latest)) for sink in sinks.sinks),
        *(_DrainThread(mirror.name, _MirrorDrain(store, mirror, limits, until, groups)) for mirror in sinks.mirrors),
    ]
    for running in threads:
        running.thread.start()
    for running in threads:
        while running.thread.is_alive() and (left := running.work.until + 0.5 - limits.seconds()) > 0:
            running.thread.join(left)
    return tuple(running.result() for running in threads)


class _DrainThread:
    """A worker in a thread that the process does not wait for when it ends."""

    def __init__(self, name: str, work: _SinkDrain | _MirrorDrain) -> None:
        self.name, self.work, self.count, self.reason = name, work, _Count(), "it did not answer in time"
        self.thread = Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            self.reason = self.work(self.count)
        except Exception as error:  # a store that fails here must not undo the run; its words may hold an address
            self.reason = f"the backlog could not be worked on ({type(error).__name__})"

    def result(self) -> Drained:
        return Drained(self.name, self.count.delivered, self.count.refused, self.reason)


@dataclass(slots=True)
class _Count:
    delivered: int = 0
    refused: int = 0


@dataclass(slots=True)
class _SinkDrain:
    """Work for one sink: its messages in order; one that must wait holds back those of its series, and no others."""

    store: Store
    sink: Sink
    limits: DrainLimits
    until: float
    latest: float
    _waiting: set[str] = field(default_factory=set)
    _failures: int = 0
    _reason: str = ""

    def __call__(self, count: _Count) -> str:
        with self.store.lock(f"sink {self.sink.name}", _rest(self.limits, self.until)) as held:
            if not held:
                return "another process delivers to it"
            after = 0
            while batch := self.store.outbox.pending(self.sink.name, after=after):
                for pending in batch:
                    if not self._try_next(pending, count):
                        return self._reason
                after = batch[-1].id
            return self._reason

    def _try_next(self, pending: Pending, count: _Count) -> bool:
        """Try a message; whether the next one may be tried as well."""
        left = _rest(self.limits, self.until)
        if left <= 0:
            self._reason = self._reason or "the time for it was over"
            return False
        if pending.series in self._waiting or (self.limits.due and pending.due_us > self.limits.now_us()):
            self._waiting.add(pending.series)
            return True
        answer = _guard(lambda: self.sink.deliver(pending, min(self.limits.try_s, left)))
        return self._note(pending, answer, count)

    def _note(self, pending: Pending, answer: Delivery, count: _Count) -> bool:
        """Write down what came of a message; whether the next one may be tried."""
        outbox = self.store.outbox
        if isinstance(answer, Retry):
            due_us = self.limits.now_us() + int(answer.after_s * 1_000_000) if answer.after_s else 0
            outbox.mark_failed(pending, answer.reason, due_us)
            self._waiting.add(pending.series)
            self._failures, self._reason = self._failures + 1, answer.reason
            return self._failures < _FAILURES and not answer.after_s
        self._failures = 0
        if isinstance(answer, MessageRefused):
            outbox.bury(pending, answer.reason)
            count.refused, self._reason = count.refused + 1, answer.reason
        else:
            outbox.mark_delivered(pending)
            count.delivered += 1
            self.until = max(self.until, min(self.latest, self.limits.seconds() + self.limits.limit_s))
        return True


@dataclass(slots=True)
class _MirrorDrain:
    """Work for one mirror: its groups, each under a lock from reading the totals to the end of the push."""

    store: Store
    mirror: Mirror
    limits: DrainLimits
    until: float
    groups: Collection[GroupName]

    def __call__(self, count: _Count) -> str:
        reason, failures = "", 0
        for group in self._groups():
            answer = self._push(_name(group))
            if isinstance(answer, Delivered):
                count.delivered, failures = count.delivered + 1, 0
            elif answer is not None:
                count.refused += isinstance(answer, MessageRefused)
                reason, failures = answer.reason, failures + 1
            if failures == _FAILURES or _rest(self.limits, self.until) <= 0:
                return reason or "the time for it was over"
        return reason

    def _groups(self) -> Sequence[MetricsGroup]:
        named = [group for group in self.store.outbox.groups() if _name(group) in self.groups]
        # By name: between the two reads another process may commit, and a group with two revisions is still one group.
        wanted = {_name(group): group for group in (*named, *self.store.outbox.unpushed(self.mirror.name))}
        return [wanted[name] for name in sorted(wanted)]

    def _push(self, name: GroupName) -> Delivery | None:
        namespace, check = name
        with self.store.lock(f"mirror {self.mirror.name} {namespace} {check}", _rest(self.limits, self.until)) as held:
            if not held:
                return Retry("another process pushes to it")
            # Read after the lock was taken: what an older reader holds must not overwrite what a newer one pushed.
            group = next((group for group in self._groups() if _name(group) == name), None)
            if group is None:
                return None
            kept = self.store.totals(namespace).items()
            totals = {series: total for series, total in kept if series.check_type == check}
            backlog, limit_s = self.store.outbox.backlog(), min(self.limits.try_s, _rest(self.limits, self.until))
            answer = _guard(lambda: self.mirror.push(group, totals, backlog, max(0.1, limit_s)))
            if isinstance(answer, Delivered):
                self.store.outbox.mark_pushed(self.mirror.name, group)
            return answer


def _name(group: MetricsGroup) -> GroupName:
    return group.namespace, group.check_type


def _rest(limits: DrainLimits, until: float) -> float:
    return max(0.0, until - limits.seconds())


def _guard(attempt: Callable[[], Delivery]) -> Delivery:
    try:
        return attempt()
    except Exception as error:  # only the type: the words of an error may hold addresses with credentials
        return Retry(f"it failed with {type(error).__name__}")
