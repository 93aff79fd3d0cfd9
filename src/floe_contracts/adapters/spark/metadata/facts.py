"""What metadata says exactly about a table, and which measures of a plan that answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pyspark.sql import types as st

from ....checks.measure import Measure, MissingCount, NullCount, Path, RowCount
from ....checks.measured import Number
from ....monitor.run.plan import TablePlan

_FAR_BACK: dict[type[st.DataType], int] = {st.TimestampType: -2_208_988_800_000_000, st.DateType: -141_427}


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Only what every file answers exactly is here; columns by their names in the frame."""

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


def wanted_by(plan: TablePlan, schema: st.StructType) -> dict[Measure, st.StructField | None]:
    """The measures that metadata can answer, each with the column that it is about."""
    found: dict[Measure, st.StructField | None] = {}
    for one in plan.counts:
        if one == RowCount():
            found[one] = None
        elif isinstance(one, NullCount) or (isinstance(one, MissingCount) and not one.values):
            column = top_level(schema, one.path)
            found |= {one: column} if column is not None else {}
    return found


def answered(wanted: Mapping[Measure, st.StructField | None], facts: TableFacts) -> dict[Measure, Number]:
    """The numbers, for those measures that have one."""
    numbers = {one: facts.rows if column is None else facts.nulls.get(column.name) for one, column in wanted.items()}
    return {one: number for one, number in numbers.items() if number is not None}


def top_level(schema: st.StructType, path: Path) -> st.StructField | None:
    """A column of a single value; below a struct files count nulls that are not there, so they are not asked."""
    if len(path) != 1:
        return None
    exact = [one for one in schema.fields if one.name == path[0]]
    found = exact or [one for one in schema.fields if one.name.casefold() == path[0].casefold()]
    if len(found) != 1 or isinstance(found[0].dataType, (st.StructType, st.ArrayType, st.MapType)):
        return None
    return found[0]


def in_our_calendar(newest: int | None, kind: st.DataType) -> bool:
    """Whether no old writer can have meant another: they counted days before 1582 and hours before 1900 otherwise."""
    limit = _FAR_BACK.get(type(kind))
    return newest is None or limit is None or newest > limit
