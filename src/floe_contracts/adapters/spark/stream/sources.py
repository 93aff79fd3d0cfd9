"""Opens a table as a stream: topics, folders of files, and tables that keep a log of what was added.

Beside the table's columns a stream has `floe_arrived` and `floe_unreadable` where its source can tell them.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....errors import FloeError
from ....monitor.source.binding import Binding
from ....monitor.source.server_types import Reach
from ....product.secret import reveal_options
from ...files.secrets import look_up
from ..columns.paths import quote
from ..columns.promised import promised_schema
from ..read.files import reader_options, spark_path
from ..read.messages import ARRIVED, UNREADABLE, decode_messages
from ..read.tables import sql_name

_TEXT = ("json", "csv")
_LOGS = ("delta", "iceberg")  # formats that know themselves what is new
_TOPIC = {"startingOffsets": "earliest", "failOnDataLoss": "false", "maxOffsetsPerTrigger": "1000000"}
_READER = frozenset(  # options of the reader; all others are about the messages
    {"startingoffsets", "startingoffsetsbytimestamp", "startingtimestamp", "startingoffsetsbytimestampstrategy"}
    | {"failondataloss", "maxoffsetspertrigger", "minoffsetspertrigger", "maxtriggerdelay", "minpartitions"}
    | {"maxrecordsperpartition", "groupidprefix", "includeheaders"}
)


def open_stream(spark: SparkSession, binding: Binding) -> DataFrame:
    """The rows to come; a FloeError, or one of Spark's, when they cannot be followed."""
    opener = _OPENERS.get(binding.reach)
    if opener is None:
        raise FloeError(
            f"a source of type {binding.type} cannot be followed as a stream",
            fix="Check it by the jobs for quality and freshness instead.",
        )
    frame = opener(spark, binding)
    if not binding.filter:
        return frame
    wanted = sf.expr(binding.filter)
    return frame.where(sf.col(UNREADABLE) | wanted if UNREADABLE in frame.columns else wanted)


def _topic(spark: SparkSession, binding: Binding) -> DataFrame:
    options = reveal_options(binding.options, look_up)
    ours = {name: text for name, text in options.items() if name.startswith("kafka.") or name.casefold() in _READER}
    raw = (
        spark.readStream.format("kafka")
        .options(**{**_TOPIC, **ours})
        .option("kafka.bootstrap.servers", binding.location)
        .option("subscribe", binding.name)
        .load()
    )
    rest = {name: text for name, text in options.items() if name not in ours}
    return decode_messages(raw, binding.table, binding.format, rest)


def _files(spark: SparkSession, binding: Binding) -> DataFrame:
    path, options = spark_path(binding.location), reader_options(reveal_options(binding.options, look_up))
    reader = spark.readStream.format(binding.format)
    if binding.format in _LOGS:
        return reader.options(**options).load(path)
    schema = _schema(spark, binding, path, options)
    if binding.format in _TEXT:
        schema = st.StructType([*schema.fields, st.StructField(UNREADABLE, st.StringType())])
        options = {**options, "mode": "PERMISSIVE", "columnNameOfCorruptRecord": UNREADABLE}
        options |= {"columnPruning": "false"} if binding.format == "csv" else {}  # else rows of any length are fine
    frame = reader.schema(schema).options(**options).load(path)
    columns = [sf.col(quote(name)) for name in schema.fieldNames() if name != UNREADABLE]
    return frame.select(*columns, *_beside(binding.format))


def _beside(format_: str) -> list[Column]:
    arrived = sf.col("_metadata.file_modification_time").alias(ARRIVED)
    return [arrived, *([sf.col(UNREADABLE).isNotNull().alias(UNREADABLE)] if format_ in _TEXT else [])]


def _schema(spark: SparkSession, binding: Binding, path: str, options: Mapping[str, str]) -> st.StructType:
    """As promised where files carry no types, else as they are; in both cases before the first file is there."""
    promised = promised_schema(binding.table)
    if binding.format == "json" or options.get("header", "true").casefold() == "false":
        return promised
    try:
        actual = spark.read.format(binding.format).options(**options).load(path).schema
    except AnalysisException:  # nothing to look at yet; if it is worse than that, the stream will say so
        return promised
    if binding.format != "csv":
        return actual
    kinds = {column.name: column.dataType for column in promised.fields}  # columns stand in the order of the header
    return st.StructType([st.StructField(name, kinds.get(name, st.StringType())) for name in actual.fieldNames()])


def _table(spark: SparkSession, binding: Binding) -> DataFrame:
    return spark.readStream.options(**reveal_options(binding.options, look_up)).table(sql_name(binding.name))


_OPENERS = {Reach.KAFKA: _topic, Reach.FILES: _files, Reach.TABLE: _table}
