"""Which column of a Parquet file a column of a frame is, and whether Spark reads it without changing any value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pyspark.sql import types as st

_MICROS = {"microseconds": 1, "milliseconds": 1_000}


@dataclass(frozen=True, slots=True)
class Stored:
    """A column of one file."""

    index: int = 0
    required: bool = False
    absent: bool = False  # the file was written before the column was added
    factor: int | None = None  # from whole numbers in the file to units of the type; None: no times


def stored_as(footer: Any, column: st.StructField) -> Stored | None:
    """The file's own column; None when it is not exactly of the frame's type, or when two could be meant."""
    wanted = column.name.casefold()
    paths = [footer.schema.column(number).path.casefold() for number in range(footer.num_columns)]
    same = [number for number, path in enumerate(paths) if path == wanted or path.startswith(f"{wanted}.")]
    if not same:
        return Stored(absent=True)
    found = footer.schema.column(same[0])
    is_it = len(same) == 1 and found.path == found.name == column.name
    if not is_it or found.max_repetition_level or found.max_definition_level > 1:
        return None
    fits, factor = _fits(found, column.dataType)
    return Stored(same[0], found.max_definition_level == 0, factor=factor) if fits else None


def units_of(raw: Any, stored: Stored) -> int | None:
    """Microseconds or days of a statistic."""
    return raw * stored.factor if stored.factor is not None and isinstance(raw, int) else None


def _fits(found: Any, kind: st.DataType) -> tuple[bool, int | None]:
    """Whether the file's type is the one that Spark itself would write, and its factor where it tells a time."""
    physical, logical = found.physical_type, json.loads(found.logical_type.to_json())
    name = logical.get("Type", "None")
    if isinstance(kind, (st.TimestampType, st.TimestampNTZType)):
        return _time_fits(physical, logical, kind)
    if isinstance(kind, st.DateType):
        return (physical, name) == ("INT32", "Date"), 1
    if isinstance(kind, st.DecimalType):
        digits = (logical.get("precision"), logical.get("scale"))
        return name == "Decimal" and digits == (kind.precision, kind.scale), None
    if type(kind) in _WIDTHS:
        return _whole_fits(physical, logical, _WIDTHS[type(kind)]), None
    return (physical, name) in _OTHERS.get(type(kind), ()), None


def _time_fits(physical: str, logical: dict[str, Any], kind: st.DataType) -> tuple[bool, int | None]:
    """INT96, which old Spark writes, counts its nulls and keeps no newest value."""
    if physical == "INT96":
        return isinstance(kind, st.TimestampType), None
    factor = _MICROS.get(str(logical.get("timeUnit")))
    adjusted = bool(logical.get("isAdjustedToUTC"))
    fits = physical == "INT64" and logical.get("Type") == "Timestamp" and factor is not None
    return fits and adjusted == isinstance(kind, st.TimestampType), factor


def _whole_fits(physical: str, logical: dict[str, Any], width: int) -> bool:
    if physical != ("INT64" if width == 64 else "INT32"):
        return False
    if logical.get("Type", "None") == "None":
        return width in (32, 64)
    return logical.get("Type") == "Int" and logical.get("bitWidth") == width and bool(logical.get("isSigned"))


_WIDTHS: dict[type[st.DataType], int] = {st.ByteType: 8, st.ShortType: 16, st.IntegerType: 32, st.LongType: 64}
_OTHERS: dict[type[st.DataType], tuple[tuple[str, str], ...]] = {
    st.BooleanType: (("BOOLEAN", "None"),),
    st.FloatType: (("FLOAT", "None"),),
    st.DoubleType: (("DOUBLE", "None"),),
    st.BinaryType: (("BYTE_ARRAY", "None"),),
    st.StringType: (("BYTE_ARRAY", "String"),),
}
