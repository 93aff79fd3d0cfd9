"""Follows the tables of contracts as streams: every batch a slot of its own, kept, told and reported like any result.

A slot is named by the query, its id in the checkpoint and the number of the batch, so a batch that Spark runs once more
after a crash finds its result and counts nothing twice. A batch whose result could not be kept fails its query, and so
comes again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ... import __version__
from ...adapters.spark.stream.batch import Batch
from ...adapters.spark.stream.promises import asked_promises
from ...adapters.spark.stream.queries import Following, StreamPace, Streams
from ...adapters.spark.stream.totals import StreamTotals
from ...checks.verdict import Check
from ...monitor.run.check import errored_result
from ...monitor.run.context import CheckContext, Checked, Judge
from ...monitor.run.delivery import NewResult, messages_for
from ...monitor.run.run import Request, RunPorts, run_check
from ...monitor.run.targets import Target
from ...monitor.settings.model import Monitoring
from ...monitor.store.outbox import Message
from ...monitor.store.protocol import Store
from ...results import CheckResult, Outcome, Report
from ...results.facts import RunFacts, SkipReason
from .drain import Sinks, drain
from .log import RunLog
from .run import left_behind

_TELL_S = 10.0  # between two deliveries
_NOT_KEPT = "floe: the result of a batch could not be kept"  # the mark is looked for in Spark's words about a failure
_CHECKS: tuple[Check, ...] = ("quality", "freshness")


class _Interrupted(BaseException):
    """A batch was cut off because the job ends: it is no error of the data, and comes again with the next start."""


@dataclass
class StreamJob:
    """One run over many streams; `stopping` ends it between two batches."""

    namespace: str
    monitoring: Monitoring
    store: Store
    outlets: Sinks
    log: RunLog
    late_us: int | None = None
    limit_s: float = 600.0
    fail_on_error: bool = False
    stopping: threading.Event = field(default_factory=threading.Event)
    totals: StreamTotals = field(default_factory=StreamTotals)
    _told_at: float = 0.0

    def run(self, spark: Any, streams: Sequence[Following], pace: StreamPace) -> Report:
        """Until all that is there is read, or until `stopping` is set."""
        Streams(spark, pace, self._batch, self._failed, self.stopping).run(streams, self._meanwhile)
        drained = drain(self.store, self.outlets, self._groups())
        notes = (*self.totals.notes(), *self.outlets.notes, *left_behind(drained, self.store))
        return self.totals.report(self.namespace, notes, fail_on_error=self.fail_on_error)

    def _batch(self, following: Following, query: str, number: int, frame: Any) -> None:
        if self.stopping.is_set():
            raise RuntimeError("floe: the job was stopped")
        target, table = following.target, following.binding.table
        batch = Batch(query, number, frame, following.binding, self.late_us)
        timed = bool(self.late_us or asked_promises(target.contract, table))
        frame.persist()
        try:
            for check in _CHECKS if timed else _CHECKS[:1]:
                result = self._checked(check, target, f"stream:{query}:{number}", self._unless_stopped(batch))
                self.totals.add(following.name, number, result)
        except _Interrupted:
            raise RuntimeError("floe: the job was stopped") from None
        finally:
            frame.unpersist()

    def _unless_stopped(self, batch: Batch) -> Judge:
        def judge(now: CheckContext) -> Checked:
            checked = batch.judge(now)
            if self.stopping.is_set() and checked.result.outcome is Outcome.ERRORED:
                raise _Interrupted
            return checked

        return judge

    def _checked(self, check: Check, target: Target, run_id: str, judge: Judge) -> CheckResult:
        kept: list[str] = []
        request = Request(
            check, self.namespace, run_id=run_id, alone=True, scheduled=False, limit_s=self.limit_s,
            tool_version=__version__,
        )  # fmt: skip
        tools = RunPorts(
            judge=judge,
            store=self.store,
            now_us=lambda: time.time_ns() // 1000,
            seconds=time.monotonic,
            crashed=self.log.crashed,
            progress=self.log.checked,
            committed=lambda *_: kept.append(run_id),
            messages=self._messages,
        )
        (result,) = run_check(request, [target], self.monitoring, tools).results
        run = result.run or RunFacts()
        if not kept and not run.repeated and run.skipped is not SkipReason.EXPIRED:
            raise RuntimeError(_NOT_KEPT)
        return result

    def _messages(self, new: NewResult) -> tuple[Message, ...]:
        return messages_for(new, self.outlets.sinks, self.log.unrendered)

    def failed(self, target: Target, name: str, reason: str) -> None:
        """A stream that ended or never began is told like a check that could not be done."""
        run_id = f"stream:{name}:stopped:{time.time_ns() // 1000}"
        try:
            result = self._checked(
                "quality", target, run_id, lambda _: Checked(errored_result("quality", target, reason))
            )
        except RuntimeError:  # the store is away, which is why the stream ended
            result = errored_result("quality", target, reason)
        self.totals.add(name, None, result)

    def _failed(self, following: Following, reason: str) -> None:
        self.failed(following.target, following.name, reason)

    def _meanwhile(self) -> None:
        if self.totals.changed and time.monotonic() >= self._told_at + _TELL_S:
            self.totals.changed = False
            drain(self.store, self.outlets, self._groups())
            self._told_at = time.monotonic()

    def _groups(self) -> set[tuple[str, Check]]:
        return {(self.namespace, check) for check in _CHECKS}
