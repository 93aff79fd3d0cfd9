"""What is known about a table without reading its rows; where anything is unclear nothing is said, and a scan follows.

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
from ....monitor.run.plan import TablePlan
from ..clock.newest import ClockColumn, clock_column
from ..measure.parts import Parts
from ..read.open import Opened
from . import commits
from .delta import delta_facts, delta_parts
from .facts import MetadataQuestion, TableFacts, answered, top_level, wanted_by
from .footers import footer_facts
from .history import TimeSpan
from .iceberg import iceberg_facts
from .iceberg_parts import iceberg_parts
from .parts import file_parts
from .relation import TableFormat, TableRelation, relation_of

T = TypeVar("T")


def known(opened: Opened, plan: TablePlan) -> tuple[Mapping[Measure, Number], str]:
    """Exact answers to measures of a plan, and where they come from; empty when not every file can answer."""
    found = _soft(lambda: _known(opened, plan))
    return found if found is not None and found[0] else ({}, "")


def metadata_clock(opened: Opened, choice: ClockChoice, *, as_of_us: int, skew_us: int) -> Clock | None:
    """The newest time of a column; None when it is not known, or when some lie in the future and must be told apart."""
    return _soft(lambda: _clock(opened, choice, as_of_us, skew_us))


def commit_clock(opened: Opened, as_of_us: int) -> Clock | Failure:
    """When data last came by the history of commits, or by the time of the newest file."""
    found = _soft(lambda: commits.newest(opened, as_of_us))
    return found if found is not None else Failure("nothing tells when it was last written")


def arrival(opened: Opened, choice: ClockChoice, since_us: int) -> Arrival | None:
    """When data with a time at or after a moment first came; None when metadata cannot tell."""
    return _soft(lambda: _arrival(opened, choice, since_us))


def parts_of(opened: Opened) -> Parts | None:
    """The parts that the table has today; None when it can only be measured as a whole."""
    return _soft(lambda: _parts(opened))


def _soft(ask: Callable[[], T | None]) -> T | None:
    try:
        return ask()
    except Exception:  # whatever it is, a scan will tell
        return None


def _known(opened: Opened, plan: TablePlan) -> tuple[Mapping[Measure, Number], str] | None:
    wanted = wanted_by(plan, opened.frame.schema)
    columns = tuple({column.name: column for column in wanted.values() if column is not None}.values())
    facts = facts_of(opened, MetadataQuestion(columns)) if wanted else None
    if facts is None:
        return None
    numbers = answered(wanted, facts)
    many = f"{len(numbers)} {'count' if len(numbers) == 1 else 'counts'}"
    return numbers, f"{many} from {facts.how}"


def _clock(opened: Opened, choice: ClockChoice, as_of_us: int, skew_us: int) -> Clock | None:
    column = clock_column(opened.frame.schema, choice)
    clock = top_level(opened.frame.schema, choice.path) if choice.path else None
    if not isinstance(column, ClockColumn) or clock is None:
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


def _arrival(opened: Opened, choice: ClockChoice, since_us: int) -> Arrival | None:
    if choice.path is None:
        return commits.first_since(opened, since_us)
    as_of_us = opened.binding.as_of_us or time.time_ns() // 1000
    column = clock_column(opened.frame.schema, choice)
    clock = top_level(opened.frame.schema, choice.path)
    if not isinstance(column, ClockColumn) or clock is None:
        return None
    span = TimeSpan(clock.name, column.from_us(since_us - 1) + 1, column.from_us(as_of_us))
    found = commits.first_with_times(opened, span, since_us)
    return found if found is not None else _present(opened, choice, since_us, as_of_us)


def _present(opened: Opened, choice: ClockChoice, since_us: int, as_of_us: int) -> Arrival | None:
    """Without a history at least whether it is there."""
    clock = _clock(opened, choice, as_of_us, 0)
    if clock is None:
        return None
    return Arrival(clock.last_us is not None and clock.last_us >= since_us, clock.how)


def facts_of(opened: Opened, wanted: MetadataQuestion) -> TableFacts | None:
    """What metadata says about a whole table."""
    relation = relation_of(opened.frame) if opened.whole else None
    return _FACTS[relation.kept](opened, relation, wanted) if relation is not None and relation.kept in _FACTS else None


def _parts(opened: Opened) -> Parts | None:
    relation = relation_of(opened.frame) if opened.whole else None
    return _PARTS[relation.kept](opened, relation) if relation is not None and relation.kept in _PARTS else None


_FACTS: dict[TableFormat, Callable[[Opened, TableRelation, MetadataQuestion], TableFacts | None]] = {
    TableFormat.FILES: lambda _, relation, wanted: footer_facts(relation, wanted),
    TableFormat.ICEBERG: iceberg_facts,
    TableFormat.DELTA: lambda _, relation, wanted: delta_facts(relation, wanted),
}
_PARTS: dict[TableFormat, Callable[[Opened, TableRelation], Parts | None]] = {
    TableFormat.FILES: file_parts,
    TableFormat.ICEBERG: iceberg_parts,
    TableFormat.DELTA: delta_parts,
}
