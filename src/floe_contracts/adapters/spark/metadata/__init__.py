"""Answers about a table from its metadata, without reading rows; where anything is unclear it says nothing.

Nothing here raises: metadata that looks other than expected is metadata that says nothing. Spark's own push-down of
aggregates is not used, because it gives wrong numbers on tables with structs (SPARK-60598).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from ....checks.measure import Measure
from ....checks.measured import Arrival, Clock, Failure, Number
from ....checks.promises.promise import ClockChoice
from ....contract.meaning.phrase import plural
from ....monitor.run.plan import TablePlan
from ..clock.newest import ClockColumn, clock_column
from ..measure.parts import Parts
from ..read.footer_files import is_parquet
from ..read.open import OpenTable
from ..read.relation import TableFormat, TableRelation, relation_of
from . import commits
from .delta import delta_facts, delta_parts
from .facts import MetadataQuestion, TableFacts, answer_measures, find_column, select_measures
from .footers import footer_facts
from .history import TimeSpan
from .iceberg import iceberg_facts
from .iceberg_parts import iceberg_parts
from .parts import file_parts

T = TypeVar("T")


def answer_counts(opened: OpenTable, plan: TablePlan) -> tuple[Mapping[Measure, Number], str]:
    """Exact answers to counts of a plan, and where they come from; empty when not every file can answer."""
    answer = _attempt(lambda: _answer_counts(opened, plan))
    return answer if answer is not None and answer[0] else ({}, "")


def read_column_clock(opened: OpenTable, choice: ClockChoice, *, as_of_us: int, skew_us: int) -> Clock | None:
    """The newest time of a column; None when it is not known, or when some times lie in the future."""
    return _attempt(lambda: _read_column_clock(opened, choice, as_of_us, skew_us))


def read_commit_clock(opened: OpenTable, as_of_us: int) -> Clock | Failure:
    """When data last came: by the history of commits, or by the time of the newest file."""
    clock = _attempt(lambda: commits.read_newest(opened, as_of_us))
    return clock if clock is not None else Failure("nothing tells when it was last written")


def find_arrival(opened: OpenTable, choice: ClockChoice, since_us: int) -> Arrival | None:
    """When data with a time at or after a moment first came; None when metadata cannot tell."""
    return _attempt(lambda: _find_arrival(opened, choice, since_us))


def parts_of(opened: OpenTable) -> Parts | None:
    """The parts that the table has today; None when it can only be measured as a whole."""
    return _attempt(lambda: _parts_of(opened))


def _attempt(ask: Callable[[], T | None]) -> T | None:
    """The answer, or None after any error."""
    try:
        return ask()
    except Exception:  # whatever it is, a scan will tell
        return None


def _answer_counts(opened: OpenTable, plan: TablePlan) -> tuple[Mapping[Measure, Number], str] | None:
    wanted = select_measures(plan, opened.frame.schema)
    columns = tuple({column.name: column for column in wanted.values() if column is not None}.values())
    facts = facts_of(opened, MetadataQuestion(columns)) if wanted else None
    if facts is None:
        return None
    numbers = answer_measures(wanted, facts)
    return numbers, f"{plural(len(numbers), 'count')} from {facts.how}"


def _read_column_clock(opened: OpenTable, choice: ClockChoice, as_of_us: int, skew_us: int) -> Clock | None:
    column = clock_column(opened.frame.schema, choice)
    clock = find_column(opened.frame.schema, choice.path) if choice.path else None
    if not isinstance(column, ClockColumn) or not column.plain or clock is None:
        return None
    facts = facts_of(opened, MetadataQuestion(clock=clock))
    if facts is None or clock.name not in facts.newest:
        return None
    newest = facts.newest[clock.name]
    if newest is not None and newest > column.from_us(as_of_us + skew_us):
        return None
    last_us = None if newest is None else column.to_us(newest)
    how = f"column {column.name} by {facts.how}"
    return Clock(last_us, how, as_of_us, facts.rows, facts.nulls.get(clock.name), 0)


def _find_arrival(opened: OpenTable, choice: ClockChoice, since_us: int) -> Arrival | None:
    if choice.path is None:
        return commits.find_first_since(opened, since_us)
    as_of_us = opened.binding.as_of_us or time.time_ns() // 1000
    column = clock_column(opened.frame.schema, choice)
    clock = find_column(opened.frame.schema, choice.path)
    if not isinstance(column, ClockColumn) or not column.plain or clock is None:
        return None
    span = TimeSpan(clock.name, column.from_us(since_us - 1) + 1, column.from_us(as_of_us))
    arrival = commits.find_first_with_times(opened, span, since_us)
    return arrival if arrival is not None else _find_presence(opened, choice, since_us, as_of_us)


def _find_presence(opened: OpenTable, choice: ClockChoice, since_us: int, as_of_us: int) -> Arrival | None:
    """Whether data at or after a moment is there, for tables without a history."""
    clock = _read_column_clock(opened, choice, as_of_us, 0)
    if clock is None:
        return None
    return Arrival(clock.last_us is not None and clock.last_us >= since_us, clock.how)


def facts_of(opened: OpenTable, wanted: MetadataQuestion) -> TableFacts | None:
    """The facts that metadata gives about a whole table."""
    relation = relation_of(opened.frame) if opened.whole else None
    return _FACTS[relation.kept](opened, relation, wanted) if relation is not None and relation.kept in _FACTS else None


def _parts_of(opened: OpenTable) -> Parts | None:
    relation = relation_of(opened.frame) if opened.whole else None
    return _PARTS[relation.kept](opened, relation) if relation is not None and relation.kept in _PARTS else None


_FACTS: dict[TableFormat, Callable[[OpenTable, TableRelation, MetadataQuestion], TableFacts | None]] = {
    TableFormat.FILES: lambda _, relation, wanted: footer_facts(relation, wanted) if is_parquet(relation) else None,
    TableFormat.ICEBERG: iceberg_facts,
    TableFormat.DELTA: lambda _, relation, wanted: delta_facts(relation, wanted),
}
_PARTS: dict[TableFormat, Callable[[OpenTable, TableRelation], Parts | None]] = {
    TableFormat.FILES: file_parts,
    TableFormat.ICEBERG: iceberg_parts,
    TableFormat.DELTA: delta_parts,
}
