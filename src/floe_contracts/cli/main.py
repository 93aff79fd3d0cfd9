"""The console entry point `floe`: global options, the table of commands, and the exit code."""

from __future__ import annotations

from collections.abc import Sequence

import click

from .. import __version__
from .lazy import Entry, LazyGroup
from .options import global_options
from .program import run_program

COMMANDS = {
    "init": Entry(".init:init", "Propose a contract from data, and the files that check it."),
    "demo": Entry(".demo:demo", "Show the whole of floe on a small shop."),
    "lint": Entry(".lint:lint", "Check contracts for everything that cannot be right."),
    "gate": Entry(".gate:gate", "Block breaking changes that have no MAJOR bump."),
    "diff": Entry(".diff:diff", "Compare two versions of a contract."),
    "bump": Entry(".bump:bump", "Write the version that each changed contract needs."),
    "consumers": Entry(".consumers:consumers", "List readers of contracts and record their word."),
    "monitor": Entry(".monitor:monitor", "Check contracts against the data, and see how they stand."),
    "job": Entry(".job:job", "Find the jobs that spark-submit runs."),
    "schedule": Entry(".schedule:schedule", "Print what makes a scheduler run the checks."),
    "doctor": Entry(".doctor:doctor", "Say what the gate would compare here, and prove that a break fails."),
    "contract": Entry(".contract:contract", "Convert, hash, import and export contracts."),
    "rules": Entry(".rules:rules", "List what every kind of change costs."),
    "explain": Entry(".explain:explain", "Say what a code or a rule means and how to get out of it."),
    "completion": Entry(".completion:completion", "Print the shell completion script."),
    "action": Entry(".action:action", "Run one of the GitHub actions.", hidden=True),
    "docs": Entry(".docs.command:docs", "Write the generated pages of docs/.", hidden=True),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run `floe` and return its exit code: 0 pass, 1 blocked, 2 could not check, 3 bug."""
    return run_program(cli, "floe", argv)


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
