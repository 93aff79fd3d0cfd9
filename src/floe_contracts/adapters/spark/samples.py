"""Rows that break rules, on request: one filtered pass for all rules, a few rows for each, open columns only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from ...checks.measured import Failure
from ...checks.rule import Rule
from ...contract.model import Json
from ...monitor.plan import COUNTS
from .expressions import fails
from .failures import SPARK_ERRORS, reason_of
from .places import quoted

Sample = Mapping[str, Json]  # a row by column; times in UTC, as JSON has them


def sample_rows(
    frame: DataFrame, rules: Sequence[Rule], columns: Sequence[str], *, each: int
) -> dict[str, tuple[Sample, ...]] | Failure:
    """At most `each` rows for every rule that counts values, by the rule's id.

    `columns` may be shown; `monitor.open_columns` says which. The same data gives the same rows. Rules about keys,
    other tables and queries have no single row at fault and are left out.
    """
    tests = {rule.id: test for rule in rules if isinstance(test := _test(frame, rule), Column)}
    shown = [name for name in columns if name in frame.columns]
    if not tests or not shown:
        return {}
    try:
        rows = _few(_broken(frame, list(tests.values()), shown), each).collect()
    except SPARK_ERRORS as error:
        return Failure(reason_of(error))
    found: dict[str, list[Any]] = {}
    for number, text in sorted((row[0], row[1]) for row in rows):
        found.setdefault(list(tests)[number], []).append(json.loads(text))
    return {name: tuple(samples) for name, samples in found.items()}


def _test(frame: DataFrame, rule: Rule) -> Column | Failure | None:
    return fails(rule.measure, frame.schema) if isinstance(rule.measure, COUNTS) else None


def _broken(frame: DataFrame, tests: list[Column], shown: list[str]) -> DataFrame:
    """Every row at fault, once for each rule that it breaks: the rule's number and the open part of the row."""
    numbers = sf.array_compact(sf.array(*(sf.when(test, sf.lit(number)) for number, test in enumerate(tests))))
    row = sf.to_json(sf.struct(*(sf.col(quoted(name)) for name in shown)), {"timeZone": "UTC"})
    marked = frame.select(numbers.alias("rules"), row.alias("row")).where(sf.size("rules") > 0)
    return marked.select(sf.explode("rules").alias("rule"), "row")


def _few(rows: DataFrame, each: int) -> DataFrame:
    order = Window.partitionBy("rule").orderBy("row")
    return rows.withColumn("place", sf.row_number().over(order)).where(sf.col("place") <= each).select("rule", "row")
