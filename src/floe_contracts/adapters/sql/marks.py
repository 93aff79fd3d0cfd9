"""What stands in rendered SQL for things that only dbt knows: relations, and holes whose text nobody can tell."""

from __future__ import annotations

import re
from typing import Any

MARK = "__floe_"
_RELATION = re.compile(r"__floe_rel_((?:[0-9a-f]{2})*)__")


def has_mark(text: str) -> bool:
    """Whether a text holds something that Jinja left open."""
    return MARK in text.casefold()


def relation_mark(key: str) -> str:
    """A relation such as `ref:orders` as one word of SQL, from which it can be read back."""
    return f"__floe_rel_{key.encode().hex()}__"


def hole_mark(number: int) -> str:
    return f"__floe_hole_{number}__"


def table_key(table: Any) -> str:
    """The text that names a table of the SQL: a relation of dbt, its name with dots, or `?` for what is not a name."""
    parts = list(table.parts)
    if not all(type(part).__name__ == "Identifier" and part.name for part in parts):
        return "?"
    match = _RELATION.fullmatch(parts[-1].name.casefold())
    if match is not None and len(parts) == 1:
        return bytes.fromhex(match[1]).decode()
    names = [part.name for part in parts]
    return "?" if any(map(has_mark, names)) else ".".join(names)
