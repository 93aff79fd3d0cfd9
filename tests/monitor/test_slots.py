"""Slots: which one a moment belongs to, what a scheduler may write, and one text for each."""

from __future__ import annotations

from datetime import datetime, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.checks.moments import DAY, HOUR, MINUTE, SECOND, iso, micros
from floe_contracts.errors import UsageError
from floe_contracts.monitor.store.slots import (
    SlotKey,
    choose_start,
    early_us,
    expected_slots,
    is_past,
    parse_slot,
    refuse_future,
    slot_start,
)

QUARTER = 15 * MINUTE


def us(text: str) -> int:
    return micros(datetime.fromisoformat(text).replace(tzinfo=timezone.utc))


@pytest.mark.parametrize(
    ("now", "start"),
    [
        pytest.param("2026-01-03T10:15:00", "2026-01-03T10:15:00", id="on the boundary"),
        pytest.param("2026-01-03T10:22:31", "2026-01-03T10:15:00", id="inside"),
        pytest.param("2026-01-03T10:29:29", "2026-01-03T10:15:00", id="31 seconds before the next"),
        pytest.param("2026-01-03T10:29:30", "2026-01-03T10:30:00", id="an early tick, 30 seconds before"),
        pytest.param("2026-01-03T10:29:59.999", "2026-01-03T10:30:00", id="an early tick, a moment before"),
        pytest.param("2025-12-31T23:59:45", "2026-01-01T00:00:00", id="an early tick before midnight"),
    ],
)
def test_the_slot_of_a_quarter_of_an_hour(now: str, start: str) -> None:
    assert iso(slot_start(us(now), QUARTER)) == f"{start}Z"


@pytest.mark.parametrize(
    ("interval", "early"),
    [
        pytest.param(DAY, 30 * SECOND, id="a day: 30 seconds"),
        pytest.param(10 * MINUTE, 30 * SECOND, id="ten minutes: 30 seconds"),
        pytest.param(MINUTE, 3 * SECOND, id="a minute: a twentieth of it"),
    ],
)
def test_how_early_a_tick_may_come(interval: int, early: int) -> None:
    assert early_us(interval) == early


@given(st.integers(0, 4 * 10**15), st.sampled_from([MINUTE, 5 * MINUTE, QUARTER, HOUR, 6 * HOUR, DAY]))
def test_every_moment_has_one_slot_and_is_never_far_from_it(now: int, interval: int) -> None:
    start = slot_start(now, interval)
    assert start % interval == 0
    assert -early_us(interval) <= now - start < interval


@given(st.lists(st.integers(0, 10**15), min_size=2), st.sampled_from([MINUTE, QUARTER, DAY]))
def test_time_never_goes_back_a_slot(moments: list[int], interval: int) -> None:
    starts = [slot_start(now, interval) for now in sorted(moments)]
    assert all(one <= other for one, other in pairwise(starts))


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-03T10:15:00Z",
        "2026-01-03T10:15:00+00:00",
        "2026-01-03T10:15:00.000000+00:00",
        "2026-01-03 10:15:00+00:00",
        "2026-01-03T11:15:00+01:00",
        "2026-01-03T05:15:00-0500",
        "2026-01-03T10:15",
        "2026-01-03T10:15:00.000000000Z",
        "20260103T101500",
        "20260103T101500Z",
        "20260103T101500+0000",
        "1767435300",
        "1767435300.0",
        "1767435300000",
        "1767435300000000",
        " 2026-01-03T10:15:00Z\n",
    ],
)
def test_spellings_of_one_moment(text: str) -> None:
    assert iso(parse_slot(text)) == "2026-01-03T10:15:00Z"


def test_a_date_is_its_first_moment() -> None:
    assert iso(parse_slot("2026-01-03")) == "2026-01-03T00:00:00Z"


@pytest.mark.parametrize("text", ["", "now", "10:15", "2026-13-01", "{{ data_interval_start }}", "12", "1e9"])
def test_what_is_no_moment_is_refused_with_the_spellings(text: str) -> None:
    with pytest.raises(UsageError, match="is not a moment") as refused:
        parse_slot(text)
    assert "ISO 8601" in refused.value.fix


def test_the_scheduler_wins_over_the_clock() -> None:
    now = us("2026-01-03T10:31:00")
    assert iso(choose_start(us("2026-01-03T10:16:12"), now, QUARTER)) == "2026-01-03T10:15:00Z"
    assert iso(choose_start(None, now, QUARTER)) == "2026-01-03T10:30:00Z"


def test_a_slot_in_the_future_is_refused() -> None:
    refuse_future(us("2026-01-03T10:30:00"), us("2026-01-03T10:29:30"))
    with pytest.raises(UsageError, match="lies in the future"):
        refuse_future(us("2026-01-03T12:30:00"), us("2026-01-03T10:31:00"))


@pytest.mark.parametrize(
    ("now", "past"),
    [
        pytest.param("2026-01-03T10:20:00", False, id="inside the slot"),
        pytest.param("2026-01-03T10:30:05", False, id="started when its interval had ended, as Airflow does"),
        pytest.param("2026-01-03T10:44:59", False, id="started late"),
        pytest.param("2026-01-03T10:45:00", True, id="an interval after its end"),
        pytest.param("2026-01-04T10:15:00", True, id="a day later"),
    ],
)
def test_when_a_slot_is_over(now: str, past: bool) -> None:
    assert is_past(_key(start_us=us("2026-01-03T10:15:00")), us(now)) is past


def test_a_short_interval_may_start_a_quarter_of_an_hour_late() -> None:
    key = _key(interval_us=5 * MINUTE, start_us=us("2026-01-03T10:15:00"))
    assert not is_past(key, us("2026-01-03T10:34:00"))


def test_a_run_of_a_pipeline_is_never_over() -> None:
    assert not is_past(SlotKey("floe", "orders", 1, "freshness", run_id="run-1"), us("2026-01-03T10:15:00"))


def test_one_text_per_slot() -> None:
    assert str(_key(start_us=us("2026-01-03T10:15:00"))) == "floe|orders|v1|freshness|PT15M|2026-01-03T10:15:00Z"
    assert str(SlotKey("floe", "orders", 1, "quality", run_id="abc")) == "floe|orders|v1|quality|run=abc"


def test_names_with_bars_do_not_make_two_slots_one() -> None:
    one = SlotKey("a|b", "c", 1, "quality", run_id="r")
    other = SlotKey("a", "b|c", 1, "quality", run_id="r")
    assert str(one) != str(other)


def test_another_interval_is_another_slot() -> None:
    assert _key(interval_us=5 * MINUTE) != _key()


@pytest.mark.parametrize(
    ("since", "until", "number"),
    [
        pytest.param("10:15", "10:15", 0, id="no time at all"),
        pytest.param("10:15", "10:16", 1, id="begins with a slot"),
        pytest.param("10:16", "10:30", 0, id="between two"),
        pytest.param("10:16", "10:31", 1, id="over a boundary"),
        pytest.param("10:00", "11:00", 4, id="an hour of quarters"),
    ],
)
def test_how_many_slots_begin_in_a_window(since: str, until: str, number: int) -> None:
    assert expected_slots(us(f"2026-01-03T{since}"), us(f"2026-01-03T{until}"), QUARTER) == number


def _key(interval_us: int = QUARTER, start_us: int = 0) -> SlotKey:
    return SlotKey("floe", "orders", 1, "freshness", interval_us, start_us)
