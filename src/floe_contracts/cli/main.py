"""The console entry point `floe`: global options, the table of commands, and the exit code."""

from __future__ import annotations

from collections.abc import Sequence

import click

from .. import __version__
from .lazy import CommandEntry, LazyGroup
from .options import global_options
from .program import run_program

COMMANDS = {
    "init": CommandEntry(".init:init", "Propose a contract from data, and the files that check it."),
    "demo": CommandEntry(".demo:demo", "Show the whole of floe on a small shop."),
    "lint": CommandEntry(".lint:lint", "Check contracts for everything that cannot be right."),
    "gate": CommandEntry(".gate:gate", "Block breaking changes that have no MAJOR bump."),
    "diff": CommandEntry(".diff:diff", "Compare two versions of a contract."),
    "bump": CommandEntry(".bump:bump", "Write the version that each changed contract needs."),
    "consumers": CommandEntry(".consumers:consumers", "List consumers of contracts and record acknowledgements."),
    "monitor": CommandEntry(".monitor:monitor", "Check contracts against the data, and see how they stand."),
    "job": CommandEntry(".job:job", "Find the jobs that spark-submit runs."),
    "schedule": CommandEntry(".schedule:schedule", "Print what makes a scheduler run the checks."),
    "doctor": CommandEntry(".doctor:doctor", "Say what the gate would compare here, and prove that a break fails."),
    "contract": CommandEntry(".contract:contract", "Convert, hash, import and export contracts."),
    "compile": CommandEntry(".compile:compile_command", "Hold a product to its platform and write its artifact."),
    "run": CommandEntry(".run:run_command", "Run a product: compile, transforms, checks."),
    "register": CommandEntry(".register:register", "Register a product and its contracts in the catalog."),
    "identity": CommandEntry(".identity:identity", "Show, claim, transfer and audit namespaces of products."),
    "policy": CommandEntry(".policy:policy", "Check the tiers of a platform, and explain a key."),
    "platform": CommandEntry(
        ".platform:platform", "Compile and publish the manifest of a platform, lock references to it."
    ),
    "rules": CommandEntry(".rules:rules", "List what every kind of change costs."),
    "explain": CommandEntry(".explain:explain", "Say what a code or a rule means and how to get out of it."),
    "completion": CommandEntry(".completion:completion", "Print the shell completion script."),
    "help": CommandEntry(".help:help_command", "Show what a command does and takes."),
    "action": CommandEntry(".action:action", "Run one of the GitHub actions.", hidden=True),
    "docs": CommandEntry(".docs.command:docs", "Write the generated pages of docs/.", hidden=True),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run `floe` and return its exit code: 0 pass, 1 blocked, 2 could not check, 3 bug."""
    return run_program(cli, "floe", argv)


@click.group(
    cls=LazyGroup,
    table=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 pass, 1 blocked, 2 could not check, 3 bug. `floe explain CODE` explains a finding; "
    "questions and bugs: github.com/floe-dev/floe-contracts/issues.",
)
@click.version_option(__version__, "-V", "--version", prog_name="floe", message="%(prog)s %(version)s")
@global_options()
def cli() -> None:
    """Data contracts as a deployment gate, on both sides of the merge."""
