"""Row counts, nulls and newest times from the statistics in Delta's log, where every file has them exactly.

The log cuts times to milliseconds. The files whose newest time may be the newest of all are then looked into: by their
footers where these know it, else by reading that column of these few files.
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
from ..read.open import Opened
from .delta_log import Added, added_files
from .facts import MetadataQuestion, TableFacts, in_our_calendar
from .footers import newest_in
from .parts import PartFile, parted
from .relation import MOST_FILES, ListedFile, TableRelation, TooMany, metadata_name

CUT = 999  # microseconds that a time in the log may be short of


def delta_facts(relation: TableRelation, wanted: MetadataQuestion) -> TableFacts | None:
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
    return TableFacts(how, rows, {name: number for name, number in nulls.items() if number is not None}, newest)


def physical_names(relation: TableRelation) -> dict[str, str]:
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
    relation: TableRelation, files: Sequence[Added], clock: st.StructField, column: str
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
    relation: TableRelation, close: Sequence[Added], clock: st.StructField, column: str, *, few: bool
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


_METADATA = "_metadata"


def delta_parts(opened: Opened, relation: TableRelation) -> Parts | None:
    """A file is immutable, and a deletion vector of a file makes it another part."""
    files = added_files(relation)
    if not files or _METADATA in opened.frame.columns:
        return None
    if len(files) > MOST_FILES:
        raise TooMany
    root = metadata_name(relation, relation.java.deltaLog().dataPath())
    by_name = {_name(relation, root, one): one for one in files}
    contents = [PartFile(name, _content(one)) for name, one in by_name.items()]

    def only(names: Collection[str]) -> DataFrame:
        return only_added(relation, [by_name[one] for one in names])

    told = sf.col(f"{_METADATA}.file_path")
    return parted(
        replace(opened, frame=_pinned(relation)),
        contents,
        root,
        told,
        only,
        str(relation.java.metadata().schemaString()),
    )


def _pinned(relation: TableRelation) -> DataFrame:
    """The version that was listed; a frame without one reads the newest version whenever it is asked."""
    reader = relation.frame.sparkSession.read.format("delta").option("versionAsOf", relation.java.version())
    return reader.load(relation.java.deltaLog().dataPath().toString())


def only_added(relation: TableRelation, files: Iterable[Added]) -> DataFrame:
    """The rows of some files of the snapshot."""
    actions = relation.jars.org.apache.spark.sql.delta.actions.Action
    chosen = [actions.fromJson(json.dumps({"add": one.action})) for one in files]
    nothing = relation.jvm.scala.Option.empty()
    log = relation.java.deltaLog()
    frame = log.createDataFrame(relation.java, relation.sequence(chosen), False, nothing)
    return DataFrame(frame, relation.frame.sparkSession)


def file_in_table(relation: TableRelation, file: Added) -> ListedFile:
    """The same with its address."""
    path = _path(relation, file)
    changed_ms = int(file.action.get("modificationTime") or 0)
    return ListedFile(metadata_name(relation, path), int(file.action["size"]), changed_ms, path)


def _path(relation: TableRelation, file: Added) -> Any:
    """Paths in the log are written as addresses are, and start at the table unless they name another place."""
    hadoop, java = relation.jvm.org.apache.hadoop.fs.Path, relation.jvm.java.net.URI
    return hadoop(relation.java.deltaLog().dataPath(), hadoop(java(file.path)))


def _name(relation: TableRelation, root: str, file: Added) -> str:
    """Most are inside the table, and need no question to Java."""
    if ":" in file.path or file.path.startswith("/"):
        return metadata_name(relation, _path(relation, file))
    return f"{root}/{file.path}"


def _content(file: Added) -> str:
    vector = file.action.get("deletionVector") or {}
    return f"{file.action['size']} {sorted((key, str(value)) for key, value in vector.items())}"
