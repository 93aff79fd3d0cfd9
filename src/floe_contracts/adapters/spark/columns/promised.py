"""A contract's columns as a schema of Spark, for sources that carry no schema of their own."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql import types as st

from ....checks.names import is_column, name_in_table
from ....contract.meaning.typenames import Family, TypeExpr, Zone, parse_type
from ....contract.model import Property, SchemaObject

_TEXT = st.StringType()
_WIDEST = (38, 18)  # of a decimal whose width nobody said

_PLAIN: dict[Family, st.DataType] = {
    Family.BOOLEAN: st.BooleanType(),
    Family.INT8: st.ByteType(),
    Family.INT16: st.ShortType(),
    Family.INT32: st.IntegerType(),
    Family.INT64: st.LongType(),
    Family.NUMBER: st.DecimalType(*_WIDEST),
    Family.FLOAT32: st.FloatType(),
    Family.FLOAT64: st.DoubleType(),
    Family.DATE: st.DateType(),
    Family.BINARY: st.BinaryType(),
    Family.VECTOR: st.ArrayType(st.FloatType()),
}
_LOGICAL: dict[str, st.DataType] = {
    "boolean": st.BooleanType(),
    "integer": st.LongType(),
    "number": st.DoubleType(),
    "date": st.DateType(),
    "vector": st.ArrayType(st.FloatType()),
}
_WIDER: dict[Family, st.DataType] = {  # Spark has no unsigned numbers
    Family.INT8: st.ShortType(),
    Family.INT16: st.IntegerType(),
    Family.INT32: st.LongType(),
    Family.INT64: st.DecimalType(20, 0),
}


def promised_schema(table: SchemaObject) -> st.StructType:
    """The schema: every column under its name in the table. All may be null; rules find out whether they are."""
    return _struct_of(table.properties)


def promised_type(prop: Property) -> st.DataType:
    """The type that holds what is promised; text where Spark has none, or where nobody said what it is."""
    parsed = parse_type(prop.exact_type) if prop.exact_type else None
    if prop.properties:
        return _struct_of(prop.properties)
    if prop.items is not None:
        return st.ArrayType(promised_type(prop.items))
    if prop.map_key is not None or prop.map_value is not None:
        key, value = (promised_type(side) if side is not None else _TEXT for side in (prop.map_key, prop.map_value))
        return st.MapType(key, value)
    if parsed is not None and parsed.family is not Family.UNKNOWN:
        return _physical_type(parsed, prop)
    return _logical_type(prop)


def _struct_of(props: Iterable[Property]) -> st.StructType:
    return st.StructType(
        [st.StructField(name_in_table(prop), promised_type(prop)) for prop in props if is_column(prop)]
    )


def _logical_type(prop: Property) -> st.DataType:
    word = prop.logical_type or ""
    if word == "timestamp":
        return _timestamp_type(Zone.UNSPECIFIED, prop)
    if word == "time":
        return _time_type()
    if word == "array":
        return st.ArrayType(_TEXT)
    if word == "map":
        return st.MapType(_TEXT, _TEXT)
    return _LOGICAL.get(word, _TEXT)


def _physical_type(parsed: TypeExpr, prop: Property) -> st.DataType:
    if parsed.unsigned and parsed.family in _WIDER:
        return _WIDER[parsed.family]
    if parsed.family is Family.DECIMAL:
        precision, scale = (*parsed.params, 0)[:2] if parsed.params else _WIDEST
        return st.DecimalType(min(precision, 38), min(scale, 38))
    if parsed.family is Family.TIMESTAMP:
        return _timestamp_type(parsed.zone, prop)
    if parsed.family is Family.TIME:
        return _time_type()
    if parsed.family in (Family.STRUCT, Family.ARRAY, Family.MAP):
        return _nested_type(parsed, prop)
    return _PLAIN.get(parsed.family, _TEXT)


def _nested_type(parsed: TypeExpr, prop: Property) -> st.DataType:
    """A struct, array or map that is written inside the physical type alone."""
    inside = {name: _physical_type(child, prop) for name, child in parsed.children}
    if parsed.family is Family.STRUCT:
        return st.StructType([st.StructField(name, kind) for name, kind in inside.items()]) if inside else _TEXT
    if parsed.family is Family.ARRAY:
        return st.ArrayType(inside.get("", _TEXT))
    return st.MapType(inside.get("key", _TEXT), inside.get("value", _TEXT))


def _timestamp_type(zone: Zone, prop: Property) -> st.DataType:
    local = zone is Zone.WITHOUT or (zone is Zone.UNSPECIFIED and prop.options.timezone is False)
    return st.TimestampNTZType() if local else st.TimestampType()


def _time_type() -> st.DataType:
    """Times of day, which Spark has from 4.1 on, else text."""
    return st.TimeType() if hasattr(st, "TimeType") else _TEXT
