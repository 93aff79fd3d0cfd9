"""Opens tables of Spark's catalogs: its own, Iceberg's and Delta's, now or as they were."""

from __future__ import annotations

import re

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from ....monitor.source.binding import Binding
from ..columns.paths import quoted
from ..session.failures import condition_of

_DETAILS = "# Detailed Table Information"
_TRAVELLERS = ("iceberg", "delta")
_AFTER_LATEST = "DELTA_TIMESTAMP_GREATER_THAN_COMMIT"


def open_catalog_table(spark: SparkSession, binding: Binding) -> tuple[DataFrame, str, str]:
    """The rows, the kind of table, and its name for SQL."""
    name = sql_name(binding.name)
    now = spark.table(name)
    kind = provider(spark, name)
    if binding.as_of_us is None:
        return now, kind, name
    return as_it_was(spark, name, now, binding.as_of_us), kind, name


def as_it_was(spark: SparkSession, name: str, now: DataFrame, as_of_us: int) -> DataFrame:
    """Delta refuses moments after its newest commit, where the table is simply as it is now."""
    moment = f"timestamp_micros({as_of_us})"
    try:
        return spark.sql(f"SELECT * FROM {name} TIMESTAMP AS OF {moment}")  # noqa: S608  the name is quoted
    except AnalysisException as error:
        if _AFTER_LATEST in condition_of(error):
            return now
        raise


def provider(spark: SparkSession, name: str) -> str:
    """iceberg, delta, or table for all others and for views."""
    told = False
    for row in spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect():
        if told and row[0] == "Provider":
            word = str(row[1]).casefold()
            return word if word in _TRAVELLERS else "table"
        told = told or row[0] == _DETAILS
    return "table"


_PART = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")


def name_parts(name: str) -> tuple[str, ...]:
    """`lake.sales.orders` has three parts; a part that stands in backticks may hold dots."""
    parts: list[str] = []
    end = 0
    for found in _PART.finditer(name):
        if name[end : found.start()] != ("." if parts else ""):
            return (name,)  # nobody can tell what is meant, so Spark says that there is no such table
        parts.append(found[1].replace("``", "`") if found[1] is not None else found[2])
        end = found.end()
    return tuple(parts) if end == len(name) else (name,)


def sql_name(name: str) -> str:
    """The same table for SQL, whatever its name contains."""
    return ".".join(quoted(part) for part in name_parts(name))
