"""What findings call a column: its path in the contract, with the table in front when the contract has several."""

from __future__ import annotations

import re

from ..contract.model import Contract, Property, SchemaObject
from .measure import Path
from .measured import ITEM, KEY, VALUE

_PLAIN = re.compile(r"[^\W\d][\w$-]*")
_SIDES = frozenset({ITEM, KEY, VALUE})


def element_of(contract: Contract, table: SchemaObject, path: Path = ()) -> str:
    """`status`, `items[].sku`, `orders.status` where there are other tables, or the table's own name."""
    if not path:
        return table.name
    return f"{quoted(table.name)}.{spelled(path)}" if len(contract.objects) > 1 else spelled(path)


def spelled(path: Path) -> str:
    """A path in one word; names that a dot, a space or a quote would confuse stand in backticks."""
    words = [step if step in _SIDES else f".{quoted(step)}" for step in path]
    return "".join(words).removeprefix(".")


def quoted(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else "`" + name.replace("`", "``") + "`"


def physical(prop: Property) -> str:
    """The name of the column in the table."""
    return prop.physical_name or prop.name


def is_column(prop: Property) -> bool:
    """A measure is computed by whoever reads; no table has a column for it."""
    return (prop.semantic_type or "").casefold() != "measure"


def below_items(path: Path) -> bool:
    """Whether a path leads into an array or a map, so that one row has many values or none."""
    return any(step in _SIDES for step in path)
