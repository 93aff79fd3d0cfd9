"""A time of day at which something is due, comparable in UTC where the zone is a fixed offset."""

from __future__ import annotations

import re

from ...frozen import dataclass
from ..model import Json
from .exact import quote_value

_HOUR = 3600
_DAY = 24 * _HOUR


@dataclass(frozen=True, slots=True)
class ClockTime:
    """Seconds after midnight of the day in question.

    With an offset they are counted from midnight UTC, so they may lie before it (01:00+02:00) or beyond the day's end
    (20:00-08:00). A zone with daylight saving keeps its name and its own clock.
    """

    seconds: int
    zone: str = "UTC"

    @property
    def text(self) -> str:
        """The clock in UTC, or in the zone; a fixed offset only where the UTC day is another day."""
        if self.zone != "UTC":
            return f"{_clock(self.seconds)} {self.zone}"
        if 0 <= self.seconds < _DAY:
            return f"{_clock(self.seconds)}Z"
        shown = self.seconds % _HOUR + (0 if self.seconds < 0 else 23 * _HOUR)
        ahead = (shown - self.seconds) // _HOUR
        return f"{_clock(shown)}{'+' if ahead >= 0 else '-'}{abs(ahead):02d}:00"

    @property
    def human(self) -> str:
        days, rest = divmod(self.seconds, _DAY)
        note = {-1: " the day before", 0: "", 1: " the day after"}[days]
        return f"{_clock(rest)} {self.zone}{note}"


def _clock(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    shown = f"{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{shown}:{rest:02d}" if rest else shown


_TEXT = (
    r"([0-9]{1,2})(?::([0-9]{2})(?::([0-9]{2}))?)?\s*([ap]\.?m\.?(?![a-z]))?\s*"
    r"(?:(Z|UTC|GMT|Etc/UTC|Etc/GMT)|([+-])([0-9]{1,2})(?::?([0-9]{2}))?|([A-Z]{2,5}|[A-Za-z_]+(?:/[A-Za-z0-9_+-]+)+))?"
)
_WIDEST_OFFSET = 18 * _HOUR


def parse_clock_time(value: Json) -> tuple[ClockTime | None, str]:
    """`06:00`, `06:00 UTC`, `09:00-08:00`, `08:00 Europe/Berlin`, `6 AM`; without a zone it is UTC."""
    match = re.fullmatch(_TEXT, value.strip(), re.IGNORECASE) if isinstance(value, str) else None
    if match is None or (match[2] is None and match[4] is None):
        return None, f"{quote_value(value)} is not a time of day such as 06:00 UTC"
    hour, half = int(match[1]), (match[4] or "").casefold()[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0) if 1 <= hour <= 12 else 25
    minute, second = int(match[2] or 0), int(match[3] or 0)
    if minute > 59 or second > 59 or (hour, minute, second) > (24, 0, 0):
        return None, f"{quote_value(value)} is not on the clock"
    seconds = hour * _HOUR + minute * 60 + second
    if match[9]:
        return ClockTime(seconds, match[9]), ""
    offset = int(match[7] or 0) * _HOUR + int(match[8] or 0) * 60
    if offset > _WIDEST_OFFSET or int(match[8] or 0) > 59:
        return None, f"{quote_value(value)} is too far from UTC"
    return ClockTime(seconds + offset if match[6] == "-" else seconds - offset), ""
