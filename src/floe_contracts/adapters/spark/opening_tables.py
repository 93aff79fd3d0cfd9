"""Opens tables of Spark's catalogs: its own, Iceberg's and Delta's, now or as they were."""

from __future__ import annotations

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession

from ...monitor.binding import Binding
from .failures import condition_of
from .table_names import sql_name

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
