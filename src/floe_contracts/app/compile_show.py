"""What `floe compile` prints: steps or a report, also where something stopped the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import __version__
from ..errors import FloeError, UsageError
from ..render.safe import log_safe
from ..results import CheckResult, Finding, Location, Outcome, Report, decide
from .compile import CompileRequest, compile_folder, register_outcome, write_artifact

if TYPE_CHECKING:
    from ..adapters.process.console import Console


def show_compile(console: Console, request: CompileRequest, form: str) -> int:
    """`floe compile` from a folder to an exit code: steps or a report, then the artifact when nothing blocks."""
    from ..adapters.process.output import put_page
    from ..adapters.process.progress import Waiting
    from ..render.text.compilation import render_compilation
    from .report import deliver

    try:
        with Waiting(f"compiling {log_safe(request.path)}"):
            outcome = register_outcome(compile_folder(request))
    except UsageError:
        raise
    except FloeError as error:
        if form == "terminal":
            raise
        failed = Report("compile", __version__, (failed_result(request, error),), allow_empty=False)
        return max(deliver(failed, console, form, None), error.exit_code)
    written = write_artifact(request, outcome)
    if form != "terminal":
        return deliver(outcome.report, console, form, None)
    put_page(render_compilation(outcome.compilation, request.target if written else ""))
    return int(decide(outcome.report))


def failed_result(request: CompileRequest, error: FloeError) -> CheckResult:
    """The result of a product that could not be checked."""
    return CheckResult("compile", request.path, Outcome.ERRORED, request.path, (describe_problem(request.path, error),))


def describe_problem(path: str, error: FloeError) -> Finding:
    """What stopped the work on a product."""
    fixes = (error.fix,) if error.fix else ()
    return Finding.of(error.code, "could-not-check", error.message, location=Location(path), suggestions=fixes)
