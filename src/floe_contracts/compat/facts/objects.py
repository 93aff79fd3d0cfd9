"""What changed about tables, views, topics and files, and about everything in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...contract.meaning.phrase import plural
from ...contract.meaning.references import Path
from ...contract.meaning.systems import is_positional
from ...contract.meaning.texts import compose, fold, text
from ...contract.model import Contract, Dialect, SchemaObject
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .keys import is_read_by_path, key_facts, order_facts
from .match import match
from .notes import custom_facts, docs_facts, leftover_facts, unknown_facts, word_fact
from .plain import unchanged
from .properties import PropertyPair, Survey, physical_name_facts, shown_names, survey

_SQL = frozenset(
    {"table", "view", "materialized view", "materialized_view", "materializedview", "external table", "external_table"}
)

_NAMES: tuple[Callable[[SchemaObject], str], ...] = (lambda item: item.name, lambda item: compose(item.name))


def object_facts(place: FactPlace, old: Contract, new: Contract) -> tuple[list[Fact], dict[Path, Path]]:
    """Facts about all objects, and which objects and columns have another address now."""
    matched = match(old.objects, new.objects, lambda item: item.id or None, *_NAMES)
    if matched.removed and matched.added:
        from .renames import with_renamed_objects

        matched = with_renamed_objects(matched)
    renames: dict[Path, Path] = {}
    walks: list[tuple[FactPlace, SchemaObject, SchemaObject, Survey]] = []
    for before, after in matched.pairs:
        if unchanged(before, after):
            continue
        spot = place.below(ElementKind.OBJECT, before.name, old_at=before.at, new_at=after.at)
        spot = spot.with_columns(*((before.name, prop.name) for prop in before.properties))
        if before.name != after.name:
            renames[before.name,] = (after.name,)
        walk = Survey()
        survey(walk, PropertyPair(spot, (before.name,), (after.name,)), before.properties, after.properties)
        if walk.removed or walk.added:
            from .moves import existence_facts

            walk.facts += existence_facts(walk)
        renames.update(walk.renames)
        walks.append((spot, before, after, walk))
    facts: list[Fact] = []
    for spot, before, after, walk in walks:  # keys and relationships need the renames of all tables
        if before.name != after.name and not _is_named_by_contract((old, before), (new, after)):
            facts.append(spot.fact(FactKind.OBJECT_RENAMED, *shown_names(before.name, after.name), key="name"))
        facts += _own_facts(spot, before, after)
        facts += walk.facts
        facts += _layout_facts(spot, (old, before), (new, after), renames)
    facts += _alone(place.section("objects"), matched.removed, matched.added)
    return facts, renames


def _alone(place: FactPlace, removed: tuple[SchemaObject, ...], added: tuple[SchemaObject, ...]) -> Iterator[Fact]:
    for item in removed:
        spot = place.below(ElementKind.OBJECT, item.name, old_at=item.at)
        spot = spot.with_columns(*((item.name, prop.name) for prop in item.properties))
        yield spot.fact(FactKind.OBJECT_REMOVED, _summary(item), "")
    for item in added:
        spot = place.below(ElementKind.OBJECT, item.name, new_at=item.at)
        spot = spot.with_columns(*((item.name, prop.name) for prop in item.properties))
        yield spot.fact(FactKind.OBJECT_ADDED, "", _summary(item))


def _summary(item: SchemaObject) -> str:
    return f"{item.physical_type or 'table'} with {plural(len(item.properties), 'column')}"


def _own_facts(place: FactPlace, old: SchemaObject, new: SchemaObject) -> Iterator[Fact]:
    yield from physical_name_facts(place, old, new, FactKind.OBJECT_PHYSICAL_NAME_CHANGED)
    yield from _kind(place, old, new)
    before, after = " ".join(text(old.granularity).split()), " ".join(text(new.granularity).split())
    if before != after:
        kind = FactKind.OBJECT_GRANULARITY_CHANGED if before else FactKind.OBJECT_GRANULARITY_ADDED
        yield place.fact(kind, before, after, key="granularity")
    if old.deprecated != new.deprecated:
        kind = FactKind.OBJECT_DEPRECATED if new.deprecated else FactKind.OBJECT_UNDEPRECATED
        words = ("in use", "deprecated")
        yield place.fact(kind, words[old.deprecated], words[new.deprecated], key="deprecated")
    if not unchanged(old.quality, new.quality):
        from .quality import quality_facts

        yield from quality_facts(place, old.quality, new.quality)
    yield from docs_facts(place, old.docs, new.docs)
    yield from word_fact(place, "id", old.id, new.id)
    yield from custom_facts(place, old.custom, new.custom)
    yield from unknown_facts(place, old.extras, new.extras)
    yield from leftover_facts(place, old, new)


def _is_named_by_contract(*sides: tuple[Contract, SchemaObject]) -> bool:
    """Whether the contract's own fact tells a new name: in the fields dialect one key names contract and table."""
    return all(contract.dialect is Dialect.FIELDS and contract.name == table.name for contract, table in sides)


def _kind(place: FactPlace, old: SchemaObject, new: SchemaObject) -> Iterator[Fact]:
    """Facts about the kind of an object; one that does not say what it is counts as a table."""
    before, after = fold(old.physical_type) or "table", fold(new.physical_type) or "table"
    if before != after:
        kind = FactKind.OBJECT_SURFACE_CHANGED if {before, after} <= _SQL else FactKind.OBJECT_KIND_CHANGED
        yield place.fact(kind, before, after, key="physical_type")
    before, after = fold(old.logical_type) or "object", fold(new.logical_type) or "object"
    if before != after:
        yield place.fact(FactKind.OBJECT_KIND_CHANGED, before, after, key="logical_type")


def _layout_facts(
    place: FactPlace, old: tuple[Contract, SchemaObject], new: tuple[Contract, SchemaObject], renames: dict[Path, Path]
) -> Iterator[Fact]:
    servers = (*old[0].servers, *new[0].servers)
    if is_positional(servers):
        yield from order_facts(place, old[1], new[1], renames)
    yield from key_facts(place, old[1], new[1], renames, read_by_path=is_read_by_path(servers))
    if _has_links(old[1]) or _has_links(new[1]):
        from .relationships import relationship_facts

        yield from relationship_facts(place, old, new, renames)


def _has_links(table: SchemaObject) -> bool:
    return bool(table.relationships) or any(prop.relationships for _, prop in table.columns())
