"""Count-like measures as questions, and many questions in one aggregation that a bad one does not spoil."""

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
from ..columns.paths import CannotAsk, Question, condition, find, quote, tally
from ..session.failures import SPARK_ERRORS, costs_nothing, is_about_one_expression, reason_of
from .validity import binary_text, equals_any, is_valid, too_long

MOST_RETRIES = 48  # scans that may be spent on finding the bad questions of one pass, each of fewer columns
UNMEASURABLE = -1  # instead of a count, when a row cannot be measured
ALL = ""  # the part when a table is not measured by parts


@dataclass(frozen=True, slots=True)
class AggregateQuestion:
    """One question: aggregates over the rows, or over `items`, a number that is computed for each row first."""

    key: Hashable
    aggregates: tuple[Column, ...] = ()
    items: Column | None = None
    beyond: Column | None = None  # rows that spoil the number, counted as `UNMEASURABLE` in its place
    why: str = ""


@dataclass(frozen=True, slots=True)
class CountColumns:
    """The column that counts one measure: rows where `holds`, or the sum of `items` over all rows."""

    measure: Count
    holds: Column | None = None
    items: Column | None = None
    beyond: Column | None = None  # rows with a value that the measure cannot be asked about
    why: str = ""


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


def aggregate(frame: DataFrame, questions: Sequence[AggregateQuestion], by: Column | None = None) -> Answers:
    """The answers, by one scan; when it fails, questions are asked in smaller groups until the bad ones are alone."""
    answers = Answers()
    if questions:
        _ask(frame, list(questions), by, answers)
    return answers


def build_count(measure: Count, schema: st.StructType) -> CountColumns | Failure:
    """The columns that count a measure on a table with this schema, or why they cannot."""
    try:
        if isinstance(measure, RowCount):
            return CountColumns(measure, sf.lit(True) if measure.where is None else sf.expr(measure.where))
        question = _build_question(measure)
        beyond, why = _build_beyond(measure, schema)
        if isinstance(measure, NullCount) and measure.absent:
            value = find(schema, measure.path)
            return CountColumns(measure, ~value.where(lambda inner, _kind: inner.isNotNull()))
        if below_items(measure.path):
            return CountColumns(measure, items=tally(schema, measure.path, question), beyond=beyond, why=why)
        return CountColumns(measure, condition(schema, measure.path, question), beyond=beyond, why=why)
    except CannotAsk as no:
        return no.failure()
    except SPARK_ERRORS as error:  # a literal that pyspark cannot hand over
        return Failure(reason_of(error))


def question_of(count: CountColumns) -> AggregateQuestion:
    """The question that counts a measure."""
    if count.items is not None:
        return AggregateQuestion(count.measure, items=count.items, beyond=count.beyond, why=count.why)
    if count.holds is None:
        return AggregateQuestion(count.measure)
    number = _unless(count.beyond, sf.count(sf.when(count.holds, sf.lit(1))))
    return AggregateQuestion(count.measure, (number,), why=count.why)


def fails(measure: Count, schema: st.StructType) -> Column | Failure:
    """A condition: whether a row holds anything that the measure counts."""
    count = build_count(measure, schema)
    if isinstance(count, Failure):
        return count
    if count.holds is not None:
        return count.holds
    return count.items > sf.lit(0) if count.items is not None else sf.lit(False)


def _ask(frame: DataFrame, questions: list[AggregateQuestion], by: Column | None, answers: Answers) -> None:
    try:
        rows = _collect(frame, questions, by, answers)
    except SPARK_ERRORS as error:
        answers.scans -= costs_nothing(error)
        if len(questions) == 1 or not is_about_one_expression(error) or answers.scans > MOST_RETRIES:
            answers.failures |= {question.key: Failure(reason_of(error)) for question in questions}
            return
        for group in _split(questions):
            _ask(frame, group, by, answers)
        return
    for part, values in rows.items():
        answers.parts.setdefault(part, {}).update(values)
    for question in questions:
        if question.why and any(values[question.key][0] == UNMEASURABLE for values in rows.values()):
            answers.failures[question.key] = Failure(question.why)


def _split(questions: list[AggregateQuestion]) -> tuple[list[AggregateQuestion], list[AggregateQuestion]]:
    """Two halves: what looks at one column stays together as long as it can, because the column may be at fault."""
    ordered = sorted(questions, key=_column_of)
    names = [_column_of(question) for question in ordered]
    borders = [at for at in range(1, len(names)) if names[at] != names[at - 1]]
    half = min(borders or [len(names) // 2], key=lambda at: abs(at - len(names) / 2))
    return ordered[:half], ordered[half:]


def _column_of(question: AggregateQuestion) -> str:
    path = getattr(question.key, "path", ())
    return path[0] if path else ""


def _collect(
    frame: DataFrame, questions: list[AggregateQuestion], by: Column | None, answers: Answers
) -> dict[str, dict[Hashable, tuple[Any, ...]]]:
    answers.scans += 1
    prepared, columns, ends = _prepare(frame, questions, by)
    rows = (
        prepared.agg(*columns) if by is None else prepared.groupBy(quote(_free_name(frame, "floe part"))).agg(*columns)
    ).collect()
    parts = {}
    for row in rows:
        values = tuple(row) if by is None else tuple(row)[1:]
        parts[ALL if by is None else str(row[0])] = {
            question.key: values[start:end] for question, (start, end) in zip(questions, ends, strict=True)
        }
    return parts


def _prepare(
    frame: DataFrame, questions: list[AggregateQuestion], by: Column | None
) -> tuple[DataFrame, list[Column], list[tuple[int, int]]]:
    """The frame to aggregate, the aggregates, and which of them belong to which question.

    Items are counted in a projection below the aggregation: the functions for arrays have no generated code, and one of
    them inside would take the generated code of all others away.
    """
    extra: list[Column] = [] if by is None else [by.alias(_free_name(frame, "floe part"))]
    prefix = _free_name(frame, "floe items")
    columns: list[Column] = []
    ends: list[tuple[int, int]] = []
    for question in questions:
        start = len(columns)
        columns += question.aggregates
        if question.items is not None:
            name = f"{prefix} {len(extra)}"
            extra.append(question.items.alias(name))
            number, beyond = sf.sum(sf.col(quote(name))), None
            if question.beyond is not None:
                beyond = sf.col(quote(f"{prefix} {len(extra)}"))
                extra.append(question.beyond.alias(f"{prefix} {len(extra)}"))
            columns.append(_unless(beyond, number))
        ends.append((start, len(columns)))
    return (frame.select("*", *extra) if extra else frame), columns, ends


def _free_name(frame: DataFrame, name: str) -> str:
    """A name that no column of the table begins with, in any case."""
    taken = tuple(column.casefold() for column in frame.columns)
    while any(column.startswith(name) for column in taken):
        name += "_"
    return name


def _unless(beyond: Column | None, number: Column) -> Column:
    """The number, or that it is none because some row cannot be measured."""
    return number if beyond is None else sf.when(sf.max(beyond), sf.lit(UNMEASURABLE)).otherwise(number)


def _build_beyond(measure: Count, schema: st.StructType) -> tuple[Column | None, str]:
    """A condition: whether a row holds a value that the measure cannot be asked about, and why; None: no row can."""
    if not isinstance(measure, InvalidCount):
        return None, ""
    reasons: list[str] = []

    def question(value: Column, kind: st.DataType) -> Column:
        excess = too_long(measure.test, value, kind)
        if excess is None:
            return sf.lit(False)
        reasons.append(excess[1])
        return excess[0]

    inside = below_items(measure.path)
    beyond = tally(schema, measure.path, question) > 0 if inside else condition(schema, measure.path, question)
    return (beyond, reasons[0]) if reasons else (None, "")


def _build_question(measure: ItemCount | NullCount | MissingCount | InvalidCount) -> Question:
    if isinstance(measure, ItemCount):
        return lambda _value, _kind: sf.lit(True)
    if isinstance(measure, NullCount):
        return lambda value, _kind: value.isNull()
    if isinstance(measure, MissingCount):
        return lambda value, kind: value.isNull() | _is_listed(value, kind, measure)
    return lambda value, kind: value.isNotNull() & ~sf.coalesce(is_valid(measure.test, value, kind), sf.lit(False))


def _is_listed(value: Column, kind: st.DataType, measure: MissingCount) -> Column:
    """Whether a value is listed as missing; no struct, array or map is."""
    if not measure.values or not isinstance(kind, st.AtomicType):
        return sf.lit(False)
    return sf.coalesce(equals_any(binary_text(value, kind), kind, measure.values), sf.lit(False))
