"""Moments and lengths of time as checks count and print them: whole microseconds since 1970 in UTC."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from ..contract.meaning.duration import Duration
from ..contract.meaning.phrase import plural

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
_UNITS = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (SECOND, "second"))


def moment(us: int) -> datetime:
    return _EPOCH + timedelta(microseconds=us)


def micros(when: datetime) -> int:
    return (when - _EPOCH) // _MICROSECOND


def iso(us: int) -> str:
    """`2026-01-03T10:15:00Z`, with a fraction only where there is one."""
    try:
        return moment(us).isoformat().replace("+00:00", "Z")
    except OverflowError:  # Spark's calendar is longer than Python's
        return f"{us} microseconds after 1970"


@lru_cache(maxsize=64)
def zone_of(name: str) -> tzinfo | None:
    """A time zone by its name, from the platform's database; None when nobody knows it."""
    if name.strip().upper() in ("", "UTC", "Z", "ETC/UTC", "GMT"):
        return timezone.utc
    try:
        return ZoneInfo(name.strip())
    except (KeyError, ValueError, OSError):  # ZoneInfoNotFoundError is a KeyError; a folder's name is an OSError
        return None


def utc_day(us: int) -> date:
    return moment(us).date()


def last_complete_day(as_of_us: int) -> date:
    """The newest UTC day that is over; a day ends with its last moment, so midnight sees the day before as complete."""
    return utc_day(as_of_us) - timedelta(days=1)


def length(us: int) -> Duration:
    return Duration(0, max(0, us))


def spell_roughly(us: int) -> str:
    """For a sentence, in its two largest units: `8 hours`, `2 days 3 hours`, `1 minute 12 seconds`."""
    parts: list[str] = []
    for size, word in _UNITS:
        count, us = divmod(us, size)
        if count:
            parts.append(plural(count, word))
        if len(parts) == 2 or (parts and not count):
            break
    return " ".join(parts) or "less than a second"


def spell_apart(actual_us: int, allowed_us: int) -> tuple[str, str]:
    """Two lengths for one sentence; where rounding would make them look equal they are exact."""
    if spell_roughly(actual_us) == spell_roughly(allowed_us):
        return length(actual_us).human, length(allowed_us).human
    return spell_roughly(actual_us), spell_roughly(allowed_us)


def write_length(actual_us: int, allowed_us: int) -> str:
    """A length in ISO 8601, to the second unless that hides a difference."""
    whole = actual_us - actual_us % SECOND
    return length(actual_us if whole <= allowed_us < actual_us else whole).text
