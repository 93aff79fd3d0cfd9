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
from ...contract.meaning.cron import Cron, instant, parse_cron
from ...contract.meaning.duration import Duration
from ...contract.meaning.sla_kinds import Kind
from ...frozen import replace
from ...results import Finding
from ...results.facts import FindingFacts, FreshnessFacts
from ..measured import Arrival, Clock
from ..moments import DAY, SECOND, iso, length, micros, moment, roughly, zone_of
from ..promises.context import PromiseContext
from ..verdict import PartResult, by_overrun, errored_part, measured_part, skipped_part, thousandths
from .ages import hours, span_us, worst_group

_DAY = timedelta(days=1)
_MOST_CLOSED = 400


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One deadline: when, for which business day, and from which moment on data belongs to that day."""

    due_us: int
    day: date
    day_starts_us: int
    on: date  # the calendar day of the deadline itself


def judge_deadline(judging: PromiseContext, measured: Clock | Arrival) -> PartResult:
    """Met when the data was there at the deadline; missed as long as it is not, and late when it came after."""
    if zone_for(judging) is None:
        return errored_part(judging.promise.element, "the time zone of its deadline is not known")
    occurrence = newest_due(judging)
    if occurrence is None:
        return skipped_part(FreshnessFacts(status=("closed",)))
    arrival = measured if isinstance(measured, Arrival) else arrival_by(measured, occurrence)
    future = judging.future(measured) if isinstance(measured, Clock) else ()
    late = arrival.arrived_us - occurrence.due_us if arrival.arrived_us is not None else 0
    facts = FreshnessFacts(occurrence=iso(occurrence.due_us), how=arrival.how)
    if arrival.present and late <= 0:
        return measured_part(*future, overrun=0, freshness=replace(facts, deadline=_state(judging, occurrence)))
    lateness = late if arrival.present else max(0, judging.as_of_us - occurrence.due_us)
    facts = replace(facts, deadline="missed", late_by=length(lateness).text)
    unmet = Finding.of(
        codes.E551,
        "late" if arrival.present else "missed",
        _message(judging, occurrence, lateness, came=arrival.present),
        severity=by_overrun(DAY + lateness, DAY) or Severity.WARNING,  # a deadline comes every day
        expected=iso(occurrence.due_us),
        actual=iso(arrival.arrived_us) if arrival.present and arrival.arrived_us is not None else "not there",
        element=judging.promise.element,
        facts=FindingFacts(occurrence=facts.occurrence, late_by=facts.late_by),
    )
    overrun = thousandths(DAY + lateness, DAY)
    return measured_part(judging.place(unmet, settled=arrival.present), *future, overrun=overrun, freshness=facts)


def arrival_by(clock: Clock, occurrence: Occurrence) -> Arrival:
    """Whether the newest time belongs to the business day or a later one."""
    return Arrival(clock.last_us is not None and clock.last_us >= occurrence.day_starts_us, clock.how)


def newest_due(judging: PromiseContext) -> Occurrence | None:
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


def zone_for(judging: PromiseContext) -> tzinfo | None:
    """The zone of the deadline's clock; a fixed offset is UTC already."""
    promised = judging.promise.quantity
    return zone_of(promised.zone) if isinstance(promised, ClockTime) else None


def _due_us(judging: PromiseContext, day: date, zone: tzinfo) -> int:
    promised = judging.promise.quantity
    seconds = promised.seconds if isinstance(promised, ClockTime) else 0
    local = datetime(day.year, day.month, day.day) + timedelta(seconds=seconds)  # noqa: DTZ001  # given a zone below
    if zone is timezone.utc:
        return micros(local.replace(tzinfo=timezone.utc))
    return micros(instant(local, zone))


def _occurrence(judging: PromiseContext, on: date, zone: tzinfo) -> Occurrence:
    lag = judging.promise.options.lag_us // DAY
    day = judging.calendar.open_days_before(on, lag) if judging.calendar else on - lag * _DAY
    starts = instant(datetime(day.year, day.month, day.day), zone)  # noqa: DTZ001  # given a zone beside it
    return Occurrence(_due_us(judging, on, zone), day, micros(starts), on)


def _state(judging: PromiseContext, occurrence: Occurrence) -> str:
    """Met, or pending once the next day has begun and its deadline has not come."""
    zone = zone_for(judging) or timezone.utc
    return "met" if moment(judging.as_of_us).astimezone(zone).date() <= occurrence.on else "pending"


def _message(judging: PromiseContext, occurrence: Occurrence, lateness: int, *, came: bool) -> str:
    promised = judging.promise.quantity
    due = promised.human if isinstance(promised, ClockTime) else iso(occurrence.due_us)
    if came:
        return f"Data of {occurrence.day} came {roughly(lateness)} after its deadline of {due}"
    if not lateness:
        return f"Data of {occurrence.day} was not there at its deadline of {due}"
    return f"Data of {occurrence.day} is {roughly(lateness)} late, its deadline was {due}"


_MOST_CLOSED_FIRES = 1000  # fires on closed days in a row, before a schedule counts as never due
_MICROSECOND = timedelta(microseconds=1)


def judge_schedule(judging: PromiseContext, clock: Clock) -> PartResult:
    """Fresh when the newest time is not before the newest fire whose grace is over.

    A freshness SLA with a schedule is looked at when the schedule fires: its length of time is allowed before the fire.
    """
    zone = zone_of(judging.promise.options.timezone)
    schedule, problem = parse_cron(judging.promise.schedule)
    if schedule is None or zone is None:
        return errored_part(judging.promise.element, f"its schedule cannot be read: {problem or 'unknown time zone'}")
    due = newest_fire(judging, schedule, clock.as_of_us)
    if due is None:
        return skipped_part(FreshnessFacts(status=("never_due",)))
    promised = judging.promise.quantity
    before = judging.promise.kind is Kind.FRESHNESS and isinstance(promised, Duration)
    due_us = micros(due)
    demanded = due_us - (span_us(promised, due_us) if before and isinstance(promised, Duration) else 0)
    value, last = worst_group(clock)
    group = judging.group(value) if clock.groups else ""
    if last is None:
        return judging.nothing_there(clock, iso(demanded), group, iso(due_us))
    age = max(0, clock.as_of_us - last)
    following = schedule.next_after(due, zone)
    period = micros(following) - due_us if following else age
    allowed = period + (due_us - demanded) + judging.promise.options.grace_us
    facts = FreshnessFacts(
        freshness_seconds=age // SECOND,
        occurrence=iso(due_us),
        how=clock.how,
        threshold=hours(allowed),
        value=hours(age),
    )
    used = thousandths(age, allowed)
    if last >= demanded:
        return measured_part(*judging.future(clock), overrun=used, freshness=facts)
    whose = f"Data of {group} was" if group else "Data was"
    missed = Finding.of(
        codes.E550,
        "update-missed",
        f"{whose} due at {iso(demanded)}, and the newest is {roughly(demanded - last)} older",
        severity=by_overrun(age, allowed) or Severity.WARNING,
        expected=iso(demanded),
        actual=iso(last),
        element=judging.element(group),
        facts=FindingFacts(occurrence=iso(due_us)),
    )
    return measured_part(judging.place(missed), *judging.future(clock), overrun=used, freshness=facts)


def newest_fire(judging: PromiseContext, schedule: Cron, as_of_us: int) -> datetime | None:
    """The newest fire whose grace is over, on an open day."""
    zone = zone_of(judging.promise.options.timezone)
    at: datetime | None = moment(as_of_us - judging.promise.options.grace_us)
    for _ in range(_MOST_CLOSED_FIRES):
        at = schedule.last_until(at, zone) if at and zone else None
        if at is None or judging.calendar is None:
            return at
        if judging.calendar.is_open(at.astimezone(judging.calendar.zone).date()):
            return at
        at -= _MICROSECOND
    return None
