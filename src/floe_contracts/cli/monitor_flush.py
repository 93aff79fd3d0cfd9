"""`floe monitor flush`: delivers what runs could not."""

from __future__ import annotations

import click

from ..adapters.monitoring_options import limit_option
from ..adapters.options import format_option, global_options
from .monitor_options import store_options


@click.command("flush", short_help="Deliver what is waiting to be sent.")
@click.option("--revive", is_flag=True, help="Try also what was refused for good, in its old order.")
@limit_option("60s", "How long to try.")
@store_options
@format_option("terminal", "json")
@global_options(hidden=True)
def flush(revive: bool, limit: float, config: str, store: str, form: str) -> int:
    """Deliver every message that waits, and push every metric, to the places that the environment names.

    The exit code is 0 when nothing is left, else 2.

    \b
    Examples:
      floe monitor flush
      floe monitor flush --revive --limit 5m
    """
    from ..adapters.flushing import flushed
    from ..adapters.monitoring_project import opened_store, project_here

    project = project_here(config)
    with opened_store(project, store, remembers=False) as kept:
        done = flushed(kept, project.config, revive=revive, limit_s=limit)
    if form == "json":
        from ..render.json_report import printed

        click.echo(printed(done.values()), nl=False)
    else:
        for line in done.lines():
            click.echo(line)
    return 0 if done.empty else 2
