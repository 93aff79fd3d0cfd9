"""`floe contract catalog`: contracts with versions, owners, readers and changelog as one HTML page."""

from __future__ import annotations

import click

from ..adapters.console import Console
from ..adapters.options import global_options, output_option


@click.command("catalog", short_help="Write contracts with versions, owners, readers and changelog as one page.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@output_option("Write the page to FILE instead of printing it.")
@global_options(hidden=True)
@click.pass_obj
def catalog(console: Console, paths: tuple[str, ...], output: str | None) -> int:
    """Write one HTML page with every contract: columns, service levels, owner, readers, and what each version changed.

    PATHS are files, folders or quoted globs; without any, the contracts that are here. Versions come from the history
    of the commit that is checked out, told in the words of the gate's rules. The page needs nothing else.

    \b
    Examples:
      floe contract catalog -o catalog.html
      floe contract catalog contracts/ -o catalog.html
    """
    from datetime import datetime, timezone

    from ..adapters.contract_changelog import read_catalog
    from ..adapters.page_output import put_page
    from ..render.catalog_page import render_catalog

    found = read_catalog(paths, datetime.now(timezone.utc))
    put_page(console, render_catalog(found), output)
    for path in found.unread:
        console.note(f"{path} could not be read as a contract; `floe lint` tells why.")
    return 2 if found.unread and not found.entries else 0
