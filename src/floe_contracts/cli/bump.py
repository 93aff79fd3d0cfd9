"""`floe bump`: writes the version that a change needs, and touches nothing but that line."""

from __future__ import annotations

import sys

import click

from ..adapters.process.console import Console
from ..adapters.process.environment import utc_today
from ..contract.meaning.phrase import plural
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
    from ..adapters.git.library import touching_commits
    from ..app.bump import apply, plan_bumps
    from ..app.gate.request import GateRequest

    request = GateRequest(base=base, head="worktree", allow_empty=True)
    bumps = plan_bumps(request, utc_today(), paths, commits=touching_commits)
    edits = tuple(edit for edit in bumps.edits if not edit.beside)
    bound = [edit for edit in bumps.edits if edit.beside]
    for edit in edits:
        click.echo(f"{edit.path}: {edit.old} → {edit.new}{' (breaking)' if edit.is_major else ''}")
    if any(edit.is_major for edit in edits) and not dry_run and not yes and not _confirm():
        console.note("Nothing was written. Say --yes to write MAJOR bumps, or make the change compatible.")
        return 1
    if not dry_run:
        apply(edits)
    for edit in bound:
        console.note(f"{edit.path} is bound to its MAJOR version by its name and cannot become {edit.new}.")
        console.note(
            f"  fix: publish the change as {edit.beside} with version {edit.new}, and leave {edit.path} as it was."
        )
    for path in bumps.hopeless:
        console.note(f"{path}: no version helps here; `floe gate --head worktree` tells why.")
    click.echo(_summary(len(edits), dry_run, blocked=bool(bound or bumps.hopeless)))
    return 1 if bound or bumps.hopeless else 0


def _summary(number: int, dry_run: bool, *, blocked: bool) -> str:
    if not number:
        return "No version was written." if blocked else "Every changed contract has the version it needs."
    versions = plural(number, "version")
    return (
        f"{versions} would be written." if dry_run else f"{versions} written; stage with `git add` before you commit."
    )


def _confirm() -> bool:
    return sys.stdin.isatty() and click.confirm("This breaks readers. Write the MAJOR version?", default=False)
