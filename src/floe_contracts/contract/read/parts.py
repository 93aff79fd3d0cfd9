"""The smaller parts of a contract as every dialect writes them, read into the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ...frozen import replace
from ..field_map import fill, text, texts
from ..keys import CONSUMER, DEPRECATION, ENUM_VALUE, OPTIONS, QUALITY, RELATIONSHIP, ROLE, SERVER, SLA, TERMS
from ..model import (
    Consumer,
    CustomProperty,
    Deprecation,
    EnumValue,
    Json,
    JsonMap,
    Pointer,
    QualityRule,
    Relationship,
    Role,
    Server,
    Sla,
    Terms,
    Threshold,
    ValueOptions,
)
from .customs import overlay, read_customs

T = TypeVar("T")

NO_OPTIONS = ValueOptions()
_OPERATORS = tuple((threshold, threshold.value) for threshold in Threshold)
_VECTOR_DEFAULTS = {"elementType": "float32", "normalized": False}


def read_list(value: Json, at: Pointer, read: Callable[[JsonMap, Pointer], T]) -> tuple[T, ...]:
    """Every map in a list; anything else in it is the business of the structural check."""
    if not isinstance(value, list):
        return ()
    return tuple(read(item, (*at, index)) for index, item in enumerate(value) if isinstance(item, dict))


def read_quality(raw: JsonMap, at: Pointer) -> QualityRule:
    """One rule; `rule` is what ODCS 3.0 called the metric."""
    raw = overlay(raw)
    fields = fill(raw, QUALITY)
    old = text(raw.get("rule"))
    if old is not None and fields.setdefault("metric", old) != old:
        fields.setdefault("extras", {})["rule"] = old
    if "type" not in fields:
        fields["type"] = infer_type(fields.get("metric"), fields.get("query"), fields.get("implementation"))
    thresholds = tuple((operator, raw[key]) for operator, key in _OPERATORS if key in raw)
    custom = tuple(_name_weight(extension) for extension in read_customs(raw, at))
    return QualityRule(**fields, thresholds=thresholds, custom=custom, at=at)


def infer_type(metric: Json, query: Json, implementation: Json) -> str:
    """What a rule is that does not say its type."""
    if metric is None and query is not None:
        return "sql"
    return "custom" if metric is None and implementation is not None else "library"


def _name_weight(custom: CustomProperty) -> CustomProperty:
    return replace(custom, property="floe.weight") if custom.property == "weight" else custom


def read_relationship(raw: JsonMap, at: Pointer) -> Relationship:
    raw = overlay(raw)
    fields = fill(raw, RELATIONSHIP, rest="")
    fields["to"], fields["source"] = _columns(raw.get("to")), _columns(raw.get("from"))
    return Relationship(**fields, custom=read_customs(raw, at), at=at)


def _columns(value: Json) -> tuple[str, ...]:
    name = text(value)
    return (name,) if name is not None else texts(value) or ()


def read_enum(value: Json, at: Pointer) -> tuple[EnumValue, ...] | None:
    """Allowed values, each a scalar or a map with `value`; None when there is no list."""
    if not isinstance(value, list):
        return None
    return tuple(_enum_value(item, (*at, index)) for index, item in enumerate(value))


def _enum_value(item: Json, at: Pointer) -> EnumValue:
    if isinstance(item, dict):
        return EnumValue(**{"value": None, **fill(item, ENUM_VALUE, rest="docs")}, at=at)
    return EnumValue(item, at=at)


def read_options(raw: JsonMap, at: Pointer, logical_type: str | None) -> ValueOptions:
    """Limits on values; the truth value that made a bound exclusive in ODCS 3.0 becomes the bound itself."""
    if not raw:
        return NO_OPTIONS
    fields = fill(raw, OPTIONS)
    for bound in ("minimum", "maximum"):
        exclusive = fields.get(f"exclusive_{bound}")
        if exclusive is True and bound in fields:
            fields[f"exclusive_{bound}"] = fields.pop(bound)
        elif exclusive is False:
            del fields[f"exclusive_{bound}"]
    if logical_type == "vector" and "extras" in fields:
        fields["extras"] = {
            key: value for key, value in fields["extras"].items() if _VECTOR_DEFAULTS.get(key, ...) != value
        }
    return ValueOptions(**fields, at=at)


def read_slas(value: Json, at: Pointer) -> tuple[Sla, ...]:
    """Service levels as a list (ODCS) or as a map from property to value or details (floe)."""
    if isinstance(value, dict):
        return tuple(
            _sla(item, (*at, name), name) if isinstance(item, dict) else Sla(name, item, at=(*at, name))
            for name, item in value.items()
        )
    return read_list(value, at, _sla)


def _sla(raw: JsonMap, at: Pointer, name: str = "") -> Sla:
    raw = overlay(raw)
    fields = fill(raw, SLA)
    if name or "property" not in fields:
        fields["property"] = name
    return Sla(**fields, custom=read_customs(raw, at), at=at)


def read_server(raw: JsonMap, at: Pointer) -> Server:
    raw = overlay(raw)
    fields = {"name": "", "type": "", **fill(raw, SERVER, rest="coordinates")}
    roles = raw.get("roles")
    return Server(**fields, roles=tuple(roles) if isinstance(roles, list) else (), custom=read_customs(raw, at), at=at)


def read_role(raw: JsonMap, at: Pointer) -> Role:
    raw = overlay(raw)
    return Role(**{"name": "", **fill(raw, ROLE, rest="docs")}, custom=read_customs(raw, at), at=at)


def read_consumers(value: Json, at: Pointer) -> tuple[Consumer, ...] | None:
    """Readers, each a name or a map with `name`; None when there is no list."""
    if not isinstance(value, list):
        return None
    return tuple(
        Consumer(**{"name": "", **fill(item, CONSUMER, rest="docs")}, at=(*at, index))
        if isinstance(item, dict)
        else Consumer(text(item) or "", at=(*at, index))
        for index, item in enumerate(value)
        if not isinstance(item, list) and item is not None
    )


def read_deprecation(value: Json, at: Pointer) -> Deprecation | None:
    return Deprecation(**fill(value, DEPRECATION), at=at) if isinstance(value, dict) else None


def read_terms(value: Json, at: Pointer) -> Terms | None:
    return Terms(**fill(value, TERMS), at=at) if isinstance(value, dict) else None
