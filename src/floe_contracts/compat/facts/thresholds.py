"""The numbers a quality rule lets through, as a set, from any of its eight operators."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ...contract.meaning.exact import number_of
from ...contract.model import Json, QualityRule, Threshold
from .accepted import EVERYTHING, Accepted, Relation, exactly, from_to, relation
from .plain import canonical, folded

COUNTED = frozenset({"nullvalues", "missingvalues", "invalidvalues", "duplicatevalues", "rowcount"})
_ALIASES = {"duplicatecount": "duplicatevalues", "nullcount": "nullvalues", "nullcheck": "nullvalues"}  # `rule` of 3.0
_PERCENT = frozenset({"percent", "percentage", "pct", "%"})
_NEVER_NEGATIVE = from_to(Fraction(0), None)
_SHARE = from_to(Fraction(0), Fraction(100))


def metric_of(rule: QualityRule) -> str:
    """The metric with the spellings of ODCS 3.0 and 3.1 made one."""
    word = folded(rule.metric)
    return _ALIASES.get(word, word)


def unit_of(rule: QualityRule) -> str:
    """What the threshold counts; rows unless said otherwise."""
    word = folded(rule.unit)
    return "percent" if word in _PERCENT else "rows" if word in ("", "row", "rows") else word


def compare_thresholds(old: QualityRule, new: QualityRule) -> Relation:
    """What the new rule lets through compared with the old one."""
    before, after = accepted(old), accepted(new)
    if before is None or after is None:
        return _as_written(old, new)
    if unit_of(old) == unit_of(new):
        return relation(before, after)
    # None at all is none at all in every unit; nothing else can be compared without knowing the rows.
    return Relation.EQUAL if _only_zero(old, before) and _only_zero(new, after) else Relation.INCOMPARABLE


def _only_zero(rule: QualityRule, found: Accepted) -> bool:
    zero = exactly(Fraction(0))
    return found == (zero.whole_numbers() if _counts_rows(rule) else zero)


def _counts_rows(rule: QualityRule) -> bool:
    return metric_of(rule) in COUNTED and unit_of(rule) == "rows"


def accepted(rule: QualityRule) -> Accepted | None:
    """Everything that passes; None when an operand is no number."""
    found = _domain(rule)
    for operator, operand in rule.thresholds:
        one = _passing(operator, operand)
        if one is None:
            return None
        found = found.both(one)
    return found.whole_numbers() if _counts_rows(rule) else found


def threshold_text(rule: QualityRule) -> str:
    """For people: `mustBeLessThan 5 percent`."""
    parts = [f"{operator.value} {_operand(operand)}" for operator, operand in rule.thresholds]
    return " and ".join(parts) + (f" {rule.unit}" if rule.unit and parts else "")


def _operand(value: Json) -> str:
    if isinstance(value, list):
        return " and ".join(_operand(item) for item in value)
    return canonical(value).strip("'")


def _as_written(old: QualityRule, new: QualityRule) -> Relation:
    """Texts and truth values have no order; no threshold at all lets everything through."""
    sides = [
        sorted((operator.value, canonical(operand)) for operator, operand in rule.thresholds) for rule in (old, new)
    ]
    if sides[0] == sides[1] and unit_of(old) == unit_of(new):
        return Relation.EQUAL
    if not sides[0] or not sides[1]:
        return Relation.NARROWER if sides[1] else Relation.WIDER
    return Relation.INCOMPARABLE


def _domain(rule: QualityRule) -> Accepted:
    """What the measure can be at all: counts are never negative, shares end at 100 percent."""
    if unit_of(rule) == "percent":
        return _SHARE
    return _NEVER_NEGATIVE if metric_of(rule) in COUNTED else EVERYTHING


_LIMITS: dict[Threshold, Callable[[Fraction], Accepted]] = {
    Threshold.MUST_BE: exactly,
    Threshold.MUST_NOT_BE: lambda number: exactly(number).without(),
    Threshold.GREATER_THAN: lambda number: from_to(number, None, open_low=True),
    Threshold.GREATER_OR_EQUAL: lambda number: from_to(number, None),
    Threshold.LESS_THAN: lambda number: from_to(None, number, open_high=True),
    Threshold.LESS_OR_EQUAL: lambda number: from_to(None, number),
}


def _passing(operator: Threshold, operand: Json) -> Accepted | None:
    if operator in _LIMITS:
        number = number_of(operand) if not isinstance(operand, str) else None
        return None if number is None else _LIMITS[operator](number)
    if not isinstance(operand, (list, tuple)) or len(operand) != 2:
        return None
    low, high = number_of(operand[0]), number_of(operand[1])
    if low is None or high is None:
        return None
    between = from_to(low, high)
    return between if operator is Threshold.BETWEEN else between.without()
