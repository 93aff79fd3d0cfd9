"""Opens one table for reading, whatever it is kept in; what cannot be opened says why in one line."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from pyspark.sql import DataFrame, SparkSession

from ....checks.measured import Failure, Probe
from ....errors import FloeError
from ....monitor.source.binding import Binding
from ....monitor.source.server_types import Reach
from ..session.failures import SPARK_ERRORS, reason_of
from ..session.time_limit import within
from .files import open_files
from .jdbc import open_jdbc
from .kafka import open_topic
from .tables import open_catalog_table, sql_name

LIMIT_S = 600.0
Frames = Mapping[str, DataFrame]
_NONE: Frames = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Opened:
    """A table that can be asked; of parquet, tables and databases nothing but the schema was read yet."""

    binding: Binding
    frame: DataFrame  # filtered by the binding, as of its moment
    kind: str  # parquet, csv, json, orc, avro, iceberg, delta, table, jdbc, kafka, dataframe
    place: str  # path as Spark was told, or a quoted name that SQL can use
    whole: bool = True  # False: a filter leaves rows out, so the metadata of the table says nothing about these
    stamped: DataFrame | None = None  # Kafka: the same rows beside `floe_arrived`, the time that the broker took them


def open_table(
    spark: SparkSession, binding: Binding, *, limit_s: float = LIMIT_S, frames: Frames = _NONE
) -> Opened | Failure:
    """The table, or why it cannot be read; `frames` are the data frames that a caller registered."""
    return within(spark, limit_s, lambda: opened(spark, binding, limit_s=limit_s, frames=frames))


def opened(
    spark: SparkSession, binding: Binding, *, limit_s: float = LIMIT_S, frames: Frames = _NONE
) -> Opened | Failure:
    """The same for callers that watch the time themselves; servers are only told how long to try."""
    try:
        found = _frame(spark, binding, frames) if binding.reach is Reach.DATAFRAME else _found(spark, binding, limit_s)
    except SPARK_ERRORS as error:
        return Failure(reason_of(error))
    except FloeError as error:  # a secret that is not where the settings say, or text that is not JSON
        return Failure(" ".join(error.message.split()))
    return found if isinstance(found, Failure) or not binding.filter else _filtered(found)


def _found(spark: SparkSession, binding: Binding, limit_s: float) -> Opened:
    if binding.reach is Reach.FILES:
        frame, path = open_files(spark, binding)
        return Opened(binding, frame, binding.format, path)
    if binding.reach is Reach.JDBC:
        frame, name = open_jdbc(spark, binding, limit_s)
        return Opened(binding, frame, "jdbc", name)
    if binding.reach is Reach.KAFKA:
        frame, stamped = open_topic(spark, binding, limit_s)
        return Opened(binding, frame, "kafka", binding.name, stamped=stamped)
    return Opened(binding, *open_catalog_table(spark, binding))


def _frame(spark: SparkSession, binding: Binding, frames: Frames) -> Opened | Failure:
    """One that was registered, else a view of the session under that name."""
    if binding.name in frames:
        return Opened(binding, frames[binding.name], "dataframe", binding.name)
    name = sql_name(binding.name)
    if not spark.catalog.tableExists(name):
        return Failure(f"nobody registered a data frame or view called {binding.name!r}")
    return Opened(binding, spark.table(name), "dataframe", name)


def _filtered(found: Opened) -> Opened | Failure:
    condition = found.binding.filter
    try:
        stamped = found.stamped.where(condition) if found.stamped is not None else None
        return replace(found, frame=found.frame.where(condition), stamped=stamped, whole=False)
    except SPARK_ERRORS as error:
        return Failure(f"its filter cannot be used: {reason_of(error)}")


_PAUSE_S = 1.0  # what is gone after a moment was a hiccup of the network


def read_a_row(table: Opened) -> bool:
    """Whether the source answers; a table without rows answers too. The row itself is looked at by nobody."""
    table.frame.limit(1).collect()
    return True


def probe(attempt: Callable[[float], bool | Failure], limit_s: float) -> Probe:
    """Each of the two attempts may take half of the time."""
    started = time.monotonic()
    first = attempt(limit_s / 2)
    if not isinstance(first, Failure):
        return Probe(True, seconds=time.monotonic() - started)
    time.sleep(min(_PAUSE_S, limit_s / 20))
    second = attempt(limit_s - (time.monotonic() - started))
    seconds = time.monotonic() - started
    if isinstance(second, Failure):
        return Probe(False, second.reason, seconds, retried=True)
    return Probe(True, seconds=seconds, retried=True)
