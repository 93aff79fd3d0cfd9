"""What a data frame reads, by Spark's own plan: files, an Iceberg table or a Delta table, and nothing else besides."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from pyspark.sql import DataFrame

_DELTA_INDEX = "org.apache.spark.sql.delta.files.TahoeLogFileIndex"
_DELTA_TABLE = "org.apache.spark.sql.delta.catalog.DeltaTableV2"
_ICEBERG_TABLE = "org.apache.iceberg.spark.source.SparkTable"


class Kept(str, Enum):
    """How the rows are kept."""

    FILES = "files"
    ICEBERG = "iceberg"
    DELTA = "delta"


@dataclass(frozen=True, slots=True)
class Relation:
    """The one thing that a frame reads, all rows of it; `java` is Spark's object for it."""

    frame: DataFrame
    kept: Kept
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


def relation_of(frame: DataFrame, *, filtered: bool = False) -> Relation | None:
    """None for everything that joins, counts or comes from elsewhere, and for filters unless they do not matter."""
    plan: Any = frame._jdf.queryExecution().analyzed()
    plain = True
    while plan.nodeName() in ("SubqueryAlias", "Project", *(("Filter",) if filtered else ())):
        plain = plain and (plan.nodeName() != "Project" or _only_names(plan))
        plan = plan.child()
    found = _LEAVES.get(plan.nodeName(), _unknown)(plan)
    return Relation(frame, found[0], found[1], plain) if found else None


def _only_names(plan: Any) -> bool:
    columns = plan.projectList()
    return all(columns.apply(index).nodeName() == "AttributeReference" for index in range(columns.size()))


def _unknown(_: Any) -> tuple[Kept, Any] | None:
    return None


def _by_files(plan: Any) -> tuple[Kept, Any] | None:
    relation = plan.relation()
    if not _is(relation, "org.apache.spark.sql.execution.datasources.HadoopFsRelation"):
        return None
    index = relation.location()
    return (Kept.DELTA, index.getSnapshot()) if _is(index, _DELTA_INDEX) else (Kept.FILES, relation)


def _by_table(plan: Any) -> tuple[Kept, Any] | None:
    table = plan.table()
    if _is(table, _ICEBERG_TABLE):
        return Kept.ICEBERG, table
    return (Kept.DELTA, table.initialSnapshot()) if _is(table, _DELTA_TABLE) else None


def _is(thing: Any, name: str) -> bool:
    """Whether it is of a class or of one below it; Delta derives its relation from Spark's."""
    kind = thing.getClass()
    while kind is not None:
        if kind.getName() == name:
            return True
        kind = kind.getSuperclass()
    return False


_LEAVES = {"LogicalRelation": _by_files, "DataSourceV2Relation": _by_table}
