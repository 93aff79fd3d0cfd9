"""Options that several commands share, so that each is spelled and documented once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..adapters.console import Console
from ..adapters.deliver import FORMATS
from ..frozen import replace

Command = TypeVar("Command", bound=Callable[..., Any])


def global_options(*, hidden: bool = False) -> Callable[[Command], Command]:
    """`--verbose`, `--log-format` and `--no-color`; taken before and after the command name, documented before it."""

    def decorate(command: Command) -> Command:
        for option in (_no_color, _log_format, _verbose):
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


def _verbose(hidden: bool) -> Callable[[Command], Command]:
    return _setting("-v", "--verbose", is_flag=True, hidden=hidden, help="Show passed contracts, links and traces.")


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
