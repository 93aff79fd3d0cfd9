"""Scales of exact types: values as whole units, so that bounds, lists and multiples need no rounding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import time
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.moments import DAY, HOUR, MINUTE, SECOND, micros, moment
from ....contract.meaning.day import parse_day
from ....contract.meaning.exact import number_of

WIDTHS: dict[type[st.DataType], int] = {st.ByteType: 8, st.ShortType: 16, st.IntegerType: 32, st.LongType: 64}  # bits
_FAR = 10**30  # more days or microseconds than any calendar has
_TIME = getattr(st, "TimeType", ())  # from Spark 4.1


@dataclass(frozen=True, slots=True)
class Scale:
    """How values of a type count: `read` takes a written value to units, `literal` a whole number of units to Spark."""

    read: Callable[[str], Fraction | None]
    literal: Callable[[int], Column]
    least: int = -_FAR
    most: int = _FAR
    per_one: int = 0  # units in the number 1; 0 where values are not numbers

    def first_from(self, text: str, *, above: bool) -> int | None:
        """The least whole number of units that a lower bound allows; None when the bound cannot be read."""
        limit = self.read(text)
        return None if limit is None else floor(limit) + 1 if above else ceil(limit)

    def last_to(self, text: str, *, below: bool) -> int | None:
        """The greatest whole number of units that an upper bound allows."""
        limit = self.read(text)
        return None if limit is None else ceil(limit) - 1 if below else floor(limit)

    def equal_to(self, text: str) -> Column | None:
        """A literal for a written value; None when no value of the type can equal it."""
        units = self.read(text)
        if units is None or units.denominator != 1 or not self.least <= units <= self.most:
            return None
        return self.literal(units.numerator)


def scale_of(kind: st.DataType) -> Scale | None:
    """The scale of an exact type; None for texts, floats and everything that is not a single number or time."""
    if type(kind) in WIDTHS:
        half = 1 << (WIDTHS[type(kind)] - 1)
        return Scale(number_of, lambda units: sf.lit(units).cast(kind), -half, half - 1, per_one=1)
    if isinstance(kind, st.DecimalType):
        return _decimal_scale(kind)
    if isinstance(kind, st.DateType):
        return Scale(lambda text: _parse_moment(text, DAY), lambda days: sf.lit(_format_day(days)).cast(kind))
    if isinstance(kind, st.TimestampType):
        return Scale(lambda text: _parse_moment(text, 1), lambda us: sf.timestamp_micros(sf.lit(us)))
    if isinstance(kind, st.TimestampNTZType):  # by text, because a literal of Python's would pass through a zone
        return Scale(
            lambda text: _parse_moment(text, 1), lambda us: sf.lit(_format_wall_clock(us)).cast("timestamp_ntz")
        )
    if isinstance(kind, _TIME):
        return Scale(_parse_time_of_day, lambda us: sf.lit(_format_wall_clock(us)[11:]).cast(kind), 0, DAY - 1)
    return None


def _decimal_scale(kind: st.DecimalType) -> Scale:
    per_one = 10**kind.scale

    def read(text: str) -> Fraction | None:
        number = number_of(text)
        return None if number is None else number * per_one

    def literal(units: int) -> Column:
        return sf.lit(Decimal(f"{units}E-{kind.scale}")).cast(kind)

    most = 10**kind.precision - 1
    return Scale(read, literal, -most, most, per_one)


def _parse_moment(text: str, unit: int) -> Fraction | None:
    day, _ = parse_day(text)
    return Fraction(micros(day.moment), unit) if day else None


def _parse_time_of_day(text: str) -> Fraction | None:
    try:
        clock = time.fromisoformat(text.strip().rstrip("Zz"))
    except ValueError:
        return None
    return Fraction(clock.hour * HOUR + clock.minute * MINUTE + clock.second * SECOND + clock.microsecond)


def _format_wall_clock(us: int) -> str:
    return moment(us).strftime("%Y-%m-%d %H:%M:%S.%f").rjust(26, "0")  # some platforms do not pad years


def _format_day(days: int) -> str:
    """By text, because pyspark writes the year of a date before 1000 with fewer digits than Java reads."""
    return moment(days * DAY).date().isoformat()
