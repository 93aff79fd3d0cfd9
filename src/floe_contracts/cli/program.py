"""A click command as a whole program: one boundary for errors, and the exit codes of floe."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import pairwise

import click

from ..adapters.process.boundary import INTERRUPTED, Alarm, guard
from ..errors import UsageError
from ..results import ExitCode


def run_program(command: click.Command, name: str, argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0 pass, 1 blocked, 2 could not check, 3 bug."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    alarm = _alarm(arguments)
    return guard(lambda: _invoke(command, name, arguments, alarm), alarm)


def _invoke(command: click.Command, name: str, arguments: list[str], alarm: Alarm) -> int:
    # Not command.main(): it turns a closed pipe into exit code 1, which here means "blocked".
    question = os.environ.get("_FLOE_COMPLETE")
    if question:
        from click.shell_completion import shell_complete

        return shell_complete(command, {}, name, "_FLOE_COMPLETE", question)
    try:
        with command.make_context(name, arguments) as context:
            code = command.invoke(context)
    except click.exceptions.Exit as done:  # --help and --version
        return done.exit_code
    except click.Abort:  # Ctrl-C at a question
        return INTERRUPTED
    except click.ClickException as error:
        if alarm.json_lines:
            raise UsageError(error.format_message(), fix=f"`{name} --help` lists commands and options.") from error
        error.show()
        return int(ExitCode.COULD_NOT_CHECK)
    return code if isinstance(code, int) else 0


def _alarm(arguments: Sequence[str]) -> Alarm:
    # Read from the raw arguments, so that it also holds when they do not parse.
    options = set(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    return Alarm(
        trace=bool({"-v", "--verbose"} & options or os.environ.get("FLOE_DEBUG")),
        json_lines="--log-format=json" in options or ("--log-format", "json") in pairwise(arguments),
    )
