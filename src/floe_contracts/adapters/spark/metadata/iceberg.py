"""Row counts, nulls and newest times from the manifests of an Iceberg snapshot, and its history of snapshots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql import types as st

from ....monitor.source.server_types import Reach
from ..read.open import OpenTable
from ..read.relation import TableRelation
from .facts import MetadataQuestion, TableFacts, in_our_calendar
from .history import CommitHistory, TableCommit, TimeSpan

_FEW = 200  # files that are asked one by one; more of them come faster as rows of Iceberg's own table of files
_TIMES = {"timestamptz": st.TimestampType, "timestamp": st.TimestampNTZType, "date": st.DateType}
_COMPACTION = "replace"
_MS = 1_000


@dataclass(frozen=True, slots=True)
class IcebergFile:
    """What a manifest says about one file; nulls and newest values by the id of the field."""

    is_data: bool
    format: str
    rows: int
    nulls: dict[int, int | None]
    newest: bytes | None


def iceberg_facts(opened: OpenTable, relation: TableRelation, wanted: MetadataQuestion) -> TableFacts | None:
    """The facts of a snapshot; None when any row was deleted without rewriting its file: then files count too many."""
    if not relation.plain:
        return None
    snapshot = snapshot_of(relation)
    by_name = {column.name: _find_field(relation, snapshot, column) for column in wanted.all}
    fields = {name: field for name, field in by_name.items() if field is not None}
    clock = fields.get(wanted.clock.name) if wanted.clock is not None else None
    files = list(_list_files(opened, relation, snapshot, [field.fieldId() for field in fields.values()], clock))
    if not all(file.is_data for file in files):
        return None
    nulls = {name: _count_nulls(files, field) for name, field in fields.items()}
    newest: dict[str, int | None] = {}
    if clock is not None and wanted.clock is not None and _tells_time(clock, wanted.clock):
        newest = _find_newest(files, wanted.clock, clock.fieldId())
    return TableFacts(
        f"metadata of snapshot {snapshot.snapshotId()}" if snapshot is not None else "metadata of the empty table",
        rows=sum(file.rows for file in files),
        nulls={name: number for name, number in nulls.items() if number is not None},
        newest=newest,
    )


def iceberg_history(relation: TableRelation) -> CommitHistory:
    """The snapshots, oldest first; one whose parent was expired is where the history ends."""
    table, here = relation.java.table(), snapshot_of(relation)
    commits: list[TableCommit] = []
    complete = True
    while here is not None:
        commits.append(TableCommit(here.timestampMillis() * _MS, f"snapshot {here.snapshotId()}", here))
        parent = here.parentId()
        here = table.snapshot(parent) if parent is not None else None
        complete = parent is None
    return CommitHistory(tuple(reversed(commits)), complete, lambda commit: commit.java.operation() != _COMPACTION)


def iceberg_has_times(relation: TableRelation, commit: TableCommit, span: TimeSpan) -> bool | None:
    """Whether a snapshot has such times; Iceberg skips files by the bounds of a column, so few are looked at."""
    table = relation.java.table()
    field = table.schema().findField(span.column)
    expressions: Any = relation.jars.org.apache.iceberg.expressions.Expressions
    wanted = expressions.greaterThanOrEqual(span.column, span.first)
    scan = table.newScan().useSnapshot(commit.java.snapshotId()).filter(wanted).includeColumnStats()
    has: bool | None = False
    for task in tasks_of(scan):
        newest = _newest_of_task(task, field.fieldId())
        if newest is not None and span.first <= newest <= span.last:
            return True
        has = None
    return has


def snapshot_of(relation: TableRelation) -> Any:
    """The snapshot that the frame reads; None when the table has none yet."""
    table, pinned = relation.java.table(), relation.java.snapshotId()
    if pinned is not None:
        return table.snapshot(pinned)
    if relation.java.branch():
        return table.snapshot(relation.java.branch())
    return table.currentSnapshot()


def tasks_of(scan: Any) -> Iterator[Any]:
    """The files of a scan with the deletes that apply to each."""
    planned = scan.planFiles()
    try:
        tasks = planned.iterator()
        while tasks.hasNext():
            yield tasks.next()
    finally:
        planned.close()


def _find_field(relation: TableRelation, snapshot: Any, column: st.StructField) -> Any:
    """A field by the schema that the frame has: today's, or that of an earlier snapshot that is read."""
    table = relation.java.table()
    current = table.currentSnapshot()
    if snapshot is None or current is None or snapshot.snapshotId() == current.snapshotId():
        return table.schema().findField(column.name)
    return table.schemas().get(snapshot.schemaId()).findField(column.name)


def _tells_time(field: Any, column: st.StructField) -> bool:
    return _TIMES.get(str(field.type().toString())) is type(column.dataType)


def _list_files(
    opened: OpenTable, relation: TableRelation, snapshot: Any, ids: list[int], clock: Any
) -> Iterator[IcebergFile]:
    if snapshot is None:
        return iter(())
    number = dict(snapshot.summary()).get("total-data-files", "")
    if number.isdigit() and int(number) <= _FEW:
        return _from_plan(relation, snapshot, ids, clock)
    return _from_table(opened, snapshot, ids, clock)


def _from_plan(relation: TableRelation, snapshot: Any, ids: list[int], clock: Any) -> Iterator[IcebergFile]:
    scan = relation.java.table().newScan().useSnapshot(snapshot.snapshotId()).includeColumnStats()
    for task in tasks_of(scan):
        file = task.file()
        nulls, newest = file.nullValueCounts() or {}, file.upperBounds() if clock is not None else None
        bound = newest.get(clock.fieldId()) if newest is not None else None
        yield IcebergFile(
            task.deletes().isEmpty(),
            str(file.format().toString()),
            file.recordCount(),
            {id_: nulls.get(id_) for id_ in ids},
            bytes(bound.array()) if bound is not None else None,
        )


def _from_table(opened: OpenTable, snapshot: Any, ids: list[int], clock: Any) -> Iterator[IcebergFile]:
    reader = opened.frame.sparkSession.read.option("versionAsOf", str(snapshot.snapshotId()))
    by_path = opened.binding.reach is Reach.FILES
    table = reader.format("iceberg").load(f"{opened.place}#files") if by_path else reader.table(f"{opened.place}.files")
    counts = [f"null_value_counts[{id_}]" for id_ in ids]
    bound = f"upper_bounds[{clock.fieldId()}]" if clock is not None else "CAST(NULL AS binary)"
    for content, format_, rows, newest, *nulls in table.selectExpr(
        "content", "file_format", "record_count", bound, *counts
    ).collect():
        upper = bytes(newest) if newest is not None else None
        yield IcebergFile(content == 0, format_.upper(), rows, dict(zip(ids, nulls, strict=True)), upper)


def _count_nulls(files: Iterable[IcebergFile], field: Any) -> int | None:
    if field.isRequired():
        return 0
    total = 0
    for file in files:
        number = file.nulls.get(field.fieldId())
        if file.rows and (number is None or file.format != "PARQUET" or not 0 <= number <= file.rows):
            return None
        total += number or 0
    return total


def _find_newest(files: Iterable[IcebergFile], clock: st.StructField, id_: int) -> dict[str, int | None]:
    """The newest time; only Parquet's bounds are the values themselves, ORC rounds them to milliseconds."""
    width = 4 if isinstance(clock.dataType, st.DateType) else 8
    newest: int | None = None
    for file in files:
        if not file.rows or file.nulls.get(id_) == file.rows:
            continue
        if file.newest is None or len(file.newest) != width or file.format != "PARQUET":
            return {}
        units = int.from_bytes(file.newest, "little", signed=True)
        newest = units if newest is None else max(newest, units)
    return {clock.name: newest} if in_our_calendar(newest, clock.dataType) else {}


def _newest_of_task(task: Any, id_: int) -> int | None:
    """The greatest time in a file; None where it is not known exactly, or where rows of the file were deleted."""
    file = task.file()
    bound = (file.upperBounds() or {}).get(id_)
    if bound is None or not task.deletes().isEmpty() or str(file.format().toString()) != "PARQUET":
        return None
    return int.from_bytes(bytes(bound.array()), "little", signed=True)
