"""Names of tables as people write them, taken apart at the dots that separate and quoted for Spark's parser."""

from __future__ import annotations

import re

from .places import quoted

_PART = re.compile(r"`((?:[^`]|``)*)`|([^.`]+)")


def name_parts(name: str) -> tuple[str, ...]:
    """`lake.sales.orders` has three parts; a part that stands in backticks may hold dots."""
    parts: list[str] = []
    end = 0
    for found in _PART.finditer(name):
        if name[end : found.start()] != ("." if parts else ""):
            return (name,)  # nobody can tell what is meant, so Spark says that there is no such table
        parts.append(found[1].replace("``", "`") if found[1] is not None else found[2])
        end = found.end()
    return tuple(parts) if end == len(name) else (name,)


def sql_name(name: str) -> str:
    """The same table for SQL, whatever its name contains."""
    return ".".join(quoted(part) for part in name_parts(name))
