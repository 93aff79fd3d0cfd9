"""How often a check is started, in the words of cron and systemd.

Not every interval can be said in them (90 minutes cannot). Then the check is started at the longest cadence that
divides the interval: a start inside a slot that is filled already checks nothing, so nothing is counted twice.
"""

from __future__ import annotations

from dataclasses import dataclass

_MINUTE_S = 60
_HOUR_S = 3_600
_DAY_S = 86_400
_MINUTES = (30, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1)  # that divide an hour
_HOURS = (12, 8, 6, 4, 3, 2, 1)  # that divide a day


@dataclass(frozen=True, slots=True)
class Cadence:
    """Every so many minutes, hours or days, counted from midnight UTC; one of the three is not 0."""

    minutes: int = 0
    hours: int = 0

    @property
    def cron(self) -> str:
        if self.minutes:
            return "* * * * *" if self.minutes == 1 else f"*/{self.minutes} * * * *"
        if self.hours:
            return "0 * * * *" if self.hours == 1 else f"0 */{self.hours} * * *"
        return "0 0 * * *"

    @property
    def calendar(self) -> str:
        """As `OnCalendar=` of a systemd timer takes it."""
        if self.minutes:
            return "*-*-* *:*:00 UTC" if self.minutes == 1 else f"*-*-* *:00/{self.minutes}:00 UTC"
        if self.hours:
            return "*-*-* *:00:00 UTC" if self.hours == 1 else f"*-*-* 00/{self.hours}:00:00 UTC"
        return "*-*-* 00:00:00 UTC"


def cadence_of(interval_s: int) -> Cadence:
    """The longest cadence that meets every slot of an interval; a minute for shorter ones."""
    if interval_s % _DAY_S == 0:
        return Cadence()
    for hours in _HOURS:
        if interval_s % (hours * _HOUR_S) == 0:
            return Cadence(hours=hours)
    return Cadence(minutes=next((one for one in _MINUTES if interval_s % (one * _MINUTE_S) == 0), 1))
