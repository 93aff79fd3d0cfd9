"""The short way past what did not change, which is most of every contract."""

from __future__ import annotations

from ...contract.model import (
    Consumer,
    CustomProperty,
    Deprecation,
    EnumValue,
    Options,
    Property,
    QualityRule,
    Relationship,
    Role,
    SchemaObject,
    Server,
    Sla,
    Terms,
)

# Fields that hold plain JSON values, or nodes that do.
JSON_FIELDS: dict[type, tuple[str, ...]] = {
    Consumer: ("docs",),
    CustomProperty: ("value", "docs"),
    Deprecation: ("extras",),
    EnumValue: ("value", "docs"),
    Options: (
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
    """Of two equal values: whether truth values face truth values everywhere."""
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
