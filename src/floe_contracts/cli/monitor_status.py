"""`floe monitor status` and `floe monitor history`: what the store remembers."""

from __future__ import annotations

import click

from ..adapters.process.console import Console
from ..adapters.process.output import put_page, say
from ..render.machine.json_report import printed
from .moments import moment_us, now_us
from .options import format_option, global_options, store_options


@click.command("status", short_help="Show how every contract stands, and what was missed.")
@click.argument("contracts", nargs=-1, metavar="[CONTRACT]...")
@click.option("--since", default="7d", show_default=True, metavar="LENGTH", help="Where missed slots are counted from.")
@click.option("--violated", is_flag=True, help="Only contracts with a check that is violated or errored.")
@store_options
@format_option("terminal", "json")
@global_options(hidden=True)
@click.pass_obj
def status(
    console: Console,
    contracts: tuple[str, ...],
    since: str,
    violated: bool,
    artifacts: str,
    root: str,
    config: str,
    store: str,
    form: str,
) -> int:
    """Show every check of every contract, the worst contract first: its state, since when and why, its last slot, slots
    that were missed, and what waits to be sent. CONTRACT is a name or key; * is any text.

    \b
    Examples:
      floe monitor status
      floe monitor status --violated
      floe monitor status 'shop.*' --since 24h --format json
    """
    from ..app.monitor.project import project_here, read_project_store
    from ..monitor.store.totals import list_statuses
    from .status_lines import order_worst_first, read_reasons, status_lines, status_values

    since_us, now = moment_us(since, "--since"), now_us()
    with read_project_store(project_here(config, artifacts, root), store) as kept:
        statuses = list_statuses(kept, since_us=since_us, now_us=now, only=contracts)
        statuses = order_worst_first(statuses, violated=violated)
        reasons = read_reasons(kept, statuses)
        backlog = kept.outbox.backlog()
    if form == "json":
        put_page(printed(status_values(statuses, backlog, reasons)))
        return 0
    for line in status_lines(statuses, backlog, now, reasons):
        say(line)
    if not statuses and violated:
        console.note("No contract is violated or errored.")
    elif not statuses:
        console.note(f"No {'such contract' if contracts else 'contract'} was checked yet.")
    return 0


@click.command("history", short_help="Show the result of every slot of a contract.")
@click.argument("contract", metavar="CONTRACT")
@click.option(
    "--check",
    type=click.Choice(["availability", "freshness", "schema_drift", "quality", "lifecycle"]),
    help="Only one.",
)
@click.option("--since", default="7d", show_default=True, metavar="MOMENT", help="How far back: 24h, 7d, or a date.")
@store_options
@format_option("terminal", "json")
@global_options(hidden=True)
@click.pass_obj
def history(
    console: Console,
    contract: str,
    check: str | None,
    since: str,
    artifacts: str,
    root: str,
    config: str,
    store: str,
    form: str,
) -> int:
    """Show the slots of CONTRACT, the newest first: what came of each, and every violation. CONTRACT is a name or key.

    \b
    Examples:
      floe monitor history orders
      floe monitor history orders --check freshness --since 24h --format json
    """
    from ..app.monitor.project import project_here, read_project_store
    from ..monitor.store.totals import list_statuses
    from .status_lines import history_lines, history_values

    since_us = moment_us(since, "--since")
    with read_project_store(project_here(config, artifacts, root), store) as kept:
        statuses = list_statuses(kept, since_us=since_us, now_us=now_us(), only=(contract,), gone=True)
        wanted = [status.series for status in statuses if check in (None, status.series.check_type)]
        outcomes = [outcome for series in wanted for outcome in kept.history(series, since_us)]
    outcomes.sort(key=lambda outcome: (-outcome.slot_us, outcome.key.check_type))
    if form == "json":
        put_page(printed(history_values(outcomes)))
        return 0
    for line in history_lines(outcomes):
        say(line)
    if not outcomes:
        console.note(f"Nothing is known of {contract!r} since then; `floe monitor status` lists what is.")
    return 0
