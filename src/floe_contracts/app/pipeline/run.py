"""A run of a product: dbt parses, floe compiles, transforms run in order, contracts are checked; all of it is told."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby

from ...adapters.dbt.commands import DbtProgram, failure_words
from ...adapters.process.signals import exit_code, sigterm_raises
from ...contract.model import SchemaObject
from ...errors import FloeError, UsageError
from ...monitor.pipeline.plan import CHECKS, COMPILE, PlannedStep, choose_steps
from ...monitor.pipeline.step import End, StepRun, step_key
from ...monitor.store.protocol import AlreadyDone, Claim, Store
from ...product.observability import namespace_of
from ...results import ExitCode, Report, decide
from ..compile import CompileOutcome, compile_folder, write_artifact
from ..monitor.backlog import describe_rest
from ..monitor.drain import Sinks, drain
from ..monitor.log import RunLog
from ..monitor.project import Project, open_project_store, project_here
from ..monitor.request import ProcessPorts, RunRequest
from ..monitor.run import run_checks
from ..monitor.sinks import load_sinks
from .ledger import RunLedger, claim_step
from .product import RunProduct, dbt_programs, open_run_product, port_datasets, read_graphs
from .request import PipelinePorts, PipelineRequest
from .transforms import StepFailed, Transforms, refuse_unrunnable
from .voice import StepCount, Voice


def run_pipeline(request: PipelineRequest, ports: PipelinePorts, voice: Voice, log: RunLog) -> int:
    """Run a product, and return the exit code: 0 complete, 1 failed or blocked, 2 could not run, 143 stopped."""
    try:
        with sigterm_raises():
            return _prepare(request, ports, voice, log)
    except KeyboardInterrupt as stop:
        voice.say_stopped()
        return exit_code(stop)


def _prepare(request: PipelineRequest, ports: PipelinePorts, voice: Voice, log: RunLog) -> int:
    """Parse and compile; nothing is told of a run before that, as not even its namespace is known to be right."""
    product = open_run_product(request)
    if request.dry_run:
        product = replace(product, graphs=read_graphs(product, ports.environ, required=False))
        voice.list_steps(choose_steps(product.steps, request.select, request.start))
        return int(ExitCode.PASS)
    programs = dbt_programs(product, ports.environ)
    compiles = request.start in ("", COMPILE)
    if compiles:
        _parse(programs, voice)
    product = replace(product, graphs=read_graphs(product, ports.environ, required=True))
    steps = choose_steps(product.steps, request.select, request.start)
    refuse_unrunnable(product, steps, ports.environ)
    if code := _compile(request, voice, shown=compiles):
        return code
    project = project_here(request.config, request.compile.target, product.folder)
    with open_project_store(project, request.store) as store:
        return _Run(request, ports, voice, log, product, project, programs, store).over(steps)


def _parse(programs: Mapping[int, DbtProgram], voice: Voice) -> None:
    for root, program in {program.folder.root: program for program in programs.values()}.items():
        end = program.parse()
        if end.code:
            raise FloeError(
                f"dbt parse failed in {root.name}: {failure_words(end)}", fix="Correct what dbt says above."
            )
        voice.say_done("dbt parse")


def _compile(request: PipelineRequest, voice: Voice, *, shown: bool) -> int:
    """Compile and write the artifact; the exit code when it must not run, from whichever step on."""
    outcome: CompileOutcome = compile_folder(request.compile)
    written = write_artifact(request.compile, outcome)
    code = int(decide(outcome.report))
    if shown or code or not written:
        voice.show_compilation(outcome.compilation, request.compile.target if written else "")
    return code if code or written else int(ExitCode.COULD_NOT_CHECK)


@dataclass(frozen=True, slots=True)
class _Run:
    """One run with its product, project and store."""

    request: PipelineRequest
    ports: PipelinePorts
    voice: Voice
    log: RunLog
    product: RunProduct
    project: Project
    programs: Mapping[int, DbtProgram]
    store: Store

    def over(self, steps: Sequence[PlannedStep]) -> int:
        run_id = self.request.run_id or f"run-{secrets.token_hex(6)}"
        name = self.product.product.metadata.name
        key = step_key(self._namespace(), "pipeline", name, run_id)
        sinks = load_sinks(self.project.config, self.ports.environ)
        version = self.product.product.metadata.version
        with self._alone(str(key)):
            start_us = self.ports.now_us()
            claim = claim_step(self.store, key, start_us)
            crashed = self.log.note_unrendered
            if isinstance(claim, AlreadyDone):
                done = claim.outcome
                ledger = RunLedger(self.store, sinks.sinks, version, done.claim, done.as_of_us, crashed)
                return self._repeat(ledger, steps, sinks)
            ledger = RunLedger(self.store, sinks.sinks, version, claim, start_us, crashed)
            self.voice.say_start(name, version, run_id, claim.attempt)
            return self._attempt(ledger, claim, steps, sinks)

    def _repeat(self, ledger: RunLedger, steps: Sequence[PlannedStep], sinks: Sinks) -> int:
        """A run that is complete: only contracts that could not be checked then are checked now."""
        left = [step.name for step in steps if step.is_transform and not ledger.is_done(step)]
        if left:
            raise UsageError(
                f"the run {ledger.run_id} has ended without {', '.join(left)}",
                fix="Give them another --run-id: the result of a run that has ended does not change.",
            )
        code = self._check(ledger, steps)
        for note in self._deliver(sinks):
            self.voice.say_note(note)
        self.voice.say_repeated(ledger.run_id, code)
        return code

    def _attempt(self, ledger: RunLedger, claim: Claim, steps: Sequence[PlannedStep], sinks: Sinks) -> int:
        end, message, code = End.COMPLETE, "", int(ExitCode.PASS)
        hint = f"To go on where it stopped: {self.request.again(ledger.run_id)}"
        try:
            self._transform(ledger, steps)
            code = self._check(ledger, steps)
            if code == ExitCode.BLOCKED:
                end, message = End.FAIL, "a contract whose enforcement is block is violated"
                hint = f"What was found stays with this run. Once it is repaired: {self.request.check_anew()}"
        except StepFailed as failure:
            end, message, code = End.FAIL, f"{failure.step}: {failure.message}", int(ExitCode.BLOCKED)
        except KeyboardInterrupt as stop:
            end, message, code = End.ABORT, "the run was stopped", exit_code(stop)
        except FloeError as error:
            end, message, code = End.FAIL, error.message, error.exit_code
            self.voice.say_trouble(error)
        ran = self._pipeline_run(ledger, end, message)
        ledger.commit(claim, ran, self.ports.now_us())
        notes = self._deliver(sinks)
        self.voice.say_end(ran, hint, code, notes)
        return code

    def _transform(self, ledger: RunLedger, steps: Sequence[PlannedStep]) -> None:
        environ = {**self.ports.environ, **ledger.environ(self.ports.environ)}
        chosen = [step for step in steps if step.is_transform]
        progress = StepCount(self.voice, len(chosen))
        transforms = Transforms(
            self.product,
            ledger,
            self.programs,
            environ,
            self._tables(),
            self.ports.now_us,
            progress.say_step,
        )
        for _, group in groupby(chosen, key=lambda step: step.transform):
            listed = list(group)
            left = [step for step in listed if not ledger.is_done(step)]
            for step in listed:
                if step not in left:
                    progress.say_kept(step.job)
            if left:
                transforms.run(left)

    def _check(self, ledger: RunLedger, steps: Sequence[PlannedStep]) -> int:
        """Every check of every contract of the product, keyed by this run."""
        product = self.project.product
        if not any(step.type == CHECKS for step in steps) or product is None or not product.read.contracts:
            return int(ExitCode.PASS)
        environ = {**self.ports.environ, **ledger.environ(self.ports.environ)}
        request = RunRequest(
            artifacts=self.request.compile.target,
            root=self.product.folder,
            config=self.request.config,
            store=self.request.store,
            run_id=ledger.run_id,
            scheduled=False,
        )
        report: Report = run_checks(request, ProcessPorts(environ=environ, leave=lambda _: None), self.log).report
        self.voice.show_checks(report)
        return int(decide(report))

    def _pipeline_run(self, ledger: RunLedger, end: End, message: str) -> StepRun:
        schedule = self.product.product.schedule
        texts = {"trigger": self.request.trigger, "schedule": schedule.cron if schedule else ""}
        inputs, outputs = port_datasets(self.product, self._tables())
        return StepRun(
            "pipeline",
            self.product.product.metadata.name,
            ledger.start_us,
            self.ports.now_us(),
            end,
            message,
            tuple((f"floe.pipeline.{key}", text) for key, text in texts.items() if text),
            inputs=inputs,
            outputs=outputs,
        )

    def _tables(self) -> dict[str, SchemaObject]:
        product = self.project.product
        contracts = product.read.contracts if product else ()
        return {
            (table.physical_name or table.name).rpartition(".")[2]: table
            for read in contracts
            for table in read.contract.objects
        }

    def _namespace(self) -> str:
        return namespace_of(self.project.config.observability, self.ports.environ.get("OPENLINEAGE_NAMESPACE", ""))

    def _deliver(self, sinks: Sinks) -> tuple[str, ...]:
        namespace = self._namespace()
        rest = drain(self.store, sinks, {(namespace, "pipeline"), (namespace, "transform")})
        return (*sinks.notes, *describe_rest(rest, self.store))

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        with self.store.lock(f"run {key}", 0.0) as held:
            if not held:
                raise UsageError("this run is under way elsewhere", fix="Wait for it, or give another --run-id.")
            yield
