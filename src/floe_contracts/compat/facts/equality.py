"""Equality of two nodes of the model, so that what did not change, most of every contract, is passed by quickly."""

from __future__ import annotations

from ...contract.model import (
    Consumer,
    Contract,
    CustomProperty,
    Deprecation,
    EnumValue,
    Property,
    QualityRule,
    Relationship,
    Role,
    SchemaObject,
    Server,
    Sla,
    Terms,
    ValueOptions,
)
from ...frozen import compared

# Fields that hold plain JSON values, or nodes that do.
JSON_FIELDS: dict[type, tuple[str, ...]] = {
    Consumer: ("docs",),
    CustomProperty: ("value", "docs"),
    Deprecation: ("extras",),
    EnumValue: ("value", "docs"),
    ValueOptions: (
        "minimum",
        "maximum",
        "exclusive_minimum",
        "exclusive_maximum",
        "multiple_of",
        "extras",
    ),
    Property: (
        "enum",
        "options",
        "quality",
        "relationships",
        "properties",
        "items",
        "map_key",
        "map_value",
        "transform",
        "docs",
        "custom",
        "extras",
    ),
    QualityRule: ("implementation", "arguments", "thresholds", "docs", "custom", "extras"),
    Relationship: ("custom",),
    Role: ("docs", "custom"),
    SchemaObject: ("properties", "quality", "relationships", "docs", "custom", "extras"),
    Server: ("coordinates", "roles", "docs", "custom"),
    Sla: ("value", "value_ext", "docs", "custom", "extras"),
    Terms: ("extras",),
}


def unchanged(old: object, new: object) -> bool:
    """Whether two nodes are the same; Python takes true for 1 and false for 0, a contract does not."""
    return old == new and _has_same_flags(old, new)


def _has_same_flags(old: object, new: object) -> bool:
    """Whether two equal values have their truth values in the same places."""
    kind = type(old)
    if old is new or kind is str:
        return True
    if kind is dict:
        return all(_has_same_flags(value, new[key]) for key, value in old.items())  # type: ignore[attr-defined, index]
    if kind is tuple or kind is list:
        return all(map(_has_same_flags, old, new))  # type: ignore[call-overload]  # kind is exact
    fields = JSON_FIELDS.get(kind)
    if fields is not None:
        return all(_has_same_flags(held, getattr(new, name)) for name in fields if (held := getattr(old, name)))
    return (kind is bool) is (type(new) is bool)


EXEMPT: dict[type, str] = {
    Contract: "version",  # the verdict weighs it against the facts
}
COVERED: dict[type, str] = {
    Contract: "name id domain product tenant owner status objects slas sla_default_element servers roles consumers "
    "deprecation terms tags team support price docs custom extras",
    SchemaObject: "name id physical_name physical_type logical_type granularity deprecated properties quality "
    "relationships docs custom extras",
    Property: "name id physical_name logical_type physical_type required unique primary_key primary_key_position "
    "partitioned partition_position classification encrypted_name critical enum options unit timezone pii_type "
    "semantic_type deprecated quality relationships properties items map_key map_value transform docs custom extras",
    ValueOptions: "format pattern min_length max_length minimum maximum exclusive_minimum exclusive_maximum "
    "multiple_of min_items max_items unique_items min_properties max_properties required_properties timezone "
    "default_timezone extras",
    EnumValue: "value id docs",
    QualityRule: "type id name metric query engine implementation arguments thresholds unit severity dimension "
    "schedule scheduler docs custom extras",
    Relationship: "to source type id custom",
    Sla: "property value value_ext unit element driver schedule scheduler id docs custom extras",
    Server: "name type environment id coordinates roles docs custom",
    Role: "name access id docs custom",
    Consumer: "name owner columns docs",
    Deprecation: "announced sunset_date replacement migration_guide reason extras",
    Terms: "usage limitations retention extras",
    CustomProperty: "property value docs",
}


def _leftover(node: type) -> tuple[str, ...]:
    known = {*COVERED[node].split(), *EXEMPT.get(node, "").split()}
    return tuple(name for name in compared(node) if name not in known)


LEFTOVER: dict[type, tuple[str, ...]] = {node: _leftover(node) for node in COVERED}  # empty unless the model has grown
