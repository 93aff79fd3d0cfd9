"""Judges schedules: after every time that a cron schedule names, data at least as new as that time must be there."""

from __future__ import annotations

from datetime import datetime, timedelta

from ... import codes
from ...codes import Severity
from ...contract.meaning.cron import Cron, parse_cron
from ...contract.meaning.duration import Duration
from ...contract.meaning.sla_kinds import Kind
from ...results import finding
from .. import context_keys as keys
from ..measured import Clock
from ..moments import SECOND, iso, micros, moment, roughly, zone_of
from ..promises.context import Judging
from ..severity import by_overrun
from ..verdict import Part, errored, judged, skipped, thousandths
from .ages import hours, span_us, worst_group

_MOST_CLOSED = 1000  # fires on closed days in a row, before a schedule counts as never due
_MICROSECOND = timedelta(microseconds=1)


def judge_schedule(judging: Judging, clock: Clock) -> Part:
    """Fresh when the newest time is not before the newest fire whose grace is over.

    A freshness SLA with a schedule is looked at when the schedule fires: its length of time is allowed before the fire.
    """
    zone = zone_of(judging.promise.options.timezone)
    schedule, problem = parse_cron(judging.promise.schedule)
    if schedule is None or zone is None:
        return errored(judging.promise.element, f"its schedule cannot be read: {problem or 'unknown time zone'}")
    due = newest_fire(judging, schedule, clock.as_of_us)
    if due is None:
        return skipped("never_due")
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
    context = {
        keys.FRESHNESS_SECONDS: str(age // SECOND),
        keys.OCCURRENCE: iso(due_us),
        keys.HOW: clock.how,
        keys.THRESHOLD: hours(allowed),
        keys.VALUE: hours(age),
    }
    used = thousandths(age, allowed)
    if last >= demanded:
        return judged(*judging.future(clock), overrun=used, **context)
    said = f"Data of {group} was" if group else "Data was"
    found = finding(
        codes.E550,
        "update-missed",
        f"{said} due at {iso(demanded)}, and the newest is {roughly(demanded - last)} older",
        severity=by_overrun(age, allowed) or Severity.WARNING,
        expected=iso(demanded),
        actual=iso(last),
        element=judging.element(group),
        context=((keys.OCCURRENCE, iso(due_us)),),
    )
    return judged(judging.told(found), *judging.future(clock), overrun=used, **context)


def newest_fire(judging: Judging, schedule: Cron, as_of_us: int) -> datetime | None:
    """The newest fire whose grace is over, on an open day."""
    zone = zone_of(judging.promise.options.timezone)
    at: datetime | None = moment(as_of_us - judging.promise.options.grace_us)
    for _ in range(_MOST_CLOSED):
        at = schedule.last_until(at, zone) if at and zone else None
        if at is None or judging.calendar is None:
            return at
        if judging.calendar.is_open(at.astimezone(judging.calendar.zone).date()):
            return at
        at -= _MICROSECOND
    return None
