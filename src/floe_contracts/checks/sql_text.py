"""Queries of quality rules with table and column put where the placeholders stand."""

from __future__ import annotations

import re

_TABLE = frozenset({"object", "table", "model", "schema"})
_COLUMN = frozenset({"property", "column", "field"})
_PLACEHOLDER = re.compile(r"\$?\{\s*([A-Za-z]+)\s*\}")


def filled(query: str, table: str, column: str | None) -> str:
    """The query as it can be run; both names come quoted as the engine wants them.

    ODCS writes `${table}` and `${column}` (3.0) or `{object}` and `{property}`; other braces stay as they are.
    """

    def name(match: re.Match[str]) -> str:
        word = match[1].casefold()
        if word in _TABLE:
            return table
        return column if word in _COLUMN and column is not None else match[0]

    return _PLACEHOLDER.sub(name, query.strip().rstrip(";").rstrip())
