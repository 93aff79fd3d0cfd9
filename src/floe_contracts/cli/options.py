"""Options that several commands share, so that each is spelled and documented once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..adapters.process.console import Console
from ..app.report import FORMATS
from ..checks.moments import SECOND
from ..contract.meaning.duration import parse_duration
from ..frozen import replace

Command = TypeVar("Command", bound=Callable[..., Any])


def global_options(*, hidden: bool = False) -> Callable[[Command], Command]:
    """`--verbose`, `--quiet`, `--log-format`, `--no-color`; taken also after the command, documented before it."""

    def decorate(command: Command) -> Command:
        for option in (_no_color, _log_format, _quiet, _verbose):
            command = option(hidden)(command)
        return command

    return decorate


def report_options(command: Command) -> Command:
    """`--format` and `--output` of every command that makes a report."""
    command = output_option("Write the report to FILE instead of printing it.")(command)
    return format_option(*FORMATS)(command)


def format_option(*choices: str) -> Callable[[Command], Command]:
    """`--format`; the first choice is the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(choices),
        default=choices[0],
        show_default=True,
        help="How to print the result.",
    )


def output_option(text: str) -> Callable[[Command], Command]:
    """`--output FILE`; files are replaced whole or not at all."""
    return click.option("--output", "-o", metavar="FILE", help=text)


def refs_option(command: Command) -> Command:
    """`--refs`: where `ref/<name>/v<X.Y.Z>` is looked up."""
    text = "A folder that holds <name>/v<X.Y.Z>/manifest.yaml; may be repeated."
    return click.option("--refs", multiple=True, metavar="FOLDER", help=text)(command)


def against_registry_option(command: Command) -> Command:
    """`--against-registry`: the versions in the catalog count beside those in git."""
    text = "Hold the contracts of products to the versions that are registered in the catalog too."
    return click.option("--against-registry", is_flag=True, help=text)(command)


def allow_http_option(command: Command) -> Command:
    """`--allow-http`: registries that are spoken to without encryption."""
    text = "A registry that may be asked without encryption; loopback always may. May be repeated."
    return click.option("--allow-http", multiple=True, metavar="HOST", help=text)(command)


def _verbose(hidden: bool) -> Callable[[Command], Command]:
    return _setting("-v", "--verbose", is_flag=True, hidden=hidden, help="Show passed contracts, links and traces.")


def _quiet(hidden: bool) -> Callable[[Command], Command]:
    text = "Print no report that passes, and no notes; errors and the exit code stay."
    return _setting("-q", "--quiet", is_flag=True, hidden=hidden, help=text)


def _no_color(hidden: bool) -> Callable[[Command], Command]:
    return _setting("--no-color", is_flag=True, hidden=hidden, help="Print without colour, as NO_COLOR=1 does.")


def _log_format(hidden: bool) -> Callable[[Command], Command]:
    return _setting(
        "--log-format",
        type=click.Choice(["text", "json"]),
        hidden=hidden,
        help="Messages on stderr as text (default) or as JSON lines.",
    )


def _setting(*names: str, **more: Any) -> Callable[[Command], Command]:
    def keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
        console = context.obj if isinstance(context.obj, Console) else Console()
        context.obj = replace(console, **{str(parameter.name): value}) if value else console

    return click.option(*names, expose_value=False, callback=keep, **more)


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
    command = click.option(
        "--quarantine",
        default="",
        metavar="TABLE|PATH",
        help="Keep the rows that break rules in an Iceberg or Delta table or a Parquet folder; classified and unlisted "
        "columns are masked.",
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
    command = artifact_options(command)
    command = click.option(
        "--contracts", multiple=True, metavar="PATH", help="Files, folders or quoted globs; may be repeated."
    )(command)
    return click.argument("paths", nargs=-1, metavar="[PATHS]...")(command)


def artifact_options(command: Command) -> Command:
    """`--artifacts` and `--root`: contracts and settings of a compiled product."""
    text = "Where data paths of --artifacts start, instead of the folder above target/."
    command = click.option("--root", default="", metavar="FOLDER", help=text)(command)
    text = "A product's target/floe/compiled.json, which holds contracts and settings."
    return click.option("--artifacts", default="", metavar="FILE", help=text)(command)


def limit_option(default: str, text: str) -> Callable[[Command], Command]:
    """`--limit`, a length of time, in seconds."""
    return click.option("--limit", callback=_seconds, default=default, show_default=True, metavar="LENGTH", help=text)


def run_id_option(command: Command) -> Command:
    """`--run-id` of checks that follow a pipeline's run."""
    text = "The orchestrator's run that the checks follow; else the one that Airflow's environment names."
    return click.option("--run-id", default="", metavar="ID", help=text)(command)


def _seconds(_: click.Context, __: click.Parameter, text: str) -> float:
    duration, problem = parse_duration(f"{text}s" if text.isdigit() else text)
    if duration is None or duration.months or duration.microseconds < SECOND:
        raise click.BadParameter(f"{problem or 'it must be a second at least'}; write 90s, 10m or 1h")
    return duration.microseconds / SECOND


def store_options(command: Command) -> Command:
    """`--artifacts`, `--root`, `--config` and `--store`, as for `floe monitor run`."""
    text = "The store, instead of `store` of the settings: sqlite:///FILE, postgresql://…"
    command = click.option("--store", default="", metavar="URL", help=text)(command)
    text = "Settings instead of .floe/monitoring.yaml."
    return artifact_options(click.option("--config", default="", metavar="FILE", help=text)(command))
