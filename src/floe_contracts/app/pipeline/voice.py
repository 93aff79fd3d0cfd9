"""What a run says while it runs: a line for each step, and a clear last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...adapters.process.console import Console
from ...adapters.process.output import put_page, say
from ...checks.moments import SECOND
from ...compiler.compilation import Compilation
from ...contract.meaning.phrase import plural
from ...errors import FloeError
from ...monitor.pipeline.plan import PlannedStep
from ...monitor.pipeline.step import End, StepRun
from ...render.text.compilation import render_compilation
from ...results import ExitCode, Report
from ..report import deliver


@dataclass(frozen=True, slots=True)
class Voice:
    """Steps and the end on standard output; lines of children go to standard error."""

    console: Console

    def list_steps(self, steps: Sequence[PlannedStep]) -> None:
        for step in steps:
            say(f"{step.name} ({step.type})" if step.name != step.type else step.name)

    def show_compilation(self, compilation: Compilation, written: str) -> None:
        put_page(render_compilation(compilation, written))

    def show_checks(self, report: Report) -> None:
        deliver(report, self.console, "terminal", None)

    def say_start(self, name: str, version: str, run_id: str, attempt: int) -> None:
        again = f", attempt {attempt}" if attempt > 1 else ""
        say(f"Running {name} {version} as {run_id}{again}")

    def say_done(self, what: str) -> None:
        say(f"  {what}: done")

    def say_repeated(self, run_id: str, code: int) -> None:
        ends = {ExitCode.PASS: "nothing was repeated", ExitCode.COULD_NOT_CHECK: "its contracts could not be checked"}
        say(f"The run {run_id} is done already; {ends.get(ExitCode(code), 'a contract is violated')}.")

    def say_stopped(self) -> None:
        say("Stopped before the pipeline began")

    def say_note(self, note: str) -> None:
        say(note, error=True)

    def say_trouble(self, error: FloeError) -> None:
        say(f"{error.code.id} {error.message}", error=True)
        if error.fix:
            say(f"  fix: {error.fix}", error=True)

    def say_end(self, run: StepRun, hint: str, code: int, notes: Sequence[str]) -> None:
        for note in notes:
            self.say_note(note)
        if run.end is not End.COMPLETE:
            say(hint, error=True)
        why = f": {run.message}" if run.message else ""
        unchecked = " (contracts could not be checked)" if code == ExitCode.COULD_NOT_CHECK and not why else ""
        say(f"Pipeline {run.end.value} in {_seconds(run)}{why}{unchecked}")


@dataclass(slots=True)
class StepCount:
    """Counts the steps of a run while it tells of them."""

    voice: Voice
    total: int
    ended: int = 0

    def say_kept(self, name: str) -> None:
        self._say(f"{name}: done in an earlier attempt")

    def say_step(self, step: StepRun) -> None:
        rows = f", {plural(step.rows, 'row')}" if step.rows is not None else ""
        why = f": {step.message}" if step.message else ""
        self._say(f"{step.name}: {step.end.value}{why} ({_seconds(step)}{rows})")

    def _say(self, text: str) -> None:
        self.ended += 1
        say(f"  [{self.ended}/{self.total}] {text}")


def _seconds(run: StepRun) -> str:
    return f"{(run.end_us - run.start_us) / SECOND:.1f} s"
