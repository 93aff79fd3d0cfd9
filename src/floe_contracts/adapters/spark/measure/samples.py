"""Sample rows that break rules, and the lines that show them: one filtered pass, a few rows each, open columns only."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as sf

from ....checks.disclosure import open_columns
from ....checks.measured import Failure
from ....checks.rules.check import QualityCheck
from ....contract.model import Json, SchemaObject
from ....monitor.run.plan import plan_table
from ....monitor.run.quarantine import OF_ONE_ROW
from ....monitor.run.targets import Target
from ....monitor.source.binding import Unbound, bind
from ....results import CheckResult
from ..columns.paths import quote
from ..read.open import open_table
from ..session.failures import SPARK_ERRORS, reason_of
from .aggregate import fails

Sample = Mapping[str, Json]  # a row by column; times in UTC, as JSON has them
_LIMIT_S = 120.0


def show_rows(spark: SparkSession, target: Target, result: CheckResult, each: int) -> tuple[str, ...]:
    """Lines that show at most `each` rows for every broken rule of a result; classified columns are left out."""
    broken = {item.facts.rule_id for item in result.findings if item.violation_type and item.facts} - {None}
    return tuple(line for table in target.contract.objects for line in _show_table(spark, target, table, broken, each))


def sample_rows(
    frame: DataFrame, rules: Sequence[QualityCheck], columns: Sequence[str], *, each: int
) -> dict[str, tuple[Sample, ...]] | Failure:
    """At most `each` rows for every rule that counts values, by the rule's id.

    `columns` may be shown; `checks.disclosure` says which. The same data gives the same rows. Rules about keys,
    other tables, numbers of rows and queries have no single row at fault and are left out.
    """
    tests = {rule.id: test for rule in rules if isinstance(test := _build_test(frame, rule), Column)}
    shown = [name for name in columns if name in frame.columns]
    if not tests or not shown:
        return {}
    try:
        rows = _limit_rows(_select_broken(frame, list(tests.values()), shown), each).collect()
    except SPARK_ERRORS as error:
        return Failure(reason_of(error))
    by_rule: dict[str, list[Any]] = {}
    for number, text in sorted((row[0], row[1]) for row in rows):
        by_rule.setdefault(list(tests)[number], []).append(json.loads(text))
    return {name: tuple(samples) for name, samples in by_rule.items()}


def _show_table(
    spark: SparkSession, target: Target, table: SchemaObject, broken: Collection[str | None], each: int
) -> Iterator[str]:
    rules = [rule for rule in plan_table(target.contract, table).rules if rule.id in broken]
    binding = bind(target.contract, table, target.where)
    if not rules or isinstance(binding, Unbound):
        return
    opened = open_table(spark, binding, limit_s=_LIMIT_S)
    if isinstance(opened, Failure):
        return
    samples = sample_rows(opened.frame, rules, open_columns(table, target.privacy), each=each)
    if isinstance(samples, Failure):
        yield f"{target.name}: rows of {table.name} cannot be shown: {samples.reason}"
        return
    for name, rows in samples.items():
        yield f"{target.name}: rows that break {name}"
        yield from (f"    {json.dumps(dict(row), ensure_ascii=False)}" for row in rows)


def _build_test(frame: DataFrame, rule: QualityCheck) -> Column | Failure | None:
    return fails(rule.measure, frame.schema) if isinstance(rule.measure, OF_ONE_ROW) else None


def _select_broken(frame: DataFrame, tests: list[Column], shown: list[str]) -> DataFrame:
    """Every row at fault, once for each rule that it breaks: the rule's number and the open part of the row."""
    numbers = sf.array_compact(sf.array(*(sf.when(test, sf.lit(number)) for number, test in enumerate(tests))))
    row = sf.to_json(sf.struct(*(sf.col(quote(name)) for name in shown)), {"timeZone": "UTC"})
    marked = frame.select(numbers.alias("rules"), row.alias("row")).where(sf.size("rules") > 0)
    return marked.select(sf.explode("rules").alias("rule"), "row")


def _limit_rows(rows: DataFrame, each: int) -> DataFrame:
    order = Window.partitionBy("rule").orderBy("row")
    return rows.withColumn("place", sf.row_number().over(order)).where(sf.col("place") <= each).select("rule", "row")
