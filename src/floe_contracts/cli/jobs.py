"""Jobs as people start them: `spark-submit batch/freshness.py`, or `floe monitor run freshness`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from ..adapters.process.console import Console
from ..adapters.process.environment import run_id_from, slot_from
from ..adapters.process.output import put_page
from ..app.monitor.log import RunLog
from ..app.monitor.request import ProcessPorts, RunRequest
from ..app.monitor.run import run_checks
from ..app.report import deliver
from ..checks.verdict import Check
from ..errors import UsageError
from ..monitor.settings.model import CHECKS
from ..render.machine.json_report import one_line
from ..render.safe import log_safe
from ..results import Report, decide
from .options import global_options, run_id_option, run_options
from .program import run_program


def run_job(check: Check, argv: Sequence[str] | None = None) -> int:
    """The job of one check."""

    @click.command(context_settings=_CONTEXT, help=_help(f"Run the {check} check"))
    @run_options
    @global_options()
    @click.pass_obj
    def job(console: Console, /, **options: Any) -> int:
        return run(console, (check,), scheduled=True, **options)

    return run_program(job, check, argv)


def run_all(argv: Sequence[str] | None = None) -> int:
    """The job of several checks in one session."""

    @click.command(context_settings=_CONTEXT, help=_help("Run every check, or those that --check names"))
    @click.option("--check", "checks", multiple=True, type=click.Choice(CHECKS), help="May be repeated; default all.")
    @run_options
    @global_options()
    @click.pass_obj
    def job(console: Console, /, checks: tuple[Check, ...], **options: Any) -> int:
        return run(console, checks or CHECKS, scheduled=True, **options)

    return run_program(job, "all_checks", argv)


def run_after(argv: Sequence[str] | None = None) -> int:
    """The job that follows a pipeline's run: every check, keyed by that run."""

    @click.command(context_settings=_CONTEXT, help=_help("Run every check after a pipeline's run"))
    @run_id_option
    @run_options
    @global_options()
    @click.pass_obj
    def job(console: Console, /, run_id: str, **options: Any) -> int:
        return run_post_run(console, scheduled=True, run_id=run_id, **options)

    return run_program(job, "post_run", argv)


def run_post_run(console: Console, *, scheduled: bool, run_id: str, **options: Any) -> int:
    """Every check, keyed by a pipeline's run that somebody must name."""
    run_id = run_id or run_id_from(os.environ)
    if not run_id:
        raise UsageError(
            "post_run checks what one run of a pipeline wrote, and no run is named",
            fix="Say --run-id, with Airflow '{{ dag.dag_id }}/{{ run_id }}'.",
        )
    return run(console, CHECKS, scheduled=scheduled, run_id=run_id, **options)


def run(
    console: Console, checks: Sequence[Check], *, scheduled: bool, ports: ProcessPorts | None = None, **options: Any
) -> int:
    """Check, report, and return the exit code; `options` are those of `run_options`."""
    form, output, paths = options.pop("form"), options.pop("output"), options.pop("paths")
    ports = ports or ProcessPorts()
    # spark-submit prints the standard error of a job as standard output, where it would spoil a report for machines.
    log = RunLog(console, quiet=form != "terminal" and not output)
    options["contracts"] = (*paths, *options["contracts"])
    options["slot"] = options["slot"] or slot_from(ports.environ)
    options["limit_s"] = options.pop("limit")
    if options["samples"] and (form != "terminal" or output):
        raise UsageError("--samples shows rows on the terminal only", fix="Leave out --format and --output.")
    if options.get("quarantine") and options["dry_run"]:
        raise UsageError("--quarantine writes rows, and --dry-run writes nothing", fix="Leave out one of them.")
    result = run_checks(RunRequest(checks=tuple(checks), scheduled=scheduled, **options), ports, log)
    log.finish(result.report)
    code = _deliver(result.report, console, form, output)
    for line in result.samples:
        put_page(f"{log_safe(line, 2_000)}\n")
    return code


def _deliver(report: Report, console: Console, form: str, output: str | None) -> int:
    """Print the report in the wanted form and return the exit code; among JSON log lines it is one of them, or none."""
    if console.log_format == "text" or output or form not in ("terminal", "json"):
        return deliver(report, console, form, output)
    if form == "json":
        put_page(one_line(report))
    return int(decide(report))


_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _help(what: str) -> str:
    return (
        f"{what} over contracts.\n\nExit codes: 0 whatever was found, unless a contract's enforcement is block: "
        "then 1 for a violation and 2 for a contract that could not be checked. 2 also when nothing could be checked, "
        "or when Spark's Java ended during the run."
    )
