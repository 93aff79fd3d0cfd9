"""The child's answer about a query as values."""

from __future__ import annotations

from typing import Any

from ...definitions.query import ColumnRead, OutputColumn, Query, StarOutput, UnknownOutput


def query_from(answer: dict[str, Any]) -> Query:
    """A query from its dict."""
    return Query(
        tuple(_output(item) for item in answer["outputs"]),
        tuple(ColumnRead(tuple(item["tables"]), item["column"], item["line"]) for item in answer["reads"]),
        tuple(answer["tables"]),
        answer["line"],
        tuple(answer.get("macros", ())),
    )


def _output(item: dict[str, Any]) -> OutputColumn | StarOutput | UnknownOutput:
    if "star" in item:
        return StarOutput(item["star"], tuple(item["except"]), item["line"], item["typed"])
    if "name" not in item:
        return UnknownOutput(item["unknown"], item["line"])
    origin = (item["origin"][0], item["origin"][1]) if item["origin"] else None
    return OutputColumn(item["name"], item["quoted"], item["line"], item["type"], origin)
