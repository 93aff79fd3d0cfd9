"""The commits that the log of a Delta table still has, and what the files that each added say about times."""

from __future__ import annotations

import re
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import types as st

from .delta import CUT, physical_names, units_in
from .delta_log import Added, actions_in, added_files, as_added, piece
from .history import CommitHistory, TableCommit, TimeSpan
from .relation import TableFormat, TableRelation, hadoop_settings, relation_of

_COMMIT = re.compile(r"([0-9]{20})\.json")
_IN_COMMIT = "delta.enableInCommitTimestamps"
_MS = 1_000


def delta_history(relation: TableRelation) -> CommitHistory:
    """Up to the version that is read; the log forgets versions after some time."""
    last = relation.java.version()
    log = relation.java.deltaLog().logPath()
    found: dict[int, Any] = {}
    for status in log.getFileSystem(hadoop_settings(relation)).listStatus(log):
        name = _COMMIT.fullmatch(status.getPath().getName())
        if name and int(name[1]) <= last:
            found[int(name[1])] = status
    first = last
    while first - 1 in found:
        first -= 1
    times = _times(relation, {one: found[one] for one in range(first, last + 1)})
    commits = tuple(TableCommit(times[one], f"version {one}", found[one]) for one in range(first, last + 1))
    return CommitHistory(commits, first == 0, lambda one: _changes_data(relation, one))


def _times(relation: TableRelation, statuses: dict[int, Any]) -> dict[int, int]:
    """As Delta counts: the time inside the commit where the table keeps it, else that of the file, never going back."""
    settings = relation.java.metadata().configuration()
    if settings.contains(_IN_COMMIT) and settings.apply(_IN_COMMIT) == "true":
        return _told_times(relation)
    times: dict[int, int] = {}
    before = -1
    for version, status in sorted(statuses.items()):
        before = max(status.getModificationTime(), before + 1)
        times[version] = before * _MS
    return times


def _told_times(relation: TableRelation) -> dict[int, int]:
    spark = relation.frame.sparkSession
    place = relation.java.deltaLog().dataPath().toString()
    table = relation.jars.io.delta.tables.DeltaTable.forPath(spark._jsparkSession, place)
    rows = DataFrame(table.history(), spark).selectExpr("version", "unix_micros(timestamp)").collect()
    return {one[0]: one[1] for one in rows}


def _changes_data(relation: TableRelation, commit: TableCommit) -> bool:
    """Compactions add and remove files too, and say of each that no data changes."""
    return any(
        action.get(name, {}).get("dataChange") is True
        for action in actions_in(piece(relation, commit.java))
        for name in ("add", "remove")
    )


def delta_stood(relation: TableRelation, commit: TableCommit, span: TimeSpan) -> bool | None:
    """Whether such data was there in a version."""
    version = int(commit.name.removeprefix("version "))
    if version == relation.java.version():
        return _has(relation, added_files(relation), span)
    place = relation.java.deltaLog().dataPath().toString()
    frame = relation.frame.sparkSession.read.format("delta").option("versionAsOf", version).load(place)
    then = relation_of(frame)
    return _has(then, added_files(then), span) if then is not None and then.kept is TableFormat.DELTA else None


def delta_brought(relation: TableRelation, commit: TableCommit, span: TimeSpan) -> bool | None:
    """Whether a commit added such data."""
    actions = actions_in(piece(relation, commit.java))
    return _has(relation, [as_added(one["add"]) for one in actions if "add" in one], span)


def _has(relation: TableRelation, files: list[Added], span: TimeSpan) -> bool | None:
    """The log cuts times to milliseconds, so a file may have such a time, or surely has one, or surely has none."""
    column = physical_names(relation).get(span.column)
    kind = relation.frame.schema[span.column].dataType
    found: bool | None = False
    for file in files:
        newest = units_in(file, column, kind) if column is not None else None
        cut = 0 if isinstance(kind, st.DateType) else CUT
        if newest is None:
            found = None if _may_have_values(file, column) else found
        elif file.is_whole and span.first <= newest and newest + cut <= span.last:
            return True
        elif newest + cut >= span.first:
            found = None
    return found


def _may_have_values(file: Added, column: str | None) -> bool:
    rows = file.stats.get("numRecords")
    return column is None or not isinstance(rows, int) or file.stats.get("nullCount", {}).get(column) != rows
