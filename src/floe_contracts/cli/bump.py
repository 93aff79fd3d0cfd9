"""`floe bump`: writes the version that a change needs, and touches nothing but that line."""

from __future__ import annotations

import sys

import click

from .. import __version__
from .console import Console
from .options import global_options


@click.command(short_help="Write the version that each changed contract needs.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--base", metavar="REF", help="Compare with the point where the head left REF, instead of the default.")
@click.option("--yes", "-y", is_flag=True, help="Write MAJOR bumps without asking.")
@click.option("--dry-run", is_flag=True, help="Only say what would be written.")
@global_options(hidden=True)
@click.pass_obj
def bump(console: Console, paths: tuple[str, ...], base: str | None, yes: bool, dry_run: bool) -> int:
    """Write the smallest version that covers the change into every changed contract, or into PATHS only.

    Only the version line changes. A MAJOR bump tells readers that something breaks, so it is asked for first.

    \b
    Examples:
      floe bump
      floe bump contracts/orders.yaml --dry-run
    """
    from ..adapters.bumping import apply, wanted
    from ..adapters.gating import Asked

    asked = Asked(base=base, head="worktree", allow_empty=True)
    edits = wanted(asked, paths, tool_version=__version__)
    if not edits:
        click.echo("Every changed contract has the version it needs.")
        return 0
    for edit in edits:
        click.echo(f"{edit.path}: {edit.old} → {edit.new}{' (breaking)' if edit.is_major else ''}")
    if dry_run:
        return 0
    if any(edit.is_major for edit in edits) and not yes and not _agreed():
        console.note("Nothing was written. Say --yes to write MAJOR bumps, or make the change compatible.")
        return 1
    apply(edits)
    click.echo(f"{len(edits)} version{'s' if len(edits) > 1 else ''} written.")
    return 0


def _agreed() -> bool:
    return sys.stdin.isatty() and click.confirm("This breaks readers. Write the MAJOR version?", default=False)
