"""The stream job from its request to its report: every batch is a slot of its own, kept and reported like any result.

A slot is named by the query, its id in the checkpoint and the number of the batch, so a batch that Spark runs once more
after a crash finds its result and counts nothing twice. A batch whose result could not be kept fails its query, and so
comes again.
"""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

from ... import __version__
from ...adapters.spark.session.death import call_while_alive
from ...adapters.spark.session.start import session_for_run
from ...adapters.spark.stream.batch import Batch
from ...adapters.spark.stream.promises import row_promises
from ...adapters.spark.stream.queries import Following, StreamPace, Streams, name_stream
from ...adapters.spark.stream.totals import StreamTotals
from ...checks.verdict import Check
from ...contract.meaning.phrase import plural
from ...errors import EngineGone, FloeError
from ...monitor.run.check import cause_of, errored_result
from ...monitor.run.context import CheckContext, Checked, Judge
from ...monitor.run.delivery import NewResult, messages_for
from ...monitor.run.outcome import name_result
from ...monitor.run.run import Request, RunPorts, run_check
from ...monitor.run.targets import Target
from ...monitor.source.binding import Binding, bind
from ...monitor.store.outbox import Message
from ...monitor.store.protocol import Store
from ...product.data_contracts import Enforcement, Monitoring
from ...results import CheckResult, Outcome, Report
from ...results.facts import RunFacts, SkipReason
from .backlog import describe_rest
from .drain import Sinks, drain
from .gone import project_id
from .log import RunLog
from .request import StreamRequest
from .run import prepare
from .sinks import load_sinks

_COMMAND = "monitor run stream"
_DELIVER_S = 10.0  # between two deliveries
_NOT_KEPT = "floe: the result of a batch could not be kept"  # the mark is looked for in Spark's words about a failure
_CHECKS: tuple[Check, ...] = ("quality", "freshness")


def follow(
    request: StreamRequest,
    log: RunLog,
    environ: Mapping[str, str] = os.environ,
    stopping: threading.Event | None = None,
) -> Report:
    """Follow what the contracts name; returns when everything is read, or after a signal to end."""
    prepared, stopping = prepare(request, environ), stopping or threading.Event()
    if not any(is_wanted(target) for target in prepared.targets):
        off = ("The enforcement of every contract is off; nothing was followed.",) if prepared.targets else ()
        notes = (*prepared.idle, *prepared.notes, *off)
        return Report(_COMMAND, __version__, notes=notes, fail_on="enforced", allow_empty=bool(prepared.idle or off))
    config = prepared.project.config
    with prepared.open_store() as (store, targets):
        streams, problems = find_streams([target for target in targets if is_wanted(target)])
        if request.dry_run:
            plan = [f"{stream.name} would follow {stream.binding.source}." for stream in streams]
            plan += [f"{target.name} cannot be followed: {reason}." for target, reason in problems]
            return Report(_COMMAND, __version__, notes=(*prepared.notes, *plan), fail_on="enforced")
        job = StreamJob(
            namespace=prepared.namespace,
            monitoring=config.data_contracts.monitoring,
            project=project_id(prepared.project, environ),
            store=store,
            sinks=load_sinks(config, environ),
            log=log,
            late_us=request.late_us,
            limit_s=request.limit_s,
            fail_on_error=request.fail_on_error,
            stopping=stopping,
        )
        with hold_checkpoint(store, request.checkpoint), _end_on_signals(stopping):
            for target, reason in problems:
                job.report_failure(target, target.name, reason, stream=_first_stream(target))
            with session_for_run("floe stream") as spark:
                report = job.run(spark, streams, StreamPace(absolute_checkpoint(request.checkpoint), request.every_s))
    return replace(report, notes=(*prepared.notes, *report.notes))


def is_wanted(target: Target) -> bool:
    return target.enforcement is not Enforcement.OFF


class _Interrupted(BaseException):
    """A batch was cut off because the job ends: it is not an error of the data, and comes again with the next start."""


@dataclass
class StreamJob:
    """One run over many streams; `stopping` ends it between two batches."""

    namespace: str
    monitoring: Monitoring
    store: Store
    sinks: Sinks
    log: RunLog
    project: str = ""
    late_us: int | None = None
    limit_s: float = 600.0
    fail_on_error: bool = False
    stopping: threading.Event = field(default_factory=threading.Event)
    totals: StreamTotals = field(default_factory=StreamTotals)
    _delivered_at: float = 0.0

    def run(self, spark: Any, streams: Sequence[Following], pace: StreamPace) -> Report:
        """Until all that is there is read, or until `stopping` is set."""
        ended: tuple[str, ...] = ()
        try:
            Streams(spark, pace, self._judge_batch, self._fail, self.stopping).run(streams, self._deliver_if_due)
        except EngineGone as gone:
            ended = self._note_death(streams, gone)
        drained = drain(self.store, self.sinks, self._groups())
        notes = (*ended, *self.totals.notes(), *self.sinks.notes, *describe_rest(drained, self.store))
        return self.totals.report(self.namespace, notes, fail_on_error=self.fail_on_error)

    def _note_death(self, streams: Sequence[Following], gone: EngineGone) -> tuple[str, ...]:
        """Every contract that was followed is errored; nothing of that is kept, because it says nothing of the data."""
        for following in streams:
            lost = errored_result("quality", following.target, cause_of(gone))
            facts = RunFacts(enforcement=following.target.enforcement.value, engine_gone=True)
            self.totals.add(following.name, None, name_result(lost, following.target, facts))
        number = plural(len(streams), "stream")
        return (f"{number} ended; a batch that was not kept comes again with the next start. {gone.fix}",)

    def _judge_batch(self, following: Following, query: str, number: int, frame: Any) -> None:
        if self.stopping.is_set():
            raise RuntimeError("floe: the job was stopped")
        target, table = following.target, following.binding.table
        batch = Batch(query, number, frame, following.binding, self.late_us)
        timed = bool(self.late_us or row_promises(target.contract, table))
        frame.persist()
        try:
            for check in _CHECKS if timed else _CHECKS[:1]:
                result = self._check(check, target, f"stream:{query}:{number}", self._unless_stopped(batch))
                self.totals.add(following.name, number, result)
        except _Interrupted:
            raise RuntimeError("floe: the job was stopped") from None
        finally:
            frame.unpersist()

    def _unless_stopped(self, batch: Batch) -> Judge:
        def judge(now: CheckContext) -> Checked:
            checked = call_while_alive(
                batch.frame.sparkSession, lambda: batch.judge(now), lambda checked: not checked.result.findings
            )
            if self.stopping.is_set() and checked.result.outcome is Outcome.ERRORED:
                raise _Interrupted
            return checked

        return judge

    def _check(self, check: Check, target: Target, run_id: str, judge: Judge) -> CheckResult:
        kept: list[str] = []
        request = Request(
            check, self.namespace, run_id=run_id, alone=True, scheduled=False, limit_s=self.limit_s,
            project=self.project, tool_version=__version__,
        )  # fmt: skip
        ports = RunPorts(
            judge=judge,
            store=self.store,
            now_us=lambda: time.time_ns() // 1000,
            seconds=time.monotonic,
            crashed=self.log.note_crash,
            progress=self.log.count,
            committed=lambda *_: kept.append(run_id),
            messages=self._messages,
        )
        (result,) = run_check(request, [target], self.monitoring, ports).results
        run = result.run or RunFacts()
        if not kept and not run.repeated and run.skipped is not SkipReason.EXPIRED:
            raise RuntimeError(_NOT_KEPT)
        return result

    def _messages(self, new: NewResult) -> tuple[Message, ...]:
        return messages_for(new, self.sinks.sinks, self.log.note_unrendered)

    def report_failure(self, target: Target, name: str, reason: str, stream: str = "") -> None:
        """Keep that a stream ended or never began, like a check that could not be done, until its next batch."""
        run_id = f"stream:{stream or name}:stopped:{time.time_ns() // 1000}"
        try:
            result = self._check(
                "quality", target, run_id, lambda _: Checked(errored_result("quality", target, reason))
            )
        except RuntimeError:  # the store is away, which is why the stream ended
            result = errored_result("quality", target, reason)
        self.totals.add(name, None, result)

    def _fail(self, following: Following, reason: str) -> None:
        self.report_failure(following.target, following.name, reason)

    def _deliver_if_due(self) -> None:
        if self.totals.changed and time.monotonic() >= self._delivered_at + _DELIVER_S:
            self.totals.changed = False
            drain(self.store, self.sinks, self._groups())
            self._delivered_at = time.monotonic()

    def _groups(self) -> set[tuple[str, Check]]:
        return {(self.namespace, check) for check in _CHECKS}


def _first_stream(target: Target) -> str:
    """The stream that a contract which cannot be followed would have first, so that following it ends the error."""
    return name_stream(target, target.contract.objects[0].name) if target.contract.objects else target.name


def find_streams(targets: Sequence[Target]) -> tuple[list[Following], list[tuple[Target, str]]]:
    """Every table that can be followed, and why the others cannot."""
    streams: list[Following] = []
    problems: list[tuple[Target, str]] = []
    for target in targets:
        if target.problem:
            problems.append((target, target.problem))
            continue
        for table in target.contract.objects:
            where = bind(target.contract, table, target.where)
            if isinstance(where, Binding):
                streams.append(Following(target, where))
            else:
                problems.append((target, where.reason))
    return streams, problems


@contextmanager
def hold_checkpoint(store: Store, checkpoint: str) -> Iterator[None]:
    """Two processes on one checkpoint would undo each other's work, and Spark notices it only when it is too late."""
    with store.lock(f"stream {absolute_checkpoint(checkpoint)}", 0.0) as held:
        if not held:
            raise FloeError(
                f"another process follows the streams of the checkpoint {checkpoint}",
                fix="Stop it first, or give this one a --checkpoint of its own.",
            )
        yield


@contextmanager
def _end_on_signals(stopping: threading.Event) -> Iterator[None]:
    """SIGTERM and Ctrl-C end the job between two batches; a second one ends it at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_: int, __: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def absolute_checkpoint(checkpoint: str) -> str:
    """A folder on this disk whatever the working folder is; addresses stay as they are."""
    return checkpoint if re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", checkpoint) else os.path.abspath(checkpoint)
