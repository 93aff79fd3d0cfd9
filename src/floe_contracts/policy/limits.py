"""The limits of a schedule: how often a product may run, and at which hours."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

from ..checks.moments import zone_of
from ..contract.meaning.cron import Cron, parse_cron
from ..contract.meaning.duration import Duration
from ..contract.meaning.quantity import compare
from ..product.governance import ScheduleLimits
from ..product.transforms import ProductSchedule
from .compare import minutes_of

_YEAR = (datetime(2027, 1, 1, tzinfo=timezone.utc), 366)  # any year: what counts is every change of the clock
_MICROSECOND = timedelta(microseconds=1)


def schedule_problems(schedule: ProductSchedule, limits: ScheduleLimits) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a schedule: message, expected, actual."""
    cron, _ = parse_cron(schedule.cron)
    if cron is None:
        return
    if limits.minimum_interval is not None:
        gap = Duration(microseconds=cron.shortest_gap() // _MICROSECOND)
        if (compare(gap, limits.minimum_interval) or 0) < 0:
            least = limits.minimum_interval.human
            message = f"the product runs {gap.human} after a run; the platform allows a run every {least} at most"
            yield message, limits.minimum_interval.text, gap.text
    if limits.allowed_hours:
        outside = _first_outside(cron, schedule, limits)
        if outside:
            allowed = f"{limits.allowed_hours} {limits.timezone}"
            yield f"the product runs at {outside}; the platform allows {allowed}", allowed, outside


def _first_outside(cron: Cron, schedule: ProductSchedule, limits: ScheduleLimits) -> str:
    """The first start of a year that is outside the hours, as a time of the limits' zone."""
    zone, theirs = zone_of(limits.timezone), zone_of(schedule.timezone)
    if zone is None or theirs is None:
        return ""
    allowed = minutes_of(limits.allowed_hours)
    for fire in cron.fires(_YEAR[0], _YEAR[1], theirs):
        local = fire.astimezone(zone)
        if local.hour * 60 + local.minute not in allowed:
            return f"{local:%H:%M} {limits.timezone}"
    return ""
