"""Judges deadlines: the data of a business day must be there at a time of day.

Every open day has one deadline D. It is judged once D and the grace after it are over, and until the next one is. The
grace moves the judgement, not the deadline: data that is known to have come after D is late. Where the table keeps no
history of commits, data that is there at the judgement counts as on time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone, tzinfo

from ... import codes
from ...codes import Severity
from ...contract.meaning.clock import ClockTime
from ...contract.meaning.cron import instant
from ...results import finding
from .. import context_keys as keys
from ..measured import Arrival, Clock
from ..moments import DAY, iso, length, micros, moment, roughly, zone_of
from ..promises.context import Judging
from ..severity import by_overrun
from ..verdict import Part, errored, judged, skipped, thousandths

_DAY = timedelta(days=1)
_MOST_CLOSED = 400


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One deadline: when, for which business day, and from which moment on data belongs to that day."""

    due_us: int
    day: date
    day_starts_us: int
    on: date  # the calendar day of the deadline itself


def judge_deadline(judging: Judging, measured: Clock | Arrival) -> Part:
    """Met when the data was there at the deadline; missed as long as it is not, and late when it came after."""
    if zone_for(judging) is None:
        return errored(judging.promise.element, "the time zone of its deadline is not known")
    occurrence = newest_due(judging)
    if occurrence is None:
        return skipped("closed")
    arrival = measured if isinstance(measured, Arrival) else arrival_by(measured, occurrence)
    future = judging.future(measured) if isinstance(measured, Clock) else ()
    late = arrival.arrived_us - occurrence.due_us if arrival.arrived_us is not None else 0
    context = {keys.OCCURRENCE: iso(occurrence.due_us), keys.HOW: arrival.how}
    if arrival.present and late <= 0:
        return judged(*future, overrun=0, deadline=_standing(judging, occurrence), **context)
    lateness = late if arrival.present else max(0, judging.as_of_us - occurrence.due_us)
    context[keys.LATE_BY] = length(lateness).text
    found = finding(
        codes.E551,
        "late" if arrival.present else "missed",
        _message(judging, occurrence, lateness, came=arrival.present),
        severity=by_overrun(DAY + lateness, DAY) or Severity.WARNING,  # a deadline comes every day
        expected=iso(occurrence.due_us),
        actual=iso(arrival.arrived_us) if arrival.present and arrival.arrived_us is not None else "not there",
        element=judging.promise.element,
        context=((keys.OCCURRENCE, iso(occurrence.due_us)), (keys.LATE_BY, length(lateness).text)),
    )
    told = judging.told(found, settled=arrival.present)
    return judged(told, *future, deadline="missed", overrun=thousandths(DAY + lateness, DAY), **context)


def arrival_by(clock: Clock, occurrence: Occurrence) -> Arrival:
    """Whether the newest time belongs to the business day or a later one."""
    return Arrival(clock.last_us is not None and clock.last_us >= occurrence.day_starts_us, clock.how)


def newest_due(judging: Judging) -> Occurrence | None:
    """The newest deadline whose grace is over, on an open day."""
    zone = zone_for(judging)
    if zone is None:
        return None
    limit = judging.as_of_us - judging.promise.options.grace_us
    day = moment(limit).astimezone(zone).date() + 2 * _DAY  # 20:00-08:00 falls due on the next day of UTC
    for _ in range(_MOST_CLOSED):
        day -= _DAY
        is_open = judging.calendar is None or judging.calendar.is_open(day)
        if is_open and _due_us(judging, day, zone) <= limit:
            return _occurrence(judging, day, zone)
    return None


def zone_for(judging: Judging) -> tzinfo | None:
    """The zone of the deadline's clock; a fixed offset is UTC already."""
    promised = judging.promise.quantity
    return zone_of(promised.zone) if isinstance(promised, ClockTime) else None


def _due_us(judging: Judging, day: date, zone: tzinfo) -> int:
    promised = judging.promise.quantity
    seconds = promised.seconds if isinstance(promised, ClockTime) else 0
    local = datetime(day.year, day.month, day.day) + timedelta(seconds=seconds)  # noqa: DTZ001  # given a zone below
    if zone is timezone.utc:
        return micros(local.replace(tzinfo=timezone.utc))
    return micros(instant(local, zone))


def _occurrence(judging: Judging, on: date, zone: tzinfo) -> Occurrence:
    lag = judging.promise.options.lag_us // DAY
    day = judging.calendar.open_days_before(on, lag) if judging.calendar else on - lag * _DAY
    starts = instant(datetime(day.year, day.month, day.day), zone)  # noqa: DTZ001  # given a zone beside it
    return Occurrence(_due_us(judging, on, zone), day, micros(starts), on)


def _standing(judging: Judging, occurrence: Occurrence) -> str:
    """Met, or pending once the next day has begun and its deadline has not come."""
    zone = zone_for(judging) or timezone.utc
    return "met" if moment(judging.as_of_us).astimezone(zone).date() <= occurrence.on else "pending"


def _message(judging: Judging, occurrence: Occurrence, lateness: int, *, came: bool) -> str:
    promised = judging.promise.quantity
    due = promised.human if isinstance(promised, ClockTime) else iso(occurrence.due_us)
    if came:
        return f"Data of {occurrence.day} came {roughly(lateness)} after its deadline of {due}"
    if not lateness:
        return f"Data of {occurrence.day} was not there at its deadline of {due}"
    return f"Data of {occurrence.day} is {roughly(lateness)} late, its deadline was {due}"
