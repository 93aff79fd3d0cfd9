"""What changed about the columns of a table, at any depth: paired by stable id, by name, then by likeness."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...contract.meaning.references import Path
from ...contract.meaning.texts import compose, fold
from ...contract.model import Property, SchemaObject
from ..fact import Element, ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .lattice import TypeChange
from .match import Matched, match
from .notes import custom_facts, docs_facts, leftover_facts, unknown_facts, word_fact
from .plain import unchanged
from .proptypes import option_type_facts, options_place, other_options, type_changes
from .values import value_facts

Properties = tuple[Property, ...]


class Unpaired(NamedTuple):
    """A property that exists on one side only, and where it would be."""

    place: FactPlace
    path: Path
    prop: Property


class Survey:
    """What a walk through both versions of a table has collected so far."""

    __slots__ = ("added", "facts", "removed", "renames")

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.removed: list[Unpaired] = []
        self.added: list[Unpaired] = []
        self.renames: dict[Path, Path] = {}


class PropertyPair(NamedTuple):
    """A node on both sides: its place in the report and its address in each contract."""

    place: FactPlace
    old: Path
    new: Path

    def down(self, part: ElementKind, old: Property, new: Property) -> PropertyPair:
        """The pair of a child; a column of a table brings its own readers."""
        place = self.place.below(part, old.name if part is ElementKind.PROPERTY else "", old_at=old.at, new_at=new.at)
        if len(self.old) == 1:
            place = place.with_columns((self.old[0], old.name))
        return PropertyPair(place, (*self.old, _step(part, old)), (*self.new, _step(part, new)))


_STEPS = {ElementKind.ITEMS: "[]", ElementKind.MAP_KEY: "{key}", ElementKind.MAP_VALUE: "{value}"}


def _step(part: ElementKind, prop: Property) -> str:
    return _STEPS.get(part) or prop.name


def survey(walk: Survey, spot: PropertyPair, old: Properties, new: Properties) -> None:
    """Compare two lists of properties and all that is below them."""
    if old is new or (not old and not new):
        return
    matched = _match_properties(old, new)
    for before, after in matched.pairs:
        if not unchanged(before, after):
            _pair(walk, spot.down(ElementKind.PROPERTY, before, after), before, after)
    for prop in matched.removed:
        walk.removed.append(_alone(spot, spot.old, prop, is_old=True))
    for prop in matched.added:
        walk.added.append(_alone(spot, spot.new, prop, is_old=False))


def _match_properties(old: Properties, new: Properties) -> Matched[Property]:
    if len(old) == len(new) and all(map(_same_name, old, new)):
        return Matched(tuple(zip(old, new, strict=True)))
    matched = match(old, new, lambda prop: prop.id or None, lambda prop: prop.name, lambda prop: compose(prop.name))
    if not matched.removed or not matched.added:
        return matched
    from .renames import with_renames  # only needed when columns come and go

    return with_renames(old, new, matched)


def _same_name(old: Property, new: Property) -> bool:
    return old.name == new.name and old.id == new.id


def _alone(spot: PropertyPair, parent: Path, prop: Property, *, is_old: bool) -> Unpaired:
    old_at, new_at = (prop.at, ()) if is_old else ((), prop.at)
    place = spot.place.below(ElementKind.PROPERTY, prop.name, old_at=old_at, new_at=new_at)
    if len(parent) == 1:
        place = place.with_columns((parent[0], prop.name))
    return Unpaired(place, (*parent, prop.name), prop)


def _pair(walk: Survey, spot: PropertyPair, old: Property, new: Property) -> None:
    if old.name != new.name:
        walk.renames[spot.old] = spot.new
    changes = type_changes(spot.place, old, new)
    if changes and (_lists_parts(old) or _lists_parts(new)):
        from .spelled import is_said_by_list

        changes = tuple(change for change in changes if not is_said_by_list(change, old, new))
    walk.facts += _own_facts(spot.place, old, new, changes)
    before = len(walk.facts), len(walk.removed), len(walk.added)
    if not _is_other_container(old, new, changes):
        _children(walk, spot, old, new)
    nested = [change for change in changes if change.steps]
    if nested:
        reported = _reported_elements(walk, before)
        walk.facts += [_type_fact(spot.place, change) for change in nested if not _is_reported(spot, change, reported)]


def _children(walk: Survey, spot: PropertyPair, old: Property, new: Property) -> None:
    if (old.physical_type or new.physical_type) and _lists_parts(old) is not _lists_parts(new):
        from .spelled import spell_out  # hardly ever needed

        old, new = spell_out(old, new), spell_out(new, old)
    survey(walk, spot, old.properties, new.properties)
    for part, before, after in (
        (ElementKind.ITEMS, old.items, new.items),
        (ElementKind.MAP_KEY, old.map_key, new.map_key),
        (ElementKind.MAP_VALUE, old.map_value, new.map_value),
    ):
        if before is not None and after is not None:
            _pair(walk, spot.down(part, before, after), before, after)
        elif before is not None or after is not None:
            place = spot.place.below(part, old_at=before.at if before else (), new_at=after.at if after else ())
            kind = FactKind.LOGICAL_TYPE_ADDED if after else FactKind.LOGICAL_TYPE_REMOVED
            walk.facts.append(place.fact(kind, _type_text(before), _type_text(after)))


def _lists_parts(prop: Property) -> bool:
    return bool(prop.properties or prop.items or prop.map_key or prop.map_value)


def _type_text(prop: Property | None) -> str:
    return "" if prop is None else prop.physical_type or prop.logical_type or "a type"


_CONTAINERS = frozenset({"object", "array", "map"})


def _is_other_container(old: Property, new: Property, changes: tuple[TypeChange, ...]) -> bool:
    """Whether the type change already says that all children are gone: a struct that became a list or a text."""
    if not any(change.kind is FactKind.TYPE_CHANGED and not change.steps for change in changes):
        return False
    before, after = fold(old.logical_type), fold(new.logical_type)
    return before != after and (before in _CONTAINERS or after in _CONTAINERS)


def _own_facts(place: FactPlace, old: Property, new: Property, changes: tuple[TypeChange, ...]) -> Iterator[Fact]:
    if old.name != new.name:
        yield place.fact(FactKind.PROPERTY_RENAMED, *shown_names(old.name, new.name), key="name")
    yield from physical_name_facts(place, old, new, FactKind.PROPERTY_PHYSICAL_NAME_CHANGED)
    for change in changes:
        if not change.steps:
            yield _type_fact(place, change)
    yield from option_type_facts(place, old, new, changes)
    yield from _flags(place, old, new)
    yield from value_facts(place, old, new)
    if old.options != new.options:
        from .bounds import bound_facts  # most columns have no limits

        yield from bound_facts(place, old, new)
    if not unchanged(old.quality, new.quality):
        from .quality import quality_facts

        yield from quality_facts(place, old.quality, new.quality)
    yield from docs_facts(place, old.docs, new.docs)
    yield from word_fact(place, "id", old.id, new.id)
    yield from custom_facts(place, old.custom, new.custom)
    yield from unknown_facts(place, old.extras, new.extras)
    if old.options.extras or new.options.extras:
        options = options_place(place, old.options, new.options)
        yield from unknown_facts(options, other_options(old.options), other_options(new.options))
    yield from leftover_facts(place, old, new)
    yield from leftover_facts(place, old.options, new.options)


def _type_fact(place: FactPlace, change: TypeChange) -> Fact:
    for step in change.steps:
        place = place.below(step.part, step.name)
    return place.fact(change.kind, change.old, change.new, key=change.key, normal=change.normal)


def physical_name_facts(
    place: FactPlace, old: Property | SchemaObject, new: Property | SchemaObject, kind: FactKind
) -> Iterator[Fact]:
    """At most one fact: another physical name. What has none of its own is stored under its name."""
    before, after = old.physical_name or "", new.physical_name or ""
    if before != after:
        stored = before or old.name, after or new.name
        if stored[0] != stored[1]:
            yield place.fact(kind, *shown_names(*stored), key="physical_name")


def shown_names(old: str, new: str) -> tuple[str, str]:
    """Two names for people; two Unicode forms of one name, which are two columns to data, are spelled out."""
    if compose(old) != compose(new):
        return old, new
    return old.encode("ascii", "backslashreplace").decode(), new.encode("ascii", "backslashreplace").decode()


# field -> fact kinds when it becomes true and when it becomes false
_FLAGS = (
    ("required", FactKind.PROPERTY_BECAME_REQUIRED, FactKind.PROPERTY_BECAME_NULLABLE),
    ("unique", FactKind.UNIQUE_ADDED, FactKind.UNIQUE_REMOVED),
    ("deprecated", FactKind.PROPERTY_DEPRECATED, FactKind.PROPERTY_UNDEPRECATED),
    ("critical", FactKind.PROPERTY_CRITICAL_CHANGED, FactKind.PROPERTY_CRITICAL_CHANGED),
)
_WORDS = {
    "required": ("nullable", "required"),
    "unique": ("not unique", "unique"),
    "deprecated": ("in use", "deprecated"),
    "critical": ("not critical", "critical"),
}


def _flags(place: FactPlace, old: Property, new: Property) -> Iterator[Fact]:
    for name, gained, lost in _FLAGS:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            words = _WORDS[name]
            yield place.fact(gained if after else lost, words[bool(before)], words[bool(after)], key=name)
    if old.options.unique_items != new.options.unique_items:
        spot = options_place(place, old.options, new.options)
        kind = FactKind.UNIQUE_ADDED if new.options.unique_items else FactKind.UNIQUE_REMOVED
        words = ("items may repeat", "items are unique")
        yield spot.fact(kind, words[old.options.unique_items], words[new.options.unique_items], key="unique_items")


def _reported_elements(walk: Survey, since: tuple[int, int, int]) -> set[Element]:
    """Elements below a property that the walk has already said something about, in old and new names."""
    facts = walk.facts[since[0] :]
    elements = {fact.element for fact in facts if fact.kind in _SHAPE}
    for fact in facts:
        if fact.kind is FactKind.PROPERTY_RENAMED:
            elements.add(Element(fact.element.segments[:-1]).below(ElementKind.PROPERTY, fact.new))
    elements.update(item.place.element for item in (*walk.removed[since[1] :], *walk.added[since[2] :]))
    return elements


_SHAPE = frozenset(
    kind
    for kind in FactKind
    if kind.value.startswith(("type-", "decimal-", "string-", "timestamp-", "vector-", "logical-type", "physical-type"))
    or kind in (FactKind.PROPERTY_RENAMED, FactKind.PROPERTY_BECAME_NULLABLE, FactKind.PROPERTY_BECAME_REQUIRED)
)


def _is_reported(spot: PropertyPair, change: TypeChange, reported: set[Element]) -> bool:
    """Whether a difference in the text of a type is one that the listed children show as well."""
    element = spot.place.element
    for step in change.steps:
        element = element.below(step.part, step.name)
        if element in reported:
            return True
    return False
