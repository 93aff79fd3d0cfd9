"""`floe register`: a product and its contract versions, registered in the catalog."""

from __future__ import annotations

import click

from ..adapters.process.console import Console
from ..errors import UsageError
from .options import format_option, global_options, refs_option


@click.command(short_help="Register a product and its contracts in the catalog.")
@click.argument("folder", default=".", metavar="[FOLDER]")
@click.option("--pending", is_flag=True, help="Finish what an outage of the catalog left pending in the artifact.")
@click.option("--artifacts", default="", metavar="FILE", help="The artifact of --pending, when it lies elsewhere.")
@refs_option
@format_option("terminal", "json", "sarif", "github")
@global_options(hidden=True)
@click.pass_obj
def register(console: Console, folder: str, pending: bool, artifacts: str, refs: tuple[str, ...], form: str) -> int:
    """Make the first five steps of `floe compile` for the product in FOLDER, and write no artifact.

    With --pending, read target/floe/compiled.json, register what it says, and write the new state into it. Exit 1 when
    another repository owns the namespace, 2 when the catalog still does not answer. Refused in pull requests.

    \b
    Examples:
      floe register
      floe register --pending --artifacts target/floe/compiled.json
    """
    from ..app.identity.commands import show_pending, show_register

    if artifacts and not pending:
        raise UsageError("--artifacts belongs to --pending", fix="Add --pending, or leave --artifacts out.")
    return show_pending(console, folder, artifacts) if pending else show_register(console, folder, refs, form)
