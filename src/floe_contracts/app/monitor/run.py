"""From what somebody asked for to one report: the same way for jobs under spark-submit and for `floe monitor run`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from ... import __version__
from ...adapters.process.signals import exit_code, sigterm_raises
from ...checks.verdict import Check
from ...contract.meaning.phrase import plural
from ...errors import FloeError
from ...monitor.run.delivery import NewResult, messages_for
from ...monitor.run.run import Request, RunPorts, run_check, why_idle
from ...monitor.run.targets import Target, chosen
from ...monitor.settings.model import CHECKS, MonitoringConfig
from ...monitor.settings.namespace import namespace_of
from ...monitor.store.outbox import Backlog, Message
from ...monitor.store.protocol import Store
from ...monitor.store.slots import parse_slot
from ...render.safe import log_safe
from ...results import CheckResult, Outcome, Report
from ...results.facts import RunScope
from .drain import Drained, Sinks, drain
from .judge import RunJudge, judging
from .log import RunLog
from .project import Project, opened_store, project_here
from .sinks import load_sinks
from .targets import file_targets, remembered_by, unfitting_settings

AT_ONCE = min(8, 2 + (os.cpu_count() or 1))  # contracts under way; each waits for Spark most of the time


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run as its options say it."""

    checks: tuple[Check, ...] = CHECKS
    contracts: tuple[str, ...] = ()
    config: str = ""
    store: str = ""
    slot: str = ""
    run_id: str = ""
    only: tuple[str, ...] = ()
    server: str = ""
    connection: tuple[str, ...] = ()
    recheck: bool = False
    dry_run: bool = False
    fail_on_error: bool = False
    scheduled: bool = True
    limit_s: float = 600.0
    samples: int = 0


@dataclass(frozen=True, slots=True)
class ProcessPorts:
    """Everything around a run; a test gives its own clocks, environment and engine."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    judging: Callable[[MonitoringConfig, Sequence[Check]], AbstractContextManager[RunJudge]] = judging
    now_us: Callable[[], int] = lambda: time.time_ns() // 1000
    seconds: Callable[[], float] = time.monotonic
    leave: Callable[[int], object] = os._exit  # at once: whatever a thread still waits for


@dataclass(frozen=True, slots=True)
class RunOutput:
    """The report, and rows for the eyes of whoever asked, which go into no report, store or message."""

    report: Report
    samples: tuple[str, ...] = ()


def monitored(asked: RunRequest, world: ProcessPorts, log: RunLog) -> RunOutput:
    """Check what was asked for, deliver the results, and report."""
    project = project_here(asked.config)
    namespace = namespace_of(project.config.observability, world.environ.get("OPENLINEAGE_NAMESPACE", ""))
    requests = [_request(asked, check, namespace) for check in asked.checks]
    monitoring = project.config.data_contracts.monitoring
    idle = [why_idle(request, monitoring) for request in requests]
    if all(idle):
        return RunOutput(Report(_command(asked), __version__, notes=tuple(dict.fromkeys(idle)), fail_on="enforced"))
    every = file_targets(project, asked.contracts, server=asked.server, connection=asked.connection)
    targets = chosen(every, asked.only)
    if not targets:
        return RunOutput(Report(_command(asked), __version__, fail_on="enforced", allow_empty=False))
    with opened_store(project, asked.store, remembers=not asked.dry_run) as store:
        named = remembered_by(store, namespace, targets)
        ran = _ProjectRun(asked, world, log, project, store).over(requests, named)
    notes = unfitting_settings(project, every)
    return replace(ran, report=replace(ran.report, notes=(*notes, *ran.report.notes)))


@dataclass(frozen=True, slots=True)
class _ProjectRun:
    """One run with its project and store."""

    asked: RunRequest
    world: ProcessPorts
    log: RunLog
    project: Project
    store: Store

    def over(self, requests: Sequence[Request], targets: Sequence[Target]) -> RunOutput:
        config = self.project.config
        outlets = Sinks() if self.asked.dry_run else load_sinks(config, self.world.environ)
        with (
            sigterm_raises(),
            self.world.judging(config, self.asked.checks) as measuring,
            self.log.watching(requests, targets),
        ):
            tools = self._tools(measuring, outlets)
            try:
                reports = [run_check(check, targets, config.data_contracts.monitoring, tools) for check in requests]
            except KeyboardInterrupt as end:
                self.log.ended(tools.ending.end(self.store))
                self.world.leave(exit_code(end))
                raise
            samples = self._samples(measuring, reports, targets)
        report = merged(reports, _command(self.asked))
        notes = () if self.asked.dry_run else self._delivered(requests, outlets)
        return RunOutput(replace(report, notes=(*report.notes, *self.log.trouble, *notes)), samples)

    def _tools(self, measuring: RunJudge, outlets: Sinks) -> RunPorts:
        def messages(new: NewResult) -> tuple[Message, ...]:
            return messages_for(new, outlets.sinks, self.log.unrendered)

        return RunPorts(
            judge=measuring.judge,
            store=self.store,
            now_us=self.world.now_us,
            seconds=self.world.seconds,
            spread=_at_once,
            crashed=self.log.crashed,
            progress=self.log.checked,
            messages=messages,
        )

    def _delivered(self, requests: Sequence[Request], outlets: Sinks) -> tuple[str, ...]:
        groups = {(request.namespace, request.check) for request in requests}
        return (*outlets.notes, *left_behind(drain(self.store, outlets, groups), self.store))

    def _samples(self, measuring: RunJudge, reports: Sequence[Report], targets: Sequence[Target]) -> tuple[str, ...]:
        """For every contract whose quality check found broken rules, when somebody asked for rows."""
        if not self.asked.samples:
            return ()
        by_name = {target.name: target for target in targets}
        broken = [
            result
            for report in reports
            for result in report.results
            if result.check == "quality" and result.outcome is Outcome.VIOLATED
        ]
        return tuple(
            line
            for result in broken
            for line in measuring.samples(by_name[result.contract], result, self.asked.samples)
        )


def _request(request: RunRequest, check: Check, namespace: str) -> Request:
    return Request(
        check=check,
        namespace=namespace,
        slot_us=parse_slot(request.slot) if request.slot and not request.run_id else None,
        run_id=request.run_id,
        recheck=request.recheck,
        dry_run=request.dry_run,
        scheduled=request.scheduled,
        fail_on_error=request.fail_on_error,
        limit_s=request.limit_s,
        tool_version=__version__,
    )


def _command(request: RunRequest) -> str:
    return f"monitor run {request.checks[0] if len(request.checks) == 1 else 'all'}"


def _at_once(work: Callable[[Target], CheckResult], targets: Iterable[Target], /) -> Iterable[CheckResult]:
    """Several contracts at a time; the order of results is that of the targets."""
    pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="floe")
    try:
        return list(pool.map(work, targets))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # all are done, or nobody waits for them any more


def merged(reports: Sequence[Report], command: str) -> Report:
    """All results; what every report says in its context and notes is said once."""
    if len(reports) == 1:
        return reports[0]
    scopes = [report.scope for report in reports if isinstance(report.scope, RunScope)]
    checks = ", ".join(dict.fromkeys(scope.check for scope in scopes))
    return Report(
        command=command,
        tool_version=reports[0].tool_version,
        results=tuple(result for report in reports for result in report.results),
        scope=replace(scopes[-1], check=checks) if scopes else None,
        notes=tuple(dict.fromkeys(note for report in reports for note in report.notes)),
        fail_on="enforced",
        allow_empty=all(report.allow_empty for report in reports),
    )


def undelivered(drained: Iterable[Drained], backlog: Iterable[Backlog]) -> tuple[str, ...]:
    """One line for each outlet that is behind: how much waits, why, and what becomes of it."""
    waiting = {waiting.sink: waiting for waiting in backlog}
    reasons = {sink.outlet: sink.reason for sink in drained}
    lines = [_behind(behind, reasons.get(behind.sink)) for behind in waiting.values()]
    untold = [(name, reason) for name, reason in reasons.items() if reason and name not in waiting]
    lines += [f"{name} was not told: {reason}. The next run tries again." for name, reason in untold]
    return tuple(lines)


def left_behind(drained: Iterable[Drained], store: Store) -> tuple[str, ...]:
    """The same with what waits in the store; one that fails now must not take the report of a finished run with it."""
    try:
        return undelivered(drained, store.outbox.backlog())
    except Exception as error:  # words of others may hold an address
        why = log_safe(error.message) if isinstance(error, FloeError) else type(error).__name__
        note = f"What waits to be sent is not known: {why}. `floe monitor status` shows it when the store answers."
        return (*undelivered(drained, ()), note)


def _behind(backlog: Backlog, reason: str | None) -> str:
    parts = [plural(backlog.pending, "message waits", "messages wait")] if backlog.pending else []
    parts += [f"{backlog.dead} {'was' if backlog.dead == 1 else 'were'} refused"] if backlog.dead else []
    why = reason or backlog.reason
    return f"{backlog.sink}: {' and '.join(parts)}{f' ({why})' if why else ''}. {_cure(backlog, reason)}"


def _cure(backlog: Backlog, reason: str | None) -> str:
    if reason is None:
        return "Nothing here is configured to reach it; `floe monitor prune` forgets what is old."
    if backlog.pending:
        return "The next run delivers them, or `floe monitor flush`."
    return "`floe monitor flush --revive` tries them again."
