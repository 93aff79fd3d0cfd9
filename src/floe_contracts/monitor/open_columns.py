"""Which columns of a table may be shown to people: those that the contract lists and classifies as nothing special."""

from __future__ import annotations

from collections.abc import Iterator

from ..checks.names import is_column, physical
from ..contract.model import Property, SchemaObject

_OPEN = frozenset({"", "public", "open", "unclassified", "none"})


def open_columns(table: SchemaObject) -> tuple[str, ...]:
    """Names in the table; a column with anything classified inside is closed as a whole, and so is an unlisted one."""
    return tuple(physical(prop) for prop in table.properties if is_column(prop) and all(map(_open, _within(prop))))


def _within(prop: Property) -> Iterator[Property]:
    yield prop
    for child in prop.children():
        yield from _within(child)


def _open(prop: Property) -> bool:
    word = (prop.classification or "").strip().casefold()
    return word in _OPEN and not prop.pii_type and not prop.encrypted_name
