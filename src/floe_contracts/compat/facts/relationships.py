"""What changed about foreign keys: each one is a set of column pairs, wherever and however it is written."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from ...contract.meaning.references import Renames, follow, own_column, target_column
from ...contract.meaning.texts import fold
from ...contract.model import Contract, Pointer, Relationship, SchemaObject
from ..fact import ElementKind, Fact, FactPlace
from ..kinds import FactKind
from .match import match
from .notes import custom_facts, leftover_facts, word_fact


class _Link(NamedTuple):
    """One relationship of a table; `pairs` are (own column, target) in full, without an order."""

    relationship: Relationship
    own: tuple[str, ...]
    pairs: frozenset[tuple[str, str]]
    columns: tuple[str, ...]  # top-level columns of the table
    names: tuple[str, ...]  # its own columns for people

    @property
    def source(self) -> frozenset[str]:
        return frozenset(self.own)

    @property
    def label(self) -> str:
        return self.relationship.id or ", ".join(self.names)


def relationship_facts(
    place: FactPlace, old: tuple[Contract, SchemaObject], new: tuple[Contract, SchemaObject], renames: Renames
) -> Iterator[Fact]:
    """Facts about the foreign keys of one table, its columns' included."""
    before, after = list(_links(*old, renames)), list(_links(*new, {}))
    if not before and not after:
        return
    matched = match(before, after, _in_full, _by_id, _by_columns, _by_target)
    for link, other in matched.pairs:
        yield from _link(_spot(place, link, link.relationship.at, other.relationship.at), link, other)
    for link in matched.removed:
        spot = _spot(place, link, link.relationship.at, ())
        yield spot.fact(FactKind.RELATIONSHIP_REMOVED, _text(link), "", normal=(_normal(link), ""))
    for link in matched.added:
        spot = _spot(place, link, (), link.relationship.at)
        yield spot.fact(FactKind.RELATIONSHIP_ADDED, "", _text(link), normal=("", _normal(link)))


def _links(contract: Contract, table: SchemaObject, renames: Renames) -> Iterator[_Link]:
    for relationship in table.relationships:
        yield _read(contract, table, relationship, relationship.source, renames)
    for path, prop in table.columns():
        for relationship in prop.relationships:
            yield _read(contract, table, relationship, relationship.source or (".".join(path),), renames)


def _read(
    contract: Contract, table: SchemaObject, relationship: Relationship, source: tuple[str, ...], renames: Renames
) -> _Link:
    own = [own_column(contract, table, name) for name in source]
    targets = [target_column(contract, name) for name in relationship.to]
    ours = tuple(".".join(follow(path, renames)) for path in own)
    theirs = tuple(".".join(follow(path, renames)) for path in targets)
    pairs = zip(ours, theirs, strict=True) if len(ours) == len(theirs) else (("; ".join(ours), "; ".join(theirs)),)
    columns = tuple(path[1] for path in own if len(path) > 1)
    return _Link(relationship, ours, frozenset(pairs), columns, tuple(".".join(path[1:]) for path in own))


def _in_full(link: _Link) -> Hashable:
    return (fold(link.relationship.type), link.pairs)


def _by_id(link: _Link) -> Hashable | None:
    return link.relationship.id or None


def _by_columns(link: _Link) -> Hashable:
    return link.source


def _by_target(link: _Link) -> Hashable:
    return frozenset(target for _, target in link.pairs)


def _spot(place: FactPlace, link: _Link, old_at: Pointer, new_at: Pointer) -> FactPlace:
    table = place.element.segments[0].name if place.element.segments else ""
    spot = place.below(ElementKind.RELATIONSHIP, link.label, old_at=old_at, new_at=new_at)
    return spot.with_columns(*((table, column) for column in dict.fromkeys(link.columns)))


def _link(place: FactPlace, old: _Link, new: _Link) -> Iterator[Fact]:
    if _in_full(old) != _in_full(new):
        normal = (_normal(old), _normal(new))
        yield place.fact(FactKind.RELATIONSHIP_TARGET_CHANGED, _text(old), _text(new), normal=normal)
    yield from word_fact(place, "id", old.relationship.id, new.relationship.id, FactKind.RELATIONSHIP_DOCS_CHANGED)
    yield from custom_facts(place, old.relationship.custom, new.relationship.custom)
    yield from leftover_facts(place, old.relationship, new.relationship)


def _text(link: _Link) -> str:
    kind = "" if fold(link.relationship.type) == "foreignkey" else f" ({link.relationship.type})"
    return f"{', '.join(link.names)} -> {', '.join(link.relationship.to)}{kind}"


def _normal(link: _Link) -> str:
    return f"{fold(link.relationship.type)} {sorted(link.pairs)}"
