"""Cron schedules: after every fire, data at least as new must be there."""

from __future__ import annotations

import pytest
from support.judgements import WORKDAYS, clock, judged, said, sla, told

from floe_contracts.contract.model import Sla
from floe_contracts.results import Outcome

DAILY = sla("frequency", "0 6 * * *")
SCHEDULED = sla("frequency", "daily", scheduler="cron", schedule="0 6 * * *")


@pytest.mark.parametrize("promised", [pytest.param(DAILY, id="as value"), pytest.param(SCHEDULED, id="as schedule")])
@pytest.mark.parametrize(
    ("last", "now", "expected"),
    [
        pytest.param("2026-01-03 06:00", "2026-01-03 10:00", [], id="as new as the fire"),
        pytest.param("2026-01-03 07:12", "2026-01-03 10:00", [], id="newer than the fire"),
        pytest.param("2026-01-03 05:59", "2026-01-03 10:00", ["E550 warning"], id="older than the fire"),
        pytest.param("2026-01-02 06:00", "2026-01-03 05:59", [], id="the next fire has not come"),
        pytest.param("2026-01-02 06:00", "2026-01-03 06:00", ["E550 warning"], id="due at the very moment of the fire"),
        pytest.param("2026-01-01 18:00", "2026-01-03 10:00", ["E550 error"], id="40 hours old against one day"),
        pytest.param("2025-12-30 06:00", "2026-01-03 10:00", ["E550 critical"], id="four fires missed"),
    ],
)
def test_daily_at_six(promised: Sla, last: str, now: str, expected: list[str]) -> None:
    assert told(judged(promised, clock(last, now=now), now=now)) == expected


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param("2026-01-03 06:29", [], id="within the grace the fire does not count yet"),
        pytest.param("2026-01-03 06:30", ["E550 warning"], id="when it is over it does"),
    ],
)
def test_a_fire_counts_once_its_grace_is_over(now: str, expected: list[str]) -> None:
    promised = sla("frequency", "0 6 * * *", grace="PT30M")
    assert told(judged(promised, clock("2026-01-02 06:10", now=now), now=now)) == expected


def test_the_finding_names_the_fire_and_the_newest_data() -> None:
    (found,) = judged(DAILY, clock("2026-01-02 18:00")).findings
    assert found.message == "Data was due at 2026-01-03T06:00:00Z, and the newest is 12 hours older"
    assert (found.expected, found.actual) == ("2026-01-03T06:00:00Z", "2026-01-02T18:00:00Z")
    assert dict(found.context)["occurrence"] == "2026-01-03T06:00:00Z"


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        pytest.param("2026-01-03 04:00", [], id="two hours before the fire"),
        pytest.param("2026-01-03 03:59", ["E550 warning"], id="longer before it"),
    ],
)
def test_a_freshness_with_a_schedule_is_looked_at_when_it_fires(last: str, expected: list[str]) -> None:
    promised = sla("freshness", "PT2H", scheduler="cron", schedule="0 6 * * *")
    assert told(judged(promised, clock(last))) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(None, ["E550 warning"], id="a schedule alone is enough"),
        pytest.param("soon", ["E560 warning"], id="a value that cannot be read is said all the same"),
    ],
)
def test_a_freshness_may_be_nothing_but_a_schedule(value: str | None, expected: list[str]) -> None:
    promised = sla("freshness", value, scheduler="cron", schedule="0 6 * * *")
    assert told(judged(promised, clock("2026-01-03 05:00"))) == expected


def test_a_frequency_with_another_scheduler_is_judged_by_its_length() -> None:
    promised = sla("frequency", "daily", scheduler="airflow", schedule="0 6 * * *")
    assert told(judged(promised, clock("2026-01-02 11:00"))) == []


def test_a_schedule_of_another_scheduler_says_nothing() -> None:
    promised = sla("freshness", "PT6H", scheduler="airflow", schedule="0 6 * * *")
    assert told(judged(promised, clock("2026-01-03 05:00"))) == []
    assert told(judged(promised, clock("2026-01-03 03:00"))) == ["E550 warning"]


@pytest.mark.parametrize(
    ("now", "last", "expected"),
    [
        pytest.param("2026-01-05 05:00", "2026-01-02 06:30", [], id="fires of the weekend do not count"),
        pytest.param("2026-01-05 06:00", "2026-01-02 06:30", ["E550 error"], id="that of Monday does"),
    ],
)
def test_a_fire_on_a_closed_day_is_skipped(now: str, last: str, expected: list[str]) -> None:
    promised = sla("frequency", "0 6 * * *", calendar="work")
    assert told(judged(promised, clock(last, now=now), now=now, calendars={"work": WORKDAYS})) == expected


@pytest.mark.parametrize(
    ("now", "due"),
    [
        pytest.param("2026-03-29 12:00", "2026-03-29T01:00:00Z", id="02:30 does not exist and fires at 03:00"),
        pytest.param("2026-10-25 12:00", "2026-10-25T00:30:00Z", id="02:30 comes twice and fires the first time"),
        pytest.param("2026-06-01 12:00", "2026-06-01T00:30:00Z", id="any other summer day"),
        pytest.param("2026-01-10 12:00", "2026-01-10T01:30:00Z", id="a winter day"),
    ],
)
def test_a_zone_moves_the_fire_with_its_clocks(now: str, due: str) -> None:
    promised = sla("frequency", "30 2 * * *", timezone="Europe/Berlin")
    assert said(judged(promised, clock(now, now=now), now=now), "occurrence") == due


def test_a_cron_of_the_standards_own_page_is_no_cron() -> None:
    result = judged(sla("frequency", "daily", scheduler="cron", schedule="0 30 * * *"), clock("2026-01-03 05:00"))
    assert result.outcome is Outcome.ERRORED
    assert "its schedule cannot be read" in result.findings[0].message


def test_a_time_zone_that_nobody_knows_is_said() -> None:
    result = judged(sla("frequency", "0 6 * * *", timezone="Europe/Atlantis"), clock("2026-01-03 05:00"))
    assert result.outcome is Outcome.ERRORED
    assert "not a time zone" in result.findings[0].message


def test_a_schedule_without_any_data_is_not_fresh() -> None:
    assert told(judged(DAILY, clock(None, rows=0))) == ["E550 error"]


def test_the_worst_group_counts() -> None:
    promised = sla("frequency", "0 6 * * *", group_by="region")
    groups = {"eu": "2026-01-03 07:00", "us": "2026-01-02 07:00"}
    (found,) = judged(promised, clock("2026-01-03 07:00", groups=groups)).findings
    assert found.element == "updated_at (region us)"
