"""The columns that a table has, from Spark's schema to the values that are compared with contracts."""

from __future__ import annotations

from pyspark.sql import SparkSession
from pyspark.sql import types as st

from ....checks.drift.type_match import Reading
from ....checks.measured import ITEM, KEY, VALUE, ActualColumn
from ....contract.meaning.typenames import Family, TypeExpr, Zone, parse_type
from ....monitor.source.binding import Binding
from ....monitor.source.server_types import Reach

_RAW = "__CHAR_VARCHAR_TYPE_STRING"  # where Spark keeps the char and varchar that it reads as string
_NESTED = {st.StructType: Family.STRUCT, st.ArrayType: Family.ARRAY, st.MapType: Family.MAP}


def columns_of(schema: st.StructType) -> tuple[ActualColumn, ...]:
    """Every column with what is inside it."""
    return tuple(_column(field.name, _declared(field), field.nullable) for field in schema.fields)


def _declared(field: st.StructField) -> st.DataType:
    """The type that the table was made with."""
    raw = (field.metadata or {}).get(_RAW)
    return _parsed(raw) if isinstance(raw, str) else field.dataType


def _parsed(ddl: str) -> st.DataType:
    """Spark 3.5 has this under another name only."""
    if hasattr(st.DataType, "fromDDL"):
        return st.DataType.fromDDL(ddl)
    found: st.DataType = st._parse_datatype_string(ddl)
    return found


def _column(name: str, kind: st.DataType, nullable: bool) -> ActualColumn:
    if isinstance(kind, st.UserDefinedType):
        kind = kind.sqlType()
    spelling = kind.simpleString()
    return ActualColumn(name, _level(kind, spelling), nullable, _children(kind), spelling)


def _level(kind: st.DataType, spelling: str) -> TypeExpr:
    """One level alone; names inside a struct may hold anything, so nothing that is nested is parsed."""
    family = _NESTED.get(type(kind))
    if family is not None:
        return TypeExpr(family, text=family.value)
    if isinstance(kind, st.StringType) and not isinstance(kind, (st.CharType, st.VarcharType)):
        spelling = "string"  # a collation is no other type
    found = parse_type(spelling) or TypeExpr(Family.UNKNOWN, text=spelling)
    if isinstance(kind, st.TimestampType):
        return TypeExpr(found.family, found.params, text=found.text, zone=Zone.WITH)
    return found


def _children(kind: st.DataType) -> tuple[ActualColumn, ...]:
    if isinstance(kind, st.StructType):
        return tuple(_column(one.name, one.dataType, one.nullable) for one in kind.fields)
    if isinstance(kind, st.ArrayType):
        return (_column(ITEM, kind.elementType, kind.containsNull),)
    if isinstance(kind, st.MapType):
        return (_column(KEY, kind.keyType, nullable=False), _column(VALUE, kind.valueType, kind.valueContainsNull))
    return ()


_INSTANTS = ("mysql", "mariadb")  # whose `timestamp` is a moment, and `datetime` a reading of the local clock


def reading_of(spark: SparkSession, binding: Binding, kind: str) -> Reading:
    """Lengths of text are kept by databases, by Delta and by tables of Spark's own catalog."""
    lengths = binding.reach is Reach.JDBC or kind in ("delta", "table")
    local = binding.reach is Reach.JDBC and binding.type.casefold() not in _INSTANTS
    return Reading(
        keeps_lengths=lengths,
        plain_timestamp=Zone.WITHOUT if local else Zone.WITH,
        case_sensitive=spark.conf.get("spark.sql.caseSensitive", "false") == "true",
    )
