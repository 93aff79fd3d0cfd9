"""Row counts, nulls and newest times from the statistics in Delta's log, and the files of a snapshot as parts.

Only what every file knows exactly is told. The log cuts times to milliseconds, so files whose newest time may be the
newest of all are looked into: by their footers where these know it, else by reading that column of these few files.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timezone
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.moments import micros
from ....checks.promises.promise import ClockChoice
from ..clock.newest import ClockColumn, clock_column
from ..measure.parts import Parts
from ..read.open import OpenTable
from ..read.relation import MOST_FILES, ListedFile, TableRelation, TooMany, metadata_name
from .delta_log import AddedFile, added_files
from .facts import MetadataQuestion, TableFacts, in_our_calendar
from .footers import find_newest_in
from .parts import METADATA, PartFile, build_parts

CUT = 999  # microseconds that a time in the log may be short of


def delta_facts(relation: TableRelation, wanted: MetadataQuestion) -> TableFacts | None:
    """The facts of the log; rows are known even where some were deleted, because deletion vectors say how many."""
    if not relation.plain:
        return None
    files = added_files(relation)
    physical = physical_names(relation)
    rows = _count_rows(files)
    nulls = {
        column.name: _count_nulls(files, physical[column.name]) for column in wanted.all if column.name in physical
    }
    newest: dict[str, int | None] = {}
    how = f"the log of version {relation.java.version()}"
    if wanted.clock is not None and wanted.clock.name in physical:
        newest, looked = _find_newest(relation, files, wanted.clock, physical[wanted.clock.name])
        how += f" and {looked} of {len(files)} files" if looked else ""
    return TableFacts(how, rows, {name: number for name, number in nulls.items() if number is not None}, newest)


def delta_parts(opened: OpenTable, relation: TableRelation) -> Parts | None:
    """The files as parts: a file is immutable, and a deletion vector makes it another part."""
    files = added_files(relation)
    if not files or METADATA in opened.frame.columns:
        return None
    if len(files) > MOST_FILES:
        raise TooMany
    root = metadata_name(relation, relation.java.deltaLog().dataPath())
    by_name = {_name(relation, root, file): file for file in files}
    contents = [PartFile(name, _content(file)) for name, file in by_name.items()]

    def only(names: Collection[str]) -> DataFrame:
        return read_added(relation, [by_name[name] for name in names])

    file_name = sf.col(f"{METADATA}.file_path")
    pinned, schema = replace(opened, frame=_pin_version(relation)), str(relation.java.metadata().schemaString())
    return build_parts(pinned, contents, root, file_name, only, schema)


def physical_names(relation: TableRelation) -> dict[str, str]:
    """Columns by the names that files and statistics have for them; those of folders have no statistics."""
    schema = json.loads(relation.java.metadata().schemaString())
    columns = relation.java.metadata().partitionColumns()
    folders = {columns.apply(number) for number in range(columns.size())}
    return {
        field["name"]: field["metadata"].get("delta.columnMapping.physicalName", field["name"])
        for field in schema["fields"]
        if field["name"] not in folders
    }


def units_in(file: AddedFile, column: str, kind: st.DataType) -> int | None:
    """The greatest value that the log gives, cut to milliseconds."""
    text = file.stats.get("maxValues", {}).get(column)
    if not isinstance(text, str):
        return None
    if isinstance(kind, st.DateType):
        return (date.fromisoformat(text) - date(1970, 1, 1)).days
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    if (moment.tzinfo is None) is not isinstance(kind, st.TimestampNTZType):
        return None
    return micros(moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc))


def read_added(relation: TableRelation, files: Iterable[AddedFile]) -> DataFrame:
    """The rows of some files of the snapshot."""
    actions = relation.jars.org.apache.spark.sql.delta.actions.Action
    chosen = [actions.fromJson(json.dumps({"add": file.action})) for file in files]
    nothing = relation.jvm.scala.Option.empty()
    log = relation.java.deltaLog()
    frame = log.createDataFrame(relation.java, relation.sequence(chosen), False, nothing)
    return DataFrame(frame, relation.frame.sparkSession)


def locate_file(relation: TableRelation, file: AddedFile) -> ListedFile:
    """An added file with its address."""
    path = _path(relation, file)
    changed_ms = int(file.action.get("modificationTime") or 0)
    return ListedFile(metadata_name(relation, path), int(file.action["size"]), changed_ms, path)


def _count_rows(files: Sequence[AddedFile]) -> int | None:
    total = 0
    for file in files:
        number = file.stats.get("numRecords")
        if not isinstance(number, int):
            return None
        total += number - file.deleted
    return total


def _count_nulls(files: Sequence[AddedFile], column: str) -> int | None:
    total = 0
    for file in files:
        number, rows = file.stats.get("nullCount", {}).get(column), file.stats.get("numRecords")
        if not file.is_whole or not isinstance(number, int) or not isinstance(rows, int) or not 0 <= number <= rows:
            return None
        total += number
    return total


def _find_newest(
    relation: TableRelation, files: Sequence[AddedFile], clock: st.StructField, column: str
) -> tuple[dict[str, int | None], int]:
    """The newest time, and how many files had to be looked into for it."""
    if _count_nulls(files, column) is None:
        return {}, 0
    valued = [file for file in files if file.stats["nullCount"][column] < file.stats["numRecords"]]
    known = [units_in(file, column, clock.dataType) for file in valued]
    if not valued or any(units is None for units in known):
        return ({clock.name: None}, 0) if not valued else ({}, 0)
    best = max(units for units in known if units is not None)
    if not in_our_calendar(best, clock.dataType):
        return {}, 0
    if isinstance(clock.dataType, st.DateType):
        return {clock.name: best}, 0
    close = [file for file, units in zip(valued, known, strict=True) if units is not None and units + CUT >= best]
    return _look_into(relation, close, clock, column, few=2 * len(close) < len(files) or len(files) == 1)


def _look_into(
    relation: TableRelation, close: Sequence[AddedFile], clock: st.StructField, column: str, *, few: bool
) -> tuple[dict[str, int | None], int]:
    stored = st.StructField(column, clock.dataType)
    newest = find_newest_in(relation, [locate_file(relation, file) for file in close], stored)
    if newest is not None:
        return {clock.name: newest.units}, 0
    source = clock_column(relation.frame.schema, ClockChoice((clock.name,), ""))
    if not few or not isinstance(source, ClockColumn):
        return {}, 0
    row = read_added(relation, close).agg(source.units(sf.max(source.value))).first()
    return ({clock.name: row[0]}, len(close)) if row is not None and row[0] is not None else ({}, 0)


def _pin_version(relation: TableRelation) -> DataFrame:
    """A frame of the version that was listed; one without a version reads the newest whenever it is asked."""
    reader = relation.frame.sparkSession.read.format("delta").option("versionAsOf", relation.java.version())
    return reader.load(relation.java.deltaLog().dataPath().toString())


def _path(relation: TableRelation, file: AddedFile) -> Any:
    """The path of a file; in the log it is an address, and starts at the table unless it names another place."""
    hadoop, java = relation.jvm.org.apache.hadoop.fs.Path, relation.jvm.java.net.URI
    return hadoop(relation.java.deltaLog().dataPath(), hadoop(java(file.path)))


def _name(relation: TableRelation, root: str, file: AddedFile) -> str:
    """The name of a file in `_metadata`; most are inside the table, and need no question to Java."""
    if ":" in file.path or file.path.startswith("/"):
        return metadata_name(relation, _path(relation, file))
    return f"{root}/{file.path}"


def _content(file: AddedFile) -> str:
    vector = file.action.get("deletionVector") or {}
    return f"{file.action['size']} {sorted((key, str(value)) for key, value in vector.items())}"
