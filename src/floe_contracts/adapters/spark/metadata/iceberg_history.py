"""The snapshots that led to the one that is read, and what their files say about the times in them."""

from __future__ import annotations

from typing import Any

from .history import Commit, History, Span
from .iceberg import snapshot_of, tasks_of
from .relation import Relation

_COMPACTION = "replace"
_MS = 1_000


def iceberg_history(relation: Relation) -> History:
    """Oldest first; a snapshot whose parent was expired is where the memory ends."""
    table, here = relation.java.table(), snapshot_of(relation)
    found: list[Commit] = []
    complete = True
    while here is not None:
        found.append(Commit(here.timestampMillis() * _MS, f"snapshot {here.snapshotId()}", here))
        parent = here.parentId()
        here = table.snapshot(parent) if parent is not None else None
        complete = parent is None
    return History(tuple(reversed(found)), complete, lambda one: one.java.operation() != _COMPACTION)


def iceberg_stood(relation: Relation, commit: Commit, span: Span) -> bool | None:
    """Iceberg skips files by the bounds of a column, so only those that may have such rows are looked at."""
    table = relation.java.table()
    field = table.schema().findField(span.column)
    expressions: Any = relation.jars.org.apache.iceberg.expressions.Expressions
    wanted = expressions.greaterThanOrEqual(span.column, span.first)
    scan = table.newScan().useSnapshot(commit.java.snapshotId()).filter(wanted).includeColumnStats()
    found: bool | None = False
    for task in tasks_of(scan):
        newest = _newest_of_task(task, field.fieldId())
        if newest is not None and span.first <= newest <= span.last:
            return True
        found = None
    return found


def _newest_of_task(task: Any, id_: int) -> int | None:
    """The greatest time in a file; None where it is not known exactly, or where rows of the file were deleted."""
    file = task.file()
    bound = (file.upperBounds() or {}).get(id_)
    if bound is None or not task.deletes().isEmpty() or str(file.format().toString()) != "PARQUET":
        return None
    return int.from_bytes(bytes(bound.array()), "little", signed=True)
