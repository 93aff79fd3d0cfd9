"""Whether a column has the type that a contract promises, at one level: what is inside is compared on its own.

A promised physical type must be matched exactly, in any spelling. Where a contract gives only a logical type, every
type that holds such values is fine. What an engine cannot keep (text lengths in files, a zone-less `timestamp`) is
said by `Reading`, so that a table made from the contract shows no drift.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ...contract.meaning.typenames import Family, TypeExpr, Zone, collapse, parse_type
from ...contract.model import Contract, Dialect, Property
from ..measured import ActualColumn
from .kept_types import is_kept_as

_WHOLE = frozenset({Family.INT8, Family.INT16, Family.INT32, Family.INT64})
_TEXT = frozenset({Family.STRING, Family.CHAR})


@dataclass(frozen=True, slots=True)
class Reading:
    """What the engine that reported the columns keeps of a type."""

    keeps_lengths: bool = True  # of varchar and char; files and Iceberg do not
    plain_timestamp: Zone = Zone.WITH  # what `timestamp` means there; Spark's is an instant
    case_sensitive: bool = False
    dates_are_any_time: bool = False  # ODCS 3.0 had no word for timestamps but `date`
    source: str = ""  # a key of `kept_types.KEPT`: what cannot hold every type, or hands it over as another


def reading_for(contract: Contract, reading: Reading) -> Reading:
    """The same engine, reading a contract of this version."""
    old = contract.dialect is Dialect.ODCS and (contract.api_version or "").startswith("v3.0")
    return replace(reading, dates_are_any_time=old)


def promised_type(prop: Property) -> str:
    """The promise in words: the physical type as written, else the logical one."""
    return prop.physical_type or prop.logical_type or _shape(prop) or "any type"


def matches(prop: Property, actual: ActualColumn, reading: Reading) -> bool | None:
    """Whether the type is as promised; None when the promised type is a word that nobody here knows."""
    fits = _matches(prop, actual, reading)
    return True if fits is False and is_kept_as(prop, actual.type, reading.source) else fits


def _matches(prop: Property, actual: ActualColumn, reading: Reading) -> bool | None:
    promised = parse_type(prop.exact_type) if prop.exact_type else None
    if promised is not None and promised.family is not Family.UNKNOWN:
        return _matches_physical(promised, actual.type, prop, reading)
    if prop.exact_type and collapse(prop.exact_type) == collapse(actual.shown):
        return True
    logical = prop.logical_type or _shape(prop)
    if logical in _LOGICAL:
        return _LOGICAL[logical](prop, actual.type, reading)
    return None if prop.exact_type or prop.logical_type else True


def _shape(prop: Property) -> str:
    """The logical type that a property without one must have, to hold what is described inside it."""
    if prop.properties:
        return "object"
    return "array" if prop.items else "map" if prop.map_key or prop.map_value else ""


def _matches_physical(promised: TypeExpr, actual: TypeExpr, prop: Property, reading: Reading) -> bool:
    check = _PHYSICAL.get(promised.family)
    if check is not None:
        return check(promised, actual, prop, reading)
    return promised.family is actual.family


def _whole(promised: TypeExpr, actual: TypeExpr, _: Property, __: Reading) -> bool:
    if not promised.unsigned or actual.unsigned:
        return promised.family is actual.family and promised.unsigned == actual.unsigned
    wider = {Family.INT8: Family.INT16, Family.INT16: Family.INT32, Family.INT32: Family.INT64}
    if promised.family in wider:  # engines without unsigned numbers use the next width
        return actual.family is wider[promised.family]
    return actual.family is Family.DECIMAL and actual.params == (20, 0)


def _decimal(promised: TypeExpr, actual: TypeExpr, _: Property, __: Reading) -> bool:
    return actual.family is Family.DECIMAL and promised.params in ((), actual.params)


def _number(_: TypeExpr, actual: TypeExpr, __: Property, ___: Reading) -> bool:
    return actual.family in _WHOLE | {Family.DECIMAL, Family.NUMBER}


def _string(promised: TypeExpr, actual: TypeExpr, prop: Property, reading: Reading) -> bool:
    if not reading.keeps_lengths and actual.family is Family.STRING and not actual.params:
        return True
    sized = promised.params if "(" in (prop.physical_type or "") else ()
    if promised.family is Family.CHAR:
        return actual.family is Family.CHAR and actual.params == promised.params
    return actual.family is Family.STRING and sized in ((), actual.params)


def _clock(promised: TypeExpr, actual: TypeExpr, prop: Property, reading: Reading) -> bool:
    if actual.family is not promised.family or not _same_digits(promised, actual):
        return False
    if promised.family is Family.TIME:
        return Zone.UNSPECIFIED in (promised.zone, actual.zone) or promised.zone is actual.zone
    declared = {True: Zone.WITH, False: Zone.WITHOUT, None: reading.plain_timestamp}[prop.options.timezone]
    wanted = declared if promised.zone is Zone.UNSPECIFIED else promised.zone
    zone = reading.plain_timestamp if actual.zone is Zone.UNSPECIFIED else actual.zone
    return wanted is zone


def _same_digits(promised: TypeExpr, actual: TypeExpr) -> bool:
    return () in (promised.params, actual.params) or promised.params == actual.params


def _interval(promised: TypeExpr, actual: TypeExpr, _: Property, __: Reading) -> bool:
    return actual.family is Family.INTERVAL and promised.text in ("interval", actual.text)


def _binary(promised: TypeExpr, actual: TypeExpr, _: Property, __: Reading) -> bool:
    return actual.family is Family.BINARY and _same_digits(promised, actual)


def _uuid(_: TypeExpr, actual: TypeExpr, __: Property, ___: Reading) -> bool:
    return actual.family is Family.UUID or (actual.family is Family.STRING and not actual.params)


def _json(_: TypeExpr, actual: TypeExpr, prop: Property, __: Reading) -> bool:
    """JSON may be kept as text; a variant is a type of its own."""
    if actual.family is Family.STRING and not actual.params:
        return not collapse(prop.physical_type or "").startswith("variant")
    return actual.family is Family.JSON


def _vector(_: TypeExpr, actual: TypeExpr, __: Property, ___: Reading) -> bool:
    return actual.family in (Family.VECTOR, Family.ARRAY)


_Physical = Callable[[TypeExpr, TypeExpr, Property, Reading], bool]
_PHYSICAL: dict[Family, _Physical] = {
    **dict.fromkeys(_WHOLE, _whole),
    **dict.fromkeys(_TEXT, _string),
    Family.DECIMAL: _decimal,
    Family.NUMBER: _number,
    Family.TIMESTAMP: _clock,
    Family.TIME: _clock,
    Family.INTERVAL: _interval,
    Family.BINARY: _binary,
    Family.UUID: _uuid,
    Family.JSON: _json,
    Family.VECTOR: _vector,
}


def _one_of(*families: Family) -> Callable[[Property, TypeExpr, Reading], bool]:
    return lambda _, actual, __: actual.family in families


def _integer(_: Property, actual: TypeExpr, __: Reading) -> bool:
    no_fraction = actual.family is Family.DECIMAL and actual.params[1:] == (0,)
    return actual.family in _WHOLE or actual.family is Family.NUMBER or no_fraction


def _date(_: Property, actual: TypeExpr, reading: Reading) -> bool:
    clocks = (Family.TIMESTAMP, Family.TIME) if reading.dates_are_any_time else ()
    return actual.family is Family.DATE or actual.family in clocks


def _timestamp(prop: Property, actual: TypeExpr, reading: Reading) -> bool:
    if actual.family is not Family.TIMESTAMP or prop.options.timezone is None:
        return actual.family is Family.TIMESTAMP
    zone = reading.plain_timestamp if actual.zone is Zone.UNSPECIFIED else actual.zone
    return zone is (Zone.WITH if prop.options.timezone else Zone.WITHOUT)


def _object(prop: Property, actual: TypeExpr, _: Reading) -> bool:
    """A map has no fields of its own, so it is an object only where no fields are promised."""
    return actual.family in (Family.STRUCT, Family.JSON) or (actual.family is Family.MAP and not prop.properties)


_LOGICAL: dict[str, Callable[[Property, TypeExpr, Reading], bool]] = {
    "string": _one_of(Family.STRING, Family.CHAR, Family.UUID),
    "boolean": _one_of(Family.BOOLEAN),
    "integer": _integer,
    "number": _one_of(*sorted(_WHOLE), Family.DECIMAL, Family.NUMBER, Family.FLOAT32, Family.FLOAT64),
    "date": _date,
    "time": _one_of(Family.TIME),
    "timestamp": _timestamp,
    "object": _object,
    "array": _one_of(Family.ARRAY, Family.VECTOR),
    "map": _one_of(Family.MAP),
    "vector": _one_of(Family.ARRAY, Family.VECTOR),
}


def expand_type(prop: Property) -> Property:
    """The property as it is where it describes its inside, else with the inside of its physical type."""
    if prop.properties or prop.items or prop.map_key or prop.map_value or not prop.physical_type:
        return prop
    kind = parse_type(prop.physical_type)
    return prop if kind is None or not kind.children else _expand(prop, kind)


def _expand(prop: Property, kind: TypeExpr) -> Property:
    inside = {name: _from_type(name, item) for name, item in kind.children}
    if kind.family is Family.STRUCT:
        # Fields without names (`row(int, text)`) cannot be found again.
        return replace(prop, properties=tuple(inside.values())) if all(inside) else prop
    if kind.family is Family.ARRAY:
        return replace(prop, items=inside.get(""))
    if kind.family is Family.MAP:
        return replace(prop, map_key=_drop_name(inside.get("key")), map_value=_drop_name(inside.get("value")))
    return prop


def _from_type(name: str, kind: TypeExpr) -> Property:
    prop = Property(name, physical_type=kind.text, required=kind.required)
    return _expand(prop, kind) if kind.children else prop


def _drop_name(side: Property | None) -> Property | None:
    return replace(side, name="") if side else None
