"""The columns that a contract promises as a schema of Spark, for sources that carry no schema of their own."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql import types as st

from ....checks.names import is_column, physical
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
    """Every column under its name in the table. All may be null: whether they are is for rules to find out."""
    return st.StructType([st.StructField(physical(one), promised_type(one)) for one in _columns(table.properties)])


def promised_type(prop: Property) -> st.DataType:
    """The type that holds what is promised; text where Spark has none, or where nobody said what it is."""
    found = parse_type(prop.physical_type) if prop.physical_type else None
    if prop.properties:
        return st.StructType([st.StructField(physical(one), promised_type(one)) for one in _columns(prop.properties)])
    if prop.items is not None:
        return st.ArrayType(promised_type(prop.items))
    if prop.map_key is not None or prop.map_value is not None:
        key, value = (promised_type(one) if one is not None else _TEXT for one in (prop.map_key, prop.map_value))
        return st.MapType(key, value)
    if found is not None and found.family is not Family.UNKNOWN:
        return _physical(found, prop)
    return _logical(prop)


def _columns(props: Iterable[Property]) -> list[Property]:
    return [one for one in props if is_column(one)]


def _logical(prop: Property) -> st.DataType:
    word = prop.logical_type or ""
    if word == "timestamp":
        return _instant(Zone.UNSPECIFIED, prop)
    if word == "time":
        return _time()
    if word == "array":
        return st.ArrayType(_TEXT)
    if word == "map":
        return st.MapType(_TEXT, _TEXT)
    return _LOGICAL.get(word, _TEXT)


def _physical(found: TypeExpr, prop: Property) -> st.DataType:
    if found.unsigned and found.family in _WIDER:
        return _WIDER[found.family]
    if found.family is Family.DECIMAL:
        precision, scale = (*found.params, 0)[:2] if found.params else _WIDEST
        return st.DecimalType(min(precision, 38), min(scale, 38))
    if found.family is Family.TIMESTAMP:
        return _instant(found.zone, prop)
    if found.family is Family.TIME:
        return _time()
    if found.family in (Family.STRUCT, Family.ARRAY, Family.MAP):
        return _nested(found, prop)
    return _PLAIN.get(found.family, _TEXT)


def _nested(found: TypeExpr, prop: Property) -> st.DataType:
    """A nested type that is written inside the physical type alone."""
    inside = {name: _physical(child, prop) for name, child in found.children}
    if found.family is Family.STRUCT:
        return st.StructType([st.StructField(name, kind) for name, kind in inside.items()]) if inside else _TEXT
    if found.family is Family.ARRAY:
        return st.ArrayType(inside.get("", _TEXT))
    return st.MapType(inside.get("key", _TEXT), inside.get("value", _TEXT))


def _instant(zone: Zone, prop: Property) -> st.DataType:
    local = zone is Zone.WITHOUT or (zone is Zone.UNSPECIFIED and prop.options.timezone is False)
    return st.TimestampNTZType() if local else st.TimestampType()


def _time() -> st.DataType:
    """Spark has times of day from 4.1 on."""
    return st.TimeType() if hasattr(st, "TimeType") else _TEXT
