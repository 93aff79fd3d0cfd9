"""Statements that sqlglot does not know and that say in a few words what they do: new names, MODIFY, DROP (…).

Runs in the child process.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .unparsed import Step

_PART = r"""(?:[\w$#]+|"[^"]+"|`[^`]+`|\[[^\]]+\])"""
_NAME = rf"{_PART}(?:\s*\.\s*{_PART})*"
_PARTS = re.compile(_PART)
_SP_RENAME = re.compile(
    r"exec(?:ute)?\s+(?:(?:sys|dbo)\.)*sp_rename\s+(?:@objname\s*=\s*)?n?'(?P<old>[^']+)'\s*,"
    r"\s*(?:@newname\s*=\s*)?(?:n?'(?P<text>[^']+)'|\[(?P<name>[^\]]+)\]|(?P<word>\w+))\s*(?:,\s*(?:@objtype\s*=\s*)?n?'(?P<kind>\w+)'\s*)?\Z",
    re.IGNORECASE,
)
_RENAME_TABLES = re.compile(
    rf"rename\s+(?:tables?\s+)?(?P<pairs>{_NAME}\s+to\s+{_NAME}(?:\s*,\s*{_NAME}\s+to\s+{_NAME})*)"
    r"(?:\s+on\s+cluster\s+\S+)?\s*\Z",
    re.IGNORECASE,
)
_PAIR = re.compile(rf"(?P<old>{_NAME})\s+to\s+(?P<new>{_NAME})", re.IGNORECASE)
_DROPS = re.compile(
    rf"alter\s+table\s+(?:if\s+exists\s+)?(?P<table>{_NAME})\s+(?:drop\s*(?:columns?\s*)?|set\s+unused\s*)"
    rf"\(\s*(?P<columns>{_PART}(?:\s*,\s*{_PART})*)\s*\)(?:\s+cascade\s+constraints)?\s*\Z",
    re.IGNORECASE,
)
_DROP_KEY = re.compile(rf"alter\s+table\s+(?P<table>{_NAME})\s+drop\s+primary\s+key\s*\Z", re.IGNORECASE)
_MODIFY = re.compile(rf"(?P<head>alter\s+table\s+{_NAME}\s+)modify\s*(?P<columns>.+)\Z", re.IGNORECASE | re.DOTALL)
_NULL_WORD = re.compile(r"(?<!default )(?<!not )(?<!on )\bnull\b", re.IGNORECASE)
_COLUMN_ENDS = re.compile(r",(?![^()]*\))")
Reader = Callable[[str], "list[Step] | None"]


def read_by_words(sql: str, dialect: str, line: int, parse: Reader) -> list[Step] | None:
    """The steps of such a statement; None for others. `parse` reads one that the parser knows."""
    if match := _SP_RENAME.match(sql):
        return _sp_rename(match) if dialect in ("tsql", "fabric") else None
    if match := _RENAME_TABLES.match(sql):
        return [
            {"do": "rename_table", "table": _key(pair["old"]), "to": _key(pair["new"])}
            for pair in _PAIR.finditer(match["pairs"])
        ]
    if match := _DROP_KEY.match(sql):
        return [{"do": "drop_key", "table": _key(match["table"])}]
    if match := _DROPS.match(sql):
        table, at = _key(match["table"]), line + sql.count("\n", 0, match.start("columns"))
        columns = _PARTS.findall(match["columns"])
        return [{"do": "drop_column", "table": table, "column": _bare(name), "line": at} for name in columns]
    return _oracle_modify(sql, line, parse) if dialect == "oracle" else None


def _sp_rename(match: re.Match[str]) -> list[Step] | None:
    """`sp_rename 'dbo.t.a', 'b', 'COLUMN'`; without the last word it may mean a column or a table."""
    old = [*map(_bare, _PARTS.findall(match["old"]))]
    new, kind = match["text"] or match["name"] or match["word"], (match["kind"] or "").upper()
    if kind == "COLUMN" and len(old) > 1:
        return [{"do": "rename_column", "table": ".".join(old[:-1]), "column": old[-1], "name": new}]
    if kind == "OBJECT" or (not kind and (len(old) == 1 or (len(old) == 2 and old[0].casefold() == "dbo"))):
        return [{"do": "rename_table", "table": ".".join(old), "to": new}]
    return [] if kind in ("INDEX", "STATISTICS", "USERDATATYPE") else None


def _oracle_modify(sql: str, line: int, parse: Reader) -> list[Step] | None:
    """Oracle's MODIFY, read as if it added the columns; what it does not name stays as it was."""
    match = _MODIFY.match(sql)
    if match is None:
        return None
    text, at = match["columns"].rstrip(), match.start("columns")
    if text.startswith("(") and text.endswith(")"):
        text, at = text[1:-1], at + 1
    steps: list[Step] = []
    for part in _COLUMN_ENDS.split(text):
        added = parse(f"{match['head']} ADD {part.strip()}")
        if added is None or len(added) != 1 or added[0]["do"] != "add":
            return None
        word = at + len(part) - len(part.lstrip())
        steps += _modified(added[0], part, line + sql.count("\n", 0, word))
        at += len(part) + 1
    return steps


def _modified(added: Step, part: str, line: int) -> list[Step]:
    says_null = _NULL_WORD.search(part) is not None
    change = {**added, "column": added["name"], "line": line}
    if added["type"].upper() not in ("", "NULL"):  # `a null` is read as a type
        return [{**change, "do": "modify", "keep_null": not says_null}]
    return [{**change, "do": "nullability"}] if added["not_null"] or says_null else []


def _key(name: str) -> str:
    return ".".join(map(_bare, _PARTS.findall(name)))


def _bare(part: str) -> str:
    return part[1:-1] if part[0] in '"`[' else part
