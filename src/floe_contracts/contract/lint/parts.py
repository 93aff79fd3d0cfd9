"""Remarks about parts listed in a column that can have none; the standard's own schema says so for ODCS."""

from __future__ import annotations

from collections.abc import Iterator

from ...codes import Severity
from ..model import Dialect, Property
from .remark import Remark

_HOLDERS = {"object": "properties", "array": "items", "map": "map"}
_SCALARS = frozenset({"boolean", "date", "integer", "number", "time", "timestamp"})
_WORDS = {"properties": ("object", "struct"), "items": ("array", "array"), "map": ("map", "map")}


def part_remarks(prop: Property, element: str, dialect: Dialect) -> Iterator[Remark]:
    """A remark for each kind of part that a column of this type does not have."""
    logical = (prop.logical_type or "").casefold()
    if dialect is Dialect.ODCS or not (logical in _HOLDERS or logical in _SCALARS or logical == "string"):
        return
    listed = {"properties": prop.properties, "items": prop.items, "map": prop.map_key or prop.map_value}
    for part, value in listed.items():
        if value and _HOLDERS.get(logical) != part:
            key = part if part != "properties" else "fields" if dialect is Dialect.FIELDS else "elements"
            kind = prop.physical_type or logical
            wanted = _WORDS[part][dialect is Dialect.FIELDS]
            yield Remark(
                "misplaced-key",
                f"{key!r} means nothing in a column of type {kind}",
                (*prop.at, key),
                severity=Severity.WARNING if logical == "string" else Severity.ERROR,  # a text may hold JSON
                element=element,
                expected=f"type: {wanted}",
                actual=f"type: {kind}",
                suggestion=f"Remove {key!r}, or write type: {wanted}.",
                at_key=True,
            )
