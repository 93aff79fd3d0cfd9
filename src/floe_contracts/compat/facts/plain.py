"""Values compared and printed by meaning: plain JSON, and nodes of the model by the fields that comparisons see."""

from __future__ import annotations

from collections.abc import Iterator

from ...contract.meaning.exact import number_of, spell_number
from ...contract.meaning.texts import collapse_spaces, compose
from ...contract.model import (
    Consumer,
    Contract,
    CustomProperty,
    Deprecation,
    EnumValue,
    Json,
    JsonMap,
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
from ...contract.source.scalars import text_of
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
    "deprecation parent terms tags team support price docs custom extras",
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


def same(old: object, new: object, *, loose: bool = False) -> bool:
    """Whether two values mean the same; `loose` is for documentation: no spacing, no order in lists."""
    if isinstance(old, str) and isinstance(new, str):
        return old == new or compose(old) == compose(new) or (loose and collapse_spaces(old) == collapse_spaces(new))
    if is_blank(old) or is_blank(new):
        return is_blank(old) and is_blank(new)
    return unchanged(old, new) or canonical(old, loose=loose) == canonical(new, loose=loose)


def is_blank(value: object) -> bool:
    """Whether a value says nothing: null, empty text, empty list, empty map."""
    return value is None or (isinstance(value, (str, list, tuple, dict)) and not value)


def canonical(value: object, *, loose: bool = False) -> str:
    """One text per meaning; used for equality and fingerprints, not for people."""
    if isinstance(value, str):
        return repr(collapse_spaces(value) if loose else compose(value))
    if isinstance(value, dict):
        pairs = {compose(key): canonical(item, loose=loose) for key, item in value.items() if not is_blank(item)}
        return "{" + ",".join(f"{key!r}:{pairs[key]}" for key in sorted(pairs)) + "}"
    if isinstance(value, (list, tuple)):
        parts = [canonical(item, loose=loose) for item in value]
        return "[" + ",".join(sorted(parts) if loose else parts) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        number = number_of(value)
        return repr(value) if number is None else spell_number(number)
    return text_of(value)  # type: ignore[arg-type]  # what is left of Json: bool and None


def show(value: Json) -> str:
    """A value for people; absent is empty."""
    if is_blank(value):
        return ""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_inner(item)}" for key, item in sorted(value.items()) if not is_blank(item))
    if isinstance(value, (list, tuple)):
        return ", ".join(_inner(item) for item in value)
    return text_of(value)


def _inner(value: Json) -> str:
    if isinstance(value, dict):
        return "{" + show(value) + "}"
    return f"[{show(value)}]" if isinstance(value, (list, tuple)) else text_of(value)


def changed_keys(old: JsonMap, new: JsonMap, *, loose: bool = False) -> Iterator[str]:
    """Keys whose values differ, sorted."""
    if unchanged(old, new):
        return
    for key in sorted(old.keys() | new.keys()):
        if not same(old.get(key), new.get(key), loose=loose):
            yield key
