"""The eight comparisons of quality rules, exactly: numbers are fractions, never floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from ...contract.meaning.exact import number_of, spell_number
from ...contract.model import Json, Threshold
from .check import Thresholds

_RANGES = frozenset({Threshold.BETWEEN, Threshold.NOT_BETWEEN})
_NONE_AT_ALL: Thresholds = ((Threshold.MUST_BE, 0),)

_PASSES: dict[Threshold, Callable[[Fraction, Fraction], bool]] = {
    Threshold.MUST_BE: lambda value, limit: value == limit,
    Threshold.MUST_NOT_BE: lambda value, limit: value != limit,
    Threshold.GREATER_THAN: lambda value, limit: value > limit,
    Threshold.GREATER_OR_EQUAL: lambda value, limit: value >= limit,
    Threshold.LESS_THAN: lambda value, limit: value < limit,
    Threshold.LESS_OR_EQUAL: lambda value, limit: value <= limit,
}
_WORDS = {
    Threshold.MUST_BE: "exactly",
    Threshold.MUST_NOT_BE: "anything but",
    Threshold.GREATER_THAN: "more than",
    Threshold.GREATER_OR_EQUAL: "at least",
    Threshold.LESS_THAN: "less than",
    Threshold.LESS_OR_EQUAL: "at most",
    Threshold.BETWEEN: "between",
    Threshold.NOT_BETWEEN: "outside",
}


def passes(value: Fraction, thresholds: Thresholds) -> bool:
    """Whether every comparison holds; both ends of a range belong to it, and no comparison at all demands 0."""
    return all(_passes(value, operator, operand) for operator, operand in thresholds or _NONE_AT_ALL)


def _passes(value: Fraction, operator: Threshold, operand: Json) -> bool:
    limits = _limits(operand)
    if operator in _RANGES:
        return (limits[0] <= value <= limits[1]) is (operator is Threshold.BETWEEN)
    return _PASSES[operator](value, limits[0])


def is_comparable(operator: Threshold, operand: Json) -> bool:
    """Whether an operand is a number, or for ranges two of them."""
    return len(_limits(operand)) == (2 if operator in _RANGES else 1)


def _limits(operand: Json) -> tuple[Fraction, ...]:
    """Numbers, also those written as text; true and false stand for the 1 and 0 of a query."""
    listed = operand if isinstance(operand, list) else [operand]
    limits = [Fraction(int(limit)) if isinstance(limit, bool) else number_of(limit) for limit in listed]
    return tuple(limit for limit in limits if limit is not None) if None not in limits else ()


def spell_thresholds(thresholds: Thresholds, unit: str) -> str:
    """For people: `at most 5 rows`, `between 100 and 120 rows`, `less than 1 percent`."""
    parts = []
    for operator, operand in thresholds or _NONE_AT_ALL:
        numbers = " and ".join(spell_number(limit) for limit in _limits(operand))
        parts.append(f"{_WORDS[operator]} {numbers}")
    return f"{' and '.join(parts)} {unit}".strip()


def to_fraction(value: int | Decimal | float | None) -> Fraction | None:
    """A measured number as a fraction; None for what no comparison can use: nothing, NaN, infinity."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    if isinstance(value, Decimal):
        return Fraction(value) if value.is_finite() else None
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def round_down(number: Fraction, digits: int) -> str:
    """So many places after the point, no more: 99.999 with two is `99.99`."""
    whole = math.floor(number * 10**digits)
    return str(Decimal(whole).scaleb(-digits)) if digits else str(whole)
