"""Times, lengths and numbers as the pages print them: in words, in UTC, and the same on every machine."""

from __future__ import annotations

import re
from datetime import date
from decimal import ROUND_DOWN, Decimal

from ....checks.moments import DAY, HOUR, MINUTE, SECOND, iso, moment
from ....contract.meaning.duration import parse_duration
from ....contract.meaning.phrase import plural
from ..markup import tag, text

_UNITS = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second"))
_LENGTH = re.compile(r"P[0-9A-Z.]{1,30}")
CHECK_NAMES = {
    "availability": "Availability",
    "freshness": "Freshness",
    "schema_drift": "Schema",
    "quality": "Quality",
    "lifecycle": "Lifecycle",
}


def when(us: int) -> str:
    """A moment to the minute, for machines to the microsecond."""
    return tag("time", f"{moment(us):%Y-%m-%d %H:%M}", datetime=iso(us))


def day(value: date) -> str:
    return tag("time", value.isoformat(), datetime=value.isoformat())


def spell_length(us: int) -> str:
    """A length in its largest unit, and the next one while that says something: `3 days`, `1 day 4 hours`."""
    us = max(0, us)
    for (size, word), (smaller, below) in zip(_UNITS, (*_UNITS[1:], (1, "")), strict=True):
        count, rest = divmod(us, size)
        if count:
            more = rest // smaller if count < 3 and size > MINUTE else 0
            return f"{plural(count, word)} {plural(more, below)}" if more else plural(count, word)
    return "less than a second"


def spell_value(words: str) -> str:
    """What was expected or found, with a length of ISO 8601 in words: `PT6H` is 6 hours."""
    length = parse_duration(words)[0] if _LENGTH.fullmatch(words) else None
    return length.human if length else words


def ago(us: int, now_us: int) -> str:
    return f"{spell_length(now_us - us)} ago" if now_us - us >= MINUTE else "just now"


def number(value: Decimal, most: int = 2) -> str:
    """A number with at most so many decimals, rounded down, so that 100 means all of it."""
    cut = value.quantize(Decimal(1).scaleb(-most), ROUND_DOWN)
    return f"{cut:f}".rstrip("0").rstrip(".") if most else f"{cut:f}"


def amount(count: int, word: str, words: str = "") -> str:
    """A number of things: `1 contract`, `2 contracts`."""
    return plural(count, word, words, digits=",").replace(",", "\u202f")


def pill(words: str, kind: str) -> str:
    return tag("span", text(words, 80), class_=f"pill {kind}")


def glyph(name: str) -> str:
    """A state as a shape, for people who do not see its colour."""
    return tag("svg", tag("path", d=_SHAPES[name]), viewBox="0 0 16 16", class_=f"glyph {name}", aria_hidden="true")


_SHAPES = {
    "violated": "M8 1 15 14.5H1zM7.2 5.5v4.6h1.6V5.5zM7.2 11.2v1.7h1.6v-1.7z",
    "errored": "M5 1h6l4 4v6l-4 4H5l-4-4V5zM4.9 6 6.9 8l-2 2L6 11.1l2-2 2 2 1.1-1.1-2-2 2-2L10 4.9l-2 2-2-2z",
    "missed": "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM7.2 4v4.6l3.3 2 .8-1.3-2.5-1.5V4z",
    "passing": "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM6.9 11.2 3.9 8.2l1.1-1.1 1.9 1.9 4-4L12 6.1z",
    "idle": "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM4.6 7.2v1.6h6.8V7.2z",
}
