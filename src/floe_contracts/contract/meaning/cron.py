"""Cron in five fields: when a schedule fires next or did last, and how long its longest silence is.

Written here so that a hook needs no package for it. Fields: minute, hour, day of month, month, day of week (0 and 7
are Sunday); names, ranges, steps, lists, `?` for any day, and the `@daily` forms. As in cron, a day counts when day of
month or day of week matches, if neither begins with a star. A local time that a clock change skips fires at the first
moment after the gap; one that it repeats fires the first time, or both times when every hour is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from itertools import pairwise

from ...frozen import dataclass

_DAY = timedelta(days=1)
_SEARCH_DAYS = 366 * 8 + 3  # 29 February may be eight years away
_SAMPLE = (datetime(2076, 1, 1), datetime(2108, 1, 1))  # noqa: DTZ001  # local days; 2100 is not a leap year


@dataclass(frozen=True, slots=True)
class Cron:
    """A schedule: which minutes of which days."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]  # 0 is Sunday
    either: bool  # day of month and day of week are both restricted, and one match suffices

    def next_after(self, moment: datetime, zone: tzinfo = timezone.utc) -> datetime | None:
        """The first fire strictly after an aware moment, in UTC."""
        day = _local_day(moment, zone)
        for _ in range(_SEARCH_DAYS):
            if self._on(day):
                for fire in self._fires(day, zone):
                    if fire > moment:
                        return fire
            day += _DAY
        return None

    def last_until(self, moment: datetime, zone: tzinfo = timezone.utc) -> datetime | None:
        """The newest fire at or before an aware moment, in UTC."""
        day = _local_day(moment, zone)
        for _ in range(_SEARCH_DAYS):
            if self._on(day):
                for fire in reversed(self._fires(day, zone)):
                    if fire <= moment:
                        return fire
            day -= _DAY
        return None

    def longest_gap(self) -> timedelta:
        """The longest time between two fires, clock changes left aside."""
        fires = [hour * 60 + minute for hour in self.hours for minute in self.minutes]
        within = max((later - earlier for earlier, later in pairwise(fires)), default=0)
        overnight = _day_gaps(self)[1] * 24 * 60 - fires[-1] + fires[0]
        return timedelta(minutes=max(within, overnight))

    def shortest_gap(self) -> timedelta:
        """The shortest time between two fires, clock changes left aside."""
        fires = [hour * 60 + minute for hour in self.hours for minute in self.minutes]
        within = min((later - earlier for earlier, later in pairwise(fires)), default=_SEARCH_DAYS * 24 * 60)
        overnight = _day_gaps(self)[0] * 24 * 60 - fires[-1] + fires[0]
        return timedelta(minutes=min(within, overnight))

    def fires(self, start: datetime, days: int, zone: tzinfo = timezone.utc) -> Iterator[datetime]:
        """Every fire of so many days, in UTC."""
        day = _local_day(start, zone)
        for _ in range(days):
            if self._on(day):
                yield from self._fires(day, zone)
            day += _DAY

    def _on(self, day: datetime) -> bool:
        if day.month not in self.months:
            return False
        by_date, by_weekday = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return by_date or by_weekday if self.either else by_date and by_weekday

    def _fires(self, day: datetime, zone: tzinfo) -> list[datetime]:
        folds = (0, 1) if len(self.hours) == 24 else (0,)
        return sorted(
            {
                instant(day.replace(hour=hour, minute=minute, fold=fold), zone)
                for hour in self.hours
                for minute in self.minutes
                for fold in folds
            }
        )


def _local_day(moment: datetime, zone: tzinfo) -> datetime:
    return moment.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None, fold=0)


def instant(local: datetime, zone: tzinfo) -> datetime:
    """The moment at which a zone's clocks show a local time; a skipped one is the first moment after the gap."""
    before = local.replace(tzinfo=zone, fold=0).astimezone(timezone.utc)
    after = local.replace(tzinfo=zone, fold=1).astimezone(timezone.utc)
    if after >= before:  # the usual day, or a repeated hour
        return after if local.fold else before
    while before - after > timedelta(seconds=1):  # a skipped time: the change of clocks lies between the two
        middle = after + (before - after) // 2
        if middle.astimezone(zone).replace(tzinfo=None) > local:
            before = middle
        else:
            after = middle
    return before.replace(microsecond=0)


@lru_cache(maxsize=256)
def _day_gaps(schedule: Cron) -> tuple[int, int]:
    """The fewest and the most days from one day that counts to the next."""
    if len(schedule.months) == 12 and len(schedule.days) == 31 and len(schedule.weekdays) == 7:
        return 1, 1
    narrowest, widest, day = _SEARCH_DAYS, 1, _SAMPLE[0]
    since: datetime | None = None
    while day < _SAMPLE[1]:
        if schedule._on(day):
            gap = (day - since).days if since else None
            narrowest, widest = min(narrowest, gap or narrowest), max(widest, gap or 1)
            since = day
        day += _DAY
    return narrowest, widest


_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAY_NAMES = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MONTHS = {name: at for at, name in enumerate(_MONTH_NAMES, 1)}
_WEEKDAYS = {name: at for at, name in enumerate(_WEEKDAY_NAMES)}
_Field = tuple[str, int, int, "dict[str, int]"]
_FIELDS: tuple[_Field, ...] = (
    ("minute", 0, 59, {}),
    ("hour", 0, 23, {}),
    ("day of month", 1, 31, {}),
    ("month", 1, 12, _MONTHS),
    ("day of week", 0, 7, _WEEKDAYS),
)
_SHORT = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_ITEM = r"(\*|\?|[0-9]{1,4}|[a-z]{3})(?:-([0-9]{1,4}|[a-z]{3}))?(?:/([0-9]{1,4}))?"
_MAX_TEXT = 1000
_LONGEST_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def problem(text: str) -> str:
    """Why a schedule cannot be read; empty when it can."""
    return parse_cron(text)[1]


def parse_cron(text: str) -> tuple[Cron | None, str]:
    """A schedule and an empty reason, or None and why not."""
    words = _SHORT.get(text.strip().casefold(), text).casefold().split() if len(text) <= _MAX_TEXT else []
    if len(words) != len(_FIELDS):
        return None, f"cron has 5 fields (minute, hour, day of month, month, day of week), and this has {len(words)}"
    numbers: list[frozenset[int]] = []
    for word, field in zip(words, _FIELDS, strict=True):
        allowed, reason = _numbers(word, field)
        if reason:
            return None, reason
        numbers.append(allowed)
    minutes, hours, days, months, weekdays = numbers
    either = words[2][0] not in "*?" and words[4][0] not in "*?"
    if not either and not any(day <= _LONGEST_MONTH[month - 1] for day in days for month in months):
        return None, "no year has such a day"
    weekdays = frozenset(day % 7 for day in weekdays)
    return Cron(tuple(sorted(minutes)), tuple(sorted(hours)), days, months, weekdays, either), ""


def _numbers(word: str, field: _Field) -> tuple[frozenset[int], str]:
    numbers: set[int] = set()
    for item in word.split(","):
        some, reason = _item(item, field)
        if reason:
            return frozenset(), reason
        numbers.update(some)
    return frozenset(numbers), ""


def _item(item: str, field: _Field) -> tuple[range, str]:
    """One element of a list: `*`, `5`, `1-5`, `*/15`, `mon-fri`."""
    label, least, most, names = field
    match = re.fullmatch(_ITEM, item)
    if match is None or (match[1] == "?" and not label.startswith("day")) or (match[1] in ("*", "?") and match[2]):
        return range(0), f"{item!r} makes no sense as {label}"
    if match[1] in ("*", "?"):
        first, last = least, most
    else:
        first = names.get(match[1], -1) if match[1].isalpha() else int(match[1])
        last = first if not match[2] else names.get(match[2], -1) if match[2].isalpha() else int(match[2])
        if match[2] == "sun" or (match[2] is None and match[3]):
            last = most  # fri-sun, and 5/15 for `from 5 on`
    if not (least <= first <= most and least <= last <= most):
        return range(0), f"{item!r} is outside {least}-{most}, the range of {label}"
    if first > last:
        return range(0), f"{item!r} runs backwards"
    if match[3] and int(match[3]) == 0:
        return range(0), f"{item!r} has a step of 0"
    return range(first, last + 1, int(match[3] or 1)), ""
