"""`floe monitor test-sink`, `flush`, `forget`, `prune`: try and empty sinks, forget contracts and old slots."""

from __future__ import annotations

import click

from ..adapters.process.output import put_page, say
from ..checks.moments import iso
from ..contract.meaning.phrase import plural
from ..errors import UsageError
from ..render.machine.json_report import printed
from .moments import ago_us, moment_us, now_us
from .options import artifact_options, format_option, global_options, limit_option, store_options


@click.command("test-sink", short_help="Send a test message to every sink, or to those named.")
@click.argument("sinks", nargs=-1, metavar="[SINK]...")
@limit_option("10s", "How long to wait for each sink.")
@artifact_options
@click.option("--config", default="", metavar="FILE", help="Settings instead of .floe/monitoring.yaml.")
@global_options(hidden=True)
def test_sink(sinks: tuple[str, ...], limit: float, artifacts: str, root: str, config: str) -> int:
    """Send a message that says it is a test to every sink that is configured, or to each SINK: webhook, openlineage,
    otel or pushgateway. The contract in it is called floe-test-message; the store is not touched.

    The exit code is 0 when every sink has the message, else 2.

    \b
    Examples:
      floe monitor test-sink
      floe monitor test-sink webhook
    """
    import os

    from ..app.monitor.project import project_here
    from ..app.monitor.sinks import load_sinks
    from ..app.monitor.try_sinks import choose_sinks, try_sinks
    from ..product.observability import namespace_of

    project = project_here(config, artifacts, root)
    wanted = choose_sinks(load_sinks(project.config, os.environ), sinks)
    namespace = namespace_of(project.config.observability, os.environ.get("OPENLINEAGE_NAMESPACE", ""))
    trials = list(try_sinks(wanted, namespace, now_us(), limit))
    for line in (*wanted.notes, *(trial.line() for trial in trials)):
        say(line)
    if not trials:
        say("No sink is configured, so nothing was sent. Set FLOE_WEBHOOK_URL or another variable of a sink.")
    return 0 if trials and not wanted.notes and not any(trial.reason for trial in trials) else 2


@click.command("flush", short_help="Deliver what is waiting to be sent.")
@click.option("--revive", is_flag=True, help="Try also what was refused for good, in its old order.")
@limit_option("60s", "How long to try.")
@store_options
@format_option("terminal", "json")
@global_options(hidden=True)
def flush(revive: bool, limit: float, artifacts: str, root: str, config: str, store: str, form: str) -> int:
    """Deliver every message that waits, and push every metric, to the places that the environment names.

    The exit code is 0 when nothing is left, else 2.

    \b
    Examples:
      floe monitor flush
      floe monitor flush --revive --limit 5m
    """
    from ..app.monitor.backlog import flush
    from ..app.monitor.project import project_here, read_project_store

    project = project_here(config, artifacts, root)
    with read_project_store(project, store, writes=True) as kept:
        done = flush(kept, project.config, revive=revive, limit_s=limit)
    if form == "json":
        put_page(printed(done.values()))
    else:
        for line in done.lines():
            say(line)
    return 0 if done.empty else 2


@click.command("forget", short_help="Take a contract that is gone out of status, report and metrics.")
@click.argument("contracts", nargs=-1, required=True, metavar="CONTRACT...")
@limit_option("60s", "How long to try to tell the receivers of metrics.")
@store_options
@global_options(hidden=True)
def forget(contracts: tuple[str, ...], limit: float, artifacts: str, root: str, config: str, store: str) -> int:
    """Take contracts out of status, report and metrics. CONTRACT is a name or key; * is any text. A whole run of the
    project that last checked a contract does it by itself when the contract is gone; this is for contracts whose
    project is gone too. Results stay in the history, and a contract that is checked again comes back.

    \b
    Examples:
      floe monitor forget orders.v1
      floe monitor forget 'shop.*'
    """
    from ..app.monitor.backlog import flush
    from ..app.monitor.gone import forget
    from ..app.monitor.project import project_here, read_project_store
    from ..contract.meaning.phrase import closest
    from ..monitor.store.totals import list_statuses

    project, now = project_here(config, artifacts, root), now_us()
    with read_project_store(project, store, writes=True) as kept:
        every = {status.name for status in list_statuses(kept, since_us=now, now_us=now)}
        for pattern in contracts:
            if not list_statuses(kept, since_us=now, now_us=now, only=(pattern,)):
                meant = closest(pattern, tuple(sorted(every)))
                fix = f"Did you mean {meant}?" if meant else "`floe monitor status` lists those that were."
                raise UsageError(f"no contract called {pattern[:80]!r} was checked", fix=fix)
        lines = forget(kept, list_statuses(kept, since_us=now, now_us=now, only=contracts), now)
        done = flush(kept, project.config, revive=False, limit_s=limit)
    for line in (*lines, *done.lines()):
        say(line)
    return 0 if done.empty else 2


@click.command("prune", short_help="Forget slots that are older than needed.")
@click.option("--keep", default="", metavar="LENGTH", help="Keep so much: 90d.")
@click.option("--before", default="", metavar="MOMENT", help="Forget what lies before this date or time.")
@store_options
@format_option("terminal", "json")
@global_options(hidden=True)
def prune(keep: str, before: str, artifacts: str, root: str, config: str, store: str, form: str) -> int:
    """Forget slots before a moment, with their results. Counters stay as they are, and a slot that was forgotten is
    not checked again, so nothing is counted twice; what may still be run, two of the longest intervals, is always
    kept. Messages from before the moment that still wait become dead letters; dead letters from before it go.

    \b
    Examples:
      floe monitor prune --keep 90d
      floe monitor prune --before 2026-01-01
    """
    from ..app.monitor.project import project_here, read_project_store
    from ..monitor.store.totals import refuse_recent

    if bool(keep) is bool(before):
        raise UsageError("prune needs to know what to keep", fix="Say either --keep 90d or --before 2026-01-01.")
    before_us = ago_us(keep, "--keep") if keep else moment_us(before, "--before")
    project = project_here(config, artifacts, root)
    with read_project_store(project, store, writes=True) as kept:
        refuse_recent(before_us, kept, project.config, now_us())
        done = kept.prune(before_us)
    if form == "json":
        counts = {"slots": done.slots, "series": done.series, "messages": done.messages}
        put_page(printed({"before": iso(before_us), **counts}))
    else:
        slots, series = plural(done.slots, "slot"), "series with nothing newer"
        messages = plural(done.messages, "message")
        say(f"Forgot {slots} before {iso(before_us)}, {done.series} {series}, {messages}.")
    return 0
