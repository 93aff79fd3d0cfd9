"""The plan of one contract as lines for people and as values for machines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..checks.moments import length
from ..checks.promises import Promise, clock_of, promises
from ..contract.model import SchemaObject
from ..monitor.binding import Binding, Unbound, bind
from ..monitor.plan import plan_table
from ..monitor.plan_text import describe, scans
from ..monitor.settings import CHECKS
from ..monitor.targets import Target
from ..render.safe import log_safe

_LONGEST = 300


def planned_lines(target: Target) -> Iterator[str]:
    """A headline, then each table: where it is, what the quality check reads, what freshness asks."""
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


def planned(target: Target) -> dict[str, Any]:
    """The same for machines."""
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
    least, most = scans(plan)
    return {
        "table": table.name,
        "source": where.source if isinstance(where, Binding) else "",
        "problem": where.reason if isinstance(where, Unbound) else "",
        "scans": {"least": least, "most": most},
        "rules": [rule.id for rule in plan.rules],
        "not_measured": {one.id: one.reason for one in plan.skipped},
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
            yield promise, f"{read} ({choice.said})"


def _amount(promise: Promise) -> str:
    return promise.schedule or (promise.quantity.text if promise.quantity else "")
