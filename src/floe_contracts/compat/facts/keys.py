"""What changed about the primary key and the partitioning of a table, which belong to the table and not to a column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ...contract.model import Property, SchemaObject
from ..fact import Fact, Place
from ..kinds import FactKind
from .elements import Path, Renames, follow

Columns: TypeAlias = dict[Path, Property]


def key_facts(
    place: Place, old: SchemaObject, new: SchemaObject, renames: Renames, *, read_by_path: bool
) -> Iterator[Fact]:
    """Facts about keys and layout; a renamed column is the same column."""
    yield from _primary_key(place, old, new, renames)
    before = _chosen(old, lambda prop: prop.partitioned, lambda prop: prop.partition_position)
    after = _chosen(new, lambda prop: prop.partitioned, lambda prop: prop.partition_position)
    if [follow(path, renames) for path in before] != list(after):
        kind = FactKind.PARTITION_PATH_CHANGED if read_by_path else FactKind.PARTITION_CHANGED
        yield _fact(place, kind, before, after, "partitioned")


def _primary_key(place: Place, old: SchemaObject, new: SchemaObject, renames: Renames) -> Iterator[Fact]:
    before = _chosen(old, lambda prop: prop.primary_key, lambda prop: prop.primary_key_position)
    after = _chosen(new, lambda prop: prop.primary_key, lambda prop: prop.primary_key_position)
    followed = [follow(path, renames) for path in before]
    if followed == list(after):
        return
    kind = FactKind.PRIMARY_KEY_REORDERED if set(followed) == set(after) else FactKind.PRIMARY_KEY_CHANGED
    if not before or not after:
        kind = FactKind.PRIMARY_KEY_ADDED if after else FactKind.PRIMARY_KEY_REMOVED
    yield _fact(place, kind, before, after, "primary_key")


def _chosen(
    table: SchemaObject, chosen: Callable[[Property], bool], position: Callable[[Property], int | None]
) -> Columns:
    """The chosen columns by their position; without positions, by name, because columns have no order."""
    found = [((table.name, *path), prop) for path, prop in table.columns() if chosen(prop)]
    if len(found) > 1:
        found.sort(key=lambda item: (_rank(position(item[1])), item[0]))
    return dict(found)


def _rank(position: int | None) -> tuple[bool, int]:
    """ODCS writes -1 for no position."""
    return (position is None or position < 0, position or 0)


def _fact(place: Place, kind: FactKind, old: Columns, new: Columns, key: str) -> Fact:
    """Points at the first column that each side names."""
    texts = tuple(", ".join(".".join(path[1:]) for path in side) for side in (old, new))
    first = [next((prop.at for prop in side.values()), ()) for side in (old, new)]
    spot = place.at(old_at=first[0], new_at=first[1])
    spot = spot.touching(*dict.fromkeys((path[0], path[1]) for path in (old or new)))
    return spot.fact(kind, texts[0], texts[1], key=key)
