"""Opens tables of Spark's catalogs, now or as they were, and quotes their names for SQL."""

from __future__ import annotations

import re

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from ....monitor.source.binding import Binding
from ..columns.paths import quote
from ..session.failures import condition_of

_DETAILS = "# Detailed Table Information"
_TRAVELLERS = ("iceberg", "delta")
AFTER_LATEST = "DELTA_TIMESTAMP_GREATER_THAN_COMMIT"
_PART = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")


def open_catalog_table(spark: SparkSession, binding: Binding) -> tuple[DataFrame, str, str]:
    """The rows, the kind of table, and its name for SQL."""
    name = sql_name(binding.name)
    now = spark.table(name)
    kind = provider_of(spark, name)
    if binding.as_of_us is None:
        return now, kind, name
    return read_as_of(spark, name, now, binding.as_of_us), kind, name


def read_as_of(spark: SparkSession, name: str, now: DataFrame, as_of_us: int) -> DataFrame:
    """The rows at a moment; Delta refuses moments after its newest commit, where the table is as it is now."""
    moment = f"timestamp_micros({as_of_us})"
    try:
        return spark.sql(f"SELECT * FROM {name} TIMESTAMP AS OF {moment}")  # noqa: S608  the name is quoted
    except AnalysisException as error:
        if AFTER_LATEST in condition_of(error):
            return now
        raise


def provider_of(spark: SparkSession, name: str) -> str:
    """The kind of table: iceberg, delta, or table for all others and for views."""
    in_details = False
    for row in spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect():
        if in_details and row[0] == "Provider":
            word = str(row[1]).casefold()
            return word if word in _TRAVELLERS else "table"
        in_details = in_details or row[0] == _DETAILS
    return "table"


def sql_name(name: str) -> str:
    """The name of the table quoted for SQL, whatever it contains."""
    return ".".join(quote(part) for part in split_name(name))


def split_name(name: str) -> tuple[str, ...]:
    """The parts of a name: three in `lake.sales.orders`; a part that stands in backticks may hold dots."""
    parts: list[str] = []
    end = 0
    for part in _PART.finditer(name):
        if name[end : part.start()] != ("." if parts else ""):
            return (name,)  # nobody can tell what is meant, so Spark says that there is no such table
        parts.append(part[1].replace("``", "`") if part[1] is not None else part[2])
        end = part.end()
    return tuple(parts) if end == len(name) else (name,)
