"""The SQL inside notebooks and Python files: `%%sql` cells, and texts given to calls such as `spark.sql(…)`."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import Any

_CALLS = frozenset({"sql", "read_sql", "read_sql_query", "execute", "query", "run_query"})
_MAGICS = ("%%sql", "%%bigquery", "%%sparksql", "%sql")
SqlPiece = tuple[str, int]  # the text, and the line of the file on which it begins


def find_in_notebook(text: str) -> Iterator[SqlPiece]:
    """The pieces of SQL of a notebook; ValueError where it is none."""
    notebook = json.loads(text)
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("no cells")
    places = _CellLines(text)
    for cell in cells:
        source = _source(cell)
        line = places.line_of(source)
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            yield from _find_in_cell(source, line)


def find_in_python(text: str, first_line: int = 1) -> Iterator[SqlPiece]:
    """The constant texts that are given to calls which run SQL; code that cannot be parsed has none."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and _name(node.func) in _CALLS:
            argument = node.args[0]
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value, first_line + argument.lineno - 1


def _find_in_cell(source: str, line: int) -> Iterator[SqlPiece]:
    first, _, rest = source.partition("\n")
    word = first.split(" ", 1)[0].strip()
    if word in _MAGICS:
        after = first[len(word) :].strip()
        yield (after, line) if word == "%sql" and after else (rest, line + 1)
        return
    plain = "\n".join("" if item.lstrip().startswith(("%", "!")) else item for item in source.split("\n"))
    yield from find_in_python(plain, line)


def _source(cell: Any) -> str:
    source = cell.get("source") if isinstance(cell, dict) else ""
    if isinstance(source, list):
        return "".join(item for item in source if isinstance(item, str))
    return source if isinstance(source, str) else ""


def _name(function: ast.expr) -> str:
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


class _CellLines:
    """Lines of a notebook's file by the first line of a cell; Jupyter writes each line of a cell on one of its own."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._at = 0

    def line_of(self, source: str) -> int:
        wanted = json.dumps(source.partition("\n")[0], ensure_ascii=False)[:-1]
        escaped = json.dumps(source.partition("\n")[0])[:-1]
        for index in range(self._at, len(self._lines)):
            if source and (wanted in self._lines[index] or escaped in self._lines[index]):
                self._at = index + 1
                return index + 1
        return self._at or 1
