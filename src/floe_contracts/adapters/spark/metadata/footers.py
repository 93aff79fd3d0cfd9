"""Row counts, nulls and newest times from the footers of Parquet files, and how each file stores a column."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pyspark.sql import types as st

from ....contract.meaning.phrase import plural
from ..columns.scales import WIDTHS
from ..read.footer_files import read_footers
from ..read.relation import ListedFile, TableRelation, list_files
from .facts import MetadataQuestion, TableFacts, in_our_calendar

_HARMLESS = {"comment", "__CHAR_VARCHAR_TYPE_STRING"}  # others: ids instead of names, defaults for what a file lacks
_MICROS = {"microseconds": 1, "milliseconds": 1_000}
_OTHERS: dict[type[st.DataType], tuple[tuple[str, str], ...]] = {
    st.BooleanType: (("BOOLEAN", "None"),),
    st.FloatType: (("FLOAT", "None"),),
    st.DoubleType: (("DOUBLE", "None"),),
    st.BinaryType: (("BYTE_ARRAY", "None"),),
    st.StringType: (("BYTE_ARRAY", "String"),),
}


@dataclass(frozen=True, slots=True)
class StoredColumn:
    """A column as one file stores it."""

    index: int = 0
    required: bool = False
    absent: bool = False  # the file was written before the column was added
    factor: int | None = None  # from whole numbers in the file to units of the type; None: no times


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest value of a column, which may be that there is none."""

    units: int | None  # None: no value at all


def footer_facts(relation: TableRelation, wanted: MetadataQuestion) -> TableFacts | None:
    """The facts of all footers of Parquet; None where the files are read otherwise than by names in them."""
    if not relation.plain:
        return None
    files = list_files(relation)
    footers = read_footers(relation, files)
    how = f"the footers of {plural(len(files), 'Parquet file')}"
    in_folders = {name.casefold() for name in relation.java.partitionSchema().fieldNames()}
    columns = [
        column
        for column in wanted.all
        if column.name.casefold() not in in_folders and column.metadata.keys() <= _HARMLESS
    ]
    nulls = {column.name: _count_nulls(footers, column) for column in columns}
    newest = {}
    if wanted.clock in columns and wanted.clock is not None:
        clock = _find_newest(footers, wanted.clock)
        newest = {wanted.clock.name: clock.units} if clock is not None else {}
    return TableFacts(
        how,
        rows=sum(footer.num_rows for footer in footers),
        nulls={name: number for name, number in nulls.items() if number is not None},
        newest=newest,
    )


def find_newest_in(relation: TableRelation, files: list[ListedFile], clock: st.StructField) -> Newest | None:
    """The newest time in some Parquet files, by a column's name in them."""
    return _find_newest(read_footers(relation, files), clock)


def find_stored(footer: Any, column: st.StructField) -> StoredColumn | None:
    """The file's own column; None when it is not exactly of the frame's type, or when two could be meant."""
    wanted = column.name.casefold()
    paths = [footer.schema.column(number).path.casefold() for number in range(footer.num_columns)]
    same = [number for number, path in enumerate(paths) if path == wanted or path.startswith(f"{wanted}.")]
    if not same:
        return StoredColumn(absent=True)
    stored = footer.schema.column(same[0])
    is_it = len(same) == 1 and stored.path == stored.name == column.name
    if not is_it or stored.max_repetition_level or stored.max_definition_level > 1:
        return None
    fits, factor = _fits(stored, column.dataType)
    return StoredColumn(same[0], stored.max_definition_level == 0, factor=factor) if fits else None


def convert_units(raw: Any, stored: StoredColumn) -> int | None:
    """Microseconds or days of a statistic."""
    return raw * stored.factor if stored.factor is not None and isinstance(raw, int) else None


def _count_nulls(footers: Iterable[Any], column: st.StructField) -> int | None:
    """Nulls of all files; a file that lacks the column has one in every row."""
    total = 0
    for footer in footers:
        stored = find_stored(footer, column)
        if stored is None:
            return None
        number = footer.num_rows if stored.absent else _count_nulls_of_file(footer, stored)
        if number is None:
            return None
        total += number
    return total


def _count_nulls_of_file(footer: Any, stored: StoredColumn) -> int | None:
    if stored.required:
        return 0
    total = 0
    for chunk in _chunks(footer, stored):
        statistics = chunk.statistics
        if statistics is None or not statistics.has_null_count or not 0 <= statistics.null_count <= chunk.num_values:
            return None
        total += statistics.null_count
    return total


def _find_newest(footers: Iterable[Any], clock: st.StructField) -> Newest | None:
    """The greatest value of all chunks, where each that has values knows its own."""
    newest: int | None = None
    for footer in footers:
        stored = find_stored(footer, clock)
        if stored is None:
            return None
        for chunk in () if stored.absent else _chunks(footer, stored):
            statistics = chunk.statistics
            if statistics is None:
                return None
            if statistics.has_null_count and statistics.null_count == chunk.num_values:
                continue
            units = convert_units(statistics.max_raw, stored) if statistics.has_min_max else None
            if units is None:
                return None
            newest = units if newest is None else max(newest, units)
    return Newest(newest) if in_our_calendar(newest, clock.dataType) else None


def _chunks(footer: Any, stored: StoredColumn) -> Iterable[Any]:
    groups = (footer.row_group(number) for number in range(footer.num_row_groups))
    return [group.column(stored.index) for group in groups if group.num_rows]


def _fits(stored: Any, kind: st.DataType) -> tuple[bool, int | None]:
    """Whether the file's type is the one that Spark itself would write, and its factor where it tells a time."""
    physical, logical = stored.physical_type, json.loads(stored.logical_type.to_json())
    name = logical.get("Type", "None")
    if isinstance(kind, (st.TimestampType, st.TimestampNTZType)):
        return _time_fits(physical, logical, kind)
    if isinstance(kind, st.DateType):
        return (physical, name) == ("INT32", "Date"), 1
    if isinstance(kind, st.DecimalType):
        digits = (logical.get("precision"), logical.get("scale"))
        return name == "Decimal" and digits == (kind.precision, kind.scale), None
    if type(kind) in WIDTHS:
        return _whole_fits(physical, logical, WIDTHS[type(kind)]), None
    return (physical, name) in _OTHERS.get(type(kind), ()), None


def _time_fits(physical: str, logical: dict[str, Any], kind: st.DataType) -> tuple[bool, int | None]:
    """Like `_fits` for times; INT96, which old Spark writes, counts its nulls and keeps no newest value."""
    if physical == "INT96":
        return isinstance(kind, st.TimestampType), None
    factor = _MICROS.get(str(logical.get("timeUnit")))
    adjusted = bool(logical.get("isAdjustedToUTC"))
    fits = physical == "INT64" and logical.get("Type") == "Timestamp" and factor is not None
    return fits and adjusted == isinstance(kind, st.TimestampType), factor


def _whole_fits(physical: str, logical: dict[str, Any], width: int) -> bool:
    if physical != ("INT64" if width == 64 else "INT32"):
        return False
    if logical.get("Type", "None") == "None":
        return width in (32, 64)
    return logical.get("Type") == "Int" and logical.get("bitWidth") == width and bool(logical.get("isSigned"))
