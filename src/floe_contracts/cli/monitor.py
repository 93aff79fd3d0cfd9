"""`floe monitor`: contracts against the data as it is, and what is remembered of that."""

from __future__ import annotations

import click

from .lazy import CommandEntry, LazyGroup

COMMANDS: dict[str, CommandEntry] = {
    "run": CommandEntry(".monitor_run:run", "Check contracts against the data, now."),
    "serve": CommandEntry(".monitor_serve:serve", "Watch contracts as a service, with metrics to scrape."),
    "plan": CommandEntry(".monitor_plan:plan", "Show what checking a contract will read and cost."),
    "status": CommandEntry(".monitor_status:status", "Show how every contract stands, and what was missed."),
    "history": CommandEntry(".monitor_status:history", "Show the result of every slot of a contract."),
    "alerts": CommandEntry(
        ".monitor_alerts:alerts", "Write alert rules with each contract's own thresholds, and a dashboard."
    ),
    "report": CommandEntry(".monitor_report:report", "Write how contracts stand, and stood, as one HTML page."),
    "test-sink": CommandEntry(".monitor_upkeep:test_sink", "Send a test message to every sink, or to those named."),
    "flush": CommandEntry(".monitor_upkeep:flush", "Deliver what is waiting to be sent."),
    "forget": CommandEntry(".monitor_upkeep:forget", "Take a contract that is gone out of status, report and metrics."),
    "prune": CommandEntry(".monitor_upkeep:prune", "Forget slots that are older than needed."),
}


@click.group(cls=LazyGroup, table=COMMANDS, short_help="Check contracts against the data, and see how they stand.")
def monitor() -> None:
    """Check contracts against the data, and see how they stand.

    Settings are read from .floe/monitoring.yaml; none is needed to start.
    """
