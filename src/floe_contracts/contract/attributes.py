"""What a contract says, attribute by attribute, and which of several layers each attribute of the whole comes from.

An attribute is named by its path in the ODCS document, with names instead of positions: `owner`,
`schema.customers.email.classification`, `slaProperties.freshness.value`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

from ..frozen import dataclass
from .keys import CONTRACT, OBJECT, OPTIONS, PROPERTY, SLA
from .meaning.sla import meaning
from .model import (
    Consumer,
    Contract,
    CustomProperty,
    Dialect,
    Pointer,
    Property,
    QualityRule,
    Relationship,
    Role,
    SchemaObject,
    Server,
    Sla,
)


class Origin(str, Enum):
    """Who says something about a contract; of two that say the same thing, the first in this order counts."""

    FILE = "file"  # an explicit contract
    PORT = "port"  # an output port of floe.yaml
    DBT = "dbt"  # the manifest of a dbt project
    PARENT = "parent"  # a parent contract


@dataclass(frozen=True, slots=True)
class Layer:
    """What one origin says."""

    origin: Origin
    contract: Contract


Provenance = Mapping[str, Origin]

# Fields that say where and how something is written, or that name it.
UNSAID = frozenset({"at", "dialect", "api_version", "denied", "any_width", "type_word", "name", "property"})
ITEM_KEYS: dict[type, Callable[[Any], Hashable]] = {
    SchemaObject: lambda table: table.name,
    Property: lambda column: column.name,
    Server: lambda server: server.name,
    Role: lambda role: role.name,
    Consumer: lambda consumer: consumer.name,
    CustomProperty: lambda extension: extension.property,
    Sla: lambda sla: (meaning(sla).name, sla.element or "", sla.driver or ""),
    QualityRule: lambda rule: rule.id or rule.name or repr((rule.metric, rule.query, rule.thresholds)),
    Relationship: lambda relationship: (relationship.source, relationship.to),
}
_WHOLE = (QualityRule, Relationship)  # one attribute each, however much they say
_SECTIONS = {
    "objects": "schema",
    "properties": "",
    "options": "logicalTypeOptions",
    "slas": "slaProperties",
    "items": "[]",
    "map_key": "{key}",
    "map_value": "{value}",
    "docs": "",
    "extras": "",
    "transform": "",
    "custom": "customProperties",
}
_WORDS = {
    slot[0]: key
    for table in (SLA, OPTIONS, CONTRACT, OBJECT, PROPERTY)
    for key, slot in table.items()
    if slot[0] and slot[1] is not None
}


def trace_origins(merged: Contract, layers: Sequence[Layer]) -> dict[str, Origin]:
    """The first layer that says each attribute of the merged contract, by path."""
    repeated = repeated_levels(merged)
    listed = [(layer.origin, list_attributes(layer.contract, repeated)) for layer in layers]
    traced: dict[str, Origin] = {}
    for path in list_attributes(merged, repeated):
        origin = next((origin for origin, paths in listed if path in paths), None)
        if origin is not None:
            traced[path] = origin
    return traced


def list_attributes(contract: Contract, repeated: Container[str] = ()) -> dict[str, Pointer]:
    """Everything that a contract says, by path, with where it is written.

    Service levels named in `repeated` are told apart by their elements.
    """
    listed: dict[str, Pointer] = {}
    for path, pointer in _list_node(contract, (), contract.dialect, repeated):
        listed.setdefault(path, pointer)
    return listed


def repeated_levels(contract: Contract) -> frozenset[str]:
    """The kinds of service levels that a contract has several of."""
    counts = Counter(meaning(sla).name for sla in contract.slas)
    return frozenset(name for name, count in counts.items() if count > 1)


def _list_node(
    node: Any, path: tuple[str, ...], dialect: Dialect, repeated: Container[str]
) -> Iterator[tuple[str, Pointer]]:
    denied = getattr(node, "denied", ())
    kind: type = type(node)
    for name, default in node_fields(kind):
        value = getattr(node, name)
        if name in UNSAID and not (name == "name" and not path):
            continue
        if is_blank(value, default) and name not in denied:
            continue
        word = _SECTIONS.get(name, _WORDS.get(name, name))
        at = (*node.at, "nullable" if word == "required" and dialect is Dialect.FIELDS else word)
        yield from _list_value(value, (*path, word) if word else path, at, dialect, repeated)


def _list_value(
    value: Any, path: tuple[str, ...], at: Pointer, dialect: Dialect, repeated: Container[str]
) -> Iterator[tuple[str, Pointer]]:
    if isinstance(value, Mapping):
        for key, held in value.items():
            if not is_blank(held):
                yield ".".join((*path, key)), (*at[:-1], key)
    elif is_dataclass(value):
        yield from _list_node(value, path, dialect, repeated)
    elif isinstance(value, tuple) and value and type(value[0]) in ITEM_KEYS:
        for item in value:
            label = (*path, _label(item, repeated))
            yield ".".join(label), item.at
            if not isinstance(item, _WHOLE):
                yield from _list_node(item, label, dialect, repeated)
    else:
        yield ".".join(path), at


def _label(item: Any, repeated: Container[str]) -> str:
    if isinstance(item, Sla):
        name = meaning(item).name
        return f"{name}[{item.element or ''}]" if name in repeated else name
    if isinstance(item, QualityRule):
        return item.id or item.name or item.metric or item.type
    if isinstance(item, Relationship):
        return ",".join(item.to)
    return str(ITEM_KEYS[type(item)](item))


@cache
def node_fields(node: type) -> tuple[tuple[str, object], ...]:
    """The fields of a class of the model, each with its default."""
    return tuple((each.name, each.default) for each in fields(node))


def is_blank(value: object, default: object = MISSING) -> bool:
    """Whether a field says nothing: no value, or the default of its class."""
    return value is None or value == "" or value == () or value == {} or (default is not MISSING and value == default)
