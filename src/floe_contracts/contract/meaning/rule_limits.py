"""What the thresholds of a quality rule let through, as a set of numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ..model import Json, QualityRule, Threshold
from .accepted import EVERYTHING, Accepted, exactly, from_to
from .exact import number_of
from .metrics import metric_of, unit_of

COUNTED = frozenset({"nullvalues", "missingvalues", "invalidvalues", "duplicatevalues", "rowcount"})
_NEVER_NEGATIVE = from_to(Fraction(0), None)
_SHARE = from_to(Fraction(0), Fraction(100))


def accepts_only_zero(rule: QualityRule, passing: Accepted) -> bool:
    """Whether nothing at all passes, which is the same in every unit."""
    zero = exactly(Fraction(0))
    return passing == (zero.whole_numbers() if _counts_rows(rule) else zero)


def _counts_rows(rule: QualityRule) -> bool:
    return metric_of(rule) in COUNTED and unit_of(rule) == "rows"


def accepted_values(rule: QualityRule) -> Accepted | None:
    """Everything that passes; None when an operand is not a number."""
    passing = _domain(rule)
    for operator, operand in rule.thresholds:
        limit = _accepted_by(operator, operand)
        if limit is None:
            return None
        passing = passing.intersect(limit)
    return passing.whole_numbers() if _counts_rows(rule) else passing


def _domain(rule: QualityRule) -> Accepted:
    """What the measure can be at all: counts are never negative, shares end at 100 percent."""
    if unit_of(rule) == "percent":
        return _SHARE
    return _NEVER_NEGATIVE if metric_of(rule) in COUNTED else EVERYTHING


_LIMITS: dict[Threshold, Callable[[Fraction], Accepted]] = {
    Threshold.MUST_BE: exactly,
    Threshold.MUST_NOT_BE: lambda number: exactly(number).complement(),
    Threshold.GREATER_THAN: lambda number: from_to(number, None, open_low=True),
    Threshold.GREATER_OR_EQUAL: lambda number: from_to(number, None),
    Threshold.LESS_THAN: lambda number: from_to(None, number, open_high=True),
    Threshold.LESS_OR_EQUAL: lambda number: from_to(None, number),
}


def _accepted_by(operator: Threshold, operand: Json) -> Accepted | None:
    if operator in _LIMITS:
        number = number_of(operand) if not isinstance(operand, str) else None
        return None if number is None else _LIMITS[operator](number)
    if not isinstance(operand, (list, tuple)) or len(operand) != 2:
        return None
    low, high = number_of(operand[0]), number_of(operand[1])
    if low is None or high is None:
        return None
    between = from_to(low, high)
    return between if operator is Threshold.BETWEEN else between.complement()
