"""`floe bump`: writes the version that a change needs, and touches nothing but that line."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ..adapters.process.console import Console
from ..adapters.process.environment import utc_today
from ..adapters.process.output import say
from ..contract.meaning.phrase import plural
from ..results import ExitCode
from .options import global_options

if TYPE_CHECKING:
    from ..app.bump import Edit, WrittenEdit


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
    from ..app.bump import plan_bumps, write_edits
    from ..app.gate.request import GateRequest

    request = GateRequest(base=base, head="worktree", allow_empty=True)
    bumps = plan_bumps(request, utc_today(), paths, commits=touching_commits)
    edits = tuple(edit for edit in bumps.edits if not edit.beside)
    bound = [edit for edit in bumps.edits if edit.beside]
    if dry_run:
        for edit in edits:
            say(_describe(edit))
    elif any(edit.is_major for edit in edits) and not yes and not _confirm(console, edits):
        console.note("Nothing was written. Run `floe bump --yes` to write MAJOR bumps, or make the change compatible.")
        return 1
    failed = 0 if dry_run else _write(console, write_edits(edits))
    for edit in bound:
        console.note(f"{edit.path} is bound to its MAJOR version by its name and cannot become {edit.new}.")
        console.note(
            f"  fix: publish the change as {edit.beside} with version {edit.new}, and leave {edit.path} as it was."
        )
    for path in bumps.hopeless:
        console.note(f"{path}: no version helps here; `floe gate --head worktree` tells why.")
    blocked = bool(bound or bumps.hopeless)
    say(_summary(len(edits) - failed, dry_run, blocked=blocked or bool(failed)))
    return int(ExitCode.COULD_NOT_CHECK) if failed else 1 if blocked else 0


def _describe(edit: Edit) -> str:
    return f"{edit.path}: {edit.old} → {edit.new}{' (breaking)' if edit.is_major else ''}"


def _write(console: Console, written: Iterable[WrittenEdit]) -> int:
    """Say of each version that it is written, or why not; returns how many are not."""
    failed = 0
    for item in written:
        if item.failure is None:
            say(_describe(item.edit))
            continue
        failed += 1
        console.note(f"{item.edit.path} was not changed to {item.edit.new}: {item.failure.message}")
        console.note(f"  fix: {item.failure.fix}")
    return failed


def _summary(number: int, dry_run: bool, *, blocked: bool) -> str:
    if not number:
        return "No version was written." if blocked else "Every changed contract has the version it needs."
    versions = plural(number, "version")
    return (
        f"{versions} would be written." if dry_run else f"{versions} written; stage with `git add` before you commit."
    )


def _confirm(console: Console, edits: Iterable[Edit]) -> bool:
    for edit in edits:
        console.note(f"to write: {_describe(edit)}")
    return sys.stdin.isatty() and click.confirm("This breaks readers. Write the MAJOR version?", default=False)
