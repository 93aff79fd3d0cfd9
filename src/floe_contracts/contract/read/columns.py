"""Tables and their columns at any depth, read into the model from ODCS and floe alike.

ODCS writes columns as a list with names inside, floe as a map from name to column; `type` is floe's one word for
logical and physical type. Either form is understood in both.
"""

from __future__ import annotations

from functools import lru_cache

from ...frozen import replace
from ..field_map import Fields, fill, note_denied, text
from ..keys import OBJECT, PROPERTY
from ..meaning.typenames import logical_for
from ..model import Json, JsonMap, Pointer, Property, SchemaObject
from .customs import Known, absorb, overlay, read_customs, read_text
from .parts import read_enum, read_list, read_options, read_quality, read_relationship

LOGICAL_TYPES = frozenset(
    ("string", "date", "timestamp", "time", "number", "integer", "object", "array", "boolean", "map", "vector")
)


def read_tables(value: Json, at: Pointer) -> tuple[SchemaObject, ...]:
    """The tables of `schema` (a list) or `models` (a map)."""
    return tuple(_table(name, raw, place) for name, raw, place in _entries(value, at))


def read_columns(raw: JsonMap, at: Pointer) -> tuple[Property, ...]:
    """The columns of a table or struct."""
    key = "properties" if "properties" in raw else "elements"
    return tuple(_column(name, item, place) for name, item, place in _entries(raw.get(key), (*at, key)))


@lru_cache(maxsize=1024)
def types_of(word: str) -> tuple[str | None, str | None]:
    """Logical and physical type behind one word, whatever its case: `integer` promises what `INTEGER` and `int` do."""
    return logical_for(word), word


def _entries(value: Json, at: Pointer) -> list[tuple[str, JsonMap, Pointer]]:
    if isinstance(value, dict):
        return [(name, item if isinstance(item, dict) else {}, (*at, name)) for name, item in value.items()]
    if not isinstance(value, list):
        return []
    return [
        (text(item.get("name")) or "", item, (*at, index)) for index, item in enumerate(value) if isinstance(item, dict)
    ]


def _table(name: str, raw: JsonMap, at: Pointer) -> SchemaObject:
    raw = overlay(raw)
    fields = note_denied(fill(raw, OBJECT))
    _add_rules(fields, raw, at)
    return SchemaObject(name, **fields, properties=read_columns(raw, at), custom=read_customs(raw, at), at=at)


def _add_rules(fields: Fields, raw: JsonMap, at: Pointer) -> None:
    if "quality" in raw:
        fields["quality"] = read_list(raw["quality"], (*at, "quality"), read_quality)
    if "relationships" in raw:
        fields["relationships"] = read_list(raw["relationships"], (*at, "relationships"), read_relationship)


def _column(name: str, raw: JsonMap, at: Pointer) -> Property:
    raw = overlay(raw)
    fields = note_denied(fill(raw, PROPERTY))
    if "type" in raw:
        _add_type(fields, text(raw["type"]))
    _add_options(fields, raw, at)
    if "enum" in raw:
        fields["enum"] = read_enum(raw["enum"], (*at, "enum"))
    _add_rules(fields, raw, at)
    if "properties" in raw or "elements" in raw:
        fields["properties"] = read_columns(raw, at)
    if "items" in raw:
        fields["items"] = _side(raw["items"], (*at, "items"))
    sides = raw.get("map")
    if isinstance(sides, dict):
        fields["map_key"] = _side(sides.get("key"), (*at, "map", "key"))
        fields["map_value"] = _side(sides.get("value"), (*at, "map", "value"))
    if "customProperties" in raw:
        absorb(fields, KNOWN, read_customs(raw, at))
    return Property(name, **fields, at=at)


def _add_type(fields: Fields, word: str | None) -> None:
    """`logicalType` and `physicalType`, where written, win over what `type` implies."""
    if not word:
        return
    logical, physical = types_of(word)
    fields["type_word"] = word
    if logical is not None:
        fields.setdefault("logical_type", logical)
    if "physical_type" not in fields:
        fields |= {"physical_type": physical, "any_width": word in LOGICAL_TYPES}


def _add_options(fields: Fields, raw: JsonMap, at: Pointer) -> None:
    options = raw.get("logicalTypeOptions")
    inside = (*at, "logicalTypeOptions")
    if not isinstance(options, dict):
        options, inside = {}, at
    for key in ("format", "pattern"):  # floe writes these two beside the type
        if key in raw:
            options = {**options, key: raw[key]}
    if options:
        fields["options"] = read_options(options, inside, fields.get("logical_type"))


def _side(value: Json, at: Pointer) -> Property | None:
    """Array items, a map key or a map value: they have no name, so a written one is only documentation."""
    if not isinstance(value, dict):
        return None
    side = _column("", value, at)
    name = text(value.get("name"))
    return side if name is None else replace(side, docs={**side.docs, "name": name})


KNOWN: Known = {
    "unit": ("unit", read_text),
    "timezone": ("timezone", read_text),
    "pii_type": ("pii_type", read_text),
    "enum": ("enum", read_enum),
}
