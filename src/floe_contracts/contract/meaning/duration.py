"""Lengths of time, exactly: whole calendar months apart from microseconds, because a month has no fixed length.

A day is 24 hours and a week seven days, as promises are kept in UTC; a year is twelve months and a quarter three.
The single letter `m` means minutes, except where only calendar lengths make sense (retention), where it means months
as in datacontract-cli; `min` and `mo` are never in doubt.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from ...frozen import dataclass
from ..model import Json
from .exact import number_of, quote_value, spell_number

_SECOND = 1_000_000
_MINUTE = 60 * _SECOND
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_MAX_MONTHS = 12 * 10_000


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time that is never negative."""

    months: int = 0
    microseconds: int = 0

    @property
    def hours(self) -> Fraction | None:
        """In hours, or None when calendar months are part of it."""
        return None if self.months else Fraction(self.microseconds, _HOUR)

    @property
    def text(self) -> str:
        """ISO 8601, one text per value: 360 minutes is `PT6H`."""
        years, months = divmod(self.months, 12)
        days, rest = divmod(self.microseconds, _DAY)
        hours, rest = divmod(rest, _HOUR)
        minutes, rest = divmod(rest, _MINUTE)
        seconds = spell_number(Fraction(rest, _SECOND))
        day = "".join(f"{count}{unit}" for count, unit in ((years, "Y"), (months, "M"), (days, "D")) if count)
        clock = "".join(f"{count}{unit}" for count, unit in ((hours, "H"), (minutes, "M")) if count)
        clock += f"{seconds}S" if rest else ""
        return f"P{day}T{clock}" if clock else f"P{day}" if day else "PT0S"

    @property
    def human(self) -> str:
        """For a sentence: `6 hours`, `1 year 6 months`."""
        parts = _parts(self)
        return (
            " ".join(f"{count} {word}" if count == "1" else f"{count} {word}s" for count, word in parts) or "0 seconds"
        )


def _parts(length: Duration) -> list[tuple[str, str]]:
    if not length.months and length.microseconds < _SECOND:
        shown = spell_number(Fraction(length.microseconds, 1000))
        return [(shown, "millisecond")] if shown != "0" else []
    years, months = divmod(length.months, 12)
    parts = [(str(years), "year"), (str(months), "month")]
    rest = length.microseconds
    for size, word in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        count, rest = divmod(rest, size)
        parts.append((str(count), word))
    parts.append((spell_number(Fraction(rest, _SECOND)), "second"))
    return [part for part in parts if part[0] != "0"]


def compare_durations(length: Duration, other: Duration) -> int | None:
    """-1, 0 or 1 when that holds in every month of the calendar, else None: a year is never shorter than 365 days."""
    if length == other:
        return 0
    least, most = _month_days(length.months - other.months)
    rest = length.microseconds - other.microseconds
    if least * _DAY + rest >= 0:
        return 1
    return -1 if most * _DAY + rest <= 0 else None


_SHORTEST = (0, 28, 59, 89, 120, 150, 181, 212, 242, 273, 303, 334)
_LONGEST = (0, 31, 62, 92, 123, 153, 184, 215, 245, 276, 306, 337)


def _month_days(months: int) -> tuple[int, int]:
    """The fewest and the most days that so many months can span."""
    if months < 0:
        least, most = _month_days(-months)
        return -most, -least
    years, rest = divmod(months, 12)
    leap_days = years // 4
    least = max(0, leap_days - 1 - years // 100)  # 1900 and 2100 are not leap years
    most = leap_days + (1 if years % 4 else 0)
    return 365 * years + least + _SHORTEST[rest], 365 * years + most + _LONGEST[rest]


# word -> months, microseconds
_UNITS: dict[str, tuple[int, Fraction]] = {
    word: size
    for words, size in (
        ("ns nanos nanosecond nanoseconds", (0, Fraction(1, 1000))),
        ("us µs μs micros microsecond microseconds", (0, Fraction(1))),
        ("ms msec msecs millis millisecond milliseconds", (0, Fraction(1000))),
        ("s sec secs second seconds", (0, Fraction(_SECOND))),
        ("min mins minute minutes", (0, Fraction(_MINUTE))),
        ("h hr hrs hour hours", (0, Fraction(_HOUR))),
        ("d day days", (0, Fraction(_DAY))),
        ("w wk wks week weeks", (0, Fraction(7 * _DAY))),
        ("mo mos mon mth mths month months", (1, Fraction(0))),
        ("q qtr quarter quarters", (3, Fraction(0))),
        ("y yr yrs year years", (12, Fraction(0))),
    )
    for word in words.split()
}
_MINUTES, _MONTHS = _UNITS["min"], _UNITS["mo"]

_N = r"([0-9]{1,15}(?:[.,][0-9]{1,15})?)"
_ISO = rf"P(?=[0-9T])(?:{_N}Y)?(?:{_N}M)?(?:{_N}W)?(?:{_N}D)?(?:T(?=[0-9])(?:{_N}H)?(?:{_N}M)?(?:{_N}S)?)?"
_ISO_UNITS = ("y", "mo", "w", "d", "h", "min", "s")
_PART = re.compile(rf"\s*{_N}\s*([^\W\d_]+)")
_MAX_TEXT = 80
_Part = tuple[Fraction, tuple[int, Fraction]]


def parse_duration(value: Json, unit: str | None = None, *, calendar: bool = False) -> tuple[Duration | None, str]:
    """A length of time from ISO 8601, `6h`, `1.5 hours`, `1h30m`, or a number with a unit; else None and why not.

    `calendar` says that a lone `m` means months.
    """
    number = number_of(value)
    if number is not None:
        if not unit:
            return (
                None,
                f"{quote_value(value)} has no unit; add a unit such as h or d, or write a duration such as PT6H",
            )
        size = unit_size(unit, calendar=calendar)
        return _sum_parts([(number, size)]) if size else (None, f"{quote_value(unit)} is not a unit of time")
    if not isinstance(value, str):
        return None, f"{quote_value(value)} is not a length of time"
    if value.strip().startswith("-"):
        return None, f"{quote_value(value)} is negative"
    beside = unit_size(unit, calendar=calendar) if unit else None
    if unit and beside is None:
        return None, f"{quote_value(unit)} is not a unit of time"
    parts = _split_parts(value.strip(), calendar)
    if not parts:
        return None, f"{quote_value(value)} is not a length of time"
    if beside and beside not in [size for _, size in parts] and value.strip()[0] not in "Pp":
        return None, f"the value {quote_value(value)} and the unit {quote_value(unit)} contradict each other"
    return _sum_parts(parts)


def unit_size(unit: str, *, calendar: bool = False) -> tuple[int, Fraction] | None:
    """Months and microseconds in one unit; None when the word is not a unit of time."""
    word = unit.strip().casefold()
    if word == "m":
        return _MONTHS if calendar else _MINUTES
    return _UNITS.get(word)


def _split_parts(text: str, calendar: bool) -> list[_Part]:
    """Numbers with their units, largest unit first; empty when the text is not a length of time."""
    if len(text) > _MAX_TEXT:
        return []
    iso = re.fullmatch(_ISO, text, re.IGNORECASE)
    if iso:
        given = [(count, _UNITS[unit]) for count, unit in zip(iso.groups(), _ISO_UNITS, strict=True) if count]
        whole = all(count.isdecimal() for count, _ in given[:-1])
        return [(_fraction(count), size) for count, size in given] if whole else []
    parts: list[_Part] = []
    end = 0
    while (part := _PART.match(text, end)) and (size := unit_size(part[2], calendar=calendar)):
        parts.append((_fraction(part[1]), size))
        end = part.end()
    return parts if end == len(text) and _is_descending(parts) else []


def _fraction(text: str) -> Fraction:
    return Fraction(text.replace(",", "."))


def _is_descending(parts: list[_Part]) -> bool:
    sizes = [size for _, size in parts]
    return all(left > right for left, right in pairwise(sizes))


def _sum_parts(parts: list[_Part]) -> tuple[Duration | None, str]:
    months = sum((count * size[0] for count, size in parts), Fraction(0))
    exact = sum((count * size[1] for count, size in parts), Fraction(0))
    if months < 0 or exact < 0:
        return None, "a length of time cannot be negative"
    if months.denominator != 1:
        return None, "a fraction of a month has no fixed length"
    if exact.denominator != 1:
        return None, "nothing shorter than a microsecond can be measured"
    if months > _MAX_MONTHS or exact > _MAX_MONTHS * 31 * _DAY:
        return None, "it is longer than ten thousand years"
    return Duration(int(months), int(exact)), ""
