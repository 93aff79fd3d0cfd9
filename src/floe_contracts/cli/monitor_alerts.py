"""`floe monitor alerts`: alert rules for Prometheus from the contracts themselves, and a dashboard for Grafana."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..adapters.files.write import write_whole
from ..adapters.process.console import Console
from ..adapters.process.output import put_page
from ..emit.alerts import AlertGroup, AlertOptions, general_alerts, rule_resource, rules_document
from ..emit.dashboard import dashboard as dashboard_values
from ..errors import FloeError
from .options import artifact_options, global_options, output_option

if TYPE_CHECKING:
    from ..monitor.run.targets import Target


@click.command("alerts", short_help="Write alert rules with each contract's own thresholds, and a dashboard.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@artifact_options
@click.option("--config", default="", metavar="FILE", help="Settings instead of .floe/monitoring.yaml.")
@click.option("--store", default="", metavar="URL", help="The store that knows the names of metrics.")
@output_option("Write the rules to FILE instead of printing them.")
@click.option("--dashboard", default="", metavar="FILE", help="Also write a dashboard that Grafana can import.")
@click.option(
    "--in-a-row",
    type=click.IntRange(2, 100),
    default=3,
    show_default=True,
    help="Slots violated in a row that make it critical.",
)
@click.option(
    "--missed",
    type=click.IntRange(2, 100),
    default=3,
    show_default=True,
    help="Intervals without a check that are an alert.",
)
@click.option(
    "--as",
    "shape",
    type=click.Choice(["rules", "PrometheusRule"]),
    default="rules",
    show_default=True,
    help="A file of rules, or a resource of the Prometheus operator.",
)
@click.option(
    "--runbook-url",
    default="",
    metavar="URL",
    help="The page that every alert links to, instead of the guide for on-call engineers.",
)
@global_options(hidden=True)
@click.pass_obj
def alerts(
    console: Console,
    paths: tuple[str, ...],
    artifacts: str,
    root: str,
    config: str,
    store: str,
    output: str | None,
    dashboard: str,
    in_a_row: int,
    missed: int,
    shape: str,
    runbook_url: str,
) -> int:
    """Write rules that Prometheus loads: new and lasting violations, data that grows older than promised also between
    two checks, availability that spends its budget too fast, scores and rows below their promise, schema drift, checks
    that fail or do not run, and messages that cannot be delivered.

    Thresholds and intervals are those of each contract and of the settings, so write the rules again when they change.
    Names are those under which the store's contracts are pushed: a contract that was raised to the next MAJOR in place
    has the number in its name. Contracts whose enforcement is off or warn have no metrics and get no rules.

    \b
    Examples:
      floe monitor alerts contracts/ -o floe-alerts.yaml && promtool check rules floe-alerts.yaml
      floe monitor alerts --as PrometheusRule | kubectl apply -f -
      floe monitor alerts --dashboard floe-dashboard.json -o floe-alerts.yaml
    """
    import yaml

    from ..app.monitor.project import project_here, read_project_store
    from ..app.monitor.targets import file_targets, name_as_before
    from ..product.observability import namespace_of

    project = project_here(config, artifacts, root)
    namespace = namespace_of(project.config.observability, os.environ.get("OPENLINEAGE_NAMESPACE", ""))
    targets = file_targets(project, paths)
    try:
        with read_project_store(project, store) as kept:
            targets = name_as_before(kept, namespace, targets)
    except FloeError as error:
        if store:
            raise
        console.note(f"Names are those of the files, because the store cannot be read: {error.message}.")
    groups = _groups(console, namespace, targets, AlertOptions(in_a_row, missed))
    document = rules_document(groups, runbook_url)
    if shape == "PrometheusRule":
        document = rule_resource("floe-contracts", document)
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=10_000)
    if dashboard:
        write_whole(dashboard, json.dumps(dashboard_values(), indent=2) + "\n")
    if output:
        write_whole(output, text)
    else:
        put_page(text)
    return 2 if any(target.problem for target in targets) or not targets else 0


def _groups(
    console: Console, namespace: str, targets: Sequence[Target], options: AlertOptions
) -> tuple[AlertGroup, ...]:
    from ..emit.alert_thresholds import contract_alerts
    from ..emit.metric_points import distinct_names

    silent = {id(target): why for target in targets if (why := _why_silent(target))}
    for target in targets:
        if id(target) in silent:
            console.note(f"{target.name}: no rules, because {silent[id(target)]}.")
    alerted = [target for target in targets if id(target) not in silent]
    names = distinct_names((target.name, target.key) for target in alerted)
    own = (contract_alerts(namespace, target, names[target.name, target.key], options) for target in alerted)
    return (general_alerts(namespace, options), *(group for group in own if group.alerts))


def _why_silent(target: Target) -> str:
    from ..product.data_contracts import Enforcement

    if target.problem:
        return target.problem
    if target.enforcement.rank < Enforcement.ALERT_ONLY.rank:
        return f"its enforcement is {target.enforcement.value} and it has no metrics"
    return ""
