"""A lower layer cut to what it may add below an upper one: attributes of what is listed there, no tables or columns.

A list of columns is a promise of its own: where the upper side has one, the lower side adds nothing to it; where the
upper side says nothing about columns, it takes the whole list.
"""

from __future__ import annotations

from ..frozen import replace
from .model import Contract, Property


def cut_below(lower: Contract, upper: Contract) -> Contract:
    """The lower contract without the tables and columns that the upper one does not list."""
    tables = {table.name: table for table in upper.objects}
    return replace(
        lower,
        objects=tuple(
            replace(table, properties=_cut_columns(table.properties, tables[table.name].properties))
            for table in lower.objects
            if table.name in tables
        ),
    )


def _cut_columns(lower: tuple[Property, ...], upper: tuple[Property, ...]) -> tuple[Property, ...]:
    if not upper:
        return lower
    listed = {column.name: column for column in upper}
    return tuple(_cut(column, listed[column.name]) for column in lower if column.name in listed)


def _cut(lower: Property, upper: Property) -> Property:
    return replace(
        lower,
        properties=_cut_columns(lower.properties, upper.properties),
        items=_cut_side(lower.items, upper.items),
        map_key=_cut_side(lower.map_key, upper.map_key),
        map_value=_cut_side(lower.map_value, upper.map_value),
    )


def _cut_side(lower: Property | None, upper: Property | None) -> Property | None:
    return _cut(lower, upper) if lower is not None and upper is not None else lower
