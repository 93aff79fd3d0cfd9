"""Exact values of service levels: every spelling in, one canonical spelling out."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.contract.meaning.quantity import (
    ClockTime,
    Count,
    Day,
    Duration,
    Percent,
    Quantity,
    Text,
    compare,
    date_of,
    parse_clock_time,
    parse_count,
    parse_day,
    parse_duration,
    parse_percent,
)
from floe_contracts.contract.model import Json
from floe_contracts.contract.source.scalars import Numeral


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        pytest.param("PT6H", None, "PT6H", id="ISO hours"),
        pytest.param("pt6h", None, "PT6H", id="ISO in lower case"),
        pytest.param("P1D", None, "P1D", id="ISO day"),
        pytest.param("PT24H", None, "P1D", id="24 hours are a day"),
        pytest.param("P1W", None, "P7D", id="ISO week"),
        pytest.param("PT1H30M", None, "PT1H30M", id="ISO hours and minutes"),
        pytest.param("PT1.5H", None, "PT1H30M", id="ISO fraction in the last part"),
        pytest.param("PT0,25S", None, "PT0.25S", id="ISO fraction with a comma"),
        pytest.param("P1Y6M", None, "P1Y6M", id="ISO years and months"),
        pytest.param("P18M", None, "P1Y6M", id="months become years"),
        pytest.param("6h", None, "PT6H", id="short hours"),
        pytest.param("360m", None, "PT6H", id="short minutes"),
        pytest.param("15 min", None, "PT15M", id="minutes with a blank"),
        pytest.param("1.5 hours", None, "PT1H30M", id="fraction of hours"),
        pytest.param("1h30m", None, "PT1H30M", id="two short parts"),
        pytest.param("2 days 4 hours", None, "P2DT4H", id="two long parts"),
        pytest.param("500ms", None, "PT0.5S", id="milliseconds"),
        pytest.param(6, "h", "PT6H", id="number and unit"),
        pytest.param("6", "hours", "PT6H", id="numeric text and unit"),
        pytest.param(1.25, "h", "PT1H15M", id="fraction and unit"),
        pytest.param(Numeral("1.10"), "h", "PT1H6M", id="number with its spelling"),
        pytest.param(4, "d", "P4D", id="d"),
        pytest.param(4, "day", "P4D", id="day"),
        pytest.param(4, "Days", "P4D", id="days in any case"),
        pytest.param(3, "y", "P3Y", id="y"),
        pytest.param(3, "yr", "P3Y", id="yr"),
        pytest.param(3, "years", "P3Y", id="years"),
        pytest.param(1.5, "y", "P1Y6M", id="year and a half"),
        pytest.param(2, "quarters", "P6M", id="quarters"),
        pytest.param("PT6H", "h", "PT6H", id="unit repeated beside ISO"),
        pytest.param("0s", None, "PT0S", id="nothing"),
    ],
)
def test_durations(value: Json, unit: str | None, text: str) -> None:
    found, problem = parse_duration(value, unit)
    assert (found and found.text, problem) == (text, "")


@pytest.mark.parametrize(
    ("value", "unit"),
    [
        pytest.param("lots", None, id="word"),
        pytest.param("PT", None, id="ISO without parts"),
        pytest.param("P", None, id="lone P"),
        pytest.param("P1H", None, id="hours without T"),
        pytest.param("PT1.5H3M", None, id="fraction before the last part"),
        pytest.param("6 bananas", None, id="unknown unit"),
        pytest.param(6, "bananas", id="unknown unit beside"),
        pytest.param(6, None, id="no unit"),
        pytest.param("-PT6H", None, id="negative ISO"),
        pytest.param("-6h", None, id="negative short"),
        pytest.param(-6, "h", id="negative number"),
        pytest.param("30m1h", None, id="parts in the wrong order"),
        pytest.param("1h1h", None, id="the same part twice"),
        pytest.param("6h", "d", id="value and unit contradict"),
        pytest.param(0.3, "y", id="fraction of a month"),
        pytest.param("1ns", None, id="below a microsecond"),
        pytest.param(10**30, "y", id="beyond ten thousand years"),
        pytest.param(True, "h", id="truth value"),
        pytest.param([6], "h", id="list"),
        pytest.param("1" * 100_000 + "h", None, id="very long text"),
        pytest.param("٦h", None, id="digits beyond ASCII"),
    ],
)
def test_nonsense_durations_say_why(value: Json, unit: str | None) -> None:
    found, problem = parse_duration(value, unit)
    assert found is None
    assert 0 < len(problem) < 200


def test_a_lone_m_is_minutes_unless_only_the_calendar_makes_sense() -> None:
    assert parse_duration(3, "m")[0] == Duration(0, 180_000_000)
    assert parse_duration(3, "m", calendar=True)[0] == Duration(3)
    assert parse_duration("3m", calendar=True)[0] == Duration(3)
    assert parse_duration(3, "min", calendar=True)[0] == Duration(0, 180_000_000)


@pytest.mark.parametrize(
    ("text", "human"),
    [
        pytest.param("PT6H", "6 hours", id="hours"),
        pytest.param("PT1H30M", "1 hour 30 minutes", id="two parts"),
        pytest.param("P1Y6M", "1 year 6 months", id="calendar"),
        pytest.param("PT0.25S", "250 milliseconds", id="milliseconds"),
        pytest.param("PT0S", "0 seconds", id="nothing"),
    ],
)
def test_durations_for_people(text: str, human: str) -> None:
    found, _ = parse_duration(text)
    assert found is not None
    assert found.human == human


DURATIONS = st.builds(Duration, st.integers(0, 2000), st.integers(0, 10**15))


@given(DURATIONS)
def test_durations_survive_print_and_parse(length: Duration) -> None:
    assert parse_duration(length.text) == (length, "")


@given(DURATIONS, DURATIONS)
def test_comparing_durations_the_other_way_round_mirrors(one: Duration, other: Duration) -> None:
    forth, back = compare(one, other), compare(other, one)
    assert forth == (None if back is None else -back)


@given(
    st.integers(0, 60),
    st.integers(0, 800),
    st.integers(0, 60),
    st.integers(0, 800),
    st.dates(max_value=date(9000, 1, 1)),
)
def test_a_certain_order_of_durations_holds_from_every_day(
    months: int, days: int, other_months: int, other_days: int, start: date
) -> None:
    order = compare(Duration(months, days * DAY), Duration(other_months, other_days * DAY))
    gap = _days(start, months) + days - _days(start, other_months) - other_days
    assert order is None or gap == 0 or (gap > 0) == (order > 0)


DAY = 86_400_000_000


def _days(start: date, months: int) -> int:
    first = start.replace(day=1)
    whole = first.year * 12 + first.month - 1 + months
    return (date(whole // 12, whole % 12 + 1, 1) - first).days


@pytest.mark.parametrize(
    ("value", "unit", "ratio", "text"),
    [
        pytest.param("99.9%", None, True, "99.9%", id="percent sign"),
        pytest.param("99,9 %", None, True, "99.9%", id="comma and blank"),
        pytest.param(99.9, None, True, "99.9%", id="bare number"),
        pytest.param("99.90", "percent", True, "99.9%", id="unit percent"),
        pytest.param(0.999, None, True, "99.9%", id="bare share of one"),
        pytest.param(1, None, True, "100%", id="all of it"),
        pytest.param(1, "%", True, "1%", id="one percent"),
        pytest.param(0.999, "ratio", False, "99.9%", id="unit ratio"),
        pytest.param(0.5, None, False, "0.5%", id="small percentage"),
    ],
)
def test_percentages(value: Json, unit: str | None, ratio: bool, text: str) -> None:
    found, problem = parse_percent(value, unit, ratio=ratio)
    assert (found and found.text, problem) == (text, "")


@pytest.mark.parametrize(
    ("value", "unit"),
    [
        pytest.param("140 %", None, id="more than all"),
        pytest.param(-1, None, id="negative"),
        pytest.param("most of it", None, id="words"),
        pytest.param(99.9, "h", id="unit of time"),
        pytest.param(None, None, id="nothing"),
        pytest.param(True, None, id="truth value"),
    ],
)
def test_nonsense_percentages_say_why(value: Json, unit: str | None) -> None:
    found, problem = parse_percent(value, unit)
    assert found is None
    assert problem


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        pytest.param(10000, None, "10000", id="bare"),
        pytest.param("10,000", None, "10000", id="grouped by commas"),
        pytest.param("10_000", None, "10000", id="grouped by underscores"),
        pytest.param(10.0, "rows", "10 row", id="rows"),
        pytest.param(1, "rows/s", "86400 row/day", id="rate per second"),
        pytest.param("60 rows per hour", None, "1440 row/day", id="rate in words"),
        pytest.param(5, "rows/week", "5 row/week", id="a week does not go into a day"),
        pytest.param(2, "MB", "2000000 byte", id="megabytes"),
        pytest.param(2, "KiB/d", "2048 byte/day", id="kibibytes per day"),
        pytest.param(3, "requests/month", "3 request/month", id="months have no fixed length"),
    ],
)
def test_counts(value: Json, unit: str | None, text: str) -> None:
    found, problem = parse_count(value, unit)
    assert (found and found.text, problem) == (text, "")


@pytest.mark.parametrize("value", ["lots", -5, None, True, "10,00", "1e999999999"])
def test_nonsense_counts_say_why(value: Json) -> None:
    found, problem = parse_count(value)
    assert found is None
    assert problem


@pytest.mark.parametrize(
    ("value", "text", "human"),
    [
        pytest.param("06:00", "06:00Z", "06:00 UTC", id="no zone is UTC"),
        pytest.param("06:00 UTC", "06:00Z", "06:00 UTC", id="UTC"),
        pytest.param("06:00Z", "06:00Z", "06:00 UTC", id="Z"),
        pytest.param("6 AM UTC", "06:00Z", "06:00 UTC", id="AM"),
        pytest.param("12am", "00:00Z", "00:00 UTC", id="midnight is 12 am"),
        pytest.param("6:30 p.m.", "18:30Z", "18:30 UTC", id="p.m."),
        pytest.param("08:00+02:00", "06:00Z", "06:00 UTC", id="offset east"),
        pytest.param("09:00-08:00", "17:00Z", "17:00 UTC", id="offset west"),
        pytest.param("01:00+02:00", "00:00+01:00", "23:00 UTC the day before", id="UTC is still yesterday"),
        pytest.param("20:00-08:00", "23:00-05:00", "04:00 UTC the day after", id="UTC is tomorrow"),
        pytest.param("24:00", "23:00-01:00", "00:00 UTC the day after", id="end of the day"),
        pytest.param("08:00 Europe/Berlin", "08:00 Europe/Berlin", "08:00 Europe/Berlin", id="zone keeps its clock"),
        pytest.param(
            "18:30 America/New_York", "18:30 America/New_York", "18:30 America/New_York", id="Am is not an am"
        ),
        pytest.param("06:00:30", "06:00:30Z", "06:00:30 UTC", id="seconds"),
    ],
)
def test_clock_times(value: str, text: str, human: str) -> None:
    found, problem = parse_clock_time(value)
    assert found is not None, problem
    assert (found.text, found.human) == (text, human)
    assert parse_clock_time(found.text)[0] == found


@pytest.mark.parametrize(
    "value", ["25:00", "06:60", "24:01", "13 pm", "noon", "6", "06:00 bananas", "06:00+19:00", 6, None]
)
def test_nonsense_clock_times_say_why(value: Json) -> None:
    found, problem = parse_clock_time(value)
    assert found is None
    assert problem


@given(st.integers(-18 * 3600, 42 * 3600 - 1))
def test_clock_times_survive_print_and_parse(seconds: int) -> None:
    assert parse_clock_time(ClockTime(seconds).text)[0] == ClockTime(seconds)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param("2032-05-12", "2032-05-12", id="date"),
        pytest.param("2032-05-12T00:00:00Z", "2032-05-12", id="first moment of the date"),
        pytest.param("2032-05-12T09:30:10-08:00", "2032-05-12T17:30:10Z", id="offset"),
        pytest.param("2032-05-12 09:30", "2032-05-12T09:30:00Z", id="no zone is UTC"),
    ],
)
def test_days(value: str, text: str) -> None:
    found, problem = parse_day(value)
    assert (found and found.text, problem) == (text, "")


@pytest.mark.parametrize(
    "value", ["2032-13-01", "2032-02-30", "12.5.2032", "soon", "0001-01-01T00:00+10:00", 20320512, None]
)
def test_nonsense_days_say_why(value: Json) -> None:
    found, problem = parse_day(value)
    assert found is None
    assert problem


def test_the_calendar_day_of_an_instant_is_in_utc() -> None:
    assert date_of("2032-05-12T23:00:00-08:00") == date(2032, 5, 13)


@pytest.mark.parametrize(
    ("one", "other", "order"),
    [
        pytest.param(Duration(0, 5), Duration(0, 6), -1, id="shorter"),
        pytest.param(Duration(12), Duration(0, 365 * DAY), 1, id="a year is never shorter than 365 days"),
        pytest.param(Duration(12), Duration(0, 366 * DAY), -1, id="a year is never longer than 366 days"),
        pytest.param(Duration(1), Duration(0, 30 * DAY), None, id="a month may be more or less than 30 days"),
        pytest.param(Percent(Fraction(999, 10)), Percent(Fraction(99)), 1, id="percentages"),
        pytest.param(Count(Fraction(5), "row"), Count(Fraction(5), "row"), 0, id="same count"),
        pytest.param(Count(Fraction(5), "row"), Count(Fraction(6), "file"), None, id="other things"),
        pytest.param(ClockTime(0), ClockTime(60), -1, id="earlier"),
        pytest.param(ClockTime(0), ClockTime(60, "Europe/Berlin"), None, id="other zone"),
        pytest.param(Text("a"), Text("a"), 0, id="same text"),
        pytest.param(Text("a"), Text("b"), None, id="other text"),
        pytest.param(Duration(0, 5), Percent(Fraction(5)), None, id="other kind"),
    ],
)
def test_comparing(one: Quantity, other: Quantity, order: int | None) -> None:
    assert compare(one, other) == order


def test_comparing_days() -> None:
    earlier, later = parse_day("2032-05-12")[0], parse_day("2032-05-12T00:00:01Z")[0]
    assert isinstance(earlier, Day)
    assert isinstance(later, Day)
    assert compare(earlier, later) == -1
