"""Reads CSV and JSON, which keep text and little else: a column is what the contract promises where all of it reads so.

A column with values that do not read as promised stays what the files say, so that drift tells it and rules look at the
values as they are. That takes a pass over the files before the rows themselves are read.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.names import name_in_table
from ....contract.meaning.typenames import Family, parse_type
from ....contract.model import Property, SchemaObject
from ....errors import FloeError
from ..columns.infer_types import Fit, cast_text, infer_schema, reads_from_json, reads_from_text
from ..columns.paths import quote
from ..columns.promised import promised_schema

_BAD_LINES = "_corrupt_record"


def read_csv(spark: SparkSession, path: str, options: Mapping[str, str], table: SchemaObject) -> DataFrame:
    """The rows of CSV, with columns by the header, or in the contract's order where options say that there is none."""
    promised = promised_schema(table)
    text = spark.read.options(**{"header": "true", **options, "inferSchema": "false"}).csv(path)
    if options.get("header", "true").casefold() == "false":
        names = promised.fieldNames()[: len(text.columns)]
        text = text.toDF(*names, *text.columns[len(names) :])
    schema = infer_schema(text, promised, Fit(reads_from_text, options))
    columns = [
        sf.col(quote(old.name))
        if old.dataType == new.dataType
        else cast_text(sf.col(quote(old.name)), new.dataType, options).alias(old.name)
        for old, new in zip(text.schema.fields, schema.fields, strict=True)
    ]
    return text.select(*columns)


def read_json(spark: SparkSession, path: str, options: Mapping[str, str], table: SchemaObject) -> DataFrame:
    """The rows of JSON, with fields as they occur in the files, at any depth."""
    frame = spark.read.options(**options).json(path)
    schema = json_schema(frame, table, options)
    return frame if schema == frame.schema else spark.read.options(**options).schema(schema).json(path)


def json_schema(frame: DataFrame, table: SchemaObject, options: Mapping[str, str]) -> st.StructType:
    """The fields that occur, as promised where all values read so; all that is promised where there are no rows."""
    promised = promised_schema(table)
    if _BAD_LINES in frame.columns and _BAD_LINES not in promised.fieldNames():
        raise FloeError("it holds text that is not JSON; to leave that out, add the option mode: DROPMALFORMED")
    if not frame.columns:
        return promised
    return _keep_json_as_text(infer_schema(frame, promised, Fit(reads_from_json, options)), table)


def _keep_json_as_text(schema: st.StructType, table: SchemaObject) -> st.StructType:
    """The schema with columns that are promised as JSON of any shape kept as text, whatever shape they have today."""
    free = {name_in_table(prop).casefold() for prop in table.properties if _is_json(prop)}
    return st.StructType(
        [
            st.StructField(field.name, st.StringType() if field.name.casefold() in free else field.dataType)
            for field in schema.fields
        ]
    )


def _is_json(prop: Property) -> bool:
    parsed = parse_type(prop.physical_type) if prop.physical_type else None
    return parsed is not None and parsed.family is Family.JSON
