"""Judges latency: a quantile of the time from event to arrival, once there are enough events to know it."""

from __future__ import annotations

import math
from decimal import Decimal

from ... import codes
from ...codes import Severity
from ...contract.meaning.duration import Duration
from ...frozen import replace
from ...results import Finding
from ...results.facts import FreshnessFacts
from ..measured import Latency
from ..moments import SECOND, apart, written
from ..promises.context import PromiseContext
from ..verdict import PartResult, by_overrun, errored_part, measured_part, skipped_part, thousandths
from .ages import hours, span_us

DEFAULT_QUANTILE = Decimal("0.99")
_TAIL = 10  # events that must lie beyond the quantile: 1,000 in all for p99


def quantile_of(name: str) -> Decimal:
    """0.99 for `latency_p99`, 0.999 for `latency_p999`; p99 for a latency that names none."""
    digits = name.rpartition("_p")[2] if "_p" in name else ""
    return Decimal(f"0.{digits}") if digits.isdecimal() and int(digits) else DEFAULT_QUANTILE


def enough(quantile: Decimal) -> int:
    """The number of events below which a quantile is chance."""
    return math.ceil(_TAIL / (1 - quantile)) if quantile < 1 else 1


def judge_latency(judging: PromiseContext, latency: Latency) -> PartResult:
    """Violated when the quantile is above the promise; few events and none at all prove nothing."""
    promised = judging.promise.quantity
    if not isinstance(promised, Duration):
        return errored_part(judging.promise.element, "its SLA says no length of time")
    facts = FreshnessFacts(how=latency.how, latency_negatives=latency.negatives or None)
    if latency.value_us is None or latency.n < enough(latency.quantile):
        return skipped_part(replace(facts, status=("too_few_events" if latency.n else "no_rows",)))
    allowed, actual = span_us(promised, judging.as_of_us), max(0, latency.value_us)
    seconds = Decimal(f"{actual / SECOND:.3f}")
    facts = replace(facts, latency_seconds=seconds, threshold=hours(allowed), value=hours(actual))
    used = thousandths(actual, allowed)
    if actual <= allowed:
        return measured_part(overrun=used, freshness=facts)
    shown, limit = apart(actual, allowed)
    slow = Finding.of(
        codes.E556,
        "too-slow",
        f"{_percentile(latency.quantile)} of the time to arrival is {shown}, SLA is {limit}",
        severity=by_overrun(actual, allowed) or Severity.WARNING,
        expected=promised.text,
        element=judging.promise.element,
        actual=written(actual, allowed),
    )
    return measured_part(judging.place(slow), overrun=used, freshness=facts)


def _percentile(quantile: Decimal) -> str:
    return f"p{str(quantile).partition('.')[2]}" if quantile < 1 else "the longest"
