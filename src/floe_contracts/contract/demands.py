"""What a contract demands of those that inherit from it, to tell whether a change of it can concern them."""

from __future__ import annotations

from .meaning.sla import meanings
from .model import Contract, Property


def list_demands(contract: Contract) -> object:
    """All that compat/inheritance reads of a parent: while this stays the same, no heir can become wrong."""
    columns = tuple((table.name, tuple(map(_demand, table.properties))) for table in contract.objects)
    return contract.parent, contract.slas, meanings(contract), columns


def _demand(column: Property) -> object:
    sides = (column.items, column.map_key, column.map_value)
    return (
        column.name,
        column.classification,
        (column.required, column.unique, column.primary_key, column.critical),
        tuple(sorted(column.denied)),
        tuple(map(_demand, column.properties)),
        tuple(side and _demand(side) for side in sides),
    )
