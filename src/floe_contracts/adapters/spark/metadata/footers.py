"""Row counts, nulls and newest times from the footers of Parquet files, where every file knows them exactly."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from pyspark.sql import types as st

from .facts import Facts, Wanted, in_our_calendar
from .footer_types import Stored, stored_as, units_of
from .listing import ListedFile, Moved, end_of, hadoop_settings, listed, local_path
from .relation import Relation

_TAIL = 64 << 10  # bytes at the end of a file that hold most footers
_END = 8  # the length of the footer in four bytes, and four letters
_PARQUET = "org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat"
_THREADS = 8
_HARMLESS = {"comment", "__CHAR_VARCHAR_TYPE_STRING"}  # others: ids instead of names, defaults for what a file lacks


def footer_facts(relation: Relation, wanted: Wanted) -> Facts | None:
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
    return Facts(
        how,
        rows=sum(one.num_rows for one in footers),
        nulls={name: number for name, number in nulls.items() if number is not None},
        newest=newest,
    )


def _read(relation: Relation, files: list[ListedFile]) -> list[Any]:
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


def newest_in(relation: Relation, files: list[ListedFile], clock: st.StructField) -> Newest | None:
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
