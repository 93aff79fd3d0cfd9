"""Nodes of Spark's parsed plans, and how a query that holds a wrong one is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_ADVICE = "sql_trust is restricted; write one SELECT over the contract's own tables with functions of Spark"


class Refused(Exception):
    """Why a query is not run."""

    def __init__(self, why: str) -> None:
        self.reason = f"the query is refused: {why}; {_ADVICE}"
        super().__init__(self.reason)


def class_of(node: Any) -> tuple[str, str]:
    package, _, kind = str(node.getClass().getName()).rpartition(".")
    return f"{package}.", kind.rstrip("$")


def items_of(sequence: Any) -> Iterator[Any]:
    return (sequence.apply(number) for number in range(sequence.size()))
