"""`floe action`: what action.yml and actions/*/action.yml run; people use the other commands."""

from __future__ import annotations

import os

import click


@click.group(hidden=True, short_help="Run one of the GitHub actions.")
def action() -> None:
    """Run one of the GitHub actions; inputs come as FLOE_INPUT_* variables, outputs go to GITHUB_OUTPUT."""


@action.command()
def gate() -> int:
    """Check a pull request's contracts, and comment on it."""
    from .action_checks import run_gate_action

    return run_gate_action(os.environ)


@action.command()
def bump() -> int:
    """Write the versions that a pull request needs."""
    from .action_bump import run_bump_action

    return run_bump_action(os.environ)


@action.command()
def lint() -> int:
    """Lint the contracts of a checkout."""
    from .action_checks import run_lint_action

    return run_lint_action(os.environ)


@action.command("compile")
def compile_command() -> int:
    """Compile the products of a checkout."""
    from .action_compile import run_compile_action

    return run_compile_action(os.environ)


@action.command()
def publish() -> int:
    """Publish the manifest of a platform."""
    from .action_publish import run_publish_action

    return run_publish_action(os.environ)


@action.command()
def comment() -> int:
    """Comment on a pull request from another run's report."""
    from .action_comment import run

    return run(os.environ)
