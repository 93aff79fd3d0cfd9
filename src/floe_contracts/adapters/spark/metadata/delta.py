"""Row counts, nulls and newest times from the statistics in Delta's log, where every file has them exactly.

The log cuts times to milliseconds. The files whose newest time may be the newest of all are then looked into: by their
footers where these know it, else by reading that column of these few files.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime, timezone

from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.moments import micros
from ....checks.promises.promise import ClockChoice
from ..clock.newest import ClockColumn, clock_column
from .delta_files import file_in_table, only_added
from .delta_log import Added, added_files
from .facts import Facts, Wanted, in_our_calendar
from .footers import newest_in
from .relation import Relation

CUT = 999  # microseconds that a time in the log may be short of


def delta_facts(relation: Relation, wanted: Wanted) -> Facts | None:
    """Rows are known even where some were deleted, because each deletion vector says how many."""
    if not relation.plain:
        return None
    files = added_files(relation)
    physical = physical_names(relation)
    rows = _rows(files)
    nulls = {one.name: _nulls(files, physical[one.name]) for one in wanted.all if one.name in physical}
    newest: dict[str, int | None] = {}
    how = f"the log of version {relation.java.version()}"
    if wanted.clock is not None and wanted.clock.name in physical:
        newest, looked = _newest(relation, files, wanted.clock, physical[wanted.clock.name])
        how += f" and {looked} of {len(files)} files" if looked else ""
    return Facts(how, rows, {name: number for name, number in nulls.items() if number is not None}, newest)


def physical_names(relation: Relation) -> dict[str, str]:
    """Columns by the names that files and statistics have for them; those of folders have no statistics."""
    schema = json.loads(relation.java.metadata().schemaString())
    columns = relation.java.metadata().partitionColumns()
    folders = {columns.apply(number) for number in range(columns.size())}
    return {
        one["name"]: one["metadata"].get("delta.columnMapping.physicalName", one["name"])
        for one in schema["fields"]
        if one["name"] not in folders
    }


def _rows(files: Sequence[Added]) -> int | None:
    total = 0
    for one in files:
        number = one.stats.get("numRecords")
        if not isinstance(number, int):
            return None
        total += number - one.deleted
    return total


def _nulls(files: Sequence[Added], column: str) -> int | None:
    total = 0
    for one in files:
        number, rows = one.stats.get("nullCount", {}).get(column), one.stats.get("numRecords")
        if not one.is_whole or not isinstance(number, int) or not isinstance(rows, int) or not 0 <= number <= rows:
            return None
        total += number
    return total


def _newest(
    relation: Relation, files: Sequence[Added], clock: st.StructField, column: str
) -> tuple[dict[str, int | None], int]:
    """The newest time, and how many files had to be looked into for it."""
    if _nulls(files, column) is None:
        return {}, 0
    valued = [one for one in files if one.stats["nullCount"][column] < one.stats["numRecords"]]
    known = [units_in(one, column, clock.dataType) for one in valued]
    if not valued or any(one is None for one in known):
        return ({clock.name: None}, 0) if not valued else ({}, 0)
    best = max(one for one in known if one is not None)
    if not in_our_calendar(best, clock.dataType):
        return {}, 0
    if isinstance(clock.dataType, st.DateType):
        return {clock.name: best}, 0
    close = [file for file, units in zip(valued, known, strict=True) if units is not None and units + CUT >= best]
    return _looked_into(relation, close, clock, column, few=2 * len(close) < len(files) or len(files) == 1)


def _looked_into(
    relation: Relation, close: Sequence[Added], clock: st.StructField, column: str, *, few: bool
) -> tuple[dict[str, int | None], int]:
    stored = st.StructField(column, clock.dataType)
    found = newest_in(relation, [file_in_table(relation, one) for one in close], stored)
    if found is not None:
        return {clock.name: found.units}, 0
    told = clock_column(relation.frame.schema, ClockChoice((clock.name,), ""))
    if not few or not isinstance(told, ClockColumn):
        return {}, 0
    row = only_added(relation, close).agg(told.units(sf.max(told.value))).first()
    return ({clock.name: row[0]}, len(close)) if row is not None and row[0] is not None else ({}, 0)


def units_in(file: Added, column: str, kind: st.DataType) -> int | None:
    """The greatest value that the log gives, cut to milliseconds."""
    text = file.stats.get("maxValues", {}).get(column)
    if not isinstance(text, str):
        return None
    if isinstance(kind, st.DateType):
        return (date.fromisoformat(text) - date(1970, 1, 1)).days
    said = datetime.fromisoformat(text.replace("Z", "+00:00"))
    if (said.tzinfo is None) is not isinstance(kind, st.TimestampNTZType):
        return None
    return micros(said if said.tzinfo else said.replace(tzinfo=timezone.utc))
