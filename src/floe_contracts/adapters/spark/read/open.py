"""Opens one table for reading, whatever it is kept in, and probes whether it answers; failures say why in one line."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from ....checks.measured import Failure, Probe
from ....errors import FloeError, NothingThere
from ....monitor.source.binding import Binding
from ....monitor.source.server_types import Reach
from ..session.failures import SPARK_ERRORS, failure_of, is_about_one_expression, reason_of
from ..session.time_limit import run_within
from .files import open_files
from .jdbc import open_jdbc
from .kafka import open_topic
from .schema_union import ColumnVariant
from .tables import open_catalog_table, sql_name

LIMIT_S = 600.0
Frames = Mapping[str, DataFrame]
_NONE: Frames = MappingProxyType({})
_PAUSE_S = 1.0  # what is gone after a moment was a hiccup of the network


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table opened for reading; of parquet, tables and databases only the schema was read yet."""

    binding: Binding
    frame: DataFrame  # filtered by the binding, as of its moment
    kind: str  # parquet, csv, json, orc, avro, iceberg, delta, table, jdbc, kafka, dataframe
    place: str  # path as Spark was told, or a quoted name that SQL can use
    unfiltered: DataFrame | None = None  # every row, where a filter leaves some out of `frame`
    variants: tuple[ColumnVariant, ...] = ()  # columns that some files keep in another type
    unreadable: int = 0  # rows that are left out, because nobody can tell what is in which column
    listing: DataFrame | None = None  # a frame that only reads the same files, where `frame` does more
    contradictions: DataFrame | None = None  # one row: by column, rows whose folder says another value than the file
    remark: str = ""  # what a reader of the report should know about how it was read
    stamped: DataFrame | None = None  # Kafka: the same rows beside `floe_arrived`, the time that the broker took them

    @property
    def whole(self) -> bool:
        """Whether no filter leaves rows out: only then what metadata says of the table holds for `frame`."""
        return self.unfiltered is None

    @property
    def all_rows(self) -> DataFrame:
        """The rows among which a key is unique, or exists: a filter does not narrow these."""
        return self.frame if self.unfiltered is None else self.unfiltered


def open_table(
    spark: SparkSession, binding: Binding, *, limit_s: float = LIMIT_S, frames: Frames = _NONE
) -> OpenTable | Failure:
    """The table, or why it cannot be read; `frames` are the data frames that a caller registered."""
    return run_within(spark, limit_s, lambda: open_binding(spark, binding, limit_s=limit_s, frames=frames))


def open_binding(
    spark: SparkSession, binding: Binding, *, limit_s: float = LIMIT_S, frames: Frames = _NONE
) -> OpenTable | Failure:
    """Like `open_table`, for callers that watch the time themselves; servers are only told how long to try."""
    try:
        is_frame = binding.reach is Reach.DATAFRAME
        table = _open_frame(spark, binding, frames) if is_frame else _open_source(spark, binding, limit_s)
    except SPARK_ERRORS as error:
        return failure_of(error)
    except FloeError as error:  # a secret that is not where the settings say, or text that is not JSON
        return Failure(" ".join(error.message.split()), missing=isinstance(error, NothingThere))
    return table if isinstance(table, Failure) or not binding.filter else _apply_filter(table)


def probe(attempt: Callable[[float], bool | Failure], limit_s: float) -> Probe:
    """Whether a source answers in one of two attempts, each with half of the time."""
    started = time.monotonic()
    first = attempt(limit_s / 2)
    if not isinstance(first, Failure):
        return Probe(True, seconds=time.monotonic() - started)
    time.sleep(min(_PAUSE_S, limit_s / 20))
    second = attempt(limit_s - (time.monotonic() - started))
    seconds = time.monotonic() - started
    if isinstance(second, Failure):
        return Probe(False, second.reason, seconds, retried=True, missing=first.missing and second.missing)
    return Probe(True, seconds=seconds, retried=True)


def read_row(table: OpenTable) -> bool:
    """Reads a row that nobody looks at, and raises when the source does not answer; one without rows answers too.

    A value that cannot be read is not an outage: the source answers as soon as nobody asks for that.
    """
    try:
        table.frame.limit(1).collect()
    except SPARK_ERRORS as error:
        if not is_about_one_expression(error):
            raise
        table.frame.select(sf.lit(1)).limit(1).collect()
    return True


def _open_source(spark: SparkSession, binding: Binding, limit_s: float) -> OpenTable:
    if binding.reach is Reach.FILES:
        files, path = open_files(spark, binding)
        return OpenTable(
            binding,
            files.frame,
            binding.format,
            path,
            variants=files.variants,
            remark=files.remark,
            unreadable=files.unreadable,
            listing=files.listing,
            contradictions=files.contradictions,
        )
    if binding.reach is Reach.JDBC:
        frame, name = open_jdbc(spark, binding, limit_s)
        return OpenTable(binding, frame, "jdbc", name)
    if binding.reach is Reach.KAFKA:
        frame, stamped = open_topic(spark, binding, limit_s)
        return OpenTable(binding, frame, "kafka", binding.name, stamped=stamped)
    return OpenTable(binding, *open_catalog_table(spark, binding))


def _open_frame(spark: SparkSession, binding: Binding, frames: Frames) -> OpenTable | Failure:
    """A data frame that was registered, else a view of the session under that name."""
    if binding.name in frames:
        return OpenTable(binding, frames[binding.name], "dataframe", binding.name)
    name = sql_name(binding.name)
    if not spark.catalog.tableExists(name):
        return Failure(f"nobody registered a data frame or view called {binding.name!r}", missing=True)
    return OpenTable(binding, spark.table(name), "dataframe", name)


def _apply_filter(table: OpenTable) -> OpenTable | Failure:
    condition = table.binding.filter
    try:
        stamped = table.stamped.where(condition) if table.stamped is not None else None
        return replace(table, frame=table.frame.where(condition), stamped=stamped, unfiltered=table.frame)
    except SPARK_ERRORS as error:
        return Failure(f"its filter cannot be used: {reason_of(error)}")
