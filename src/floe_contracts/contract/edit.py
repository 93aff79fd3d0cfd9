"""Changes one value in a contract's text and nothing else: comments, quotes and line endings stay."""

from __future__ import annotations

import re

_SCALAR = re.compile(r"""(?P<quote>["']?)(?P<text>[^"'\s#,}\]]+)(?P=quote)""")


def with_version(text: str, line: int, column: int, version: str) -> str | None:
    """The text with another version at this place, counted from 1; None when no simple scalar stands there."""
    lines = text.split("\n")  # keeps \r where it is; the reader counts lines by line feeds too
    if not 1 <= line <= len(lines):
        return None
    before, after = lines[line - 1][: column - 1], lines[line - 1][column - 1 :]
    found = _SCALAR.match(after)
    if found is None:
        return None
    quote = found.group("quote")
    lines[line - 1] = f"{before}{quote}{version}{quote}{after[found.end() :]}"
    return "\n".join(lines)
