"""Parts of a column that only the text of its type names: `STRUCT<a: INT>` promises `a` as a listed property does."""

from __future__ import annotations

from collections.abc import Mapping

from ...contract.meaning.texts import compose, fold
from ...contract.meaning.typenames import Family, TypeExpr, parse_type
from ...contract.meaning.typewords import LOGICAL
from ...contract.model import Property
from ...frozen import replace
from ..fact import ElementKind
from ..kinds import FactKind
from .lattice import Steps, TypeChange


def spell_out(prop: Property, other: Property, shown: TypeExpr | None = None) -> Property:
    """The property with the parts that its type names, where it lists none and the other side lists some.

    A part takes from the listed one how much of a type is said, so that saying the same twice is not a change. What the
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
        physical_type=(_bare_type(listed, kind) or written) if listed.physical_type else None,
    )


def _bare_type(listed: Property, kind: TypeExpr) -> str:
    """The listed side's word for a container, where its parts stand in the list and not in the word: `STRUCT`."""
    word = parse_type(listed.physical_type or "")
    is_bare = word is not None and word.family is kind.family and not word.children and lists_parts(listed)
    return listed.physical_type or "" if is_bare else ""


def lists_parts(prop: Property) -> bool:
    """Whether a property lists what is inside it."""
    return bool(prop.properties or prop.items or prop.map_key or prop.map_value)


def is_said_by_list(change: TypeChange, old: Property, new: Property) -> bool:
    """Whether the parts that one type's text names and the other's does not are listed there: compared by the walk."""
    if change.kind not in _PARTS or not change.old or not change.new:
        return False
    text, bare = (old, new) if change.kind is FactKind.PHYSICAL_TYPE_REMOVED else (new, old)
    return lists_parts(_at(bare, change.steps)) and not lists_parts(_at(text, change.steps))


_PARTS = frozenset({FactKind.PHYSICAL_TYPE_ADDED, FactKind.PHYSICAL_TYPE_REMOVED})
_NOTHING = Property("")


def _at(prop: Property, steps: Steps) -> Property:
    """What is listed at some steps below a property."""
    for step in steps:
        named = (child for child in prop.properties if child.name == step.name)
        sides = {
            ElementKind.ITEMS: prop.items,
            ElementKind.MAP_KEY: prop.map_key,
            ElementKind.MAP_VALUE: prop.map_value,
        }
        prop = (next(named, None) if step.part is ElementKind.PROPERTY else sides[step.part]) or _NOTHING
    return prop
