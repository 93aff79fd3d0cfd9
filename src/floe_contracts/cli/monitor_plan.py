"""`floe monitor plan`: what checking a contract would read, before anything is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ..adapters.process.output import put_page
from ..app.monitor.project import project_here
from ..app.monitor.targets import file_targets
from ..checks.moments import length
from ..checks.promises.promise import Promise, clock_of, promises
from ..contract.model import SchemaObject
from ..monitor.run.plan import count_scans, describe, plan_table
from ..monitor.run.targets import Target
from ..monitor.settings.model import CHECKS
from ..monitor.source.binding import Binding, Unbound, bind
from ..render.machine.json_report import printed
from ..render.safe import log_safe
from .options import artifact_options, format_option, global_options


@click.command("plan", short_help="Show what checking a contract will read and cost.")
@click.argument("contracts", nargs=-1, metavar="[CONTRACT]...")
@artifact_options
@click.option("--config", default="", metavar="FILE", help="Settings instead of .floe/monitoring.yaml.")
@click.option("--server", default="", metavar="NAME", help="Which of the contract's servers holds the data.")
@click.option("--connection", multiple=True, metavar="KEY=VALUE", help="Where the data is; may be repeated.")
@format_option("terminal", "json")
@global_options(hidden=True)
def plan(
    contracts: tuple[str, ...],
    artifacts: str,
    root: str,
    config: str,
    server: str,
    connection: tuple[str, ...],
    form: str,
) -> int:
    """Show the plan of CONTRACT, or of every contract of --artifacts: where its tables are, which rules share which
    pass, what metadata may answer, and how often each table is read. Nothing is opened for it.

    \b
    Examples:
      floe monitor plan contracts/orders.yaml
      floe monitor plan contracts/ --format json
      floe monitor plan --artifacts target/floe/compiled.json
    """
    if not contracts and not artifacts:
        raise click.UsageError("Missing argument 'CONTRACT...', or --artifacts.")
    targets = file_targets(project_here(config, artifacts, root), contracts, server=server, connection=connection)
    if form == "json":
        put_page(printed([plan_values(target) for target in targets]))
    else:
        put_page("\n\n".join("\n".join(plan_lines(target)) for target in targets) + "\n")
    return 2 if any(target.problem for target in targets) else 0


_LONGEST = 300


def plan_lines(target: Target) -> Iterator[str]:
    """A plan as lines: a headline, then each table: where it is, what the quality check reads, what freshness asks."""
    yield log_safe(f"{target.name} {target.contract.version}  {target.path}", _LONGEST)
    if target.problem:
        first = target.findings[0].message if target.findings else ""
        yield log_safe(f"  not monitored: {target.problem}{f': {first}' if first else ''}", _LONGEST)
        return
    yield f"  every {', '.join(f'{length(target.interval_us(check)).human} {check}' for check in CHECKS)}"
    for table in target.contract.objects:
        where = bind(target.contract, table, target.where)
        headline, *rest = describe(plan_table(target.contract, table))
        yield log_safe(f"  {headline}", _LONGEST)
        yield log_safe(
            f"    at {where.source}" if isinstance(where, Binding) else f"    nowhere: {where.reason}", _LONGEST
        )
        for line in rest:
            yield log_safe(f"  {line}", _LONGEST)
        for promise, clock in _freshness(target, table, where):
            yield log_safe(f"    {promise.sla.property} {_amount(promise)}: {clock}", _LONGEST)


def plan_values(target: Target) -> dict[str, Any]:
    """The plan of a contract as values for JSON."""
    return {
        "contract": target.name,
        "version": target.contract.version,
        "path": target.path,
        "problem": target.problem,
        "intervals": {check: length(target.interval_us(check)).text for check in CHECKS},
        "tables": [] if target.problem else [_table(target, table) for table in target.contract.objects],
    }


def _table(target: Target, table: SchemaObject) -> dict[str, Any]:
    where, plan = bind(target.contract, table, target.where), plan_table(target.contract, table)
    least, most = count_scans(plan)
    return {
        "table": table.name,
        "source": where.source if isinstance(where, Binding) else "",
        "problem": where.reason if isinstance(where, Unbound) else "",
        "scans": {"least": least, "most": most},
        "rules": [rule.id for rule in plan.rules],
        "not_measured": {rule.id: rule.reason for rule in plan.skipped},
        "passes": [len(group) for group in plan.passes],
        "key_sets": len(plan.key_sets),
        "anti_joins": len(plan.orphans),
        "queries": len(plan.queries),
        "plan_hash": plan.plan_hash,
        "freshness": [
            {"sla": promise.sla.property, "promise": _amount(promise), "clock": clock}
            for promise, clock in _freshness(target, table, where)
        ],
    }


def _freshness(target: Target, table: SchemaObject, where: Binding | Unbound) -> Iterator[tuple[Promise, str]]:
    """Promises about time with the clock that will be read, and why that one."""
    bound = where.timestamp_column if isinstance(where, Binding) else ""
    for promise in promises(target.contract, table):
        if promise.check == "freshness":
            choice = clock_of(target.contract, promise, bound or None)
            read = f"column {'.'.join(choice.path)}" if choice.path else "time of the newest commit or file"
            yield promise, f"{read} ({choice.why})"


def _amount(promise: Promise) -> str:
    return promise.schedule or (promise.quantity.text if promise.quantity else "")
