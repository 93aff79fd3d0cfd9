"""Contracts in the fields dialect (`schema`, `fields`, `sla`) read into the model: one table, spelled short."""

from __future__ import annotations

from ...frozen import replace
from ..field_map import APART, DOC, Fields, Table, fill, flag, note_denied, text, texts
from ..model import Contract, CustomProperty, Dialect, Json, JsonMap, Pointer, Property, Relationship, SchemaObject, Sla
from .columns import LOGICAL_TYPES, types_of
from .envelope import own_id
from .parts import read_consumers, read_deprecation, read_enum, read_list, read_options, read_quality, read_server

CONTRACT: Table = {
    "schema": ("name", text),
    "version": ("version", text),
    "id": ("id", text),
    "domain": ("domain", text),
    "product": ("product", text),
    "parent": ("parent", text),
    "owner": ("owner", text),
    "status": ("status", text),
    "description": APART,
    "tags": ("tags", texts),
    "consumers": APART,
    "fields": APART,
    "quality": APART,
    "sla": APART,
    "deprecation": APART,
    "servers": APART,
}
FIELD: Table = {
    "name": APART,
    "type": APART,
    "nullable": APART,
    "description": DOC,
    "primary_key": ("primary_key", flag),
    "unique": ("unique", flag),
    "enum": APART,
    "format": APART,
    "pattern": APART,
    "minimum": APART,
    "maximum": APART,
    "unit": ("unit", text),
    "timezone": ("timezone", text),
    "classification": ("classification", text),
    "references": APART,
    "items": APART,
    "map": APART,
    "fields": APART,
    "quality": APART,
}
LIMITS = ("format", "pattern", "minimum", "maximum")
# key under `sla:` -> (property, unit) of the service level
SERVICE_LEVELS: dict[str, tuple[str, str | None]] = {
    "freshness_minutes": ("freshness", "minutes"),
    "min_rows_per_day": ("min_rows_per_day", None),
    "availability": ("availability", None),
    "arrive_by": ("timeOfAvailability", None),
    "latency_p99": ("latency_p99", None),
}
# key under `sla:` -> (the service level it is about, the custom property it stands for)
SLA_OPTIONS = {"arrival": ("latency_p99", "floe.arrival")}


def read(value: JsonMap) -> Contract:
    """The contract; parts of the wrong type are left out, because the structural check names them."""
    fields: Fields = {"name": "", "version": "", **fill(value, CONTRACT)}
    description = text(value.get("description"))
    if description is not None:
        fields["docs"] = {"description": {"purpose": description}}
    fields["id"] = own_id(fields.get("id"), fields.get("domain"), fields["name"])
    table = SchemaObject(
        fields["name"],
        properties=read_list(value.get("fields"), ("fields",), _column),
        quality=read_list(value.get("quality"), ("quality",), read_quality),
        at=("fields",),
    )
    sla = value.get("sla")
    return Contract(
        **fields,
        objects=(table,),
        slas=_slas(sla),
        sla_default_element=text(sla.get("element")) if isinstance(sla, dict) else None,
        servers=read_list(value.get("servers"), ("servers",), read_server),
        consumers=read_consumers(value.get("consumers"), ("consumers",)) or (),
        deprecation=read_deprecation(value.get("deprecation"), ("deprecation",)),
        dialect=Dialect.FIELDS,
    )


def _column(raw: JsonMap, at: Pointer) -> Property:
    fields = fill(raw, FIELD)
    if isinstance(raw.get("nullable"), bool):
        fields["required"] = raw["nullable"] is False  # a column may be empty unless the contract says otherwise
    note_denied(fields)
    options: dict[str, Json] = {key: raw[key] for key in LIMITS if raw.get(key) is not None}
    word = text(raw.get("type"))
    fields["type_word"] = word
    if word is not None and word.lower() == "uuid":
        word, options = "STRING", {"format": "uuid", **options}
    fields["logical_type"], fields["physical_type"] = types_of(word) if word else (None, None)
    fields["any_width"] = word in LOGICAL_TYPES
    target = text(raw.get("references"))
    sides = raw.get("map")
    sides = sides if isinstance(sides, dict) else {}
    return Property(
        text(raw.get("name")) or "",
        **fields,
        enum=read_enum(raw.get("enum"), (*at, "enum")),
        options=read_options(options, at, fields["logical_type"]),
        relationships=(Relationship((target,), at=(*at, "references")),) if target is not None else (),
        quality=read_list(raw.get("quality"), (*at, "quality"), read_quality),
        properties=read_list(raw.get("fields"), (*at, "fields"), _column),
        items=_side(raw.get("items"), (*at, "items")),
        map_key=_side(sides.get("key"), (*at, "map", "key")),
        map_value=_side(sides.get("value"), (*at, "map", "value")),
        at=at,
    )


def _side(value: Json, at: Pointer) -> Property | None:
    """The items of an array, the keys or the values of a map: they have no name."""
    return replace(_column(value, at), name="") if isinstance(value, dict) else None


def _slas(sla: Json) -> tuple[Sla, ...]:
    if not isinstance(sla, dict):
        return ()
    return tuple(
        Sla(name, sla[key], unit=unit, custom=_options(sla, name), at=("sla", key))
        for key, (name, unit) in SERVICE_LEVELS.items()
        if sla.get(key) is not None
    )


def _options(sla: JsonMap, name: str) -> tuple[CustomProperty, ...]:
    return tuple(
        CustomProperty(custom, value, at=("sla", key))
        for key, (about, custom) in SLA_OPTIONS.items()
        if about == name and (value := text(sla.get(key))) is not None
    )
