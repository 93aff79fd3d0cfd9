"""`floe monitor plan`: what checking a contract would read, before anything is read."""

from __future__ import annotations

import click

from ..adapters.options import format_option, global_options


@click.command("plan", short_help="Show what checking a contract will read and cost.")
@click.argument("contracts", nargs=-1, required=True, metavar="CONTRACT...")
@click.option("--config", default="", metavar="FILE", help="Settings instead of .floe/monitoring.yaml.")
@click.option("--server", default="", metavar="NAME", help="Which of the contract's servers holds the data.")
@click.option("--connection", multiple=True, metavar="KEY=VALUE", help="Where the data is; may be repeated.")
@format_option("terminal", "json")
@global_options(hidden=True)
def plan(contracts: tuple[str, ...], config: str, server: str, connection: tuple[str, ...], form: str) -> int:
    """Show the plan of CONTRACT: where its tables are, which rules share which pass, what metadata may answer, and how
    often each table is read. Nothing is opened for it.

    \b
    Examples:
      floe monitor plan contracts/orders.yaml
      floe monitor plan contracts/ --format json
    """
    from ..adapters.monitoring_project import project_here
    from ..adapters.monitoring_targets import file_targets
    from .planning import planned, planned_lines

    targets = file_targets(project_here(config), contracts, server=server, connection=connection)
    if form == "json":
        from ..render.json_report import printed

        click.echo(printed([planned(one) for one in targets]), nl=False)
    else:
        click.echo("\n\n".join("\n".join(planned_lines(one)) for one in targets))
    return 2 if any(one.problem for one in targets) else 0
