"""The files of a Delta table by its log: the checkpoint and the commits after it, as the snapshot itself lists them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame

from ..read.relation import TableRelation, hadoop_settings, local_path, metadata_name, read_range

_COMMIT = re.compile(r"[0-9]{20}\.json")
_CHECKPOINT = re.compile(r"[0-9]{20}\.checkpoint(\.[0-9]{10}\.[0-9]{10})?\.parquet")
_LARGEST = 64 << 20  # bytes of one piece of the log; larger ones are Spark's work
_KEPT = ("path", "partitionValues", "size", "modificationTime", "dataChange", "stats", "tags", "deletionVector")


class NotPlain(Exception):
    """The log has pieces of a kind that only Delta itself reads."""


@dataclass(frozen=True, slots=True)
class AddedFile:
    """A file by the entry of the log that added it: its action as JSON has it, with statistics read."""

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


def added_files(relation: TableRelation) -> list[AddedFile]:
    """Every file of the snapshot; read here where the log is plain, because a job of Spark takes far longer."""
    try:
        return _reconcile(relation)
    except NotPlain:
        frame = DataFrame(relation.java.allFiles().toDF(), relation.frame.sparkSession)
        rows = frame.select(*(name for name in _KEPT if name in frame.columns)).collect()
        return [parse_added(row.asDict(recursive=True)) for row in rows]


def _reconcile(relation: TableRelation) -> list[AddedFile]:
    """The files by checkpoint and commits; the last entry counts, and another deletion vector makes another entry."""
    segment = relation.java.logSegment()
    files: dict[tuple[str, str], dict[str, Any]] = {}
    for status in _statuses(segment.checkpointProvider().topLevelFiles(), _CHECKPOINT):
        files |= {_key(add): add for add in _read_checkpoint(relation, status)}
    for status in _statuses(segment.deltas(), _COMMIT):
        for action in parse_actions(read_piece(relation, status)):
            for name, file in action.items():
                if name == "add":
                    files[_key(file)] = file
                elif name == "remove":
                    files.pop(_key(file), None)
    return [parse_added(file) for file in files.values()]


def _statuses(files: Any, names: re.Pattern[str]) -> Iterator[Any]:
    for number in range(files.size()):
        status = files.apply(number)
        if not names.fullmatch(status.getPath().getName()):
            raise NotPlain
        yield status


def read_piece(relation: TableRelation, status: Any) -> bytes:
    """The bytes of one file of the log."""
    if status.getLen() > _LARGEST:
        raise NotPlain
    path = local_path(metadata_name(relation, status.getPath()))
    if path is not None:
        return path.read_bytes()
    return read_range(status.getPath(), 0, status.getLen(), hadoop_settings(relation))


def parse_actions(commit: bytes) -> Iterator[dict[str, Any]]:
    """The actions of a commit, one in every line."""
    return (json.loads(line) for line in commit.splitlines() if line.strip())


def _read_checkpoint(relation: TableRelation, status: Any) -> Iterable[dict[str, Any]]:
    import pyarrow
    from pyarrow import parquet

    file = parquet.ParquetFile(pyarrow.BufferReader(read_piece(relation, status)))
    if {"checkpointMetadata", "sidecar"} & set(file.schema_arrow.names):
        raise NotPlain
    known = {field.name for field in file.schema_arrow.field("add").type}
    if "stats" not in known:
        raise NotPlain
    table = file.read([f"add.{name}" for name in _KEPT if name in known])
    rows = (row["add"] for row in table.to_pylist())
    return [{**file, "partitionValues": dict(file["partitionValues"] or ())} for file in rows if file and file["path"]]


def _key(file: dict[str, Any]) -> tuple[str, str]:
    vector = file.get("deletionVector") or {}
    return file["path"], f"{vector.get('storageType')}{vector.get('pathOrInlineDv')}@{vector.get('offset')}"


def parse_added(action: dict[str, Any]) -> AddedFile:
    """A file by an action of the log."""
    stats = json.loads(action.get("stats") or "{}")
    return AddedFile(action, stats if isinstance(stats, dict) else {})
