"""The console entry point `floe`: global options, the table of commands, and the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import pairwise

import click

from .. import __version__
from ..adapters.boundary import INTERRUPTED, Alarm, guard
from ..adapters.options import global_options
from ..errors import UsageError
from ..results import ExitCode
from .lazy import Entry, LazyGroup

COMMANDS = {
    "lint": Entry(".lint:lint", "Check contracts for everything that cannot be right."),
    "gate": Entry(".gate:gate", "Block breaking changes that have no MAJOR bump."),
    "diff": Entry(".diff:diff", "Compare two versions of a contract."),
    "bump": Entry(".bump:bump", "Write the version that each changed contract needs."),
    "consumers": Entry(".consumers:consumers", "List readers of contracts and record their word."),
    "monitor": Entry(".monitor:monitor", "Check contracts against the data, and see how they stand."),
    "doctor": Entry(".doctor:doctor", "Say what the gate would compare here, and prove that a break fails."),
    "contract": Entry(".contract:contract", "Convert, hash, import and export contracts."),
    "rules": Entry(".rules:rules", "List what every kind of change costs."),
    "explain": Entry(".explain:explain", "Say what a code or a rule means and how to get out of it."),
    "completion": Entry(".completion:completion", "Print the shell completion script."),
    "action": Entry(".action:action", "Run one of the GitHub actions.", hidden=True),
    "docs": Entry(".docs:docs", "Write the generated pages of docs/.", hidden=True),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run `floe` and return its exit code: 0 pass, 1 blocked, 2 could not check, 3 bug."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    alarm = _alarm(arguments)
    return guard(lambda: _run(arguments, alarm), alarm)


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 pass, 1 blocked, 2 could not check, 3 bug.",
)
@click.version_option(__version__, "--version", prog_name="floe", message="%(prog)s %(version)s")
@global_options()
def cli() -> None:
    """Data contracts as a deployment gate, on both sides of the merge."""


def _run(arguments: list[str], alarm: Alarm) -> int:
    # Not cli.main(): it turns a closed pipe into exit code 1, which here means "blocked".
    question = os.environ.get("_FLOE_COMPLETE")
    if question:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "floe", "_FLOE_COMPLETE", question)
    try:
        with cli.make_context("floe", arguments) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as done:  # --help and --version
        return done.exit_code
    except click.Abort:  # Ctrl-C at a question
        return INTERRUPTED
    except click.ClickException as error:
        if alarm.json_lines:
            raise UsageError(error.format_message(), fix="`floe --help` lists commands and options.") from error
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
