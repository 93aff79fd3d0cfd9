"""Tables and columns written as ODCS (lists with names inside) or floe (maps by name, one word for the type)."""

from __future__ import annotations

from ..field_map import Node, spell
from ..keys import OBJECT, PROPERTY
from ..model import Dialect, EnumValue, Json, Property, SchemaObject
from ..read.columns import LOGICAL_TYPES, types_of
from ..read.customs import divide, write_customs
from .admission import SchemaNode, admit
from .parts import write_enum_value, write_options, write_rules

_BLANK_TABLE = SchemaObject("")
_BLANK_COLUMN = Property("")
_TYPES = ("logicalType", "physicalType")
_NATIVE = {Dialect.ODCS: ("enum",), Dialect.FLOE: ("enum", "unit", "timezone", "pii_type")}


def write_table(dialect: Dialect, table: SchemaObject) -> Node:
    """One table without its name in floe, with it in ODCS."""
    apart = {**_names(dialect, table.name), **_columns(dialect, table.properties), **write_rules(dialect, table)}
    if dialect is Dialect.FLOE:
        apart.setdefault("elements", {})
    apart |= write_customs(table.custom)
    return admit(dialect, SchemaNode.TABLE, spell(table, OBJECT, _BLANK_TABLE, apart))


def _names(dialect: Dialect, name: str) -> Node:
    return {"name": name} if dialect is Dialect.ODCS else {}


def _columns(dialect: Dialect, columns: tuple[Property, ...]) -> Node:
    if not columns:
        return {}
    if dialect is Dialect.FLOE:
        return {"elements": {column.name: _column(dialect, SchemaNode.COLUMN, column) for column in columns}}
    return {"properties": [_column(dialect, SchemaNode.COLUMN, column) for column in columns]}


def _column(dialect: Dialect, part: SchemaNode, column: Property) -> Node:
    known: Node = {"unit": column.unit, "timezone": column.timezone, "pii_type": column.pii_type}
    known["enum"] = [_enum_value(dialect, value) for value in column.enum] if column.enum is not None else None
    native, custom = divide(known, _NATIVE[dialect], column.docs)
    apart = {**native, **_types(dialect, column), **_sides(dialect, column), **write_rules(dialect, column)}
    if part is SchemaNode.COLUMN:
        apart |= _names(dialect, column.name)
    elif "name" in column.docs:
        apart["name"] = column.docs["name"]
    apart |= _columns(dialect, column.properties)
    apart |= write_customs(column.custom, custom, column.docs)
    return admit(dialect, part, spell(column, PROPERTY, _BLANK_COLUMN, apart, skip=(*_TYPES, *known)))


def _enum_value(dialect: Dialect, value: EnumValue) -> Json:
    node = write_enum_value(value)
    plain = len(node) == 1 and not isinstance(value.value, dict) and value.value is not None
    return value.value if dialect is Dialect.FLOE and plain else node


def _types(dialect: Dialect, column: Property) -> Node:
    options = write_options(column.options)
    written: Node = {"logicalType": column.logical_type, "physicalType": column.physical_type}
    if dialect is Dialect.FLOE:
        written = _spell_types(column.logical_type, column.physical_type)
        written |= {key: options.pop(key) for key in ("format", "pattern") if key in options}
    if options:
        written["logicalTypeOptions"] = options
    return {key: value for key, value in written.items() if value is not None}


def _spell_types(logical: str | None, physical: str | None) -> Node:
    """The keys of both types: `type` alone where the physical one implies the logical one, else each by its own."""
    if physical and types_of(physical) == (logical, physical):
        return {"type": physical}
    return {"type" if physical and logical in LOGICAL_TYPES else "logicalType": logical, "physicalType": physical}


def _sides(dialect: Dialect, column: Property) -> Node:
    written: Node = {}
    if column.items is not None:
        written["items"] = _column(dialect, SchemaNode.SIDE, column.items)
    sides = {"key": column.map_key, "value": column.map_value}
    both: Node = {key: _column(dialect, SchemaNode.SIDE, side) for key, side in sides.items() if side is not None}
    return {**written, "map": both} if both else written
