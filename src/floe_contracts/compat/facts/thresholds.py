"""Sets of accepted numbers and how two of them relate, so that limits are compared by what they let through."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from ...contract.meaning.exact import number_of
from ...contract.model import Json, QualityRule, Threshold
from .plain import canonical, fold

Number = Fraction | float  # floats only for the two infinities
# A cut lies just before a number (side 0) or just after it (side 1); an interval reaches from one cut to the next.
# So "at least 5" starts at (5, 0), "more than 5" at (5, 1), and every comparison is one of tuples.
Cut = tuple[Number, int]
Interval = tuple[Cut, Cut]

_START: Cut = (-math.inf, 0)
_END: Cut = (math.inf, 1)


class SetRelation(Enum):
    """What a new set of accepted values is to the old one."""

    EQUAL = "equal"
    NARROWER = "narrower"
    WIDER = "wider"
    INCOMPARABLE = "incomparable"


class Accepted(NamedTuple):
    """A set of accepted numbers: disjoint intervals in order."""

    intervals: tuple[Interval, ...] = ((_START, _END),)

    def intersect(self, other: Accepted) -> Accepted:
        """What both accept."""
        cuts = ((max(a[0], b[0]), min(a[1], b[1])) for a in self.intervals for b in other.intervals)
        return join_intervals(cuts)

    def complement(self) -> Accepted:
        """Everything that this set refuses."""
        edges = [_START, *(cut for interval in self.intervals for cut in interval), _END]
        return join_intervals(zip(edges[::2], edges[1::2], strict=True))

    def whole_numbers(self) -> Accepted:
        """The same set among whole numbers: more than 4 is at least 5."""
        return join_intervals((_whole(low), _whole(high)) for low, high in self.intervals)

    def is_inside(self, other: Accepted) -> bool:
        return all(any(b[0] <= a[0] and a[1] <= b[1] for b in other.intervals) for a in self.intervals)


EVERYTHING = Accepted()


def join_intervals(intervals: Iterable[Interval]) -> Accepted:
    """A set from intervals that may touch, overlap or be empty."""
    kept: list[Interval] = []
    for low, high in sorted(interval for interval in intervals if interval[0] < interval[1]):
        if kept and low <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(high, kept[-1][1]))
        else:
            kept.append((low, high))
    return Accepted(tuple(kept))


def exactly(number: Fraction) -> Accepted:
    return Accepted((((number, 0), (number, 1)),))


def from_to(
    low: Fraction | None, high: Fraction | None, *, open_low: bool = False, open_high: bool = False
) -> Accepted:
    """Numbers between two limits; None is no limit."""
    start = _START if low is None else (low, 1 if open_low else 0)
    end = _END if high is None else (high, 0 if open_high else 1)
    return join_intervals([(start, end)])


def relation(old: Accepted, new: Accepted) -> SetRelation:
    """What `new` is to `old`."""
    if old == new:
        return SetRelation.EQUAL
    if new.is_inside(old):
        return SetRelation.NARROWER
    return SetRelation.WIDER if old.is_inside(new) else SetRelation.INCOMPARABLE


def _whole(cut: Cut) -> Cut:
    number, side = cut
    if isinstance(number, float):
        return cut
    return (Fraction(math.floor(number) + 1 if side else math.ceil(number)), 0)


COUNTED = frozenset({"nullvalues", "missingvalues", "invalidvalues", "duplicatevalues", "rowcount"})
_ALIASES = {"duplicatecount": "duplicatevalues", "nullcount": "nullvalues", "nullcheck": "nullvalues"}  # `rule` of 3.0
_PERCENT = frozenset({"percent", "percentage", "pct", "%"})
_NEVER_NEGATIVE = from_to(Fraction(0), None)
_SHARE = from_to(Fraction(0), Fraction(100))


def metric_of(rule: QualityRule) -> str:
    """The metric with the spellings of ODCS 3.0 and 3.1 made one."""
    word = fold(rule.metric)
    return _ALIASES.get(word, word)


def unit_of(rule: QualityRule) -> str:
    """What the threshold counts; rows unless said otherwise."""
    word = fold(rule.unit)
    return "percent" if word in _PERCENT else "rows" if word in ("", "row", "rows") else word


def compare_thresholds(old: QualityRule, new: QualityRule) -> SetRelation:
    """What the new rule lets through compared with the old one."""
    before, after = accepted_values(old), accepted_values(new)
    if before is None or after is None:
        return _as_written(old, new)
    if unit_of(old) == unit_of(new):
        return relation(before, after)
    # None at all is none at all in every unit; nothing else can be compared without knowing the rows.
    return SetRelation.EQUAL if _only_zero(old, before) and _only_zero(new, after) else SetRelation.INCOMPARABLE


def _only_zero(rule: QualityRule, passing: Accepted) -> bool:
    zero = exactly(Fraction(0))
    return passing == (zero.whole_numbers() if _counts_rows(rule) else zero)


def _counts_rows(rule: QualityRule) -> bool:
    return metric_of(rule) in COUNTED and unit_of(rule) == "rows"


def accepted_values(rule: QualityRule) -> Accepted | None:
    """Everything that passes; None when an operand is no number."""
    passing = _domain(rule)
    for operator, operand in rule.thresholds:
        limit = _accepted_by(operator, operand)
        if limit is None:
            return None
        passing = passing.intersect(limit)
    return passing.whole_numbers() if _counts_rows(rule) else passing


def threshold_text(rule: QualityRule) -> str:
    """For people: `mustBeLessThan 5 percent`."""
    parts = [f"{operator.value} {_operand(operand)}" for operator, operand in rule.thresholds]
    return " and ".join(parts) + (f" {rule.unit}" if rule.unit and parts else "")


def _operand(value: Json) -> str:
    if isinstance(value, list):
        return " and ".join(_operand(item) for item in value)
    return canonical(value).strip("'")


def _as_written(old: QualityRule, new: QualityRule) -> SetRelation:
    """The relation of thresholds without an order (texts, truth values); no threshold lets everything through."""
    sides = [
        sorted((operator.value, canonical(operand)) for operator, operand in rule.thresholds) for rule in (old, new)
    ]
    if sides[0] == sides[1] and unit_of(old) == unit_of(new):
        return SetRelation.EQUAL
    if not sides[0] or not sides[1]:
        return SetRelation.NARROWER if sides[1] else SetRelation.WIDER
    return SetRelation.INCOMPARABLE


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
