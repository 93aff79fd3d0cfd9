"""Judges ages and latencies: how old the newest data is (in open time, by a calendar), and how long it took."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from decimal import Decimal

from ... import codes
from ...codes import Severity
from ...contract.meaning.duration import Duration
from ...frozen import replace
from ...results import Finding
from ...results.facts import FreshnessFacts
from ..measured import Clock, Latency
from ..moments import HOUR, SECOND, length, micros, moment, spell_apart, write_length
from ..promises.context import PromiseContext
from ..verdict import PartResult, errored_part, measured_part, rate_overrun, skipped_part, thousandths


def judge_age(context: PromiseContext, clock: Clock) -> PartResult:
    """Violated when the newest time, or that of the worst group, is further back than promised; equality passes."""
    promised = context.promise.quantity
    if not isinstance(promised, Duration):
        return errored_part(context.promise.element, "its SLA says no length of time")
    if promised == Duration():
        # Nothing is ever as fresh as that, so it is not a promise that can be checked.
        return skipped_part(FreshnessFacts(status=("continuous",)))
    value, last = worst_group(clock)
    group = context.group(value) if clock.groups else ""
    if last is None:
        return context.judge_empty(clock, promised.text, group)
    allowed = span_us(promised, clock.as_of_us)
    age = max(0, clock.as_of_us - last)
    counted = context.calendar.open_us(last, clock.as_of_us) if context.calendar else age
    facts = FreshnessFacts(
        freshness_seconds=age // SECOND,
        how=clock.how,
        threshold=hours(allowed),
        value=hours(counted),
        future_rows=clock.future,
    )
    used = thousandths(counted, allowed)
    if counted <= allowed + context.promise.options.grace_us:
        return measured_part(*context.find_future(clock), overrun=used, freshness=facts)
    if clock.groups:
        late = sum(1 for _, newest in clock.groups if newest is None or _age(context, clock, newest) > allowed)
        facts = replace(facts, late_groups=late)
    old = context.place(_too_old(context, group, counted, allowed))
    return measured_part(old, *context.find_future(clock), overrun=used, freshness=facts)


def _age(context: PromiseContext, clock: Clock, last_us: int) -> int:
    return context.calendar.open_us(last_us, clock.as_of_us) if context.calendar else clock.as_of_us - last_us


def _too_old(context: PromiseContext, group: str, age: int, allowed: int) -> Finding:
    promised = context.promise.quantity
    shown, limit = spell_apart(age, allowed)
    if isinstance(promised, Duration) and promised.months:
        limit = promised.human
    whose = f"Data of {group} is {shown} old" if group else f"Data is {shown} old"
    return Finding.of(
        codes.E550,
        "too-old",
        f"{whose}, SLA is {limit}{' of open time' if context.calendar else ''}",
        severity=rate_overrun(age, allowed) or Severity.WARNING,
        element=context.element(group),
        expected=promised.text if promised else "",
        actual=write_length(age, allowed),
    )


def worst_group(clock: Clock) -> tuple[str, int | None]:
    """The group whose newest time lies furthest back, and that time; a group without any time is the worst."""
    if not clock.groups:
        return "", clock.last_us
    return min(clock.groups, key=lambda group: (group[1] is not None, group[1] or 0, group[0]))


def span_us(promised: Duration, until_us: int) -> int:
    """A length of time in microseconds before a moment; months are those of the calendar."""
    if not promised.months:
        return promised.microseconds
    until = moment(until_us)
    total = until.year * 12 + until.month - 1 - promised.months
    if total < 12:
        return promised.microseconds + until_us
    return until_us - micros(_same_day(until, total // 12, total % 12 + 1)) + promised.microseconds


def _same_day(until: datetime, year: int, month: int) -> datetime:
    """The same day of another month, or its last day where it is shorter."""
    first = until.replace(year=year, month=month, day=1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return first.replace(day=min(until.day, last.day))


def hours(us: int) -> Decimal:
    """Hours as a plain number for gauges and status facets, to the second."""
    return Decimal(f"{length(us).microseconds / HOUR:.4f}".rstrip("0").rstrip("."))


DEFAULT_QUANTILE = Decimal("0.99")
_TAIL = 10  # events that must lie beyond the quantile: 1,000 in all for p99


def quantile_of(name: str) -> Decimal:
    """0.99 for `latency_p99`, 0.999 for `latency_p999`; p99 for a latency that names none."""
    digits = name.rpartition("_p")[2] if "_p" in name else ""
    return Decimal(f"0.{digits}") if digits.isdecimal() and int(digits) else DEFAULT_QUANTILE


def least_events(quantile: Decimal) -> int:
    """The number of events below which a quantile is chance."""
    return math.ceil(_TAIL / (1 - quantile)) if quantile < 1 else 1


def judge_latency(context: PromiseContext, latency: Latency) -> PartResult:
    """Violated when the quantile is above the promise; few events and none at all prove nothing."""
    promised = context.promise.quantity
    if not isinstance(promised, Duration):
        return errored_part(context.promise.element, "its SLA says no length of time")
    facts = FreshnessFacts(how=latency.how, latency_negatives=latency.negatives or None)
    if latency.value_us is None or latency.n < least_events(latency.quantile):
        return skipped_part(replace(facts, status=("too_few_events" if latency.n else "no_rows",)))
    allowed, actual = span_us(promised, context.as_of_us), max(0, latency.value_us)
    seconds = Decimal(f"{actual / SECOND:.3f}")
    facts = replace(facts, latency_seconds=seconds, threshold=hours(allowed), value=hours(actual))
    used = thousandths(actual, allowed)
    if actual <= allowed:
        return measured_part(overrun=used, freshness=facts)
    shown, limit = spell_apart(actual, allowed)
    slow = Finding.of(
        codes.E556,
        "too-slow",
        f"{_percentile(latency.quantile)} of the time to arrival is {shown}, SLA is {limit}",
        severity=rate_overrun(actual, allowed) or Severity.WARNING,
        expected=promised.text,
        element=context.promise.element,
        actual=write_length(actual, allowed),
    )
    return measured_part(context.place(slow), overrun=used, freshness=facts)


def _percentile(quantile: Decimal) -> str:
    return f"p{str(quantile).partition('.')[2]}" if quantile < 1 else "the longest"
