"""Deadlines: the data of a business day must be there at a time of day."""

from __future__ import annotations

import pytest
from support.judgements import WORKDAYS, at, clock, judged, orders, promise_of, said, sla, told

from floe_contracts.checks.freshness.deadlines import newest_due
from floe_contracts.checks.measured import Arrival
from floe_contracts.checks.moments import iso
from floe_contracts.checks.promises.context import PromiseContext
from floe_contracts.results import Outcome

BY_SIX = sla("timeOfAvailability", "06:00 UTC")


@pytest.mark.parametrize(
    ("last", "now", "standing", "expected"),
    [
        pytest.param("2026-01-03 05:10", "2026-01-03 06:00", "met", [], id="there at the deadline"),
        pytest.param("2026-01-03 00:00", "2026-01-03 06:00", "met", [], id="the first moment of the day belongs to it"),
        pytest.param(
            "2026-01-02 23:59", "2026-01-03 06:00", "missed", ["E551 warning"], id="only data of the day before"
        ),
        pytest.param("2026-01-02 05:00", "2026-01-03 05:59", "pending", [], id="before the deadline nothing is missed"),
        pytest.param("2026-01-02 05:00", "2026-01-03 18:00", "missed", ["E551 warning"], id="twelve hours late"),
        pytest.param("2026-01-02 05:00", "2026-01-03 18:01", "missed", ["E551 error"], id="more than half a day late"),
        pytest.param("2026-01-02 05:00", "2026-01-04 05:00", "missed", ["E551 error"], id="until the next deadline"),
        pytest.param(None, "2026-01-03 06:00", "missed", ["E551 warning"], id="no data at all"),
    ],
)
def test_by_six_o_clock(last: str | None, now: str, standing: str, expected: list[str]) -> None:
    result = judged(BY_SIX, clock(last, now=now), now=now)
    assert (said(result, "deadline"), told(result)) == (standing, expected)


@pytest.mark.parametrize(
    ("measured", "rule", "late_by"),
    [
        pytest.param(Arrival(True, "commits", at("2026-01-03 06:00")), None, None, id="in the last moment"),
        pytest.param(Arrival(True, "commits", at("2026-01-03 07:00")), "late", "PT1H", id="an hour late"),
        pytest.param(Arrival(False, "commits"), "missed", "PT4H", id="not there yet"),
        pytest.param(Arrival(True, "newest file"), None, None, id="there, and nobody knows since when"),
    ],
)
def test_where_commits_are_known_lateness_is_told(measured: Arrival, rule: str | None, late_by: str | None) -> None:
    result = judged(BY_SIX, measured)
    assert [item.rule for item in result.findings] == ([rule] if rule else [])
    assert said(result, "late_by") == late_by


@pytest.mark.parametrize(
    ("measured", "message"),
    [
        pytest.param(
            Arrival(True, "commits", at("2026-01-03 07:00")),
            "Data of 2026-01-03 came 1 hour after its deadline of 06:00 UTC",
            id="late",
        ),
        pytest.param(
            Arrival(False, "commits"), "Data of 2026-01-03 is 4 hours late, its deadline was 06:00 UTC", id="missed"
        ),
    ],
)
def test_the_message_says_which_day_and_how_late(measured: Arrival, message: str) -> None:
    (found,) = judged(BY_SIX, measured).findings
    assert found.message == message
    assert found.expected == "2026-01-03T06:00:00Z"


@pytest.mark.parametrize(
    ("measured", "actual"),
    [
        pytest.param(Arrival(True, "commits", at("2026-01-03 07:00")), "2026-01-03T07:00:00Z", id="late"),
        pytest.param(Arrival(False, "commits"), "not there", id="missed"),
    ],
)
def test_the_finding_says_when_it_came(measured: Arrival, actual: str) -> None:
    (found,) = judged(BY_SIX, measured).findings
    assert found.actual == actual


@pytest.mark.parametrize(
    ("now", "standing"),
    [
        pytest.param("2026-01-03 22:59", "met", id="still the third of January in Berlin"),
        pytest.param("2026-01-03 23:00", "pending", id="the fourth has begun there"),
    ],
)
def test_a_day_ends_where_its_deadline_lives(now: str, standing: str) -> None:
    promised = sla("timeOfAvailability", "06:00 Europe/Berlin")
    assert said(judged(promised, clock("2026-01-03 05:00", now=now), now=now), "deadline") == standing


@pytest.mark.parametrize(
    ("measured", "severity"),
    [
        pytest.param(Arrival(False, "commits"), "E551 critical", id="still missing in the third slot"),
        pytest.param(Arrival(True, "commits", at("2026-01-03 06:10")), "E551 warning", id="over, and only told again"),
    ],
)
def test_only_what_is_still_missing_gets_worse(measured: Arrival, severity: str) -> None:
    assert told(judged(BY_SIX, measured, streak=2)) == [severity]


@pytest.mark.parametrize(
    ("now", "measured", "expected"),
    [
        pytest.param("2026-01-03 06:29", None, [], id="until the grace is over nothing is judged"),
        pytest.param("2026-01-03 06:30", None, ["E551 warning"], id="then it is"),
        pytest.param("2026-01-03 06:30", "2026-01-03 06:10", ["E551 warning"], id="the deadline itself does not move"),
    ],
)
def test_grace_moves_the_judgement(now: str, measured: str | None, expected: list[str]) -> None:
    promised = sla("timeOfAvailability", "06:00 UTC", grace="PT30M")
    arrival = Arrival(True, "commits", at(measured)) if measured else Arrival(False, "commits")
    found = Arrival(True, "commits", at("2026-01-02 05:00")) if now < "2026-01-03 06:30" else arrival
    assert told(judged(promised, found, now=now)) == expected


def _due(value: str, now: str, **options: str) -> tuple[str, str, str]:
    """The newest deadline, its business day, and when that day starts."""
    promise = promise_of(orders(sla("timeOfAvailability", value, **options)))
    calendar = WORKDAYS if options.get("calendar") else None
    found = newest_due(PromiseContext(promise, at(now), calendar))
    assert found is not None
    return _short(found.due_us), str(found.day), _short(found.day_starts_us)


def _short(us: int) -> str:
    return iso(us).replace("T", " ").removesuffix(":00Z")


@pytest.mark.parametrize(
    ("value", "now", "due", "day_starts"),
    [
        pytest.param("06:00", "2026-01-03 10:00", "2026-01-03 06:00", "2026-01-03 00:00", id="UTC by default"),
        pytest.param("09:00-08:00", "2026-01-03 17:00", "2026-01-03 17:00", "2026-01-03 00:00", id="an offset"),
        pytest.param("20:00-08:00", "2026-01-04 05:00", "2026-01-04 04:00", "2026-01-03 00:00", id="after midnight"),
        pytest.param("01:00+02:00", "2026-01-02 23:30", "2026-01-02 23:00", "2026-01-03 00:00", id="before midnight"),
        pytest.param("24:00", "2026-01-04 00:00", "2026-01-04 00:00", "2026-01-03 00:00", id="the end of the day"),
    ],
)
def test_the_deadline_is_a_moment_in_utc(value: str, now: str, due: str, day_starts: str) -> None:
    assert _due(value, now)[::2] == (due, day_starts)


@pytest.mark.parametrize(
    ("clock_time", "now", "due", "day_starts"),
    [
        pytest.param("08:00", "2026-01-03 10:00", "2026-01-03 07:00", "2026-01-02 23:00", id="winter"),
        pytest.param("08:00", "2026-07-03 10:00", "2026-07-03 06:00", "2026-07-02 22:00", id="summer"),
        pytest.param("02:30", "2026-03-29 10:00", "2026-03-29 01:00", "2026-03-28 23:00", id="a skipped time moves on"),
        pytest.param("02:30", "2026-10-25 10:00", "2026-10-25 00:30", "2026-10-24 22:00", id="the first of a doubled"),
    ],
)
def test_a_zone_moves_the_deadline_with_its_clocks(clock_time: str, now: str, due: str, day_starts: str) -> None:
    assert _due(f"{clock_time} Europe/Berlin", now)[::2] == (due, day_starts)


@pytest.mark.parametrize(
    ("now", "options", "due", "day"),
    [
        pytest.param("2026-01-05 10:00", {"lag": "P1D"}, "2026-01-05 06:00", "2026-01-04", id="the day before"),
        pytest.param(
            "2026-01-04 10:00", {"calendar": "w"}, "2026-01-02 06:00", "2026-01-02", id="closed days have none"
        ),
        pytest.param(
            "2026-01-05 10:00",
            {"calendar": "w", "lag": "P1D"},
            "2026-01-05 06:00",
            "2026-01-02",
            id="Monday brings Friday",
        ),
    ],
)
def test_lag_and_calendar_choose_the_business_day(now: str, options: dict[str, str], due: str, day: str) -> None:
    assert _due("06:00 UTC", now, **options)[:2] == (due, day)


def test_a_zone_that_nobody_knows_is_an_error_of_the_check() -> None:
    result = judged(sla("timeOfAvailability", "06:00 Mars/Olympus"), clock("2026-01-03 05:00"))
    assert result.outcome is Outcome.ERRORED


def test_times_in_the_future_are_told_here_too() -> None:
    assert told(judged(BY_SIX, clock("2026-01-03 05:00", future=3))) == ["E557 warning"]
