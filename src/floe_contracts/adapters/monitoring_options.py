"""The options of a run, the same for jobs under spark-submit and for `floe monitor run`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..checks.moments import SECOND
from ..contract.meaning.duration import parse_duration
from .options import report_options

Command = TypeVar("Command", bound=Callable[..., Any])

_TEXTS = {
    "--config": ("FILE", "Settings instead of .floe/monitoring.yaml."),
    "--store": ("URL", "Where results are kept, instead of `store` of the settings: sqlite:///FILE, postgresql://…"),
    "--slot": ("MOMENT", "The slot to fill, as the scheduler says it; else Airflow's environment, else now."),
    "--server": ("NAME", "Which of a contract's servers holds the data."),
}
_FLAGS = {
    "--recheck": "Check a finished slot once more; only what is new is counted.",
    "--dry-run": "Measure and judge; nothing is claimed, counted, remembered or sent.",
    "--fail-on-error": "Exit 2 when a contract could not be checked, whatever its enforcement.",
}


def run_options(command: Command) -> Command:
    """Everything that says what to check, where, when and how strictly."""
    command = report_options(command)
    command = click.option(
        "--samples",
        type=click.IntRange(0, 100),
        default=0,
        metavar="N",
        help="Print up to N rows for each broken rule, without classified columns; on the terminal and nowhere else.",
    )(command)
    command = limit_option("10m", "How long one question about one table may take.")(command)
    for name, text in reversed(_FLAGS.items()):
        command = click.option(name, is_flag=True, help=text)(command)
    command = click.option(
        "--connection",
        multiple=True,
        metavar="KEY=VALUE",
        help="Where the data is, as under connections: of the settings; may be repeated. Secrets as env:NAME.",
    )(command)
    for name, (metavar, text) in reversed(_TEXTS.items()):
        command = click.option(name, default="", metavar=metavar, help=text)(command)
    command = click.option(
        "--only", multiple=True, metavar="NAME", help="Only contracts of this name, key or path; * is any text."
    )(command)
    command = click.option(
        "--contracts", multiple=True, metavar="PATH", help="Files, folders or quoted globs; may be repeated."
    )(command)
    return click.argument("paths", nargs=-1, metavar="[PATHS]...")(command)


def limit_option(default: str, text: str) -> Callable[[Command], Command]:
    """`--limit`, a length of time, in seconds."""
    return click.option("--limit", callback=_seconds, default=default, show_default=True, metavar="LENGTH", help=text)


def run_id_option(command: Command) -> Command:
    """`--run-id` of checks that follow a pipeline's run."""
    text = "The orchestrator's run that the checks follow; else Airflow's environment says."
    return click.option("--run-id", default="", metavar="ID", help=text)(command)


def _seconds(_: click.Context, __: click.Parameter, text: str) -> float:
    found, problem = parse_duration(f"{text}s" if text.isdigit() else text)
    if found is None or found.months or found.microseconds < SECOND:
        raise click.BadParameter(f"{problem or 'it must be a second at least'}; write 90s, 10m or 1h")
    return found.microseconds / SECOND
