"""Row counts, nulls and newest times from the footers of Parquet files, where every file knows them exactly."""

from __future__ import annotations

import json
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from pyspark.sql import types as st

from .facts import MetadataQuestion, TableFacts, in_our_calendar
from .relation import ListedFile, Moved, TableRelation, end_of, hadoop_settings, listed, local_path

_TAIL = 64 << 10  # bytes at the end of a file that hold most footers
_END = 8  # the length of the footer in four bytes, and four letters
_PARQUET = "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat"
_THREADS = 8
_HARMLESS = {"comment", "__CHAR_VARCHAR_TYPE_STRING"}  # others: ids instead of names, defaults for what a file lacks


def footer_facts(relation: TableRelation, wanted: MetadataQuestion) -> TableFacts | None:
    """None where the files are not Parquet, or are read otherwise than by the names in them."""
    if relation.java.fileFormat().getClass().getName() != _PARQUET or not relation.plain:
        return None
    files = listed(relation)
    footers = _read(relation, files)
    how = f"the footers of {len(files)} Parquet {'file' if len(files) == 1 else 'files'}"
    in_folders = {one.casefold() for one in relation.java.partitionSchema().fieldNames()}
    asked = [one for one in wanted.all if one.name.casefold() not in in_folders and one.metadata.keys() <= _HARMLESS]
    nulls = {one.name: _nulls(footers, one) for one in asked}
    newest = {}
    if wanted.clock in asked and wanted.clock is not None:
        found = _newest(footers, wanted.clock)
        newest = {wanted.clock.name: found.units} if found is not None else {}
    return TableFacts(
        how,
        rows=sum(one.num_rows for one in footers),
        nulls={name: number for name, number in nulls.items() if number is not None},
        newest=newest,
    )


def _read(relation: TableRelation, files: list[ListedFile]) -> list[Any]:
    """Many at once on this machine's disks; Hadoop is asked for one after the other."""
    if all(local_path(one.name) for one in files):
        with ThreadPoolExecutor(_THREADS) as pool:
            return list(pool.map(_local, files))
    settings = hadoop_settings(relation)
    return [_remote(one, settings) for one in files]


def _local(file: ListedFile) -> Any:
    from pyarrow import parquet

    path = local_path(file.name)
    if path is None or path.stat().st_size != file.size:
        raise Moved
    return parquet.read_metadata(path)


def _remote(file: ListedFile, settings: Any) -> Any:
    """Only the end of a file is fetched; to Parquet's reader it looks like a file with little in it."""
    import pyarrow
    from pyarrow import parquet

    tail = end_of(file.path, file.size, _TAIL, settings)
    length = int.from_bytes(tail[-_END:-4], "little") + _END
    if length > len(tail):
        tail = end_of(file.path, file.size, length + 4, settings)
    return parquet.read_metadata(pyarrow.BufferReader(tail))


def _nulls(footers: Iterable[Any], column: st.StructField) -> int | None:
    """A file that lacks the column gives null for all of its rows."""
    total = 0
    for footer in footers:
        stored = stored_as(footer, column)
        if stored is None:
            return None
        number = footer.num_rows if stored.absent else _nulls_of(footer, stored)
        if number is None:
            return None
        total += number
    return total


def _nulls_of(footer: Any, stored: Stored) -> int | None:
    if stored.required:
        return 0
    total = 0
    for chunk in _chunks(footer, stored):
        statistics = chunk.statistics
        if statistics is None or not statistics.has_null_count or not 0 <= statistics.null_count <= chunk.num_values:
            return None
        total += statistics.null_count
    return total


def newest_in(relation: TableRelation, files: list[ListedFile], clock: st.StructField) -> Newest | None:
    """The newest time in some Parquet files, by a column's name in them."""
    return _newest(_read(relation, files), clock)


@dataclass(frozen=True, slots=True)
class Newest:
    """An answer, which may be that there is no value."""

    units: int | None  # None: no value at all


def _newest(footers: Iterable[Any], clock: st.StructField) -> Newest | None:
    """The greatest value of all chunks, where each that has values knows its own."""
    newest: int | None = None
    for footer in footers:
        stored = stored_as(footer, clock)
        if stored is None:
            return None
        for chunk in () if stored.absent else _chunks(footer, stored):
            statistics = chunk.statistics
            if statistics is None:
                return None
            if statistics.has_null_count and statistics.null_count == chunk.num_values:
                continue
            units = units_of(statistics.max_raw, stored) if statistics.has_min_max else None
            if units is None:
                return None
            newest = units if newest is None else max(newest, units)
    return Newest(newest) if in_our_calendar(newest, clock.dataType) else None


def _chunks(footer: Any, stored: Stored) -> Iterable[Any]:
    groups = (footer.row_group(number) for number in range(footer.num_row_groups))
    return [group.column(stored.index) for group in groups if group.num_rows]


_MICROS = {"microseconds": 1, "milliseconds": 1_000}


@dataclass(frozen=True, slots=True)
class Stored:
    """A column of one file."""

    index: int = 0
    required: bool = False
    absent: bool = False  # the file was written before the column was added
    factor: int | None = None  # from whole numbers in the file to units of the type; None: no times


def stored_as(footer: Any, column: st.StructField) -> Stored | None:
    """The file's own column; None when it is not exactly of the frame's type, or when two could be meant."""
    wanted = column.name.casefold()
    paths = [footer.schema.column(number).path.casefold() for number in range(footer.num_columns)]
    same = [number for number, path in enumerate(paths) if path == wanted or path.startswith(f"{wanted}.")]
    if not same:
        return Stored(absent=True)
    found = footer.schema.column(same[0])
    is_it = len(same) == 1 and found.path == found.name == column.name
    if not is_it or found.max_repetition_level or found.max_definition_level > 1:
        return None
    fits, factor = _fits(found, column.dataType)
    return Stored(same[0], found.max_definition_level == 0, factor=factor) if fits else None


def units_of(raw: Any, stored: Stored) -> int | None:
    """Microseconds or days of a statistic."""
    return raw * stored.factor if stored.factor is not None and isinstance(raw, int) else None


def _fits(found: Any, kind: st.DataType) -> tuple[bool, int | None]:
    """Whether the file's type is the one that Spark itself would write, and its factor where it tells a time."""
    physical, logical = found.physical_type, json.loads(found.logical_type.to_json())
    name = logical.get("Type", "None")
    if isinstance(kind, (st.TimestampType, st.TimestampNTZType)):
        return _time_fits(physical, logical, kind)
    if isinstance(kind, st.DateType):
        return (physical, name) == ("INT32", "Date"), 1
    if isinstance(kind, st.DecimalType):
        digits = (logical.get("precision"), logical.get("scale"))
        return name == "Decimal" and digits == (kind.precision, kind.scale), None
    if type(kind) in _WIDTHS:
        return _whole_fits(physical, logical, _WIDTHS[type(kind)]), None
    return (physical, name) in _OTHERS.get(type(kind), ()), None


def _time_fits(physical: str, logical: dict[str, Any], kind: st.DataType) -> tuple[bool, int | None]:
    """INT96, which old Spark writes, counts its nulls and keeps no newest value."""
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


_WIDTHS: dict[type[st.DataType], int] = {st.ByteType: 8, st.ShortType: 16, st.IntegerType: 32, st.LongType: 64}
_OTHERS: dict[type[st.DataType], tuple[tuple[str, str], ...]] = {
    st.BooleanType: (("BOOLEAN", "None"),),
    st.FloatType: (("FLOAT", "None"),),
    st.DoubleType: (("DOUBLE", "None"),),
    st.BinaryType: (("BYTE_ARRAY", "None"),),
    st.StringType: (("BYTE_ARRAY", "String"),),
}
