"""Opens a topic as a table of all messages that it holds, decoded as promised where they read so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....contract.model import SchemaObject
from ....monitor.source.binding import Binding
from ....product.secret import reveal_options
from ...files.secrets import look_up
from ..columns.paths import quote
from .json_files import json_schema
from .messages import ARRIVED, UNREADABLE, decode_messages

_ROW, _TEXT = "floe_row", "floe_text"
_MESSAGE_FIX = "to leave that out, add the option mode: DROPMALFORMED"
_PATIENCE_MS = 60_000  # a broker that needs longer than that for a list of offsets is down
_FOR_READER = ("kafka.", "starting", "ending", "failondataloss", "minpartitions", "maxrecordsperpartition", "groupid")


def open_topic(spark: SparkSession, binding: Binding, limit_s: float) -> tuple[DataFrame, DataFrame]:
    """The rows, and the same rows beside the time at which the broker took each."""
    options = reveal_options(binding.options, look_up)
    raw = _read_messages(spark, binding, options, limit_s)
    if (binding.format or "json").casefold() != "json":
        rows = decode_messages(raw, binding.table, binding.format, _message_options(options))
        stamped = rows.drop(UNREADABLE)
    else:
        stamped = _decode_json(raw, binding.table, _message_options(options))
    return stamped.drop(ARRIVED), stamped


def _read_messages(spark: SparkSession, binding: Binding, options: Mapping[str, str], limit_s: float) -> DataFrame:
    patience = str(max(1_000, min(_PATIENCE_MS, int(limit_s * 500))))
    usual = {"kafka.default.api.timeout.ms": patience, "kafka.request.timeout.ms": patience}
    ours = {name: text for name, text in options.items() if name.casefold().startswith(_FOR_READER)}
    reader = spark.read.format("kafka").options(**{**usual, **ours})
    return reader.options(**{"kafka.bootstrap.servers": binding.location, "subscribe": binding.name}).load()


def _message_options(options: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in options.items() if not name.casefold().startswith(_FOR_READER)}


def _decode_json(raw: DataFrame, table: SchemaObject, options: Mapping[str, str]) -> DataFrame:
    """The rows of messages in JSON, like JSON in files; a message without a value marks a deletion and is not a row."""
    texts = raw.where(sf.col("value").isNotNull()).select(
        sf.col("value").cast("string").alias(_TEXT), sf.col("timestamp").alias(ARRIVED)
    )
    schema = json_schema(_parse_messages(texts, options), table, options, bad_text_fix=_MESSAGE_FIX)
    wanted = st.StructType([*schema.fields, st.StructField(UNREADABLE, st.StringType())])
    row = sf.from_json(_TEXT, wanted, {**options, "mode": "PERMISSIVE", "columnNameOfCorruptRecord": UNREADABLE})
    read = texts.select(row.alias(_ROW), ARRIVED)
    if options.get("mode", "").upper() == "DROPMALFORMED":
        read = read.where(sf.col(f"{_ROW}.{UNREADABLE}").isNull())
    columns = [sf.col(f"{_ROW}.{quote(name)}").alias(name) for name in schema.fieldNames()]
    return read.select(*columns, ARRIVED)


def _parse_messages(texts: DataFrame, options: Mapping[str, str]) -> DataFrame:
    """The messages by the fields that occur in them; Python's reader takes paths only, so Java's is asked."""
    spark = texts.sparkSession
    java: Any = spark._jvm
    strings = getattr(texts.select(_TEXT)._jdf, "as")(java.org.apache.spark.sql.Encoders.STRING())
    reader = spark._jsparkSession.read()
    for name, text in options.items():
        reader = reader.option(name, text)
    return DataFrame(reader.json(strings), spark)
