"""The data files of an Iceberg table as its parts, each read alone in the way that Iceberg's own compaction does."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import replace
from threading import Lock
from typing import Any
from uuid import uuid4

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from ..columns.paths import quoted
from ..measure.parts import Parts
from ..read.open import Opened
from .iceberg import snapshot_of, tasks_of
from .parts import PartFile, parted
from .relation import MOST_FILES, TableRelation, TooMany

_FILE = "_file"
_MOST_STAGED = 256  # sets of files that Iceberg keeps for us; a frame is never needed for so long
_staged: deque[tuple[Any, str]] = deque()
_lock = Lock()


def iceberg_parts(opened: Opened, relation: TableRelation) -> Parts | None:
    """None for an earlier snapshot, whose columns may be others, and where sets of files cannot be read alone."""
    table, snapshot = relation.java.table(), snapshot_of(relation)
    current = table.currentSnapshot()
    if snapshot is None or snapshot.snapshotId() != current.snapshotId() or _FILE in opened.frame.columns:
        return None
    tasks: dict[str, Any] = {}
    files: list[PartFile] = []
    for task in tasks_of(table.newScan().useSnapshot(snapshot.snapshotId())):
        location = str(task.file().location())
        tasks[location] = task
        files.append(PartFile(location, f"{task.file().fileSizeInBytes()} {_deletes(task)}"))
        if len(files) > MOST_FILES:
            raise TooMany

    def only(names: Collection[str]) -> DataFrame:
        return _only(opened, relation, tasks, names)

    first = only([files[0].name]) if files else None
    if first is None or not _is_of_a_set(first):
        return None
    schema = relation.jars.org.apache.iceberg.SchemaParser.toJson(table.schema())
    listed = replace(opened, frame=only(tasks))  # Spark takes a frame of the table to its newest snapshot
    return parted(listed, files, str(table.location()).rstrip("/"), _told(first), only, str(schema))


def _deletes(task: Any) -> str:
    """Deletes change what a file gives, and each has a file of its own, or a place in one."""
    return " ".join(sorted(f"{one.location()} {one.contentOffset()}" for one in task.deletes()))


def _only(opened: Opened, relation: TableRelation, tasks: Mapping[str, Any], names: Collection[str]) -> DataFrame:
    spark, name = opened.frame.sparkSession, f"floe-{uuid4()}"
    chosen = relation.jvm.java.util.ArrayList()
    for one in names:
        chosen.add(tasks[one])
    _stage(relation, name, chosen)
    frame = spark.read.format("iceberg").option("scan-task-set-id", name).load(name)
    if frame.columns == opened.frame.columns:
        return frame
    return frame.select(*(quoted(column) for column in opened.frame.columns))  # format 3 has ids of rows beside them


def _stage(relation: TableRelation, name: str, tasks: Any) -> None:
    """Iceberg holds what was staged until it is told to forget it."""
    spark: Any = relation.jars.org.apache.iceberg.spark
    table = relation.java.table()
    _table_cache(relation).add(name, table)
    spark.ScanTaskSetManager.get().stageTasks(table, name, tasks)
    with _lock:
        _staged.append((table, name))
        old = _staged.popleft() if len(_staged) > _MOST_STAGED else None
    if old is not None:
        spark.ScanTaskSetManager.get().removeTasks(*old)
        _table_cache(relation).remove(old[1])


def _table_cache(relation: TableRelation) -> Any:
    """Two methods are called `get`; which of them a call by name finds differs from one JVM to the next."""
    jvm = relation.jvm
    gateway: Any = relation.frame.sparkSession.sparkContext._gateway
    loader = relation.java.getClass().getClassLoader()
    cache = loader.loadClass("org.apache.iceberg.spark.SparkTableCache")
    none = gateway.new_array(jvm.java.lang.Object, 0)
    return cache.getMethod("get", gateway.new_array(jvm.java.lang.Class, 0)).invoke(None, none)


def _is_of_a_set(frame: DataFrame) -> bool:
    """By Spark's plan; a version of Iceberg that ignores sets would read everything."""
    return "taskSetID=floe-" in str(frame._jdf.queryExecution().sparkPlan().toString())


def _told(frame: DataFrame) -> Column:
    """Sets of tables with ids of rows (format 3) have no `_file`; there Spark tells which file it reads."""
    try:
        frame.select(_FILE)
    except AnalysisException:
        return sf.input_file_name()
    return sf.col(_FILE)
