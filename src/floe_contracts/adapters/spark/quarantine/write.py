"""Replaces the rows of one contract in one slot, in an Iceberg or Delta table or a folder of Parquet files.

Iceberg and Delta do it in one commit. In a folder the new files are complete before the old ones go, so that a process
that is killed leaves the rows of a slot once or, for a moment between two renames, not at all; never twice.
"""

from __future__ import annotations

from functools import reduce
from hashlib import sha256
from operator import and_
from threading import Lock
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

from ....errors import FloeError
from ....monitor.run.quarantine import Quarantine, RowsOf
from ..read.tables import provider_of, split_name, sql_name

KEYS = ("namespace", "contract", "slot")
COLUMNS = (*KEYS, "version", "table_name", "rule", "promise", "checked_at", "row")
_WRITING = Lock()  # contracts are checked in several threads, and commits that meet would only have to be repeated
_ELSEWHERE = "name a table that does not exist yet, or a folder for Parquet such as ./failing_rows"


def has_rows_of(spark: SparkSession, place: Quarantine, rows_of: RowsOf) -> bool:
    """Whether rows of the contract and slot are there already."""
    if place.is_folder and not _is_delta(spark, place):
        return bool(_files(spark, place).exists(_path(spark, _folder_of(spark, place, rows_of))))
    if place.is_folder:
        return not _select(spark.read.format("delta").load(place.name), rows_of).isEmpty()
    name = sql_name(place.name)
    return spark.catalog.tableExists(name) and not _select(spark.table(name), rows_of).isEmpty()


def replace_rows(spark: SparkSession, place: Quarantine, rows_of: RowsOf, rows: DataFrame | None) -> None:
    """Puts rows in place of those that are there; None: there are none any more."""
    if rows is None and not has_rows_of(spark, place, rows_of):
        return
    keyed = (spark.createDataFrame([], _DDL) if rows is None else rows.withColumns(_literals(rows_of))).select(*COLUMNS)
    with _WRITING:
        if place.is_folder and not _is_delta(spark, place):
            _refuse_others(spark, place)
            _replace_folder(spark, place, rows_of, None if rows is None else keyed)
        elif place.is_folder:
            _replace_in_delta_folder(spark, place, rows_of, keyed)
        else:
            _replace_in_table(spark, place, rows_of, keyed)


_DDL = ", ".join(f"{name} STRING" for name in COLUMNS)


def _literals(rows_of: RowsOf) -> dict[str, Column]:
    return {name: sf.lit(value) for name, value in rows_of.pairs()}


def _condition(rows_of: RowsOf) -> Column:
    return reduce(and_, (sf.col(name) == sf.lit(value) for name, value in rows_of.pairs()))


def _select(frame: DataFrame, rows_of: RowsOf) -> DataFrame:
    return frame.where(_condition(rows_of))


def _replace_in_table(spark: SparkSession, place: Quarantine, rows_of: RowsOf, rows: DataFrame) -> None:
    name = sql_name(place.name)
    if not spark.catalog.tableExists(name):
        using = _using(spark, place)
        spark.sql(f"CREATE TABLE IF NOT EXISTS {name} ({_DDL}){using} PARTITIONED BY ({', '.join(KEYS)})")
    _refuse_other_columns(spark.table(name))
    kind = provider_of(spark, name)
    if kind == "table":
        raise FloeError(f"it is neither an Iceberg nor a Delta table; {_ELSEWHERE}")
    if kind == "delta":
        _delta_writer(rows, rows_of).saveAsTable(name)
    else:
        rows.writeTo(name).overwrite(_condition(rows_of))


def _replace_in_delta_folder(spark: SparkSession, place: Quarantine, rows_of: RowsOf, rows: DataFrame) -> None:
    if _files(spark, place).exists(_path(spark, f"{place.name}/_delta_log")):
        _refuse_other_columns(spark.read.format("delta").load(place.name))
    else:
        _refuse_others(spark, place)
    _delta_writer(rows, rows_of).save(place.name)


def _refuse_other_columns(table: DataFrame) -> None:
    if set(table.columns) != set(COLUMNS):
        raise FloeError(f"it has other columns than {', '.join(COLUMNS)}; {_ELSEWHERE}")


def _refuse_others(spark: SparkSession, place: Quarantine) -> None:
    """Rows beside the files of somebody's own table would become part of it."""
    files, folder = _files(spark, place), _path(spark, place.name)
    if not files.exists(folder):
        return
    if files.getFileStatus(folder).isFile():
        raise FloeError(f"it is a file; {_ELSEWHERE}")
    names = sorted(str(status.getPath().getName()) for status in files.listStatus(folder))
    others = [name for name in names if name[0] not in "._" and not name.startswith(f"{KEYS[0]}=")]
    if others:
        raise FloeError(f"the folder holds {others[0]}, which is not of floe; {_ELSEWHERE}")


def _using(spark: SparkSession, place: Quarantine) -> str:
    """The format of a new table: the one that was named, else the catalog's own."""
    if place.format:
        return f" USING {place.format}"
    first = split_name(place.name)[0]
    catalog = first if spark.conf.get(f"spark.sql.catalog.{first}", None) else spark.catalog.currentCatalog()
    if catalog != "spark_catalog":
        return ""
    kept = (spark.conf.get("spark.sql.catalog.spark_catalog", None) or "").casefold()
    formats = [word for word in ("delta", "iceberg") if word in kept]
    if not formats:
        raise FloeError(f"Spark's own catalog would make neither an Iceberg nor a Delta table; {_ELSEWHERE}")
    return f" USING {formats[0]}"


def _delta_writer(rows: DataFrame, rows_of: RowsOf) -> Any:
    quoted = {name: value.replace("\\", "\\\\").replace("'", "\\'") for name, value in rows_of.pairs()}
    where = " AND ".join(f"{name} = '{value}'" for name, value in quoted.items())
    writer = rows.write.format("delta").partitionBy(*KEYS).mode("overwrite")
    return writer.option("replaceWhere", where)


def _replace_folder(spark: SparkSession, place: Quarantine, rows_of: RowsOf, rows: DataFrame | None) -> None:
    """New files are written under a name that readers pass over, and renamed when they are complete."""
    files, final = _files(spark, place), _path(spark, _folder_of(spark, place, rows_of))
    if rows is None:
        files.delete(final, True)
        return
    staged = _path(spark, f"{place.name}/.floe-{sha256(repr(rows_of).encode()).hexdigest()[:16]}")
    rows.drop(*KEYS).write.mode("overwrite").parquet(staged.toString())
    files.mkdirs(final.getParent())
    files.delete(final, True)
    if not files.rename(staged, final):
        raise FloeError("files there cannot be renamed")


def _is_delta(spark: SparkSession, place: Quarantine) -> bool:
    return place.format == "delta" or bool(_files(spark, place).exists(_path(spark, f"{place.name}/_delta_log")))


def _folder_of(spark: SparkSession, place: Quarantine, rows_of: RowsOf) -> str:
    """The folder as Spark would call it, so that readers find the keys as columns."""
    java: Any = spark._jvm
    escape = java.org.apache.spark.sql.catalyst.catalog.ExternalCatalogUtils.getPartitionPathString
    return "/".join((place.name, *(str(escape(name, value)) for name, value in rows_of.pairs())))


def _path(spark: SparkSession, text: str) -> Any:
    java: Any = spark._jvm
    return java.org.apache.hadoop.fs.Path(text)


def _files(spark: SparkSession, place: Quarantine) -> Any:
    context: Any = spark.sparkContext._jsc
    return _path(spark, place.name).getFileSystem(context.hadoopConfiguration())
