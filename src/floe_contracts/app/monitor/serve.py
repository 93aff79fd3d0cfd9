"""`floe monitor serve`: every check of every contract in loops, on the settings, store and sinks of the jobs.

Slots are claimed as the jobs claim them, so that a service, jobs and a second service may share a store, and a restart
repeats nothing. With `mode: continuous` tables that can be followed are judged as their rows come.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec

from ... import __version__
from ...adapters.http.server import HttpPage, serve_pages
from ...adapters.process.memory import share_one_arena
from ...checks.verdict import Check
from ...contract.meaning.phrase import plural
from ...errors import EngineGone, MissingExtra, UsageError
from ...monitor.run.delivery import NewResult, messages_for
from ...monitor.run.run import Request, RunPorts, run_check
from ...monitor.run.targets import Target
from ...monitor.settings.model import CHECKS
from ...monitor.store.outbox import Message
from ...monitor.store.protocol import Store
from ...product.data_contracts import Enforcement, Mode
from ...results import ExitCode, Report
from .gone import mark_gone, project_id
from .judge import RunJudge
from .log import RunLog, crash_fields
from .loops import CheckLoops
from .notify import log_outcome
from .outlets import ServiceOutlets
from .run import Prepared, prepare, spread
from .serve_request import ServePorts, ServeRequest
from .served_pages import HealthPage, MetricsPage
from .served_streams import ServedStreams, serve_streams, stream_job
from .sinks import load_sinks


def serve(request: ServeRequest, ports: ServePorts, log: RunLog) -> int:
    """Watch until somebody says stop; the exit code: 0 after that, 2 when Spark's Java ended or nothing can be done."""
    if find_spec("prometheus_client") is None:
        raise MissingExtra("serving metrics", "store")
    share_one_arena()
    watch = _EndWatch(ports)
    with _stop_on_signals(ports.stopping, watch):
        prepared = prepare(request.run, ports.outside.environ)
        for note in (*prepared.idle, *prepared.notes):
            ports.outside.log("warning", note, {})
        if prepared.idle:
            return int(ExitCode.PASS)
        if not prepared.targets:
            raise UsageError("there are no contracts to watch", fix="Name files or folders, or --artifacts.")
        if all(target.problem for target in prepared.targets):  # they are read at the start, so none would heal
            first = prepared.targets[0]
            problem = f"{first.findings[0].location}: {first.findings[0].message}" if first.findings else first.problem
            fix = "Correct it, or name other files or folders."
            raise UsageError(f"no contract can be watched: {problem}", fix=fix)
        with prepared.open_store() as (store, targets):
            return _serve(request, watch, log, prepared, store, targets)


def _serve(
    request: ServeRequest, watch: _EndWatch, log: RunLog, prepared: Prepared, store: Store, targets: Sequence[Target]
) -> int:
    ports = watch.ports
    config = prepared.project.config
    sinks = load_sinks(config, ports.outside.environ)
    owner = project_id(prepared.project, ports.outside.environ)
    gone = mark_gone(store, prepared.namespace, owner, targets, ports.outside.now_us()) if prepared.whole else ()
    for note in (*sinks.notes, *gone):
        ports.outside.log("warning", note, {})
    outlets = ServiceOutlets(store, sinks, prepared.namespace, ports.outside)
    with ExitStack() as stack:
        judge = stack.enter_context(ports.open_judge(config, CHECKS))
        streams = ServedStreams()
        if config.data_contracts.monitoring.mode is Mode.CONTINUOUS:
            job = stream_job(prepared, store, sinks, log, owner, request.limit_s)
            streams = serve_streams(job, targets, prepared.project.root, request.checkpoint, ports.outside.log)
        service = Service(request, ports, prepared, store, targets, judge, outlets, owner, streams, watch)
        pages: dict[str, Callable[[], HttpPage]] = {
            "/metrics": MetricsPage(store, prepared.namespace, config),
            "/healthz": service.health(),
        }
        url = stack.enter_context(serve_pages(request.listen, pages))
        words = f"{plural(len(targets), 'contract')}, {plural(len(streams.names), 'stream')}"
        ports.outside.log("info", f"Watching {words}; metrics at {url}/metrics", {})
        return asyncio.run(service.run())


@dataclass(slots=True)
class Service:
    """One service from its start to its end."""

    request: ServeRequest
    ports: ServePorts
    prepared: Prepared
    store: Store
    targets: Sequence[Target]
    judge: RunJudge
    outlets: ServiceOutlets
    project: str
    streams: ServedStreams
    watch: _EndWatch
    loops: CheckLoops = field(init=False)
    _run_ports: RunPorts = field(init=False)
    _loop: asyncio.AbstractEventLoop | None = None
    _failure: str = ""

    def __post_init__(self) -> None:
        self.loops = CheckLoops(self.ports.outside, self._targets_of, self._check)
        self._run_ports = RunPorts(
            judge=self.judge.judge,
            store=self.store,
            now_us=self.ports.outside.now_us,
            seconds=self.ports.outside.seconds,
            spread=spread,
            crashed=self._note_crash,
            committed=lambda _, outcome, __: log_outcome(self.ports.outside.log, outcome),
            messages=self._messages,
        )

    def health(self) -> HealthPage:
        return HealthPage(self.loops, len(self.targets), len(self.streams.names), lambda: self._failure)

    async def run(self) -> int:
        """Until it is told to stop, or Spark has ended; then whatever can be finished in time is finished."""
        self._loop = asyncio.get_running_loop()
        delivering = asyncio.create_task(self.outlets.run())
        if not self.ports.stopping.is_set():
            self.streams.start()
            self.loops.start(CHECKS)
        while not (self.ports.stopping.is_set() or self._failure):
            await asyncio.sleep(0.1)
            self._failure = self.streams.failure or self._failure
        code = int(ExitCode.PASS if self.ports.stopping.is_set() else ExitCode.COULD_NOT_CHECK)
        self.watch.begin(code)
        if not await self._finish(delivering):
            self.ports.leave(code)
        return code

    async def _finish(self, delivering: asyncio.Task[None]) -> bool:
        """Whether nothing is left running; slots of checks that take too long are given back."""
        limits, log = self.ports.limits, self.ports.outside.log
        log("info", "Stopping: what is running is finished", {"reason": self._failure or "told to stop"})
        self.streams.stop()
        finished, ended = await asyncio.gather(
            self.loops.stop(limits.checks_s), asyncio.to_thread(self.streams.join, limits.checks_s)
        )
        given = self._run_ports.ending.end(self.store) if not finished else 0
        if given:
            log("warning", "Slots under way were given back; whoever comes next checks them", {"slots": str(given)})
        self.outlets.stop()
        await asyncio.wait([delivering], timeout=limits.drain_s)
        await asyncio.to_thread(self.outlets.deliver, limits.drain_s / 2)
        log("info", "Stopped", {})
        return finished and ended

    def _targets_of(self, check: Check) -> Sequence[Target]:
        """Whatever is not followed as a stream; rows are judged as they come, and the rest has its intervals."""
        wanted = [target for target in self.targets if target.enforcement is not Enforcement.OFF]
        return [target for target in wanted if check != "quality" or target.name not in self.streams.followed]

    def _check(self, check: Check, targets: Sequence[Target]) -> Report:
        config = self.prepared.project.config
        request = Request(
            check,
            self.prepared.namespace,
            settings=config.judge_settings(check),
            project=self.project,
            limit_s=self.request.limit_s,
            tool_version=__version__,
        )
        report = run_check(request, targets, config.data_contracts.monitoring, self._run_ports)
        if any(result.run is not None and result.run.engine_gone for result in report.results):
            self._failure = f"{EngineGone().message}. {EngineGone().fix}"
        counted = Counter(result.outcome.value for result in report.results)
        numbers = {outcome: str(number) for outcome, number in sorted(counted.items())}
        self.ports.outside.log("info", "Checked", {"check_type": check, **numbers})
        if self._loop is not None:
            self.outlets.note_check(check, self._loop)
        return report

    def _messages(self, new: NewResult) -> tuple[Message, ...]:
        return messages_for(new, self.outlets.sinks.sinks, self._note_unrendered)

    def _note_crash(self, target: Target, error: Exception) -> None:
        fields = {"contract": target.name, **crash_fields(error)}
        self.ports.outside.log("error", "An unforeseen error was met", fields)

    def _note_unrendered(self, sink: str, error: Exception) -> None:
        self.ports.outside.log("error", "Internal error of a sink", {"sink": sink, "error": type(error).__name__})


@dataclass(slots=True)
class _EndWatch:
    """Leaves in time whatever hangs: a store that does not answer, a Spark that is being started or does not stop."""

    ports: ServePorts
    _timer: threading.Timer | None = None

    def begin(self, code: int) -> None:
        if self._timer is None:
            self._timer = threading.Timer(self.ports.limits.in_all_s, self.ports.leave, (code,))
            self._timer.daemon = True
            self._timer.start()

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


@contextmanager
def _stop_on_signals(stopping: threading.Event, watch: _EndWatch) -> Iterator[None]:
    """SIGTERM and Ctrl-C end the service, also while Spark starts; a second one ends it at once."""

    def end(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        stopping.set()
        watch.begin(int(ExitCode.PASS))

    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        watch.cancel()
        for number, handler in before.items():
            signal.signal(number, handler)
