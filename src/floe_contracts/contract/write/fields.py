"""Contracts written in the fields dialect: one table, spelled short; `convert` says what it could not carry."""

from __future__ import annotations

from fractions import Fraction

from ...errors import UsageError
from ..field_map import Node, spell
from ..meaning.quantity import Duration
from ..meaning.references import path_of
from ..meaning.sla import meaning
from ..meaning.sla_kinds import ON_COLUMNS
from ..model import Contract, Dialect, Json, Property, SchemaObject, Sla
from ..read.columns import types_of
from ..read.customs import full_name
from ..read.fields import CONTRACT, FIELD, LIMITS, SERVICE_LEVELS, SLA_OPTIONS
from .parts import write_consumers, write_deprecation, write_options, write_quality, write_server

_BLANK = Contract("", "")
_BLANK_COLUMN = Property("")
_KEYS = {name: key for key, (name, _) in SERVICE_LEVELS.items()}


def write(contract: Contract) -> Node:
    """The contract as a document of the fields dialect; it keeps its key, if need be by an `id`."""
    table = _only_table(contract)
    apart: Node = {"schema": table.name, "version": contract.version}
    if contract.key != Contract(table.name, "", domain=contract.domain).key:
        apart["id"] = contract.key
    description = contract.docs.get("description")
    if isinstance(description, dict) and isinstance(description.get("purpose"), str):
        apart["description"] = description["purpose"]
    if contract.consumers:
        apart["consumers"] = write_consumers(contract.consumers)
    apart["fields"] = [_field(column, table.name) for column in table.properties]
    apart |= write_quality(Dialect.FIELDS, table)
    if levels := _service_levels(contract):
        apart["sla"] = levels
    if contract.deprecation is not None:
        apart["deprecation"] = write_deprecation(contract.deprecation)
    if contract.servers:
        apart["servers"] = [write_server(server) for server in contract.servers]
    return spell(contract, CONTRACT, _BLANK, apart, rest=("extras",), skip=("id",))


def _only_table(contract: Contract) -> SchemaObject:
    if len(contract.objects) != 1:
        names = ", ".join(repr(table.name) for table in contract.objects)
        raise UsageError(
            f"the fields dialect holds one table, and {contract.label!r} has {len(contract.objects)}"
            + (f": {names}" if names else ""),
            fix="Convert it to odcs or floe, or write one contract per table.",
        )
    table = contract.objects[0]
    if not table.properties:
        raise UsageError(
            f"the fields dialect holds a table with columns, and {table.name!r} has none",
            fix="Convert it to odcs, or describe the columns first.",
        )
    if not all(column.name for column in table.properties):
        raise UsageError(
            f"the fields dialect holds columns with names, and a column of {table.name!r} has none",
            fix="Convert it to odcs or floe, or name the column.",
        )
    return table


def _field(column: Property, inside: str) -> Node:
    """One column."""
    return {"name": column.name, **_side(column, f"{inside}.{column.name}")}


def _side(column: Property, path: str) -> Node:
    """A column without its name: so are items of an array, and keys and values of a map."""
    apart: Node = {}
    apart["type"] = _type(column, path)
    if column.required:
        apart["nullable"] = False
    values: list[Json] = [value.value for value in column.enum or () if isinstance(value.value, (str, int, float))]
    if values:
        apart["enum"] = values
    limits = write_options(column.options)
    apart |= {key: limits[key] for key in LIMITS if key in limits}
    if len(column.relationships) == 1 and len(column.relationships[0].to) == 1:
        apart["references"] = column.relationships[0].to[0]
    if column.items is not None:
        apart["items"] = _side(column.items, f"{path}.[]")
    sides = {"key": column.map_key, "value": column.map_value}
    if any(sides.values()):
        apart["map"] = {word: _side(side, f"{path}.{{{word}}}") for word, side in sides.items() if side is not None}
    if column.properties:
        apart["fields"] = [_field(field, path) for field in column.properties]
    apart |= write_quality(Dialect.FIELDS, column)
    return spell(column, FIELD, _BLANK_COLUMN, apart, rest=("extras",))


def _type(column: Property, path: str) -> str:
    """The physical type, which says more than the logical one, unless nobody knows what it is."""
    physical, logical = column.physical_type, column.logical_type
    if physical and (logical is None or types_of(physical)[0] is not None):
        return physical
    if logical is None:
        raise UsageError(
            f"the fields dialect gives every column a type, and {path} has none",
            fix="Add a logicalType or physicalType, or convert it to odcs or floe.",
        )
    return logical


def _service_levels(contract: Contract) -> Node:
    levels: Node = {}
    element = _element(contract)
    if element:
        levels["element"] = element
    for sla in contract.slas:
        key = _KEYS.get(sla.property)
        value = _minutes(sla) if key == "freshness_minutes" else sla.value
        if key is not None and value is not None and key not in levels:
            levels |= {key: value, **_options(sla)}
    return levels


def _element(contract: Contract) -> str:
    """The element of all levels that are measured on one; none where they differ, because it holds for all."""
    default = contract.sla_default_element or ""
    carried = (sla for sla in contract.slas if sla.property in _KEYS)
    named = {sla.element or default for sla in carried if meaning(sla).kind in ON_COLUMNS} or {default}
    elements = {_by_contract_names(contract, names) for names in named}
    return elements.pop() if len(elements) == 1 else ""


def _by_contract_names(contract: Contract, names: str) -> str:
    """Elements by the names that this dialect has, where they were named as they are stored."""
    written = (name.strip() for name in names.split(","))
    return ", ".join(dict.fromkeys(_by_contract_name(contract, name) for name in written if name))


def _by_contract_name(contract: Contract, name: str) -> str:
    path = path_of(contract, name)
    first, dot, rest = name.partition(".")
    if path is None and dot and path_of(contract, rest):  # a table that only the platform may know
        return f"{first}.{_by_contract_name(contract, rest)}"
    if path is None or name in (".".join(path), ".".join(path[1:])):
        return name
    return ".".join(path[1:]) or path[0]


def _options(sla: Sla) -> Node:
    customs = {extension.property: extension.value for extension in sla.custom}
    customs = {full_name(name): value for name, value in customs.items() if full_name(name) not in customs} | customs
    options = {key: customs.get(custom) for key, (about, custom) in SLA_OPTIONS.items() if about == sla.property}
    return {key: value for key, value in options.items() if isinstance(value, str) and value}


def _minutes(sla: Sla) -> Json:
    if sla.unit == "minutes" and not isinstance(sla.value, str):
        return sla.value
    length = meaning(sla).quantity
    if not isinstance(length, Duration) or length.months:
        return None
    minutes = Fraction(length.microseconds, 60_000_000)
    return int(minutes) if minutes.denominator == 1 else float(minutes)
