"""`floe monitor report`: one HTML page of how contracts stand and stood, from the store."""

from __future__ import annotations

import click

from ..adapters.process.console import Console
from ..app.report import links_here, write_page
from .moments import moment_us, now_us
from .options import global_options, output_option, store_options


@click.command("report", short_help="Write how contracts stand, and stood, as one HTML page.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--contracts", multiple=True, metavar="PATH", help="Files, folders or quoted globs; may be repeated.")
@click.option("--only", multiple=True, metavar="NAME", help="Only contracts of this name or key; * is any text.")
@click.option("--since", default="30d", show_default=True, metavar="MOMENT", help="How far back: 24h, 7d, or a date.")
@store_options
@output_option("Write the page to FILE instead of printing it.")
@global_options(hidden=True)
@click.pass_obj
def report(
    console: Console,
    paths: tuple[str, ...],
    contracts: tuple[str, ...],
    only: tuple[str, ...],
    since: str,
    artifacts: str,
    root: str,
    config: str,
    store: str,
    output: str | None,
) -> int:
    """Write one HTML page of how contracts stand and stood: states, service levels over time, violations, drift.

    The page needs nothing else: it can be opened from a disk, sent by mail or published by a build. Owners, readers and
    lifecycle dates come from the contracts that PATHS mean, or from those that are here.

    \b
    Examples:
      floe monitor report -o report.html
      floe monitor report contracts/ --since 7d -o report.html
    """
    from ..app.monitor.history import known_contracts, read_record
    from ..app.monitor.project import project_here, read_project_store, refuse_absent
    from ..render.html.board import board

    now, since_us = now_us(), moment_us(since, "--since")
    if since_us >= now:
        raise click.BadParameter("it lies in the future; write how far to look back, such as 7d", param_hint="--since")
    refuse_absent(store)
    project = project_here(config, artifacts, root)
    with read_project_store(project, store) as opened:
        known, unread = known_contracts((*paths, *contracts), now, project.product)
        record = read_record(opened, now_us=now, since_us=since_us, known=known, only=only)
    write_page(console, board(record, links_here()), output)
    for path in unread:
        console.note(f"{path} could not be read as a contract; `floe lint` tells why.")
    if not record.kept and only:
        console.note("No such contract was checked yet.")
    elif not record.kept:
        console.note("The store holds no results yet; `floe monitor run` fills it.")
    return 0
