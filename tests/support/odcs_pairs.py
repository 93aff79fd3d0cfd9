"""Pairs of small ODCS contracts that differ in one thing, for tables of changes."""

from __future__ import annotations

from dataclasses import dataclass

from floe_contracts.contract.load import Loaded
from floe_contracts.contract.model import Dialect
from support.rule_examples import loaded


@dataclass(frozen=True, slots=True)
class Pair:
    """Both sides as text, without what every contract repeats."""

    before: str
    after: str

    def loaded(self) -> tuple[Loaded, Loaded]:
        """Both sides as the gate reads them; they must be free of errors."""
        sides = loaded(self.before, Dialect.ODCS), loaded(self.after, Dialect.ODCS)
        for side in sides:
            assert side.contract is not None, [item.message for item in side.findings]
        return sides


def table(*columns: str, name: str = "orders", more: str = "") -> str:
    return f"schema: [{{name: {name}, {more}properties: [{', '.join(columns)}]}}]"


def column(name: str, more: str = "logicalType: string") -> str:
    return f"{{name: {name}, {more}}}"


def retyped(old: str, new: str) -> Pair:
    return Pair(table(column("x", old)), table(column("x", new)))


def promised(old: str, new: str = "") -> Pair:
    both = table(column("at", "logicalType: timestamp"), column("placed", "logicalType: timestamp"))
    return Pair(f"{both}\nslaProperties: [{old}]", f"{both}\nslaProperties: [{new}]")


def checked(old: str, new: str = "", more: str = "") -> Pair:
    return Pair(
        f"{more}{table(column('x'), more=f'quality: [{old}], ')}",
        f"{more}{table(column('x'), more=f'quality: [{new}], ')}",
    )
