"""The child's steps of a migration as values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...definitions.definition import DefinedColumn
from ...definitions.migration import Act, Step
from ...frozen import replace
from .query_values import query_from

_WITH_COLUMN = ("add", "modify", "rename_column", "retype", "nullability", "drop_column")


def steps_from(answer: list[dict[str, Any]], path: str) -> Iterator[Step]:
    """The steps of one file."""
    for item in answer:
        query = item.get("query")
        yield Step(
            Act(item["do"]),
            item.get("table", ""),
            item.get("line") or 1,
            path,
            item.get("column", ""),
            _column(item, path) if item["do"] in _WITH_COLUMN else None,
            tuple(column for column in (_column(each, path) for each in item.get("columns", ())) if column),
            query_from(query) if query and "outputs" in query else None,
            item.get("to", ""),
            item.get("odd", "") or ("a query that cannot be read" if query and "outputs" not in query else ""),
            item.get("temporary", False),
            item.get("if_absent", False),
            item.get("keep_null", False),
            frozenset(item.get("words", ())),
        )


def _column(item: dict[str, Any], path: str) -> DefinedColumn | None:
    name = item.get("name") or item.get("column") or ""
    held = item.get("not_null")
    nullable = None if held is None else not held
    column = DefinedColumn(name, item.get("line") or 1, item.get("type", ""), nullable, item.get("quoted", False), path)
    return replace(column, key=True) if item.get("key") else column
