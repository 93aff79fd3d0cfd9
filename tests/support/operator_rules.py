"""Quality rules of every metric, unit and operator over one small table, each with the verdict counted by hand."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

Row = Mapping[str, Any]
SCHEMA = "s string, i int, x decimal(10,2), day date, b boolean, box struct<a: int, t: string>"
TOP = ("s", "i", "x", "day", "b")
INSIDE = ("box.a", "box.t")
_LOGICAL = {"s": "string", "i": "integer", "x": "number", "day": "date", "b": "boolean", "a": "integer", "t": "string"}
_PATTERNS = ("[a-c]*", ".{2,}", "(?:a|b)+", "[^a]*", "")
_OPERATORS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "mustBe": lambda value, limit: value == limit,
    "mustNotBe": lambda value, limit: value != limit,
    "mustBeGreaterThan": lambda value, limit: value > limit,
    "mustBeGreaterOrEqualTo": lambda value, limit: value >= limit,
    "mustBeLessThan": lambda value, limit: value < limit,
    "mustBeLessOrEqualTo": lambda value, limit: value <= limit,
}
_RANGES = {"mustBeBetween": True, "mustNotBeBetween": False}


@dataclass(frozen=True, slots=True)
class OperatorRule:
    """A rule as the contract writes it, where it stands, and whether it holds."""

    column: str  # empty: of the table
    content: Mapping[str, Any]
    holds: bool


@dataclass(frozen=True, slots=True)
class OperatorTable:
    """Rows, and rules about them; the names of rules are unique."""

    rows: list[Row]
    rules: list[OperatorRule]

    @property
    def verdicts(self) -> dict[str, str]:
        return {rule.content["name"]: "pass" if rule.holds else "fail" for rule in self.rules}

    def contract(self, location: str) -> bytes:
        """The contract, as JSON, on Parquet files at a place."""
        box = {"name": "box", "logicalType": "object", "properties": [self._property(name) for name in INSIDE]}
        table = {
            "name": "orders",
            "properties": [*(self._property(name) for name in TOP), box],
            "quality": self._quality(""),
        }
        server = {"server": "here", "type": "local", "path": location, "format": "parquet"}
        head = {"apiVersion": "v3.1.0", "kind": "DataContract", "id": "orders", "name": "orders", "version": "1.0.0"}
        return json.dumps({**head, "status": "active", "servers": [server], "schema": [table]}).encode()

    def _property(self, path: str) -> Mapping[str, Any]:
        name = path.rpartition(".")[2]
        return {"name": name, "logicalType": _LOGICAL[name], "quality": self._quality(path)}

    def _quality(self, column: str) -> list[Mapping[str, Any]]:
        return [rule.content for rule in self.rules if rule.column == column]


def operator_table(seed: int, rows: int = 40) -> OperatorTable:
    """A table and its rules; the same for the same seed."""
    chance = random.Random(seed)
    table = [_row(chance) for _ in range(rows)]
    return OperatorTable(table, list(_rules(chance, table)))


def _row(chance: random.Random) -> Row:
    def maybe(value: Any) -> Any:
        return None if chance.random() < 0.2 else value

    return {
        "s": maybe(chance.choice(["a", "ab", "abc", "d", "", "n/a", "é"])),
        "i": maybe(chance.randrange(-2, 9)),
        "x": maybe(Decimal(chance.randrange(-3, 6)) / 4),
        "day": maybe(date(2024, 2, 28) + timedelta(chance.randrange(4))),
        "b": maybe(chance.random() < 0.5),
        "box": maybe({"a": maybe(chance.randrange(4)), "t": maybe(chance.choice(["a", "bb", "n/a"]))}),
    }


def _rules(chance: random.Random, rows: Sequence[Row]) -> Iterator[OperatorRule]:
    """Rules with numbers at the measured value, beside it and away from it."""
    number = 0
    for column, content, count, whole in _questions(chance, rows):
        for unit in ("rows", "percent") if whole is not None else ("rows",):
            value = Fraction(count[unit])
            value = value * 100 / whole if unit == "percent" and whole else value if unit == "rows" else Fraction(0)
            for thresholds, holds in _thresholds(chance, value):
                number += 1
                more = {"unit": unit} if unit == "percent" or chance.random() < 0.5 else {}
                yield OperatorRule(
                    column, {"name": f"r{number}", "type": "library", **content, **more, **thresholds}, holds
                )


def _questions(
    chance: random.Random, rows: Sequence[Row]
) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, int], int | None]]:
    """Where, what, the number by unit, and what a percentage is of; None where there are no percentages."""
    yield "", {"metric": "rowCount"}, {"rows": len(rows)}, None
    for path in (*TOP, *INSIDE):
        values = _values(rows, path)
        nulls = values.count(None)
        yield path, {"metric": "nullValues"}, {"rows": nulls, "percent": nulls}, len(values)
        listed = chance.sample(sorted({_spelled(value) for value in values if value is not None}), 1)
        missing = sum(value is None or _spelled(value) in listed for value in values)
        arguments = {"missingValues": [_written(path, text) for text in listed]}
        yield (
            path,
            {"metric": "missingValues", "arguments": arguments},
            {"rows": missing, "percent": missing},
            len(values),
        )
        invalid = sum(value is not None and _spelled(value) not in listed for value in values)
        arguments = {"validValues": [_written(path, text) for text in listed]}
        yield (
            path,
            {"metric": "invalidValues", "arguments": arguments},
            {"rows": invalid, "percent": invalid},
            len(values),
        )
    for path in ("s", "box.t"):
        pattern = chance.choice(_PATTERNS)
        values = _values(rows, path)
        bad = sum(value is not None and re.fullmatch(pattern, value) is None for value in values)
        yield (
            path,
            {"metric": "invalidValues", "arguments": {"pattern": pattern}},
            {"rows": bad, "percent": bad},
            len(values),
        )
    for keys in (("s",), ("i",), ("x", "day"), ("s", "i", "b")):
        counted = Counter(tuple(row[key] for key in keys) for row in rows if None not in [row[key] for key in keys])
        repeated = [times for times in counted.values() if times > 1]
        numbers = {"rows": len(repeated), "percent": sum(repeated) - len(repeated)}
        yield "", {"metric": "duplicateValues", "arguments": {"properties": list(keys)}}, numbers, len(rows)


def _values(rows: Sequence[Row], path: str) -> list[Any]:
    """All values of a column; below a struct those of the structs that are there."""
    first, _, inside = path.partition(".")
    return [row[first][inside] for row in rows if row[first] is not None] if inside else [row[first] for row in rows]


def _spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _written(path: str, text: str) -> Any:
    """A value as a person writes it: without quotes where the type has a notation of its own."""
    kind = _LOGICAL[path.rpartition(".")[2]]
    if kind == "boolean":
        return text == "true"
    return int(text) if kind == "integer" else float(text) if kind == "number" else text


def _thresholds(chance: random.Random, value: Fraction) -> Iterator[tuple[Mapping[str, Any], bool]]:
    edge = value if (value * 1000).denominator == 1 else Fraction(int(value * 1000), 1000)
    limits = sorted({edge, edge + Fraction(1, 2), edge + chance.randrange(1, 9), max(edge - 1, Fraction(0))})
    for operator, compare in _OPERATORS.items():
        for limit in chance.sample(limits, 3):
            yield {operator: _number(limit)}, compare(value, limit)
    for operator, inside in _RANGES.items():
        low, high = sorted(chance.sample(limits, 2))
        yield {operator: [_number(low), _number(high)]}, (low <= value <= high) is inside


def _number(limit: Fraction) -> int | float:
    return limit.numerator if limit.denominator == 1 else float(limit)
