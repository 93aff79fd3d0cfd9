"""Answers many questions in one aggregation, and keeps one bad question from spoiling the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.measure import InvalidCount, ItemCount, MissingCount, NullCount, RowCount
from ....checks.measured import Failure
from ....checks.names import below_items
from ....monitor.run.plan import Count
from ..columns.paths import CannotAsk, Question, condition, tally
from ..session.failures import SPARK_ERRORS, costs_nothing, is_about_one_expression, reason_of
from .validity import binary_text, equals_any, valid

MOST_RETRIES = 24  # scans that may be spent on finding the bad questions of one pass
ALL = ""  # the part when a table is not measured by parts


@dataclass(frozen=True, slots=True)
class AggregateQuestion:
    """One question: aggregates over the rows, or over `items`, a number that is computed for each row first."""

    key: Hashable
    aggregates: tuple[Column, ...] = ()
    items: Column | None = None


@dataclass(slots=True)
class Answers:
    """What came back, by part and question; a question is in `failures` or in every part."""

    parts: dict[str, dict[Hashable, tuple[Any, ...]]] = field(default_factory=dict)
    failures: dict[Hashable, Failure] = field(default_factory=dict)
    scans: int = 0

    def count(self, key: Hashable) -> int | Failure:
        """The number of a question that was asked about the whole table."""
        if key in self.failures:
            return self.failures[key]
        return int(self.parts[ALL][key][0] or 0)


def asked_of(one: Counting) -> AggregateQuestion:
    """A count-like measure as a question."""
    if one.items is not None:
        return AggregateQuestion(one.measure, items=one.items)
    return AggregateQuestion(one.measure, (sf.count(sf.when(one.holds, sf.lit(1))),) if one.holds is not None else ())


def aggregate(frame: DataFrame, asked: Sequence[AggregateQuestion], by: Column | None = None) -> Answers:
    """One scan for all questions; only when it fails are they asked in smaller groups, until the bad ones are alone."""
    answers = Answers()
    if asked:
        _ask(frame, list(asked), by, answers)
    return answers


def _ask(frame: DataFrame, asked: list[AggregateQuestion], by: Column | None, answers: Answers) -> None:
    try:
        rows = _collect(frame, asked, by, answers)
    except SPARK_ERRORS as error:
        answers.scans -= costs_nothing(error)
        if len(asked) == 1 or not is_about_one_expression(error) or answers.scans > MOST_RETRIES:
            answers.failures |= {one.key: Failure(reason_of(error)) for one in asked}
            return
        half = len(asked) // 2
        _ask(frame, asked[:half], by, answers)
        _ask(frame, asked[half:], by, answers)
        return
    for part, values in rows.items():
        answers.parts.setdefault(part, {}).update(values)


def _collect(
    frame: DataFrame, asked: list[AggregateQuestion], by: Column | None, answers: Answers
) -> dict[str, dict[Hashable, tuple[Any, ...]]]:
    answers.scans += 1
    prepared, columns, ends = _prepared(frame, asked, by)
    rows = (prepared.agg(*columns) if by is None else prepared.groupBy("`floe part`").agg(*columns)).collect()
    found = {}
    for row in rows:
        values = tuple(row) if by is None else tuple(row)[1:]
        found[ALL if by is None else str(row[0])] = {
            one.key: values[start:end] for one, (start, end) in zip(asked, ends, strict=True)
        }
    return found


def _prepared(
    frame: DataFrame, asked: list[AggregateQuestion], by: Column | None
) -> tuple[DataFrame, list[Column], list[tuple[int, int]]]:
    """The frame to aggregate, the aggregates, and which of them belong to which question.

    Items are counted in a projection below the aggregation: the functions for arrays have no generated code, and one of
    them inside would take the generated code of all others away.
    """
    extra: list[Column] = [] if by is None else [by.alias("floe part")]
    columns: list[Column] = []
    ends: list[tuple[int, int]] = []
    for one in asked:
        start = len(columns)
        columns += one.aggregates
        if one.items is not None:
            name = f"floe items {len(extra)}"
            extra.append(one.items.alias(name))
            columns.append(sf.sum(sf.col(f"`{name}`")))
        ends.append((start, len(columns)))
    return (frame.select("*", *extra) if extra else frame), columns, ends


@dataclass(frozen=True, slots=True)
class Counting:
    """How to count one measure: rows where `holds`, or the sum of `items` over all rows."""

    measure: Count
    holds: Column | None = None
    items: Column | None = None


def counting(measure: Count, schema: st.StructType) -> Counting | Failure:
    """The columns for one measure on a table with this schema."""
    try:
        if isinstance(measure, RowCount):
            return Counting(measure, sf.lit(True) if measure.where is None else sf.expr(measure.where))
        question = _question(measure)
        if below_items(measure.path):
            return Counting(measure, items=tally(schema, measure.path, question))
        return Counting(measure, condition(schema, measure.path, question))
    except CannotAsk as no:
        return Failure(no.reason)


def fails(measure: Count, schema: st.StructType) -> Column | Failure:
    """Whether a row holds anything that the measure counts."""
    found = counting(measure, schema)
    if isinstance(found, Failure):
        return found
    if found.holds is not None:
        return found.holds
    return found.items > sf.lit(0) if found.items is not None else sf.lit(False)


def _question(measure: ItemCount | NullCount | MissingCount | InvalidCount) -> Question:
    if isinstance(measure, ItemCount):
        return lambda _value, _kind: sf.lit(True)
    if isinstance(measure, NullCount):
        return lambda value, _kind: value.isNull()
    if isinstance(measure, MissingCount):
        return lambda value, kind: value.isNull() | _listed(value, kind, measure)
    return lambda value, kind: value.isNotNull() & ~sf.coalesce(valid(measure.test, value, kind), sf.lit(False))


def _listed(value: Column, kind: st.DataType, measure: MissingCount) -> Column:
    """No struct, array or map stands for nothing."""
    if not measure.values or not isinstance(kind, st.AtomicType):
        return sf.lit(False)
    return sf.coalesce(equals_any(binary_text(value, kind), kind, measure.values), sf.lit(False))
