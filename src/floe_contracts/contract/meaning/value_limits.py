"""What the limits of a column let through: one end of a range as a set of numbers, moments included."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from ..model import Json, ValueOptions
from .accepted import EVERYTHING, Accepted, from_to
from .exact import number_of
from .quantity import parse_clock_time, parse_day
from .type_options import TEMPORAL


class LimitScale(NamedTuple):
    """How the limits of a type are read as numbers, and whether only whole ones exist."""

    number: Callable[[Json], Fraction | None]
    whole: bool = False


def scale_of(old: str, new: str) -> LimitScale:
    """The scale for limits on both sides of a change of type, whichever of the two is the older."""
    types = {name for name in (old, new) if name}
    if types and types <= TEMPORAL:
        return LimitScale(_moment)
    return LimitScale(number_of, whole=old == new == "integer")


def _moment(value: Json) -> Fraction | None:
    """A date, timestamp or time as a number, so that its order is not that of its spelling."""
    day, _ = parse_day(value)
    if day is not None:
        moment = day.moment
        return Fraction((moment.toordinal() * 24 + moment.hour) * 3600 + moment.minute * 60 + moment.second) + Fraction(
            moment.microsecond, 1_000_000
        )
    clock, _ = parse_clock_time(value)
    return Fraction(clock.seconds) if clock is not None and clock.zone == "UTC" else None


def limits_of(options: ValueOptions, side: str) -> tuple[Json, Json]:
    """The closed and the open limit of one side: `minimum` or `maximum`."""
    return getattr(options, side), getattr(options, f"exclusive_{side}")


def accepted_end(options: ValueOptions, side: str, scale: LimitScale) -> Accepted | None:
    """What one end lets through; None when a limit cannot be read."""
    closed, opened = limits_of(options, side)
    accepted = EVERYTHING
    for value, is_open in ((closed, False), (opened, True)):
        if value is None or value == "":
            continue
        number = scale.number(value)
        if number is None:
            return None
        low, high = (number, None) if side == "minimum" else (None, number)
        accepted = accepted.intersect(from_to(low, high, open_low=is_open, open_high=is_open))
    return accepted.whole_numbers() if scale.whole else accepted
