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

from ..columns.paths import quote
from ..measure.parts import Parts
from ..read.open import OpenTable
from ..read.relation import MOST_FILES, TableRelation, TooMany
from .iceberg import snapshot_of, tasks_of
from .parts import PartFile, build_parts

_FILE = "_file"
_MOST_STAGED = 256  # sets of files that Iceberg keeps for us; a frame is never needed for so long
_staged: deque[tuple[Any, str]] = deque()
_lock = Lock()


def iceberg_parts(opened: OpenTable, relation: TableRelation) -> Parts | None:
    """The files as parts; None for an earlier snapshot, whose columns may differ, and where sets are not read alone."""
    table, snapshot = relation.java.table(), snapshot_of(relation)
    current = table.currentSnapshot()
    if snapshot is None or snapshot.snapshotId() != current.snapshotId() or _FILE in opened.frame.columns:
        return None
    tasks: dict[str, Any] = {}
    files: list[PartFile] = []
    for task in tasks_of(table.newScan().useSnapshot(snapshot.snapshotId())):
        location = str(task.file().location())
        tasks[location] = task
        files.append(PartFile(location, f"{task.file().fileSizeInBytes()} {_spell_deletes(task)}"))
        if len(files) > MOST_FILES:
            raise TooMany

    def only(names: Collection[str]) -> DataFrame:
        return _read(opened, relation, tasks, names)

    first = only([files[0].name]) if files else None
    if first is None or not _is_of_a_set(first):
        return None
    schema = relation.jars.org.apache.iceberg.SchemaParser.toJson(table.schema())
    listed = replace(opened, frame=only(tasks))  # Spark takes a frame of the table to its newest snapshot
    return build_parts(listed, files, str(table.location()).rstrip("/"), _file_column(first), only, str(schema))


def _spell_deletes(task: Any) -> str:
    """The deletes of a file, each by its own file or a place in one: they change what the file gives."""
    return " ".join(sorted(f"{delete.location()} {delete.contentOffset()}" for delete in task.deletes()))


def _read(opened: OpenTable, relation: TableRelation, tasks: Mapping[str, Any], names: Collection[str]) -> DataFrame:
    spark, name = opened.frame.sparkSession, f"floe-{uuid4()}"
    chosen = relation.jvm.java.util.ArrayList()
    for location in names:
        chosen.add(tasks[location])
    _stage(relation, name, chosen)
    frame = spark.read.format("iceberg").option("scan-task-set-id", name).load(name)
    if frame.columns == opened.frame.columns:
        return frame
    return frame.select(*(quote(column) for column in opened.frame.columns))  # format 3 has ids of rows beside them


def _stage(relation: TableRelation, name: str, tasks: Any) -> None:
    """Stages a set of files, which Iceberg holds until it is told to forget it."""
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
    """Iceberg's cache of tables; which of its two methods called `get` a call by name finds differs between JVMs."""
    jvm = relation.jvm
    gateway: Any = relation.frame.sparkSession.sparkContext._gateway
    loader = relation.java.getClass().getClassLoader()
    cache = loader.loadClass("org.apache.iceberg.spark.SparkTableCache")
    none = gateway.new_array(jvm.java.lang.Object, 0)
    return cache.getMethod("get", gateway.new_array(jvm.java.lang.Class, 0)).invoke(None, none)


def _is_of_a_set(frame: DataFrame) -> bool:
    """Whether a frame reads a set of files, by Spark's plan; an Iceberg that ignores sets would read everything."""
    return "taskSetID=floe-" in str(frame._jdf.queryExecution().sparkPlan().toString())


def _file_column(frame: DataFrame) -> Column:
    """The name of a row's file; sets of tables with ids of rows (format 3) have no `_file`, there Spark tells it."""
    try:
        frame.select(_FILE)
    except AnalysisException:
        return sf.input_file_name()
    return sf.col(_FILE)
