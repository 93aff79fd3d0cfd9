"""What changed about the primary key and the partitioning of a table, which belong to the table and not to a column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ...contract.meaning.references import Path, Renames, follow
from ...contract.meaning.systems import format_of
from ...contract.meaning.texts import fold
from ...contract.model import Property, SchemaObject, Server
from ..fact import Fact, FactPlace
from ..kinds import FactKind

Columns: TypeAlias = dict[Path, Property]


def key_facts(
    place: FactPlace, old: SchemaObject, new: SchemaObject, renames: Renames, *, read_by_path: bool
) -> Iterator[Fact]:
    """Facts about keys and layout; a renamed column is the same column."""
    yield from _primary_key(place, old, new, renames)
    before = _choose_columns(old, lambda prop: prop.partitioned, lambda prop: prop.partition_position)
    after = _choose_columns(new, lambda prop: prop.partitioned, lambda prop: prop.partition_position)
    if [follow(path, renames) for path in before] != list(after):
        kind = FactKind.PARTITION_PATH_CHANGED if read_by_path else FactKind.PARTITION_CHANGED
        yield _fact(place, kind, before, after, "partitioned")


def _primary_key(place: FactPlace, old: SchemaObject, new: SchemaObject, renames: Renames) -> Iterator[Fact]:
    before = _choose_columns(old, lambda prop: prop.primary_key, lambda prop: prop.primary_key_position)
    after = _choose_columns(new, lambda prop: prop.primary_key, lambda prop: prop.primary_key_position)
    followed = [follow(path, renames) for path in before]
    if followed == list(after):
        return
    kind = FactKind.PRIMARY_KEY_REORDERED if set(followed) == set(after) else FactKind.PRIMARY_KEY_CHANGED
    if not before or not after:
        kind = FactKind.PRIMARY_KEY_ADDED if after else FactKind.PRIMARY_KEY_REMOVED
    yield _fact(place, kind, before, after, "primary_key")


def _choose_columns(
    table: SchemaObject, is_chosen: Callable[[Property], bool], position: Callable[[Property], int | None]
) -> Columns:
    """The chosen columns by their position; without positions, by name, because columns have no order."""
    columns = [((table.name, *path), prop) for path, prop in table.columns() if is_chosen(prop)]
    if len(columns) > 1:
        columns.sort(key=lambda item: (_rank(position(item[1])), item[0]))
    return dict(columns)


def _rank(position: int | None) -> tuple[bool, int]:
    """The sort key of a position; ODCS writes -1 for none."""
    return (position is None or position < 0, position or 0)


def _fact(place: FactPlace, kind: FactKind, old: Columns, new: Columns, key: str) -> Fact:
    """A fact that points at the first column that each side names."""
    texts = tuple(", ".join(".".join(path[1:]) for path in side) for side in (old, new))
    first = [next((prop.at for prop in side.values()), ()) for side in (old, new)]
    spot = place.at(old_at=first[0], new_at=first[1])
    spot = spot.with_columns(*dict.fromkeys((path[0], path[1]) for path in (old or new)))
    return spot.fact(kind, texts[0], texts[1], key=key)


_FILES = frozenset({"s3", "gcs", "azure", "adls", "abfs", "sftp", "ftp", "local", "hdfs", "dbfs", "file"})
_TABLE_FORMATS = frozenset({"delta", "iceberg", "hudi"})


def is_read_by_path(servers: tuple[Server, ...]) -> bool:
    """Whether partitions are folders that readers name, as with plain files."""
    return any(fold(server.type) in _FILES and format_of(server) not in _TABLE_FORMATS for server in servers)


def order_facts(place: FactPlace, old: SchemaObject, new: SchemaObject, renames: Renames) -> Iterator[Fact]:
    """At most one fact: another order of columns; readers by position need every column where it was."""
    now = [prop.name for prop in new.properties]
    known = [follow((old.name, prop.name), renames)[-1] for prop in old.properties]
    left = set(now)
    kept = [name for name in known if name in left]
    if now[: len(kept)] != kept:
        texts = (", ".join(prop.name for prop in old.properties), ", ".join(prop.name for prop in new.properties))
        yield place.fact(FactKind.PROPERTY_ORDER_CHANGED, *texts, key="properties")
