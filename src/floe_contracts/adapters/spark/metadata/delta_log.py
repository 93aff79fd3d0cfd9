"""The files of a Delta table by its log: the checkpoint and the commits after it, as the snapshot itself lists them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame

from .relation import TableRelation, end_of, hadoop_settings, local_path, metadata_name

_COMMIT = re.compile(r"[0-9]{20}\.json")
_CHECKPOINT = re.compile(r"[0-9]{20}\.checkpoint(\.[0-9]{10}\.[0-9]{10})?\.parquet")
_LARGEST = 64 << 20  # bytes of one piece of the log; larger ones are Spark's work
_KEPT = ("path", "partitionValues", "size", "modificationTime", "dataChange", "stats", "tags", "deletionVector")


class NotPlain(Exception):
    """The log has pieces of a kind that only Delta itself reads."""


@dataclass(frozen=True, slots=True)
class Added:
    """An entry of the log that adds a file: its action as JSON has it, with statistics read."""

    action: dict[str, Any]
    stats: dict[str, Any]

    @property
    def path(self) -> str:
        return str(self.action["path"])

    @property
    def deleted(self) -> int:
        """Rows of the file that a deletion vector takes away."""
        vector = self.action.get("deletionVector")
        return int(vector["cardinality"]) if vector else 0

    @property
    def is_whole(self) -> bool:
        return not self.action.get("deletionVector") and self.stats.get("tightBounds", True) is True


def added_files(relation: TableRelation) -> list[Added]:
    """Every file of the snapshot; read here where the log is plain, because a job of Spark takes far longer."""
    try:
        return _reconciled(relation)
    except NotPlain:
        frame = DataFrame(relation.java.allFiles().toDF(), relation.frame.sparkSession)
        rows = frame.select(*(one for one in _KEPT if one in frame.columns)).collect()
        return [as_added(row.asDict(recursive=True)) for row in rows]


def _reconciled(relation: TableRelation) -> list[Added]:
    """The last word about each file counts; a file with another deletion vector is another entry."""
    segment = relation.java.logSegment()
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in _statuses(segment.checkpointProvider().topLevelFiles(), _CHECKPOINT):
        found |= {_key(add): add for add in _checkpoint(relation, one)}
    for one in _statuses(segment.deltas(), _COMMIT):
        for action in actions_in(piece(relation, one)):
            for name, file in action.items():
                if name == "add":
                    found[_key(file)] = file
                elif name == "remove":
                    found.pop(_key(file), None)
    return [as_added(one) for one in found.values()]


def _statuses(files: Any, names: re.Pattern[str]) -> Iterator[Any]:
    for number in range(files.size()):
        one = files.apply(number)
        if not names.fullmatch(one.getPath().getName()):
            raise NotPlain
        yield one


def piece(relation: TableRelation, status: Any) -> bytes:
    """One file of the log."""
    if status.getLen() > _LARGEST:
        raise NotPlain
    path = local_path(metadata_name(relation, status.getPath()))
    if path is not None:
        return path.read_bytes()
    return end_of(status.getPath(), status.getLen(), status.getLen(), hadoop_settings(relation))


def actions_in(commit: bytes) -> Iterator[dict[str, Any]]:
    """Every line of a commit is one action."""
    return (json.loads(line) for line in commit.splitlines() if line.strip())


def _checkpoint(relation: TableRelation, status: Any) -> Iterable[dict[str, Any]]:
    import pyarrow
    from pyarrow import parquet

    file = parquet.ParquetFile(pyarrow.BufferReader(piece(relation, status)))
    if {"checkpointMetadata", "sidecar"} & set(file.schema_arrow.names):
        raise NotPlain
    known = {field.name for field in file.schema_arrow.field("add").type}
    if "stats" not in known:
        raise NotPlain
    table = file.read([f"add.{one}" for one in _KEPT if one in known])
    rows = (one["add"] for one in table.to_pylist())
    return [{**one, "partitionValues": dict(one["partitionValues"] or ())} for one in rows if one and one["path"]]


def _key(file: dict[str, Any]) -> tuple[str, str]:
    vector = file.get("deletionVector") or {}
    return file["path"], f"{vector.get('storageType')}{vector.get('pathOrInlineDv')}@{vector.get('offset')}"


def as_added(action: dict[str, Any]) -> Added:
    """An action of the log."""
    stats = json.loads(action.get("stats") or "{}")
    return Added(action, stats if isinstance(stats, dict) else {})
