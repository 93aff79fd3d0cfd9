"""Columns of Parquet that Spark does not read as what they are: times in nanoseconds and nothing but nulls, as pandas
writes them, and UUIDs.

Spark reads numbers and bytes, we make times and text of them; a column without a value fits every type.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.measure import Path
from ..columns.paths import quote

NANOS_AS_NUMBERS = "spark.sql.legacy.parquet.nanosAsLong"
_UUID = "^(.{8})(.{4})(.{4})(.{4})(.{12})$"
_LISTS = ("list", "element"), ("list", "item"), ("bag", "array_element")  # how writers call the inside of an array


class Meaning(Enum):
    """What the bytes or the number of a column are."""

    MOMENT = "nanoseconds since 1970"
    LOCAL = "nanoseconds of a local clock"
    UUID = "a UUID"
    NULL = "nothing but nulls"


@dataclass(frozen=True, slots=True)
class OddColumn:
    """Where a file keeps such values, without the steps into arrays, and what they are."""

    path: Path
    meaning: Meaning


def find_odd(schema: Any) -> set[OddColumn]:
    """Such columns by the schema of a file, as pyarrow reads it."""
    columns = (schema.column(number) for number in range(len(schema)))
    meanings = ((column, _meaning(json.loads(column.logical_type.to_json()))) for column in columns)
    return {OddColumn(_without_lists(column.path.split(".")), meaning) for column, meaning in meanings if meaning}


def _meaning(logical: dict[str, Any]) -> Meaning | None:
    if logical.get("Type") == "UUID":
        return Meaning.UUID
    if logical.get("Type") == "Null":
        return Meaning.NULL
    if logical.get("Type") != "Timestamp" or logical.get("timeUnit") != "nanoseconds":
        return None
    return Meaning.MOMENT if logical.get("isAdjustedToUTC") else Meaning.LOCAL


def convert_odd(frame: DataFrame, odd: Collection[OddColumn]) -> DataFrame:
    """The frame with times and text instead of numbers and bytes; what is finer than a microsecond is cut off."""
    meanings = {column.path: column.meaning for column in odd}
    return frame.select(
        *(
            _convert(sf.col(quote(field.name)), field.dataType, (field.name,), meanings).alias(field.name)
            if any(path[0] == field.name for path in meanings)
            else sf.col(quote(field.name))
            for field in frame.schema.fields
        )
    )


def type_nulls(frame: DataFrame, promised: st.StructType) -> DataFrame:
    """The frame with columns of which no file keeps a type in the promised one."""
    wanted = {field.name.casefold(): field.dataType for field in promised.fields}
    untyped = [field for field in frame.schema.fields if "void" in field.dataType.simpleString()]
    typed = {field.name: wanted[field.name.casefold()] for field in untyped if field.name.casefold() in wanted}
    return frame.withColumns({name: sf.col(quote(name)).cast(kind) for name, kind in typed.items()}) if typed else frame


def _convert(value: Column, kind: st.DataType, path: Path, meanings: dict[Path, Meaning]) -> Column:
    if isinstance(kind, st.StructType):
        fields = [
            _convert(value.getField(field.name), field.dataType, (*path, field.name), meanings).alias(field.name)
            for field in kind.fields
        ]
        return sf.when(value.isNotNull(), sf.struct(*fields))
    if isinstance(kind, st.ArrayType):
        return sf.transform(value, lambda item: _convert(item, kind.elementType, path, meanings))
    meaning = meanings.get(path)
    if meaning is Meaning.NULL:
        return sf.lit(None)
    if meaning is Meaning.UUID and isinstance(kind, st.BinaryType):
        return sf.regexp_replace(sf.lower(sf.hex(value)), _UUID, "$1-$2-$3-$4-$5")
    if meaning not in (Meaning.MOMENT, Meaning.LOCAL) or not isinstance(kind, st.LongType):
        return value
    whole = sf.floor(value / sf.lit(1000).cast("decimal(4,0)")).cast("bigint")
    moment = sf.timestamp_micros(whole)
    return moment if meaning is Meaning.MOMENT else moment.cast("timestamp_ntz")


def _without_lists(steps: list[str]) -> Path:
    kept: list[str] = []
    while steps:
        if kept and tuple(steps[:2]) in _LISTS:
            steps = steps[2:]
            continue
        kept.append(steps[0])
        steps = steps[1:]
    return tuple(kept)
