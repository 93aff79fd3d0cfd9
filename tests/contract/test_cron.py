"""Cron schedules: what they mean, when they fire, how long they are silent."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from floe_contracts.contract.meaning.cron import Cron, parse_cron, problem

UTC = timezone.utc
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "fire"),
    [
        pytest.param("0 6 * * *", "2026-01-02 06:00", id="every day"),
        pytest.param("*/15 * * * *", "2026-01-01 12:45", id="steps"),
        pytest.param("5/20 * * * *", "2026-01-01 12:45", id="steps from a start"),
        pytest.param("0 9-17/4 * * *", "2026-01-01 13:00", id="steps in a range"),
        pytest.param("0 0 1,15 * *", "2026-01-15 00:00", id="list"),
        pytest.param("0 0 * * MON", "2026-01-05 00:00", id="weekday by name"),
        pytest.param("0 0 * * 7", "2026-01-04 00:00", id="seven is Sunday"),
        pytest.param("0 0 * * sat-sun", "2026-01-03 00:00", id="range up to Sunday"),
        pytest.param("0 0 ? mar *", "2026-03-01 00:00", id="question mark and month by name"),
        pytest.param("0 0 10 * sat", "2026-01-03 00:00", id="either day when both are given"),
        pytest.param("0 0 */2 * sat", "2026-01-03 00:00", id="both days when one begins with a star"),
        pytest.param("0 0 29 2 *", "2028-02-29 00:00", id="leap day"),
        pytest.param("@hourly", "2026-01-01 13:00", id="hourly"),
        pytest.param("@daily", "2026-01-02 00:00", id="daily"),
        pytest.param("@weekly", "2026-01-04 00:00", id="weekly"),
        pytest.param("@monthly", "2026-02-01 00:00", id="monthly"),
        pytest.param("@yearly", "2027-01-01 00:00", id="yearly"),
    ],
)
def test_next_fire(text: str, fire: str) -> None:
    found = _cron(text).next_after(datetime(2026, 1, 1, 12, 30, tzinfo=UTC))
    assert f"{found:%Y-%m-%d %H:%M}" == fire


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("0 30 * * *", id="hour 30"),
        pytest.param("60 * * * *", id="minute 60"),
        pytest.param("0 0 0 * *", id="day 0"),
        pytest.param("0 0 30 2 *", id="30 February"),
        pytest.param("0 0 * 13 *", id="month 13"),
        pytest.param("0 0 * * 8", id="weekday 8"),
        pytest.param("0 0 * * foo", id="unknown name"),
        pytest.param("0 22-2 * * *", id="backwards"),
        pytest.param("*/0 * * * *", id="step 0"),
        pytest.param("? * * * *", id="any minute by question mark"),
        pytest.param("0 0 L * *", id="last day"),
        pytest.param("0 0 0 * * *", id="six fields"),
        pytest.param("0 6 * *", id="four fields"),
        pytest.param("", id="empty"),
        pytest.param("@reboot", id="reboot"),
        pytest.param("1-2-3 * * * *", id="double range"),
        pytest.param("1,,2 * * * *", id="empty item"),
        pytest.param("-1 * * * *", id="negative"),
        pytest.param("٥ * * * *", id="digits beyond ASCII"),
        pytest.param("0," * 10_000 + "0 * * * *", id="very long"),
    ],
)
def test_nonsense_says_why(text: str) -> None:
    assert parse_cron(text)[0] is None
    assert 0 < len(problem(text)) < 200


def test_what_can_be_read_has_no_problem() -> None:
    assert problem("0 6 * * *") == ""


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        pytest.param("0 6 * * *", 24, id="daily"),
        pytest.param("0 */6 * * *", 6, id="every six hours"),
        pytest.param("0 8,12 * * *", 20, id="overnight"),
        pytest.param("0 9-17 * * mon-fri", 64, id="over the weekend"),
        pytest.param("0 0 1 * *", 31 * 24, id="longest month"),
        pytest.param("0 0 31 * *", 61 * 24, id="months of 31 days"),
        pytest.param("0 0 29 2 *", 2921 * 24, id="the missing leap day of 2100"),
        pytest.param("0 0 1 * mon", 7 * 24, id="either day"),
    ],
)
def test_longest_gap(text: str, hours: int) -> None:
    assert _cron(text).longest_gap() == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("text", "after", "fires"),
    [
        pytest.param("30 2 * * *", "2026-03-28T12:00", ["03-29T01:00", "03-30T00:30"], id="skipped time moves forward"),
        pytest.param("30 2 * * *", "2026-10-24T12:00", ["10-25T00:30", "10-26T01:30"], id="repeated time fires once"),
        pytest.param("0 * * * *", "2026-10-24T23:30", ["10-25T00:00", "10-25T01:00"], id="every hour fires twice"),
        pytest.param("0 * * * *", "2026-03-29T00:30", ["03-29T01:00", "03-29T02:00"], id="no fire in the gap"),
    ],
)
def test_clock_changes(text: str, after: str, fires: list[str]) -> None:
    moment, found = datetime.fromisoformat(after).replace(tzinfo=UTC), []
    for _ in fires:
        following = _cron(text).next_after(moment, BERLIN)
        assert following is not None
        found.append(f"{following:%m-%dT%H:%M}")
        moment = following
    assert found == fires


ITEMS = st.one_of(
    st.just("*"), st.integers(1, 12).map(str), st.integers(1, 9).map(lambda n: f"*/{n}"), st.just("2-6/2")
)
FIELDS = st.lists(ITEMS, min_size=1, max_size=2).map(",".join)
DAYS_OF_WEEK = st.sampled_from(["*", "1-5", "sun", "6,7", "*/2", "?"])
CRONS = st.tuples(FIELDS, FIELDS, FIELDS, st.sampled_from(["*", "1-6", "*/2"]), DAYS_OF_WEEK).map(" ".join)
MOMENTS = st.integers(0, 2 * 366 * 24 * 60 * 60).map(
    lambda seconds: datetime(2025, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)


@settings(max_examples=40)
@given(CRONS, MOMENTS)
def test_next_and_last_agree_with_looking_at_every_minute(text: str, moment: datetime) -> None:
    schedule = _cron(text)
    following, newest = schedule.next_after(moment), schedule.last_until(moment)
    assert following is not None
    assert newest is not None
    start = moment.replace(second=0, microsecond=0)
    minutes = [start + timedelta(minutes=n) for n in range(-1500, 1500)]
    fires = [minute for minute in minutes if _matches(text, minute)]
    ahead, behind = [m for m in fires if m > moment], [m for m in fires if m <= moment]
    assert following == ahead[0] if ahead else following > minutes[-1]
    assert newest == behind[-1] if behind else newest < minutes[0]


@settings(max_examples=40)
@given(CRONS, MOMENTS)
def test_no_silence_is_longer_than_the_longest(text: str, moment: datetime) -> None:
    schedule = _cron(text)
    first = schedule.next_after(moment)
    assert first is not None
    second = schedule.next_after(first)
    assert second is not None
    assert second - first <= schedule.longest_gap()


@given(MOMENTS)
def test_in_a_zone_the_next_fire_shows_the_wanted_clock(moment: datetime) -> None:
    fire = _cron("30 14 * * *").next_after(moment, BERLIN)
    assert fire is not None
    assert f"{fire.astimezone(BERLIN):%H:%M}" == "14:30"
    assert timedelta(0) < fire - moment <= timedelta(hours=25)


def _matches(text: str, minute: datetime) -> bool:
    """Cron by its definition, one minute at a time."""
    fields = text.split()
    values = (minute.minute, minute.hour, minute.day, minute.month, minute.isoweekday() % 7)
    hits = [_hit(field, value, at) for at, (field, value) in enumerate(zip(fields, values, strict=True))]
    restricted = fields[2][0] not in "*?" and fields[4][0] not in "*?"
    day = hits[2] or hits[4] if restricted else hits[2] and hits[4]
    return hits[0] and hits[1] and hits[3] and day


@lru_cache
def _hit(field: str, value: int, at: int) -> bool:
    least = (0, 0, 1, 1, 0)[at]
    for item in field.replace("sun", "0").replace("7", "0" if at == 4 else "7").split(","):
        span, _, step = item.partition("/")
        first, _, last = span.partition("-")
        if span in "*?" and (value - least) % int(step or 1) == 0:
            return True
        if (
            span not in "*?"
            and int(first) <= value <= int(last or first)
            and (value - int(first)) % int(step or 1) == 0
        ):
            return True
    return False


def _cron(text: str) -> Cron:
    found, reason = parse_cron(text)
    assert found is not None, reason
    return found
