"""Brings what waits in a store to its sinks and mirrors, within a limit of time that holds whatever they do.

Every outlet has a thread of its own and a lock of its own, so that a dead one delays no other and two processes never
talk over each other. Two failures in a row end the work for one outlet; what is left waits for the next run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from threading import Thread

from ...checks.verdict import Check
from ...monitor.run.delivery import Delivered, Delivery, MessageRefused, Mirror, Retry, Sink
from ...monitor.store.outbox import MetricsGroup, Pending
from ...monitor.store.protocol import Store

LIMIT_S = 8.0  # a job may end at most 10 s after its last check
TRY_S = 3.0
BUSY_S = 60.0
_FAILURES = 2

GroupName = tuple[str, Check]


@dataclass(frozen=True, slots=True)
class Sinks:
    """Everybody who is told; notes say who is configured and cannot be, in a line each."""

    sinks: tuple[Sink, ...] = ()
    mirrors: tuple[Mirror, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drained:
    """What came of one outlet; a reason says why something may be left."""

    outlet: str
    delivered: int = 0
    refused: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DrainLimits:
    """How long, and with which clocks; `due` False tries also what should wait longer.

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
    store: Store, outlets: Sinks, groups: Collection[GroupName] = (), terms: DrainLimits | None = None
) -> tuple[Drained, ...]:
    """Deliver what waits, and push groups that changed, as well as those named, which may have been lost out there."""
    terms = terms or DrainLimits()
    since = terms.seconds()
    until, latest = since + terms.limit_s, since + terms.busy_s
    running = [
        *(_DrainThread(one.name, _Delivering(store, one, terms, until, latest)) for one in outlets.sinks),
        *(_DrainThread(one.name, _Pushing(store, one, terms, until, groups)) for one in outlets.mirrors),
    ]
    for one in running:
        one.thread.start()
    for one in running:
        while one.thread.is_alive() and (left := one.work.until + 0.5 - terms.seconds()) > 0:
            one.thread.join(left)
    return tuple(one.result() for one in running)


class _DrainThread:
    """A worker in a thread that the process does not wait for when it ends."""

    def __init__(self, name: str, work: _Delivering | _Pushing) -> None:
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
class _Delivering:
    """One sink: its messages in order; one that must wait holds back those of its series, and no others."""

    store: Store
    sink: Sink
    terms: DrainLimits
    until: float
    latest: float
    _waiting: set[str] = field(default_factory=set)
    _failures: int = 0
    _reason: str = ""

    @property
    def name(self) -> str:
        return self.sink.name

    def __call__(self, count: _Count) -> str:
        with self.store.lock(f"sink {self.name}", _left(self.terms, self.until)) as held:
            if not held:
                return "another process delivers to it"
            after = 0
            while batch := self.store.outbox.pending(self.name, after=after):
                for one in batch:
                    if not self._goes_on(one, count):
                        return self._reason
                after = batch[-1].id
            return self._reason

    def _goes_on(self, one: Pending, count: _Count) -> bool:
        """Whether the next message may be tried."""
        left = _left(self.terms, self.until)
        if left <= 0:
            self._reason = self._reason or "the time for it was over"
            return False
        if one.series in self._waiting or (self.terms.due and one.due_us > self.terms.now_us()):
            self._waiting.add(one.series)
            return True
        answer = _guarded(lambda: self.sink.deliver(one, min(self.terms.try_s, left)))
        return self._noted(one, answer, count)

    def _noted(self, one: Pending, answer: Delivery, count: _Count) -> bool:
        outbox = self.store.outbox
        if isinstance(answer, Retry):
            due_us = self.terms.now_us() + int(answer.after_s * 1_000_000) if answer.after_s else 0
            outbox.failed(one, answer.reason, due_us)
            self._waiting.add(one.series)
            self._failures, self._reason = self._failures + 1, answer.reason
            return self._failures < _FAILURES and not answer.after_s
        self._failures = 0
        if isinstance(answer, MessageRefused):
            outbox.bury(one, answer.reason)
            count.refused, self._reason = count.refused + 1, answer.reason
        else:
            outbox.delivered(one)
            count.delivered += 1
            self.until = max(self.until, min(self.latest, self.terms.seconds() + self.terms.limit_s))
        return True


@dataclass(slots=True)
class _Pushing:
    """One mirror: its groups, each under a lock from reading the totals to the end of the push."""

    store: Store
    mirror: Mirror
    terms: DrainLimits
    until: float
    groups: Collection[GroupName]

    @property
    def name(self) -> str:
        return self.mirror.name

    def __call__(self, count: _Count) -> str:
        reason, failures = "", 0
        for group in self._wanted():
            answer = self._pushed((group.namespace, group.check_type))
            if isinstance(answer, Delivered):
                count.delivered, failures = count.delivered + 1, 0
            elif answer is not None:
                count.refused += isinstance(answer, MessageRefused)
                reason, failures = answer.reason, failures + 1
            if failures == _FAILURES or _left(self.terms, self.until) <= 0:
                return reason or "the time for it was over"
        return reason

    def _wanted(self) -> Sequence[MetricsGroup]:
        asked = [one for one in self.store.outbox.groups() if (one.namespace, one.check_type) in self.groups]
        # By name: between the two reads another process may commit, and a group with two revisions is still one group.
        found = {(one.namespace, one.check_type): one for one in (*asked, *self.store.outbox.unpushed(self.name))}
        return [found[name] for name in sorted(found)]

    def _pushed(self, name: GroupName) -> Delivery | None:
        namespace, check = name
        with self.store.lock(f"mirror {self.name} {namespace} {check}", _left(self.terms, self.until)) as held:
            if not held:
                return Retry("another process pushes to it")
            # Read after the lock was taken: what an older reader holds must not overwrite what a newer one pushed.
            group = next((one for one in self._wanted() if (one.namespace, one.check_type) == name), None)
            if group is None:
                return None
            totals = {one: total for one, total in self.store.totals(namespace).items() if one.check_type == check}
            backlog, limit_s = self.store.outbox.backlog(), min(self.terms.try_s, _left(self.terms, self.until))
            answer = _guarded(lambda: self.mirror.push(group, totals, backlog, max(0.1, limit_s)))
            if isinstance(answer, Delivered):
                self.store.outbox.pushed(self.name, group)
            return answer


def _left(terms: DrainLimits, until: float) -> float:
    return max(0.0, until - terms.seconds())


def _guarded(attempt: Callable[[], Delivery]) -> Delivery:
    try:
        return attempt()
    except Exception as error:  # only the type: the words of an error may hold addresses with credentials
        return Retry(f"it failed with {type(error).__name__}")
