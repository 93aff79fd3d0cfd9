"""`floe monitor prune`: forgets old slots, and never counts them again."""

from __future__ import annotations

import click

from ..adapters.options import format_option, global_options
from .monitor_options import store_options


@click.command("prune", short_help="Forget slots that are older than needed.")
@click.option("--keep", default="", metavar="LENGTH", help="Keep so much: 90d.")
@click.option("--before", default="", metavar="MOMENT", help="Forget what lies before this date or time.")
@store_options
@format_option("terminal", "json")
@global_options(hidden=True)
def prune(keep: str, before: str, config: str, store: str, form: str) -> int:
    """Forget slots before a moment, with their results. Counters stay as they are, and a slot that was forgotten is
    not checked again, so nothing is counted twice; what may still be run, two of the longest intervals, is always
    kept. Messages from before the moment that still wait become dead letters; dead letters from before it go.

    \b
    Examples:
      floe monitor prune --keep 90d
      floe monitor prune --before 2026-01-01
    """
    from ..adapters.moments_asked import ago_us, moment_us, now_us
    from ..adapters.monitoring_project import opened_store, project_here
    from ..checks.moments import iso
    from ..errors import UsageError
    from ..monitor.retention import refuse_recent
    from ..render.outline import plural

    if bool(keep) is bool(before):
        raise UsageError("prune needs to know what to keep", fix="Say either --keep 90d or --before 2026-01-01.")
    before_us = ago_us(keep, "--keep") if keep else moment_us(before, "--before")
    project = project_here(config)
    with opened_store(project, store, remembers=False) as kept:
        refuse_recent(before_us, kept, project.config, now_us())
        done = kept.prune(before_us)
    if form == "json":
        from ..render.json_report import printed

        counts = {"slots": done.slots, "series": done.series, "messages": done.messages}
        click.echo(printed({"before": iso(before_us), **counts}), nl=False)
    else:
        slots, series = plural(done.slots, "slot"), "series that are older altogether"
        messages = plural(done.messages, "message")
        click.echo(f"Forgot {slots} before {iso(before_us)}, {done.series} {series}, {messages}.")
    return 0
