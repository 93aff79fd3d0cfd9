"""What a service level promises, as exact values that compare across units: 6h, PT6H and 360 minutes are one.

Every reader here returns the value and an empty reason, or None and the reason why the text cannot be meant. Every
value has `text` (canonical, one per value, readable again) and `human` (for a sentence). Floats appear nowhere.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeAlias

from ...frozen import dataclass
from ..model import Json
from .clock import ClockTime, parse_clock_time
from .day import Day, date_of, parse_day
from .duration import Duration, compare_durations, parse_duration, unit_size
from .exact import number_of, quote_value, spell_number

__all__ = [
    "ClockTime",
    "Count",
    "Day",
    "Duration",
    "Percent",
    "Quantity",
    "Text",
    "compare",
    "date_of",
    "parse_clock_time",
    "parse_count",
    "parse_day",
    "parse_duration",
    "parse_percent",
]


@dataclass(frozen=True, slots=True)
class Percent:
    """A share of a whole, in hundredths."""

    points: Fraction

    @property
    def text(self) -> str:
        return f"{spell_number(self.points)}%"

    @property
    def human(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Count:
    """A number of things; rates are per day (`row/day`), sizes in bytes, so that units compare."""

    value: Fraction
    unit: str = ""

    @property
    def text(self) -> str:
        return f"{spell_number(self.value)} {self.unit}".strip()

    @property
    def human(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Text:
    """A value without a meaning here; it only equals itself."""

    text: str

    @property
    def human(self) -> str:
        return self.text


Quantity: TypeAlias = "Duration | Percent | Count | ClockTime | Day | Text"


def compare(quantity: Quantity, other: Quantity) -> int | None:
    """-1, 0 or 1 as `one` is less than, equal to or more than `other`; None when nobody can say."""
    if quantity == other:
        return 0
    if isinstance(quantity, Duration) and isinstance(other, Duration):
        return compare_durations(quantity, other)
    if isinstance(quantity, Percent) and isinstance(other, Percent):
        return _order(quantity.points, other.points)
    if isinstance(quantity, Count) and isinstance(other, Count) and quantity.unit == other.unit:
        return _order(quantity.value, other.value)
    if isinstance(quantity, ClockTime) and isinstance(other, ClockTime) and quantity.zone == other.zone:
        return _order(Fraction(quantity.seconds), Fraction(other.seconds))
    if isinstance(quantity, Day) and isinstance(other, Day):
        return -1 if quantity.moment < other.moment else 1
    return None


def _order(number: Fraction, other: Fraction) -> int:
    return (number > other) - (number < other)


_PERCENT = r"([0-9]{1,15}(?:[.,][0-9]{1,15})?)\s*(?:%|(?i:percent|per cent|pct))"
_PERCENT_UNITS = frozenset({"%", "percent", "percentage", "pct", "per cent"})
_RATIO_UNITS = frozenset({"ratio", "fraction"})


def parse_percent(value: Json, unit: str | None = None, *, ratio: bool = False) -> tuple[Percent | None, str]:
    """`99.9%`, 99.9 with or without the unit percent, 0.999 with unit ratio.

    With `ratio`, a number up to 1 without a unit is a share of 1: nobody promises an availability of 0.999 %.
    """
    word = (unit or "").strip().casefold()
    if word and word not in _PERCENT_UNITS | _RATIO_UNITS:
        return None, f"{quote_value(unit)} is not a unit for a percentage"
    number = number_of(value)
    if number is None:
        match = re.fullmatch(_PERCENT, value.strip()) if isinstance(value, str) else None
        if match is None:
            return None, f"{quote_value(value)} is not a percentage"
        number = Fraction(match[1].replace(",", "."))
    elif word in _RATIO_UNITS or (ratio and not word and number <= 1):
        number *= 100
    if number < 0:
        return None, "a percentage cannot be negative"
    if number > 100:
        return None, f"{spell_number(number)}% is more than the whole"
    return Percent(number), ""


_GROUPED = r"[0-9]{1,3}(?:[,_ ][0-9]{3})+"
_COUNTED = r"([0-9][0-9.,_]*)\s*([^\W\d_][^\d]*)"
_PER = r"\s*(?:/|\bper\b)\s*"
_BYTES = {
    prefix + letter: size
    for letter in ("b", "byte")
    for prefix, size in (
        ("", 1),
        *((word, 1000**power) for power, word in enumerate(("k", "m", "g", "t", "p"), 1)),
        *((word, 1024**power) for power, word in enumerate(("ki", "mi", "gi", "ti", "pi"), 1)),
    )
}
_DAY = 86_400_000_000


def parse_count(value: Json, unit: str | None = None) -> tuple[Count | None, str]:
    """10000, `10,000`, `1000 rows/s`, 5 with unit MB/s; units that are not known must be equal to compare."""
    if isinstance(value, str) and not unit and (match := re.fullmatch(_COUNTED, value.strip())):
        value, unit = match[1], match[2]
    if isinstance(value, str) and re.fullmatch(_GROUPED, value.strip()):
        value = re.sub(r"[,_ ]", "", value)
    number = number_of(value)
    if number is None:
        return None, f"{quote_value(value)} is not a number"
    if number < 0:
        return None, "a number of things cannot be negative"
    factor, name = _read_unit(unit or "")
    return Count(number * factor, name), ""


def _read_unit(unit: str) -> tuple[Fraction, str]:
    what, *per = re.split(_PER, unit.strip().casefold())
    what = what.strip()
    what = what[:-1] if len(what) > 3 and what.endswith("s") else what
    factor = Fraction(1)
    if what in _BYTES:
        factor, what = Fraction(_BYTES[what]), "byte"
    if not per:
        return factor, what
    months, span = (unit_size(per[0]) if len(per) == 1 else None) or (0, Fraction(0))
    if months or not 0 < span <= _DAY:  # a week or a month does not go into a day without a remainder
        return factor, "/".join((what, *per))
    return factor * _DAY / span, f"{what}/day"
