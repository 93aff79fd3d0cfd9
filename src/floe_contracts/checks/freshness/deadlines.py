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
from ..moments import DAY, SECOND, iso, length, micros, moment, spell_roughly, zone_of
from ..promises.context import PromiseContext
from ..verdict import PartResult, errored_part, measured_part, rate_overrun, skipped_part, thousandths
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


def judge_deadline(context: PromiseContext, measured: Clock | Arrival) -> PartResult:
    """Met when the data was there at the deadline; missed as long as it is not, and late when it came after."""
    if zone_for(context) is None:
        return errored_part(context.promise.element, "the time zone of its deadline is not known")
    occurrence = newest_due(context)
    if occurrence is None:
        return skipped_part(FreshnessFacts(status=("closed",)))
    arrival = measured if isinstance(measured, Arrival) else arrival_by(measured, occurrence)
    future = context.find_future(measured) if isinstance(measured, Clock) else ()
    late = arrival.arrived_us - occurrence.due_us if arrival.arrived_us is not None else 0
    facts = FreshnessFacts(occurrence=iso(occurrence.due_us), how=arrival.how)
    if arrival.present and late <= 0:
        return measured_part(*future, overrun=0, freshness=replace(facts, deadline=_state(context, occurrence)))
    lateness = late if arrival.present else max(0, context.as_of_us - occurrence.due_us)
    facts = replace(facts, deadline="missed", late_by=length(lateness).text)
    unmet = Finding.of(
        codes.E551,
        "late" if arrival.present else "missed",
        _message(context, occurrence, lateness, came=arrival.present),
        severity=rate_overrun(DAY + lateness, DAY) or Severity.WARNING,  # a deadline comes every day
        expected=iso(occurrence.due_us),
        actual=iso(arrival.arrived_us) if arrival.present and arrival.arrived_us is not None else "not there",
        element=context.promise.element,
        facts=FindingFacts(occurrence=facts.occurrence, late_by=facts.late_by),
    )
    overrun = thousandths(DAY + lateness, DAY)
    return measured_part(context.place(unmet, settled=arrival.present), *future, overrun=overrun, freshness=facts)


def arrival_by(clock: Clock, occurrence: Occurrence) -> Arrival:
    """Whether the newest time belongs to the business day or a later one."""
    return Arrival(clock.last_us is not None and clock.last_us >= occurrence.day_starts_us, clock.how)


def newest_due(context: PromiseContext) -> Occurrence | None:
    """The newest deadline whose grace is over, on an open day."""
    zone = zone_for(context)
    if zone is None:
        return None
    limit = context.as_of_us - context.promise.options.grace_us
    day = moment(limit).astimezone(zone).date() + 2 * _DAY  # 20:00-08:00 falls due on the next day of UTC
    for _ in range(_MOST_CLOSED):
        day -= _DAY
        is_open = context.calendar is None or context.calendar.is_open(day)
        if is_open and _due_us(context, day, zone) <= limit:
            return _occurrence(context, day, zone)
    return None


def zone_for(context: PromiseContext) -> tzinfo | None:
    """The zone of the deadline's clock; a fixed offset is UTC already."""
    promised = context.promise.quantity
    return zone_of(promised.zone) if isinstance(promised, ClockTime) else None


def _due_us(context: PromiseContext, day: date, zone: tzinfo) -> int:
    promised = context.promise.quantity
    seconds = promised.seconds if isinstance(promised, ClockTime) else 0
    local = datetime(day.year, day.month, day.day) + timedelta(seconds=seconds)  # noqa: DTZ001  # given a zone below
    if zone is timezone.utc:
        return micros(local.replace(tzinfo=timezone.utc))
    return micros(instant(local, zone))


def _occurrence(context: PromiseContext, on: date, zone: tzinfo) -> Occurrence:
    lag = context.promise.options.lag_us // DAY
    day = context.calendar.open_days_before(on, lag) if context.calendar else on - lag * _DAY
    starts = instant(datetime(day.year, day.month, day.day), zone)  # noqa: DTZ001  # given a zone beside it
    return Occurrence(_due_us(context, on, zone), day, micros(starts), on)


def _state(context: PromiseContext, occurrence: Occurrence) -> str:
    """Met, or pending once the next day has begun and its deadline has not come."""
    zone = zone_for(context) or timezone.utc
    return "met" if moment(context.as_of_us).astimezone(zone).date() <= occurrence.on else "pending"


def _message(context: PromiseContext, occurrence: Occurrence, lateness: int, *, came: bool) -> str:
    promised = context.promise.quantity
    due = promised.human if isinstance(promised, ClockTime) else iso(occurrence.due_us)
    if came:
        return f"Data of {occurrence.day} came {spell_roughly(lateness)} after its deadline of {due}"
    if not lateness:
        return f"Data of {occurrence.day} was not there at its deadline of {due}"
    return f"Data of {occurrence.day} is {spell_roughly(lateness)} late, its deadline was {due}"


_MOST_CLOSED_FIRES = 1000  # fires on closed days in a row, before a schedule counts as never due
_MICROSECOND = timedelta(microseconds=1)


def judge_schedule(context: PromiseContext, clock: Clock) -> PartResult:
    """Fresh when the newest time is not before the newest fire whose grace is over.

    A freshness SLA with a schedule is looked at when the schedule fires: its length of time is allowed before the fire.
    """
    zone = zone_of(context.promise.options.timezone)
    schedule, problem = parse_cron(context.promise.schedule)
    if schedule is None or zone is None:
        return errored_part(context.promise.element, f"its schedule cannot be read: {problem or 'unknown time zone'}")
    due = newest_fire(context, schedule, clock.as_of_us)
    if due is None:
        return skipped_part(FreshnessFacts(status=("never_due",)))
    promised = context.promise.quantity
    before = context.promise.kind is Kind.FRESHNESS and isinstance(promised, Duration)
    due_us = micros(due)
    demanded = due_us - (span_us(promised, due_us) if before and isinstance(promised, Duration) else 0)
    value, last = worst_group(clock)
    group = context.group(value) if clock.groups else ""
    if last is None:
        return context.judge_empty(clock, iso(demanded), group, iso(due_us))
    age = max(0, clock.as_of_us - last)
    following = schedule.next_after(due, zone)
    period = micros(following) - due_us if following else age
    allowed = period + (due_us - demanded) + context.promise.options.grace_us
    facts = FreshnessFacts(
        freshness_seconds=age // SECOND,
        occurrence=iso(due_us),
        how=clock.how,
        threshold=hours(allowed),
        value=hours(age),
    )
    used = thousandths(age, allowed)
    if last >= demanded:
        return measured_part(*context.find_future(clock), overrun=used, freshness=facts)
    whose = f"Data of {group} was" if group else "Data was"
    missed = Finding.of(
        codes.E550,
        "update-missed",
        f"{whose} due at {iso(demanded)}, and the newest is {spell_roughly(demanded - last)} older",
        severity=rate_overrun(age, allowed) or Severity.WARNING,
        expected=iso(demanded),
        actual=iso(last),
        element=context.element(group),
        facts=FindingFacts(occurrence=iso(due_us)),
    )
    return measured_part(context.place(missed), *context.find_future(clock), overrun=used, freshness=facts)


def newest_fire(context: PromiseContext, schedule: Cron, as_of_us: int) -> datetime | None:
    """The newest fire whose grace is over, on an open day."""
    zone = zone_of(context.promise.options.timezone)
    at: datetime | None = moment(as_of_us - context.promise.options.grace_us)
    for _ in range(_MOST_CLOSED_FIRES):
        at = schedule.last_until(at, zone) if at and zone else None
        if at is None or context.calendar is None:
            return at
        if context.calendar.is_open(at.astimezone(context.calendar.zone).date()):
            return at
        at -= _MICROSECOND
    return None
