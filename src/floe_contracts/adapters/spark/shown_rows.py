"""Rows that break the rules of a contract, as lines for the terminal of whoever asked; they are kept nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pyspark.sql import SparkSession

from ...checks import context_keys as keys
from ...checks.measured import Failure
from ...contract.model import SchemaObject
from ...monitor.binding import Unbound, bind
from ...monitor.open_columns import open_columns
from ...monitor.plan import plan_table
from ...monitor.targets import Target
from ...results import CheckResult
from .opening import open_table
from .samples import sample_rows

_LIMIT_S = 120.0


def shown_rows(spark: SparkSession, target: Target, result: CheckResult, each: int) -> tuple[str, ...]:
    """At most `each` rows for every broken rule that has rows at fault; classified columns are left out."""
    broken = {dict(item.context).get(keys.RULE_ID, "") for item in result.findings if item.violation_type} - {""}
    return tuple(line for table in target.contract.objects for line in _of_table(spark, target, table, broken, each))


def _of_table(spark: SparkSession, target: Target, table: SchemaObject, broken: set[str], each: int) -> Iterator[str]:
    rules = [rule for rule in plan_table(target.contract, table).rules if rule.id in broken]
    binding = bind(target.contract, table, target.where)
    if not rules or isinstance(binding, Unbound):
        return
    opened = open_table(spark, binding, limit_s=_LIMIT_S)
    if isinstance(opened, Failure):
        return
    found = sample_rows(opened.frame, rules, open_columns(table), each=each)
    if isinstance(found, Failure):
        yield f"{target.name}: rows of {table.name} cannot be shown: {found.reason}"
        return
    for name, rows in found.items():
        yield f"{target.name}: rows that break {name}"
        yield from (f"    {json.dumps(dict(row), ensure_ascii=False)}" for row in rows)
