"""What a data frame reads by Spark's own plan, files, Iceberg or Delta and nothing else besides, and its files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pyspark.sql import DataFrame

MOST_FILES = 10_000  # each costs some calls into the JVM; above that a scan by many machines is quicker
_DELTA_INDEX = "org.apache.spark.sql.delta.files.TahoeLogFileIndex"
_DELTA_TABLE = "org.apache.spark.sql.delta.catalog.DeltaTableV2"
_ICEBERG_TABLE = "org.apache.iceberg.spark.source.SparkTable"


class TableFormat(str, Enum):
    """The format that the rows are kept in."""

    FILES = "files"
    ICEBERG = "iceberg"
    DELTA = "delta"


@dataclass(frozen=True, slots=True)
class TableRelation:
    """The one thing that a frame reads, all rows of it; `java` is Spark's object for it."""

    frame: DataFrame
    kept: TableFormat
    java: Any
    plain: bool  # the columns are those of the table, none of them computed or renamed

    @property
    def jvm(self) -> Any:
        return self.frame.sparkSession._jvm

    @property
    def jars(self) -> Any:
        """The same for classes of Iceberg and Delta, which came with jars that not every thread of Java looks into."""
        self.jvm.java.lang.Thread.currentThread().setContextClassLoader(self.java.getClass().getClassLoader())
        return self.jvm

    def sequence(self, items: list[Any]) -> Any:
        """A list as Scala has it."""
        return self.jvm.PythonUtils.toSeq(items)


@dataclass(frozen=True, slots=True)
class ListedFile:
    """One file; `name` is what `_metadata.file_path` says of its rows, `path` is Hadoop's object."""

    name: str
    size: int
    changed_ms: int
    path: Any


class TooMany(Exception):
    """There are more files than can be asked one by one."""


class Moved(Exception):
    """A file is no longer what was listed."""


def relation_of(frame: DataFrame, *, filtered: bool = False) -> TableRelation | None:
    """The one thing that a frame reads; None where it joins or counts, and for filters unless they do not matter."""
    plan: Any = frame._jdf.queryExecution().analyzed()
    plain = True
    while plan.nodeName() in ("SubqueryAlias", "Project", *(("Filter",) if filtered else ())):
        plain = plain and (plan.nodeName() != "Project" or _has_only_names(plan))
        plan = plan.child()
    leaf = _LEAVES.get(plan.nodeName(), _ignore_leaf)(plan)
    return TableRelation(frame, leaf[0], leaf[1], plain) if leaf else None


def list_files(relation: TableRelation) -> list[ListedFile]:
    """All files of a relation that is kept in files."""
    nothing = relation.sequence([])
    folders = relation.java.location().listFiles(nothing, nothing)
    listed: list[ListedFile] = []
    for number in range(folders.size()):
        files = folders.apply(number).files()
        if len(listed) + files.size() > MOST_FILES:
            raise TooMany
        listed += [_build_file(relation, files.apply(index)) for index in range(files.size())]
    return listed


def root_of(relation: TableRelation) -> str:
    """The folder of the table, spelled in the same way; empty when there are several."""
    roots = relation.java.location().rootPaths()
    return metadata_name(relation, roots.apply(0)) if roots.size() == 1 else ""


def metadata_name(relation: TableRelation, path: Any) -> str:
    """A path as Spark spells it in `_metadata.file_path`: file:/a%20b rather than file:///a b."""
    return str(_path_class(relation.jvm)(path.toString()).toUri().toString())


def local_path(name: str) -> Path | None:
    """A name such as file:/a%20b as a path of this machine."""
    return Path(unquote(urlsplit(name).path)) if name.startswith("file:") else None


def hadoop_settings(relation: TableRelation) -> Any:
    """Hadoop's settings: those of the session with the options of the table, as Spark itself uses them."""
    if relation.kept is TableFormat.DELTA:
        return relation.java.deltaLog().newDeltaHadoopConf()
    state = relation.frame.sparkSession._jsparkSession.sessionState()
    return state.newHadoopConfWithOptions(relation.java.options())


def read_range(path: Any, start: int, length: int, settings: Any) -> bytes:
    """Some bytes of a file; `path` is Hadoop's, `settings` are those of the session."""
    stream = path.getFileSystem(settings).open(path)
    try:
        stream.seek(start)
        content = bytes(stream.readNBytes(length))
    finally:
        stream.close()
    if len(content) != length:
        raise Moved
    return content


def _has_only_names(plan: Any) -> bool:
    columns = plan.projectList()
    return all(columns.apply(index).nodeName() == "AttributeReference" for index in range(columns.size()))


def _ignore_leaf(_: Any) -> tuple[TableFormat, Any] | None:
    return None


def _read_file_leaf(plan: Any) -> tuple[TableFormat, Any] | None:
    relation = plan.relation()
    if not _is_a(relation, "org.apache.spark.sql.execution.datasources.HadoopFsRelation"):
        return None
    index = relation.location()
    return (TableFormat.DELTA, index.getSnapshot()) if _is_a(index, _DELTA_INDEX) else (TableFormat.FILES, relation)


def _read_table_leaf(plan: Any) -> tuple[TableFormat, Any] | None:
    table = plan.table()
    if _is_a(table, _ICEBERG_TABLE):
        return TableFormat.ICEBERG, table
    return (TableFormat.DELTA, table.initialSnapshot()) if _is_a(table, _DELTA_TABLE) else None


def _is_a(thing: Any, name: str) -> bool:
    """Whether it is of a class or of one below it; Delta derives its relation from Spark's."""
    kind = thing.getClass()
    while kind is not None:
        if kind.getName() == name:
            return True
        kind = kind.getSuperclass()
    return False


_LEAVES = {"LogicalRelation": _read_file_leaf, "DataSourceV2Relation": _read_table_leaf}


def _build_file(relation: TableRelation, status: Any) -> ListedFile:
    path = status.getPath()
    return ListedFile(metadata_name(relation, path), status.getLen(), status.getModificationTime(), path)


@lru_cache(maxsize=2)
def _path_class(jvm: Any) -> Any:
    """Hadoop's class, looked up once: each word of its name costs a call into the JVM."""
    return jvm.org.apache.hadoop.fs.Path
