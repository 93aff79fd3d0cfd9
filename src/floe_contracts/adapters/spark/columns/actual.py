"""A table's actual columns for comparison with contracts, and how far the source keeps their types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pyspark.sql import SparkSession
from pyspark.sql import types as st

from ....checks.drift.kept_types import KEPT
from ....checks.drift.type_match import Reading
from ....checks.measured import ITEM, KEY, VALUE, ActualColumn
from ....contract.meaning.typenames import Family, TypeExpr, Zone, parse_type
from ....monitor.source.binding import Binding
from ....monitor.source.server_types import Reach

_RAW = "__CHAR_VARCHAR_TYPE_STRING"  # where Spark keeps the char and varchar that it reads as string
_NO_LENGTH = 2**31 - 1  # what drivers of databases say of a text without one
_NESTED = {st.StructType: Family.STRUCT, st.ArrayType: Family.ARRAY, st.MapType: Family.MAP}
_INSTANTS = ("mysql", "mariadb")  # whose `timestamp` is a moment, and `datetime` a reading of the local clock


def columns_of(schema: st.StructType, variants: Iterable[tuple[str, st.StructField]] = ()) -> tuple[ActualColumn, ...]:
    """Every column of a schema, with what is inside it; `variants` are columns as some file keeps them."""
    others: dict[str, list[tuple[str, ActualColumn]]] = {}
    for file, field in variants:
        others.setdefault(field.name.casefold(), []).append((file, _build_column(field.name, field.dataType, True)))
    columns = (_build_column(field.name, _declared_type(field), field.nullable) for field in schema.fields)
    return tuple(replace(column, variants=tuple(others.get(column.name.casefold(), ()))) for column in columns)


def reading_of(spark: SparkSession, binding: Binding, kind: str) -> Reading:
    """What the source keeps of types; databases, Delta and Spark's own catalog keep lengths of text."""
    lengths = binding.reach is Reach.JDBC or kind in ("delta", "table")
    local = binding.reach is Reach.JDBC and binding.type.casefold() not in _INSTANTS
    return Reading(
        keeps_lengths=lengths,
        plain_timestamp=Zone.WITHOUT if local else Zone.WITH,
        source=_source(binding, kind),
        case_sensitive=spark.conf.get("spark.sql.caseSensitive", "false") == "true",
    )


def _source(binding: Binding, kind: str) -> str:
    """The key of what the source keeps of types: a kind of files or tables, or the database of an address."""
    if binding.reach is not Reach.JDBC:
        return kind
    database = binding.location.removeprefix("jdbc:").partition(":")[0].casefold()
    return database if database in KEPT else "jdbc"


def _declared_type(field: st.StructField) -> st.DataType:
    """The type that the table was made with: char and varchar instead of string, unless they have no length."""
    raw = (field.metadata or {}).get(_RAW)
    kind = _parse_ddl(raw) if isinstance(raw, str) else field.dataType
    if isinstance(kind, (st.VarcharType, st.CharType)) and kind.length >= _NO_LENGTH:
        return st.StringType()  # a varchar without length, and the enum types of PostgreSQL
    return kind


def _parse_ddl(ddl: str) -> st.DataType:
    """A type written in SQL; Spark 3.5 reads it under another name only."""
    if hasattr(st.DataType, "fromDDL"):
        return st.DataType.fromDDL(ddl)
    kind: st.DataType = st._parse_datatype_string(ddl)
    return kind


def _build_column(name: str, kind: st.DataType, nullable: bool) -> ActualColumn:
    if isinstance(kind, st.UserDefinedType):
        kind = kind.sqlType()
    spelling = kind.simpleString()
    return ActualColumn(name, _top_type(kind, spelling), nullable, _children(kind), spelling)


def _top_type(kind: st.DataType, spelling: str) -> TypeExpr:
    """The type without what is inside; names in a struct may hold anything, so nothing nested is parsed."""
    family = _NESTED.get(type(kind))
    if family is not None:
        return TypeExpr(family, text=family.value)
    if isinstance(kind, st.StringType) and not isinstance(kind, (st.CharType, st.VarcharType)):
        spelling = "string"  # a collation is not another type
    parsed = parse_type(spelling) or TypeExpr(Family.UNKNOWN, text=spelling)
    if isinstance(kind, st.TimestampType):
        return TypeExpr(parsed.family, parsed.params, text=parsed.text, zone=Zone.WITH)
    return parsed


def _children(kind: st.DataType) -> tuple[ActualColumn, ...]:
    if isinstance(kind, st.StructType):
        return tuple(_build_column(field.name, field.dataType, field.nullable) for field in kind.fields)
    if isinstance(kind, st.ArrayType):
        return (_build_column(ITEM, kind.elementType, kind.containsNull),)
    if isinstance(kind, st.MapType):
        return (
            _build_column(KEY, kind.keyType, nullable=False),
            _build_column(VALUE, kind.valueType, kind.valueContainsNull),
        )
    return ()
