"""Sets of accepted numbers, so that limits can be compared and hashed by what they let through."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

Number = Fraction | float  # floats only for the two infinities
# A cut lies just before a number (side 0) or just after it (side 1); an interval reaches from one cut to the next.
# So "at least 5" starts at (5, 0), "more than 5" at (5, 1), and every comparison is one of tuples.
Cut = tuple[Number, int]
Interval = tuple[Cut, Cut]

_START: Cut = (-math.inf, 0)
_END: Cut = (math.inf, 1)


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
    """Numbers between two limits; None is not a limit."""
    start = _START if low is None else (low, 1 if open_low else 0)
    end = _END if high is None else (high, 0 if open_high else 1)
    return join_intervals([(start, end)])


def _whole(cut: Cut) -> Cut:
    number, side = cut
    if isinstance(number, float):
        return cut
    return (Fraction(math.floor(number) + 1 if side else math.ceil(number)), 0)


def spell_set(accepted: Accepted) -> str:
    """One text per set."""
    return " ".join(
        f"{low[0]}{'>' if low[1] else '='}..{'=' if high[1] else '<'}{high[0]}" for low, high in accepted.intervals
    )
