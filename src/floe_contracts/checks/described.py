"""A property with everything that its type says, so that `array<struct<a:int>>` reads like items and properties."""

from __future__ import annotations

from dataclasses import replace

from ..contract.meaning.typenames import Family, TypeExpr, parse_type
from ..contract.model import Property


def described(prop: Property) -> Property:
    """The property as it is where it describes its inside, else with the inside of its physical type."""
    if prop.properties or prop.items or prop.map_key or prop.map_value or not prop.physical_type:
        return prop
    kind = parse_type(prop.physical_type)
    return prop if kind is None or not kind.children else _opened(prop, kind)


def _opened(prop: Property, kind: TypeExpr) -> Property:
    inside = {name: _from_type(name, item) for name, item in kind.children}
    if kind.family is Family.STRUCT:
        # Fields without names (`row(int, text)`) cannot be found again.
        return replace(prop, properties=tuple(inside.values())) if all(inside) else prop
    if kind.family is Family.ARRAY:
        return replace(prop, items=inside.get(""))
    if kind.family is Family.MAP:
        return replace(prop, map_key=_unnamed(inside.get("key")), map_value=_unnamed(inside.get("value")))
    return prop


def _from_type(name: str, kind: TypeExpr) -> Property:
    prop = Property(name, physical_type=kind.text, required=kind.required)
    return _opened(prop, kind) if kind.children else prop


def _unnamed(side: Property | None) -> Property | None:
    return replace(side, name="") if side else None
