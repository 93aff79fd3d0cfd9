"""Dates and instants that a contract names, in UTC."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone

from ...frozen import dataclass
from ..model import Json
from .exact import quote_value


@dataclass(frozen=True, slots=True)
class Day:
    """A date or an instant in UTC; a date alone is its first moment."""

    moment: datetime

    @property
    def text(self) -> str:
        return self.human if self.human[-1] != "Z" else self.moment.isoformat().replace("+00:00", "Z")

    @property
    def human(self) -> str:
        midnight = self.moment.time() == datetime.min.time()
        return self.moment.date().isoformat() if midnight else self.moment.strftime("%Y-%m-%d %H:%M:%SZ")


_DATE = r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
_TIME = (
    r"[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,6})[0-9]*)?)?"
    r"\s*(?:[Zz]|UTC|([+-])([0-9]{2}):?([0-9]{2}))?"
)


def parse_day(value: Json) -> tuple[Day | None, str]:
    """`2032-05-12` or `2032-05-12T09:30:10-08:00`; a time without a zone is in UTC."""
    text = value.strip() if isinstance(value, str) else ""
    day, rest = re.match(_DATE, text), text[10:]
    clock = re.fullmatch(_TIME, rest)
    if day is None or (rest and clock is None):
        return None, f"{quote_value(value)} is not a date such as 2026-02-03"
    try:
        moment = datetime(int(day[1]), int(day[2]), int(day[3]), tzinfo=timezone.utc)
        return Day(moment + _since_midnight(clock) if clock else moment), ""
    except (ValueError, OverflowError):
        return None, f"{quote_value(value)} is not in the calendar"


def _since_midnight(clock: re.Match[str]) -> timedelta:
    hour, minute, second = int(clock[1]), int(clock[2]), int(clock[3] or 0)
    ahead = timedelta(hours=int(clock[6] or 0), minutes=int(clock[7] or 0))
    if hour > 23 or minute > 59 or second > 59:
        raise ValueError
    passed = timedelta(hours=hour, minutes=minute, seconds=second, microseconds=int((clock[4] or "").ljust(6, "0")))
    return passed + ahead if clock[5] == "-" else passed - ahead


def date_of(value: Json) -> date | None:
    """The calendar day of a date or instant."""
    day, _ = parse_day(value)
    return day.moment.date() if day else None
