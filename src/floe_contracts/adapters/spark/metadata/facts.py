"""Facts that metadata gives exactly about a table, and the measures of a plan that they answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyspark.sql import types as st

from ....checks.measure import Measure, MissingCount, NullCount, Path, RowCount
from ....checks.measured import Number
from ....monitor.run.plan import TablePlan
from ..columns.paths import fields_named

_FAR_BACK: dict[type[st.DataType], int] = {st.TimestampType: -2_208_988_800_000_000, st.DateType: -141_427}


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Facts that every file gives exactly; columns by their names in the frame."""

    how: str  # `the footers of 8 Parquet files`
    rows: int | None = None
    nulls: Mapping[str, int] = field(default_factory=dict)
    newest: Mapping[str, int | None] = field(default_factory=dict)  # in units of the type; None: no value at all


@dataclass(frozen=True, slots=True)
class MetadataQuestion:
    """Columns to ask about: all of them for nulls, the clock also for its newest value."""

    columns: tuple[st.StructField, ...] = ()
    clock: st.StructField | None = None

    @property
    def all(self) -> tuple[st.StructField, ...]:
        return (*self.columns, self.clock) if self.clock is not None else self.columns


def select_measures(plan: TablePlan, schema: st.StructType) -> dict[Measure, st.StructField | None]:
    """The measures of a plan that metadata can answer, each with the column that it is about."""
    columns: dict[Measure, st.StructField | None] = {}
    for count in plan.counts:
        if count == RowCount():
            columns[count] = None
        elif isinstance(count, NullCount) or (isinstance(count, MissingCount) and not count.values):
            column = find_column(schema, count.path)
            columns |= {count: column} if column is not None else {}
    return columns


def answer_measures(wanted: Mapping[Measure, st.StructField | None], facts: TableFacts) -> dict[Measure, Number]:
    """The numbers, for those measures that have one."""
    numbers = [facts.rows if column is None else facts.nulls.get(column.name) for column in wanted.values()]
    return {count: number for count, number in zip(wanted, numbers, strict=True) if number is not None}


def find_column(schema: st.StructType, path: Path) -> st.StructField | None:
    """The column at a path of one name; None below structs, where files count nulls that are not there."""
    if len(path) != 1:
        return None
    fields = fields_named(schema, path[0])
    if len(fields) != 1 or isinstance(fields[0].dataType, (st.StructType, st.ArrayType, st.MapType)):
        return None
    return fields[0]


def in_our_calendar(newest: int | None, kind: st.DataType) -> bool:
    """Whether old writers meant the same time: they counted days before 1582 and hours before 1900 otherwise."""
    limit = _FAR_BACK.get(type(kind))
    return newest is None or limit is None or newest > limit
