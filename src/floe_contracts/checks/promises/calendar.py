"""Days on which data is expected: weekdays without holidays in one zone, and the open time between two moments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone, tzinfo

from ...contract.meaning.cron import instant
from ..moments import DAY, micros, moment

_DAY = timedelta(days=1)
_LONGEST_US = 3660 * DAY


@dataclass(frozen=True, slots=True)
class Calendar:
    """Open from midnight to midnight on the listed weekdays (Monday is 0), except on holidays."""

    weekdays: frozenset[int] = frozenset(range(7))
    holidays: frozenset[date] = frozenset()
    zone: tzinfo = timezone.utc

    def is_open(self, day: date) -> bool:
        return day.weekday() in self.weekdays and day not in self.holidays

    def open_us(self, since_us: int, until_us: int) -> int:
        """Open microseconds between two moments; a day of 23 or 25 hours counts as long as it is."""
        ancient = max(0, until_us - since_us - _LONGEST_US)  # counted as if always open: the answer is overdue anyway
        since_us += ancient
        total, day = ancient, self._local(since_us)
        last = self._local(until_us)
        while day <= last:
            if self.is_open(day):
                start, end = self.starts_us(day), self.starts_us(day + _DAY)
                total += max(0, min(end, until_us) - max(start, since_us))
            day += _DAY
        return total

    def starts_us(self, day: date) -> int:
        """The first moment of a day; where clocks skip midnight, the first moment after the gap."""
        return micros(instant(datetime.combine(day, time()), self.zone))

    def open_days_before(self, day: date, count: int) -> date:
        """So many open days back; the day itself does not count. A calendar that is never open gives plain days."""
        if not any(weekday in self.weekdays for weekday in range(7)):
            return day - timedelta(days=count)
        while count > 0:
            day -= _DAY
            count -= self.is_open(day)
        return day

    def _local(self, us: int) -> date:
        return moment(us).astimezone(self.zone).date()
