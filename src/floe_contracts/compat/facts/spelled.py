"""Parts of a column that only the text of its type names: `STRUCT<a: INT>` promises `a` as a listed property does."""

from __future__ import annotations

from collections.abc import Mapping

from ...contract.meaning.texts import compose, fold
from ...contract.meaning.typenames import Family, TypeExpr, parse_type
from ...contract.meaning.typewords import LOGICAL
from ...contract.model import Property
from ...frozen import replace


def spell_out(prop: Property, other: Property, shown: TypeExpr | None = None) -> Property:
    """The property with the parts that its type names, where it lists none and the other side lists some.

    A part takes from the listed one how much of a type is said, so that saying the same twice is no change. What the
    other side does not list, though its type names it (its own, or `shown` of what it is a part of), is left to the
    comparison of the texts.
    """
    kind = parse_type(prop.physical_type or "")
    if kind is None or not kind.children:
        return prop
    theirs = parse_type(other.physical_type or "") or shown
    parts = theirs.children if theirs is not None and theirs.family is kind.family else ()
    if kind.family is Family.STRUCT and other.properties and not prop.properties:
        return replace(prop, properties=_fields(kind, other, dict(parts)))
    if kind.family is Family.ARRAY and other.items and not prop.items:
        return replace(prop, items=_part(kind.children[0], other.items, dict(parts)))
    if kind.family is Family.MAP and len(kind.children) == 2 and not (prop.map_key or prop.map_value):
        key, value = kind.children
        return replace(
            prop,
            map_key=_side(key, other.map_key, dict(parts)),
            map_value=_side(value, other.map_value, dict(parts)),
        )
    return prop


def _side(child: tuple[str, TypeExpr], listed: Property | None, theirs: Mapping[str, TypeExpr]) -> Property | None:
    """Keys or values of a map, which have no name as a listed side has none."""
    return replace(_part(child, listed, theirs), name="") if listed else None


def _fields(kind: TypeExpr, other: Property, theirs: Mapping[str, TypeExpr]) -> tuple[Property, ...]:
    listed = {compose(prop.name): prop for prop in other.properties}
    return tuple(
        _part((name, child), listed.get(compose(name)), theirs)
        for name, child in kind.children
        if compose(name) in listed or name not in theirs
    )


def _part(child: tuple[str, TypeExpr], listed: Property | None, theirs: Mapping[str, TypeExpr]) -> Property:
    name, kind = child
    logical = LOGICAL.get(kind.family)
    written = kind.text.removesuffix(" not null")  # which `required` says
    whole = Property(name, logical_type=logical, physical_type=written, required=kind.required)
    if listed is None:
        return whole
    same = logical is None or logical == fold(listed.logical_type)
    return replace(
        spell_out(whole, listed, theirs.get(name)),
        id=listed.id,
        logical_type=(listed.logical_type if same else logical) if listed.logical_type else None,
        physical_type=written if listed.physical_type else None,
    )
