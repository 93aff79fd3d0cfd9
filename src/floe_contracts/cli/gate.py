"""`floe gate`: what changed in a repository's contracts, and whether their versions say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..adapters.process.console import Console
from ..compat.profiles import PROFILES
from ..results import FAIL_ON
from .options import against_registry_option, global_options, report_options

if TYPE_CHECKING:
    from ..results import FailOn


@click.command(short_help="Block breaking changes that have no MAJOR bump.")
@click.option("--base", metavar="REF", help="Compare with the point where the head left REF, instead of the default.")
@click.option("--head", default="index", show_default=True, metavar="REF|index|worktree", help="What to check.")
@click.option("--contracts", multiple=True, metavar="GLOB", help="Check files that match GLOB too; may be repeated.")
@click.option("--profile", type=click.Choice(tuple(PROFILES)), help="Which bumps are asked for.")
@click.option("--fail-on", type=click.Choice(FAIL_ON), help="Which findings fail the gate; the default is any.")
@click.option("--allow-empty", is_flag=True, help="Pass when the repository has no contract at all.")
@against_registry_option
@report_options
@global_options(hidden=True)
@click.pass_obj
def gate(
    console: Console,
    base: str | None,
    head: str,
    contracts: tuple[str, ...],
    profile: str | None,
    fail_on: FailOn | None,
    allow_empty: bool,
    against_registry: bool,
    form: str,
    output: str | None,
) -> int:
    """Compare the contracts of this repository with the base branch and block what breaks readers.

    The base is where the head left the default branch: origin/HEAD, origin/main, main. In GitHub Actions it is the
    first parent of the pull request's merge commit. Settings, waivers and consumers are read from .floe/ of the base
    revision, so a change cannot excuse itself; --profile and --fail-on can only be stricter than they are.

    \b
    Examples:
      floe gate
      floe gate --base origin/release-2 --head HEAD
      floe gate --format markdown --output comment.md
    """
    from ..app.gate.request import GateRequest
    from ..app.gate.show import show_gate

    return show_gate(
        console,
        GateRequest(base, head, contracts, profile, fail_on, allow_empty, against_registry=against_registry),
        form,
        output,
    )
