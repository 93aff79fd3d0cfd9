"""Times that Parquet files keep in nanoseconds, as pandas writes them: Spark reads numbers, we make times of them."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.measure import Path
from ..columns.paths import quote

NANOS_AS_NUMBERS = "spark.sql.legacy.parquet.nanosAsLong"
_LISTS = ("list", "element"), ("list", "item"), ("bag", "array_element")  # how writers call the inside of an array


@dataclass(frozen=True, slots=True)
class NanosecondTime:
    """Where a file keeps a time in nanoseconds, without the steps into arrays, and whether it is a moment."""

    path: Path
    is_moment: bool  # False: a reading of a local clock


def nanosecond_paths(schema: Any) -> set[NanosecondTime]:
    """The times that are kept in nanoseconds by the schema of a file, as pyarrow reads it."""
    columns = (schema.column(number) for number in range(len(schema)))
    times = set()
    for column in columns:
        logical = json.loads(column.logical_type.to_json()) if column.physical_type == "INT64" else {}
        if logical.get("Type") == "Timestamp" and logical.get("timeUnit") == "nanoseconds":
            times.add(NanosecondTime(_without_lists(column.path.split(".")), bool(logical.get("isAdjustedToUTC"))))
    return times


def convert_nanoseconds(frame: DataFrame, times: Collection[NanosecondTime]) -> DataFrame:
    """The frame with times instead of numbers; what is finer than a microsecond is cut off."""
    moments = {time.path: time.is_moment for time in times}
    return frame.select(
        *(
            _convert(sf.col(quote(field.name)), field.dataType, (field.name,), moments).alias(field.name)
            if any(path[0] == field.name for path in moments)
            else sf.col(quote(field.name))
            for field in frame.schema.fields
        )
    )


def _convert(value: Column, kind: st.DataType, path: Path, moments: dict[Path, bool]) -> Column:
    if isinstance(kind, st.StructType):
        fields = [
            _convert(value.getField(field.name), field.dataType, (*path, field.name), moments).alias(field.name)
            for field in kind.fields
        ]
        return sf.when(value.isNotNull(), sf.struct(*fields))
    if isinstance(kind, st.ArrayType):
        return sf.transform(value, lambda item: _convert(item, kind.elementType, path, moments))
    if path not in moments or not isinstance(kind, st.LongType):
        return value
    whole = sf.floor(value / sf.lit(1000).cast("decimal(4,0)")).cast("bigint")
    moment = sf.timestamp_micros(whole)
    return moment if moments[path] else moment.cast("timestamp_ntz")


def _without_lists(steps: list[str]) -> Path:
    kept: list[str] = []
    while steps:
        if kept and tuple(steps[:2]) in _LISTS:
            steps = steps[2:]
            continue
        kept.append(steps[0])
        steps = steps[1:]
    return tuple(kept)
