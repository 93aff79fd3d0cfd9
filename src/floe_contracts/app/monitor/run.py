"""A run of checks from its request to its report: the same for jobs under spark-submit and for `floe monitor run`.

`prepare` is the part that streams share: settings, contracts, store and the notes on what does not fit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from ... import __version__
from ...adapters.process.signals import exit_code, sigterm_raises
from ...checks.verdict import Check
from ...contract.meaning.phrase import plural
from ...errors import EngineGone
from ...monitor.run.delivery import NewResult, messages_for
from ...monitor.run.quarantine import parse_quarantine
from ...monitor.run.run import Request, RunPorts, is_all_done, run_check, why_idle
from ...monitor.run.targets import Target, choose_targets
from ...monitor.store.outbox import Message
from ...monitor.store.protocol import Store
from ...monitor.store.slots import parse_slot
from ...product.data_contracts import Monitoring
from ...product.observability import namespace_of
from ...results import CheckResult, Outcome, Report
from ...results.facts import RunScope
from .backlog import describe_rest
from .drain import Sinks, drain
from .gone import is_whole, mark_gone, project_id
from .judge import RunJudge, refuse
from .log import RunLog
from .project import Project, open_project_store, project_here
from .quarantine import RowLog, here, refused_notes
from .request import ProcessPorts, RunRequest, StreamRequest
from .sinks import load_sinks
from .targets import file_targets, name_as_before, unfitting_settings

AT_ONCE = min(8, 2 + (os.cpu_count() or 1))  # contracts under way; each waits for Spark most of the time


@dataclass(frozen=True, slots=True)
class RunOutput:
    """The report, and sample rows for the terminal, which go into no report, store or message."""

    report: Report
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request with what it is about; `idle` says why nothing is done, `notes` which settings fit no contract."""

    request: RunRequest | StreamRequest
    project: Project
    namespace: str
    idle: tuple[str, ...] = ()
    targets: tuple[Target, ...] = ()
    notes: tuple[str, ...] = ()
    whole: bool = False  # the targets are all contracts of the project

    @contextmanager
    def open_store(self) -> Iterator[tuple[Store, tuple[Target, ...]]]:
        """The store, and the targets under the names that it knows them by."""
        with open_project_store(self.project, self.request.store, remembers=not self.request.dry_run) as store:
            yield store, name_as_before(store, self.namespace, self.targets)


def prepare(request: RunRequest | StreamRequest, environ: Mapping[str, str]) -> Prepared:
    """Read settings and contracts, for a run of checks and for streams alike; an idle run reads no contract."""
    project = project_here(request.config, request.artifacts, request.root)
    namespace = namespace_of(project.config.observability, environ.get("OPENLINEAGE_NAMESPACE", ""))
    idle = _why_idle(request, namespace, project.config.data_contracts.monitoring)
    if idle:
        return Prepared(request, project, namespace, idle)
    every = file_targets(project, request.contracts, server=request.server, connection=request.connection)
    targets = choose_targets(every, request.only)
    notes = unfitting_settings(project, every) if targets else ()
    whole = not request.only and not request.dry_run and is_whole(project, targets)
    return Prepared(request, project, namespace, targets=targets, notes=notes, whole=whole)


def _why_idle(request: RunRequest | StreamRequest, namespace: str, monitoring: Monitoring) -> tuple[str, ...]:
    if isinstance(request, StreamRequest):
        off = "Monitoring is switched off (data_contracts.monitoring.enabled is false); nothing was followed."
        return () if monitoring.enabled else (off,)
    reasons = [why_idle(_check_request(request, check, namespace), monitoring) for check in request.checks]
    return tuple(dict.fromkeys(reasons)) if all(reasons) else ()


def run_checks(request: RunRequest, ports: ProcessPorts, log: RunLog) -> RunOutput:
    """Check what the request names, deliver the results, and report."""
    prepared = prepare(request, ports.environ)
    if prepared.idle or not prepared.targets:
        idle = prepared.idle
        return RunOutput(Report(_command(request), __version__, notes=idle, fail_on="enforced", allow_empty=bool(idle)))
    owner = "" if request.dry_run else project_id(prepared.project, ports.environ)
    checks = [
        replace(
            _check_request(request, check, prepared.namespace),
            settings=prepared.project.config.judge_settings(check),
            project=owner,
        )
        for check in request.checks
    ]
    with prepared.open_store() as (store, targets):
        output = _ProjectRun(request, ports, log, prepared.project, store, prepared.whole).over(checks, targets)
    notes = (*prepared.notes, *(refused_notes(prepared.project, prepared.targets) if request.quarantine else ()))
    return replace(output, report=replace(output.report, notes=(*notes, *output.report.notes)))


@dataclass(frozen=True, slots=True)
class _ProjectRun:
    """One run with its project and store."""

    request: RunRequest
    ports: ProcessPorts
    log: RunLog
    project: Project
    store: Store
    whole: bool = False

    def over(self, requests: Sequence[Request], targets: Sequence[Target]) -> RunOutput:
        config, started_us = self.project.config, self.ports.now_us()
        rows = RowLog(here(parse_quarantine(self.request.quarantine))) if self.request.quarantine else None
        requests = [replace(check, started_us=started_us) for check in requests]
        sinks = Sinks() if self.request.dry_run else load_sinks(config, self.ports.environ)
        with (
            sigterm_raises(),
            self._open_judge(requests, targets) as judge,
            self.log.show_progress(requests, targets),
        ):
            run_ports = self._run_ports(judge, sinks)
            if rows is not None:
                run_ports = replace(run_ports, keep_rows=partial(rows.keep, judge))
            try:
                reports = [run_check(check, targets, config.data_contracts.monitoring, run_ports) for check in requests]
            except KeyboardInterrupt as end:
                self.log.note_end(run_ports.ending.end(self.store))
                self.ports.leave(exit_code(end))
                raise
            samples = self._samples(judge, reports, targets)
        report = merge_reports(reports, _command(self.request))
        gone = self._mark_gone(requests[0], targets) if self.whole else ()
        notes = () if self.request.dry_run else self._deliver(requests, sinks)
        notes = (*_note_death(report), *gone, *(rows.notes() if rows else ()), *notes)
        return RunOutput(replace(report, notes=(*report.notes, *self.log.trouble, *notes)), samples)

    @contextmanager
    def _open_judge(self, requests: Sequence[Request], targets: Sequence[Target]) -> Iterator[RunJudge]:
        """The judge of the run; where every slot has its result and nobody wants rows, none is started."""
        idle = [why_idle(check, self.project.config.data_contracts.monitoring) for check in requests]
        open_ = [check for check, why in zip(requests, idle, strict=True) if not why]
        wants_rows = self.request.samples or self.request.quarantine
        if not wants_rows and all(is_all_done(check, targets, self.store) for check in open_):
            yield RunJudge(refuse)
            return
        with self.ports.open_judge(self.project.config, self.request.checks) as judge:
            yield judge

    def _run_ports(self, judge: RunJudge, sinks: Sinks) -> RunPorts:
        def messages(new: NewResult) -> tuple[Message, ...]:
            return messages_for(new, sinks.sinks, self.log.note_unrendered)

        return RunPorts(
            judge=judge.judge,
            store=self.store,
            now_us=self.ports.now_us,
            seconds=self.ports.seconds,
            spread=spread,
            crashed=self.log.note_crash,
            progress=self.log.count,
            messages=messages,
        )

    def _mark_gone(self, request: Request, targets: Sequence[Target]) -> tuple[str, ...]:
        return mark_gone(self.store, request.namespace, request.project, targets, self.ports.now_us())

    def _deliver(self, requests: Sequence[Request], sinks: Sinks) -> tuple[str, ...]:
        groups = {(request.namespace, request.check) for request in requests}
        return (*sinks.notes, *describe_rest(drain(self.store, sinks, groups), self.store))

    def _samples(self, judge: RunJudge, reports: Sequence[Report], targets: Sequence[Target]) -> tuple[str, ...]:
        """Rows of every contract whose quality check found broken rules, when the request wants rows."""
        if not self.request.samples:
            return ()
        by_name = {target.name: target for target in targets}
        broken = [
            result
            for report in reports
            for result in report.results
            if result.check == "quality" and result.outcome is Outcome.VIOLATED
        ]
        return tuple(
            line for result in broken for line in judge.samples(by_name[result.contract], result, self.request.samples)
        )


def _check_request(request: RunRequest, check: Check, namespace: str) -> Request:
    return Request(
        check=check,
        namespace=namespace,
        slot_us=parse_slot(request.slot) if request.slot and not request.run_id else None,
        run_id=request.run_id,
        recheck=request.recheck,
        dry_run=request.dry_run,
        scheduled=request.scheduled or bool(request.slot),  # who says a slot is a scheduler
        fail_on_error=request.fail_on_error,
        limit_s=request.limit_s,
        tool_version=__version__,
    )


def _note_death(report: Report) -> tuple[str, ...]:
    """One line about an engine that ended."""
    open_ = [result for result in report.results if result.run is not None and result.run.engine_gone]
    number = plural(len(open_), "check was", "checks were")
    return (f"{number} not made, and the slots are free again. {EngineGone().fix}",) if open_ else ()


def _command(request: RunRequest) -> str:
    return f"monitor run {request.checks[0] if len(request.checks) == 1 else 'all'}"


def spread(work: Callable[[Target], CheckResult], targets: Iterable[Target], /) -> Iterable[CheckResult]:
    """Several contracts at a time; the order of results is that of the targets."""
    pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="floe")
    try:
        return list(pool.map(work, targets))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # all are done, or nobody waits for them any more


def merge_reports(reports: Sequence[Report], command: str) -> Report:
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
