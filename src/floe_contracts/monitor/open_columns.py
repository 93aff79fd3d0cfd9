"""Which columns of a table may be shown to people, by their names in the table."""

from __future__ import annotations

from ..checks.names import physical
from ..checks.openness import is_open
from ..contract.model import SchemaObject


def open_columns(table: SchemaObject) -> tuple[str, ...]:
    """A column with anything classified inside is closed as a whole, and so is one that the contract does not list."""
    return tuple(physical(prop) for prop in table.properties if is_open(prop))
