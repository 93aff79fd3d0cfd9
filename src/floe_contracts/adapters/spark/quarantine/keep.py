"""Keeps the rows that break the rules of one result, in place of those that an earlier attempt kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

from ....checks.disclosure import masked_columns
from ....checks.measured import Failure
from ....checks.moments import iso
from ....checks.rules.check import QualityCheck
from ....errors import FloeError
from ....monitor.run.context import CheckContext
from ....monitor.run.plan import plan_table
from ....monitor.run.quarantine import Quarantine, RowsOf, broken_rules, has_rows
from ....monitor.source.binding import Binding
from ....results import CheckResult
from ..columns.paths import CannotAsk
from ..engine import SparkEngine
from ..read.open import open_table
from ..session.time_limit import run_within
from .rows import failing_rows
from .write import has_rows_of, replace_rows


def keep_rows(
    engine: SparkEngine, place: Quarantine, now: CheckContext, result: CheckResult, rows_of: RowsOf, *, again: bool
) -> Failure | None:
    """None when the rows are there; `again` says that the slot was checked before, and rows of then are not touched."""

    def work() -> Failure | None:
        if again and has_rows_of(engine.spark, place, rows_of):
            return None
        replace_rows(engine.spark, place, rows_of, _collect_rows(engine, now, result))
        return None

    return run_within(engine.spark, now.limit_s, work)


def _collect_rows(engine: SparkEngine, now: CheckContext, result: CheckResult) -> DataFrame | None:
    """The failing rows of all tables of the contract; None where no broken rule is about single rows."""
    broken = broken_rules(result)
    bound = {table.name: where for table, where in now.tables(engine) if isinstance(where, Binding)}
    frames = []
    for binding in bound.values():
        rules = [rule for rule in plan_table(now.contract, binding.table).rules if rule.id in broken and has_rows(rule)]
        rows = _rows_of_table(engine.spark, now, bound, binding, rules) if rules else None
        frames += [] if rows is None else [rows]
    return reduce(DataFrame.unionByName, frames) if frames else None


def _rows_of_table(
    spark: SparkSession,
    now: CheckContext,
    bound: Mapping[str, Binding],
    binding: Binding,
    rules: Sequence[QualityCheck],
) -> DataFrame | None:
    if now.is_gone(binding):
        raise FloeError("the slot is over, and its source keeps no history")

    def open_target(name: str) -> DataFrame | Failure:
        table = open_table(spark, bound[name], limit_s=now.limit_s) if name in bound else Failure(f"{name} is nowhere")
        return table if isinstance(table, Failure) else table.all_rows

    opened = open_table(spark, binding, limit_s=now.limit_s)
    if isinstance(opened, Failure):
        raise FloeError(opened.reason)
    masked = masked_columns(binding.table, opened.frame.columns, now.target.privacy, now.target.unmasked)
    try:
        rows = failing_rows(opened, rules, masked, open_target)
    except CannotAsk as no:
        raise FloeError(no.failure().reason) from None
    about = {
        "version": sf.lit(now.contract.version),
        "table_name": sf.lit(binding.table.name),
        "promise": sf.element_at(_says(rules), sf.col("rule")),
        "checked_at": sf.lit(iso(now.as_of_us)),
    }
    return None if rows is None else rows.withColumns(about)


def _says(rules: Sequence[QualityCheck]) -> Column:
    """What each rule promises, by its id."""
    return sf.create_map(*(sf.lit(text) for rule in rules for text in (rule.id, rule.says or rule.name)))
