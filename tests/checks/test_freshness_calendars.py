"""Calendars: staleness counts open time only."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from support.judgements import WORKDAYS, clock, judged, sla, told

from floe_contracts.checks.moments import zone_of
from floe_contracts.checks.promises.calendar import Calendar
from floe_contracts.results import Outcome


# 2 January 2026 is a Friday.
@pytest.mark.parametrize(
    ("last", "now", "limit", "expected"),
    [
        pytest.param("2026-01-02 18:00", "2026-01-03 12:00", "PT6H", [], id="the weekend does not count"),
        pytest.param(
            "2026-01-02 18:00", "2026-01-05 00:00", "PT6H", [], id="six hours are used up at the end of Friday"
        ),
        pytest.param("2026-01-02 18:00", "2026-01-05 00:01", "PT6H", ["E550 warning"], id="and over on Monday"),
        pytest.param(
            "2026-01-02 18:00", "2026-01-05 06:00", "PT12H", [], id="Friday 18:00 and 12 hours expire on Monday 06:00"
        ),
        pytest.param("2026-01-02 18:00", "2026-01-05 06:01", "PT12H", ["E550 warning"], id="and not later"),
        pytest.param("2026-01-03 12:00", "2026-01-05 06:00", "PT6H", [], id="data that came on a closed day"),
    ],
)
def test_with_a_calendar_only_open_time_counts(last: str, now: str, limit: str, expected: list[str]) -> None:
    promised = sla("freshness", limit, calendar="work")
    assert told(judged(promised, clock(last, now=now), now=now, calendars={"work": WORKDAYS})) == expected


def test_a_holiday_is_closed() -> None:
    closed = Calendar(WORKDAYS.weekdays, frozenset({date(2026, 1, 1)}))
    promised = sla("freshness", "PT6H", calendar="work")
    measured = clock("2025-12-31 20:00", now="2026-01-02 01:00")
    assert told(judged(promised, measured, now="2026-01-02 01:00", calendars={"work": closed})) == []
    assert told(judged(promised, measured, now="2026-01-02 01:00", calendars={"work": WORKDAYS})) == ["E550 critical"]


def test_a_calendar_that_the_settings_lack_is_an_error_of_the_check() -> None:
    result = judged(sla("freshness", "PT6H", calendar="moon"), clock("2026-01-03 09:00"))
    assert (result.outcome, told(result)) == (Outcome.ERRORED, ["E560 warning"])
    assert "no calendar called 'moon'" in result.findings[0].message


@pytest.mark.parametrize(
    ("day", "hours"),
    [
        pytest.param("2026-03-29", 23, id="the day that loses an hour"),
        pytest.param("2026-10-25", 25, id="the day that gains one"),
        pytest.param("2026-06-01", 24, id="any other day"),
    ],
)
def test_an_open_day_is_as_long_as_its_zone_makes_it(day: str, hours: int) -> None:
    berlin = zone_of("Europe/Berlin")
    assert berlin is not None
    calendar = Calendar(zone=berlin)
    first = date.fromisoformat(day)
    start, end = calendar.starts_us(first), calendar.starts_us(first + timedelta(days=1))
    assert calendar.open_us(start, end) == hours * 3_600_000_000
