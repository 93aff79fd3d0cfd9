"""The newest time of a column in whole units of its own type, taken to UTC outside of Spark's session zone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta, timezone, tzinfo
from functools import reduce
from operator import add

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql import types as st

from ....checks.measured import Clock, Failure
from ....checks.moments import DAY, HOUR, MINUTE, SECOND, micros, moment, zone_of
from ....checks.names import spell_path
from ....checks.promises.promise import ClockChoice
from ....checks.rules.values import known_format
from ..columns.paths import CannotAsk, find
from ..columns.scales import scale_of
from ..columns.time_letters import read_time_format
from ..measure.aggregate import AggregateQuestion
from ..measure.limits import TEXTS

CLOCK = "clock"  # the key of the question
_LITERAL = re.compile(r"'[^']*'")  # text inside a pattern of Java's DateTimeFormatter
_ZONE = re.compile("[XxZzVO]")  # its letters for zones and offsets
_LONGEST_FOLD = 3 * HOUR  # no clock was ever set back by more while it stayed on its day


@dataclass(frozen=True, slots=True)
class ClockColumn:
    """A column of times: `units` of one value, and how to convert units to UTC microseconds and back."""

    name: str
    value: Column
    units: Callable[[Column], Column]
    to_us: Callable[[int], int]
    from_us: Callable[[int], int]  # the last unit that is not after a moment
    literal: Callable[[int], Column]
    utc_us: Column  # of each value
    plain: bool = True  # the column itself holds times; False: they are read out of texts or numbers

    def question(self, until_us: int) -> AggregateQuestion:
        """Aggregates: newest of all, newest not later than the limit, how many are later, how many are null."""
        past = self.value <= self.literal(self.from_us(until_us))
        return AggregateQuestion(
            CLOCK,
            (
                self.units(sf.max(self.value)),
                self.units(sf.max(sf.when(past, self.value))),
                sf.count(sf.when(~past, sf.lit(1))),
                sf.count(sf.when(self.value.isNull(), sf.lit(1))),
            ),
        )

    def clock(self, answer: tuple[int | None, int | None, int, int], rows: int | None, as_of_us: int) -> Clock:
        _, last, future, nulls = answer
        last_us = None if last is None else self.to_us(last)
        return Clock(last_us, f"column {self.name} by scan", as_of_us, rows, nulls, future)


def clock_column(schema: st.StructType, choice: ClockChoice) -> ClockColumn | Failure:
    """The column of times that was chosen, or why it tells no time."""
    zone = zone_of(choice.zone)
    if choice.path is None or zone is None:
        return Failure("no column was chosen" if choice.path is None else f"no time zone is called {choice.zone!r}")
    try:
        clock = find(schema, choice.path)
        value, kind = _read_declared(clock.value, clock.type, choice)
    except CannotAsk as no:
        return no.failure()
    name = spell_path(choice.path)
    conversion = _conversions(zone, day_end=choice.day_end).get(type(kind))
    scale = scale_of(kind)
    if conversion is None or scale is None:
        return Failure(f"{name} is {kind.typeName()}, which tells no time{_offer(kind)}")
    units, to_us, from_us = conversion
    utc_us = _utc_us(units(value), kind, choice)
    return ClockColumn(name, value, units, to_us, from_us, scale.literal, utc_us, kind == clock.type)


def _read_declared(value: Column, kind: st.DataType, choice: ClockChoice) -> tuple[Column, st.DataType]:
    """The time that a text or a number stands for, where the contract says how it is written; null where it is none."""
    if isinstance(kind, TEXTS) and choice.format:
        iso = known_format(choice.format)  # date and date-time are written as ISO 8601 has it
        moment_ = sf.try_to_timestamp(value, *([] if iso else [sf.lit(read_time_format(choice.format))]))
        has_zone = iso == "date-time" if iso else bool(_ZONE.search(_LITERAL.sub("", choice.format)))
        return (moment_, st.TimestampType()) if has_zone else (moment_.cast("timestamp_ntz"), st.TimestampNTZType())
    if isinstance(kind, st.IntegralType) and choice.unit_us:
        micros_ = sf.try_multiply(value.cast("bigint"), sf.lit(choice.unit_us).cast("bigint"))
        return sf.timestamp_micros(micros_), st.TimestampType()
    return value, kind


def _offer(kind: st.DataType) -> str:
    """What to declare so that it does."""
    if isinstance(kind, TEXTS):
        return "; say how it is written: format: yyyy-MM-dd HH:mm:ss, in ODCS below logicalTypeOptions:"
    if isinstance(kind, st.IntegralType):
        return "; say what it counts: unit: seconds, millis or micros, in ODCS the custom property floe.unit"
    return ""


_Conversion = tuple[Callable[[Column], Column], Callable[[int], int], Callable[[int], int]]


def _conversions(zone: tzinfo, *, day_end: bool) -> dict[type[st.DataType], _Conversion]:
    """For each type: units of a value, units to UTC, UTC to units."""
    return {
        st.TimestampType: (sf.unix_micros, lambda us: us, lambda us: us),
        st.TimestampNTZType: (_wall_units, lambda wall: _instant(wall, zone), lambda us: _latest_wall(us, zone)),
        st.DateType: (
            sf.unix_date,
            lambda day: _instant((day + 1) * DAY, zone) - 1 if day_end else _instant(day * DAY, zone),
            lambda us: _latest_wall(us, zone) // DAY,
        ),
    }


def _wall_units(value: Column) -> Column:
    """Microseconds of times without a zone; casting it to a timestamp would read it in the session's zone."""
    parts = (
        (sf.unix_date(value.cast("date")), DAY),
        (sf.hour(value), HOUR),
        (sf.minute(value), MINUTE),
        (sf.date_part(sf.lit("SECOND"), value), SECOND),
    )
    return reduce(add, ((part * sf.lit(size).cast("bigint")).cast("bigint") for part, size in parts))


def _utc_us(units: Column, kind: st.DataType, choice: ClockChoice) -> Column:
    """UTC microseconds like `to_us`, inside Spark; wall time is shifted as a number, which no session zone touches."""
    if isinstance(kind, st.TimestampType):
        return units
    is_day = isinstance(kind, st.DateType)
    ends = is_day and choice.day_end
    wall = (units.cast("bigint") + sf.lit(int(ends))) * sf.lit(DAY if is_day else 1).cast("bigint")
    if zone_of(choice.zone) is not timezone.utc:
        wall = sf.unix_micros(sf.to_utc_timestamp(sf.timestamp_micros(wall), choice.zone.strip()))
    return wall - sf.lit(int(ends))


def _instant(wall_us: int, zone: tzinfo) -> int:
    """UTC for what a clock on the wall shows; the hour that a clock shows twice counts as the first of the two."""
    try:
        return micros(moment(wall_us).replace(tzinfo=zone))
    except (OverflowError, ValueError):  # beyond Python's calendar no zone is known
        return wall_us


def _wall(us: int, zone: tzinfo) -> int:
    """What a clock on the wall shows at a moment of UTC."""
    ahead = moment(us).astimezone(zone).utcoffset() or timedelta()
    return us + ahead // timedelta(microseconds=1)


def _latest_wall(us: int, zone: tzinfo) -> int:
    """The latest time that a clock on the wall has shown up to a moment of UTC.

    While an hour is shown for the second time in autumn, that is the end of the hour: its times are past already.
    """
    if not moment(us).astimezone(zone).fold:
        return _wall(us, zone)
    before, since = us - _LONGEST_FOLD, us
    while since - before > 1:
        middle = (before + since) // 2
        before, since = (before, middle) if moment(middle).astimezone(zone).fold else (middle, since)
    return max(_wall(before, zone), _wall(us, zone))
