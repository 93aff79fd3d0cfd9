"""The commits that the log of a Delta table still has, and what the files that each added say about times."""

from __future__ import annotations

import re
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import types as st

from ..read.relation import TableFormat, TableRelation, hadoop_settings, relation_of
from .delta import CUT, physical_names, units_in
from .delta_log import AddedFile, added_files, parse_actions, parse_added, read_piece
from .history import CommitHistory, TableCommit, TimeSpan

_COMMIT = re.compile(r"([0-9]{20})\.json")
_IN_COMMIT = "delta.enableInCommitTimestamps"
_MS = 1_000


def delta_history(relation: TableRelation) -> CommitHistory:
    """The commits up to the version that is read; the log forgets versions after some time."""
    last = relation.java.version()
    log = relation.java.deltaLog().logPath()
    statuses: dict[int, Any] = {}
    for status in log.getFileSystem(hadoop_settings(relation)).listStatus(log):
        name = _COMMIT.fullmatch(status.getPath().getName())
        if name and int(name[1]) <= last:
            statuses[int(name[1])] = status
    first = last
    while first - 1 in statuses:
        first -= 1
    kept = {version: statuses[version] for version in range(first, last + 1)}
    times = _commit_times(relation, kept)
    commits = [TableCommit(times[version], f"version {version}", status) for version, status in kept.items()]
    return CommitHistory(tuple(commits), first == 0, lambda commit: _changes_data(relation, commit))


def _commit_times(relation: TableRelation, statuses: dict[int, Any]) -> dict[int, int]:
    """Times as Delta counts: that inside the commit where the table keeps it, else of the file, never going back."""
    settings = relation.java.metadata().configuration()
    if settings.contains(_IN_COMMIT) and settings.apply(_IN_COMMIT) == "true":
        return _read_commit_times(relation)
    times: dict[int, int] = {}
    before = -1
    for version, status in sorted(statuses.items()):
        before = max(status.getModificationTime(), before + 1)
        times[version] = before * _MS
    return times


def _read_commit_times(relation: TableRelation) -> dict[int, int]:
    spark = relation.frame.sparkSession
    place = relation.java.deltaLog().dataPath().toString()
    table = relation.jars.io.delta.tables.DeltaTable.forPath(spark._jsparkSession, place)
    rows = DataFrame(table.history(), spark).selectExpr("version", "unix_micros(timestamp)").collect()
    return {row[0]: row[1] for row in rows}


def _changes_data(relation: TableRelation, commit: TableCommit) -> bool:
    """Whether a commit changes data; compactions add and remove files too, and say of each that no data changes."""
    return any(
        action.get(name, {}).get("dataChange") is True
        for action in parse_actions(read_piece(relation, commit.java))
        for name in ("add", "remove")
    )


def delta_has_times(relation: TableRelation, commit: TableCommit, span: TimeSpan) -> bool | None:
    """Whether data with such times was there in a version."""
    version = int(commit.name.removeprefix("version "))
    if version == relation.java.version():
        return _files_have_times(relation, added_files(relation), span)
    place = relation.java.deltaLog().dataPath().toString()
    frame = relation.frame.sparkSession.read.format("delta").option("versionAsOf", version).load(place)
    then = relation_of(frame)
    if then is None or then.kept is not TableFormat.DELTA:
        return None
    return _files_have_times(then, added_files(then), span)


def delta_added_times(relation: TableRelation, commit: TableCommit, span: TimeSpan) -> bool | None:
    """Whether a commit added data with such times."""
    actions = parse_actions(read_piece(relation, commit.java))
    return _files_have_times(relation, [parse_added(action["add"]) for action in actions if "add" in action], span)


def _files_have_times(relation: TableRelation, files: list[AddedFile], span: TimeSpan) -> bool | None:
    """Whether files surely have such a time; None where they may, as the log cuts times to milliseconds."""
    column = physical_names(relation).get(span.column)
    kind = relation.frame.schema[span.column].dataType
    has: bool | None = False
    for file in files:
        newest = units_in(file, column, kind) if column is not None else None
        cut = 0 if isinstance(kind, st.DateType) else CUT
        if newest is None:
            has = None if _may_have_values(file, column) else has
        elif file.is_whole and span.first <= newest and newest + cut <= span.last:
            return True
        elif newest + cut >= span.first:
            has = None
    return has


def _may_have_values(file: AddedFile, column: str | None) -> bool:
    rows = file.stats.get("numRecords")
    return column is None or not isinstance(rows, int) or file.stats.get("nullCount", {}).get(column) != rows
