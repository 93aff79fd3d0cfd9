"""Decodes messages of a topic into rows by the promised columns, and marks what did not decode.

A message without a value is the mark of a deletion, not a row, and is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....contract.model import SchemaObject
from ....errors import FloeError
from ..columns.paths import quote
from ..columns.promised import promised_schema

ARRIVED: Final = "floe_arrived"  # when the broker took the message
UNREADABLE: Final = "floe_unreadable"  # true where a message, or a part of it, does not read as promised
FORMATS = ("json", "csv", "avro")
_ROW = "floe_row"
_LONGEST = 2**31 - 1
_FRAMED = 5  # bytes that schema registries put in front: a zero and the number of a schema


def decode_messages(raw: DataFrame, table: SchemaObject, format_: str, options: Mapping[str, str]) -> DataFrame:
    """The promised columns of every message, then `floe_arrived` and `floe_unreadable`; JSON unless said otherwise.

    `raw` has Kafka's own columns. Of a message that only partly reads as promised the other columns are filled.
    """
    schema = promised_schema(table)
    form = (format_ or "json").casefold()
    if form not in FORMATS:
        raise FloeError(f"no way is known to read messages of format {form!r}; write one of {', '.join(FORMATS)}")
    row = _decode_avro(options) if form == "avro" else _decode_text(form, schema, options)
    read = raw.where(sf.col("value").isNotNull()).select(sf.col("timestamp").alias(ARRIVED), row.alias(_ROW))
    names = schema.fieldNames() if form != "avro" else [name for name in _fields(read) if name != UNREADABLE]
    columns = [sf.col(f"{_ROW}.{quote(name)}").alias(name) for name in names]
    return read.select(*columns, ARRIVED, _is_unreadable(form, names).alias(UNREADABLE))


def _decode_text(form: str, schema: st.StructType, options: Mapping[str, str]) -> Column:
    """The row of a message in JSON or CSV; the text of a bad one is in a column that never leaves this module."""
    wanted = st.StructType([*schema.fields, st.StructField(UNREADABLE, st.StringType())])
    more = {**options, "mode": "PERMISSIVE", "columnNameOfCorruptRecord": UNREADABLE}
    text = sf.col("value").cast("string")
    if form == "csv":
        ddl = ", ".join(f"{quote(field.name)} {field.dataType.simpleString()}" for field in wanted.fields)
        return sf.from_csv(text, ddl, more)
    return sf.from_json(text, wanted, more)


def _decode_avro(options: Mapping[str, str]) -> Column:
    from pyspark.sql.avro.functions import from_avro

    schema = options.get("avroSchema", "")
    if not schema:
        raise FloeError("messages in Avro need their schema; add the option avroSchema: with its JSON")
    value = sf.col("value")
    framed = sf.substring(value, 1, 1) == sf.lit(b"\x00")
    bare = sf.when(framed, sf.substring(value, _FRAMED + 1, _LONGEST)).otherwise(value)
    return from_avro(bare, schema, {"mode": "PERMISSIVE"})


def _is_unreadable(form: str, names: Sequence[str]) -> Column:
    if form == "avro":  # a message that is not Avro becomes a row of nulls
        return sf.coalesce(*(sf.col(f"{_ROW}.{quote(name)}").cast("string") for name in names)).isNull()
    return sf.col(_ROW).isNull() | sf.col(f"{_ROW}.{UNREADABLE}").isNotNull()


def _fields(read: DataFrame) -> list[str]:
    kind = read.schema[_ROW].dataType
    return kind.fieldNames() if isinstance(kind, st.StructType) else []
