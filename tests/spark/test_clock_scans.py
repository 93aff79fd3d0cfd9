"""Newest time by group, rows of a day and time to arrival, in UTC whatever the session's zone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timezone
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from floe_contracts.adapters.spark.clock.clock_answers import scan_clock, scan_latency, scan_rows_of_day
from floe_contracts.adapters.spark.read.messages import ARRIVED
from floe_contracts.adapters.spark.stream.batch import EVER
from floe_contracts.adapters.spark.stream.totals import late_rows
from floe_contracts.checks.measured import Clock, DayRows, Failure, Latency
from floe_contracts.checks.moments import SECOND, micros
from floe_contracts.checks.promises.promise import ClockChoice

NOW = micros(datetime(2024, 3, 10, 12, tzinfo=timezone.utc))
AT = ClockChoice(("at",), "")
HAPPENED = ClockChoice(("happened",), "")
DAY = date(2024, 3, 10)


@pytest.fixture(autouse=True, params=["UTC", "America/New_York"])
def _zone(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[None]:
    spark.conf.set("spark.sql.session.timeZone", request.param)
    yield
    spark.conf.set("spark.sql.session.timeZone", "UTC")


def test_every_group_has_its_newest_time(spark: SparkSession) -> None:
    frame = spark.sql(
        """
        SELECT land, timestamp(t) AS at FROM VALUES
          ('de', '2024-03-10 10:00:00Z'), ('de', '2024-03-10 11:00:00Z'), ('fr', '2024-03-01 00:00:00Z'),
          ('fr', '2024-03-11 00:00:00Z'), (null, null), ('it', null) AS (land, t)
        """
    )
    clock = scan_clock(frame, AT, as_of_us=NOW, skew_us=0, group_by="land")
    hour = 3600 * SECOND
    assert isinstance(clock, Clock)
    assert (clock.last_us, clock.rows, clock.nulls, clock.future) == (NOW - hour, 6, 2, 1)
    assert clock.groups == (("de", NOW - hour), ("fr", NOW - (9 * 24 + 12) * hour), ("it", None), ("null", None))


def test_an_empty_table_has_no_groups(spark: SparkSession) -> None:
    frame = spark.sql("SELECT 'x' AS land, timestamp'2024-01-01' AS at").limit(0)
    expected = Clock(None, "column at by scan", NOW, 0, 0, 0)
    assert scan_clock(frame, AT, as_of_us=NOW, skew_us=0, group_by="land") == expected
    assert scan_clock(frame, AT, as_of_us=NOW, skew_us=0) == expected


def test_a_group_that_is_no_column_is_said(spark: SparkSession) -> None:
    frame = spark.sql("SELECT timestamp'2024-01-01' AS at")
    assert scan_clock(frame, AT, as_of_us=NOW, skew_us=0, group_by="land") == Failure("land is not in the table")


@pytest.mark.parametrize(
    ("kind", "zone", "values", "rows"),
    [
        ("timestamp", "UTC", ["2024-03-09 23:59:59Z", "2024-03-10 00:00:00Z", "2024-03-10 23:59:59.9Z"], 2),
        ("timestamp_ntz", "UTC", ["2024-03-09 23:59", "2024-03-10 00:00", "2024-03-10 23:59:59.999999"], 2),
        ("timestamp_ntz", "Europe/Berlin", ["2024-03-10 00:59", "2024-03-10 01:00", "2024-03-11 00:59"], 2),
        ("date", "UTC", ["2024-03-09", "2024-03-10", "2024-03-10", "2024-03-11"], 2),
    ],
)
def test_a_day_is_a_day_of_utc(spark: SparkSession, kind: str, zone: str, values: list[str], rows: int) -> None:
    literals = ", ".join(f"('{one}')" for one in values)
    frame = spark.sql(f"SELECT CAST(t AS {kind}) AS at FROM VALUES {literals}, (null) AS (t)")
    found = scan_rows_of_day(frame, replace(AT, zone=zone), DAY)
    assert found == DayRows(DAY, rows, "column at by scan")


def test_the_quantile_of_the_time_to_arrival(spark: SparkSession) -> None:
    columns = f"timestamp_micros({NOW} + id) AS at", f"timestamp_micros({NOW} + id - (id + 1) * 1000) AS happened"
    frame = spark.range(1_000).selectExpr(*columns)
    window = {"since_us": NOW, "until_us": NOW + 500}
    found = scan_latency(frame, HAPPENED, AT, quantile=Decimal("0.99"), **window)
    assert found == Latency(500, Decimal("0.99"), 495_000, 0, "at minus happened by scan")


def test_events_from_the_future_are_counted_apart(spark: SparkSession) -> None:
    frame = spark.range(10).selectExpr(
        f"timestamp_micros({NOW}) AS at", f"timestamp_micros({NOW} + id - 5) AS happened"
    )
    found = scan_latency(frame, HAPPENED, AT, quantile=Decimal("0.1"), since_us=NOW, until_us=NOW + 1)
    assert found == Latency(10, Decimal("0.1"), 0, 4, "at minus happened by scan")


def test_an_empty_stretch_has_no_quantile(spark: SparkSession) -> None:
    frame = spark.sql("SELECT timestamp'2024-01-01' AS at, timestamp'2024-01-01' AS happened")
    found = scan_latency(frame, HAPPENED, AT, quantile=Decimal("0.99"), since_us=NOW, until_us=NOW + 1)
    assert found == Latency(0, Decimal("0.99"), None, 0, "at minus happened by scan")


NEW_YORK, BERLIN = "America/New_York", "Europe/Berlin"


@pytest.mark.parametrize(
    ("happened", "came", "seconds"),
    [
        pytest.param(("timestamp_ntz", "2024-03-10 07:59:58", NEW_YORK), None, 2, id="summer time of New York"),
        pytest.param(("timestamp_ntz", "2024-03-10 11:59:58", "UTC"), None, 2, id="UTC"),
        pytest.param(("timestamp", "2024-03-10 11:59:58Z", NEW_YORK), None, 2, id="a time that has its zone"),
        pytest.param(("timestamp_ntz", "2024-03-10 01:59:59", NEW_YORK), None, 18_001, id="before the clocks changed"),
        pytest.param(("timestamp_ntz", "2024-03-10 02:30:00", NEW_YORK), None, 16_200, id="an hour that was skipped"),
        pytest.param(("timestamp_ntz", "2023-11-05 01:30:00", NEW_YORK), None, 10_909_800, id="the first of two hours"),
        pytest.param(
            ("timestamp_ntz", "2024-03-10 07:59:58.5", NEW_YORK),
            ("timestamp_ntz", "2024-03-10 13:00:00", BERLIN),
            1.5,
            id="two zones",
        ),
        pytest.param(("date", "2024-03-10", NEW_YORK), None, 25_200, id="a day begins at its own midnight"),
    ],
)
def test_times_without_a_zone_are_told_in_their_own(
    spark: SparkSession, happened: tuple[str, str, str], came: tuple[str, str, str] | None, seconds: float
) -> None:
    came = came or ("timestamp", "2024-03-10 12:00:00Z", "UTC")
    cast = [f"CAST('{text}' AS {kind}) AS {name}" for name, (kind, text, _) in (("happened", happened), ("at", came))]
    frame = spark.sql(f"SELECT {', '.join(cast)}")
    choices = replace(HAPPENED, zone=happened[2]), replace(AT, zone=came[2])
    found = scan_latency(frame, *choices, quantile=Decimal("0.99"), since_us=NOW, until_us=NOW + 1)
    assert found == Latency(1, Decimal("0.99"), int(seconds * SECOND), 0, "at minus happened by scan")


def test_a_day_may_begin_to_wait_at_its_end(spark: SparkSession) -> None:
    frame = spark.sql("SELECT date'2024-03-09' AS happened, timestamp'2024-03-10 12:00:00Z' AS at")
    choice = replace(HAPPENED, zone=NEW_YORK, day_end=True)
    found = scan_latency(frame, choice, AT, quantile=Decimal("0.99"), since_us=NOW, until_us=NOW + 1)
    assert isinstance(found, Latency)
    assert found.value_us == 7 * 3600 * SECOND + 1


@pytest.mark.parametrize("kind", ["timestamp", "timestamp_ntz", "date"])
def test_a_batch_asks_for_all_of_time(spark: SparkSession, kind: str) -> None:
    frame = spark.sql(f"SELECT CAST('2024-03-10' AS {kind}) AS at, CAST('2024-03-10' AS {kind}) AS happened")
    choices = replace(HAPPENED, zone=NEW_YORK), replace(AT, zone=NEW_YORK)
    found = scan_latency(frame, *choices, quantile=Decimal("0.99"), since_us=EVER.since_us, until_us=EVER.until_us)
    assert found == Latency(1, Decimal("0.99"), 0, 0, "at minus happened by scan")


@pytest.mark.parametrize(("allowed_s", "late"), [pytest.param(1, 1, id="late"), pytest.param(2, 0, id="in time")])
def test_late_rows_are_told_in_the_zone_of_their_time(spark: SparkSession, allowed_s: int, late: int) -> None:
    frame = spark.sql(
        f"SELECT timestamp_ntz'2024-03-10 07:59:58' AS happened, timestamp'2024-03-10 12:00:00Z' AS {ARRIVED}"
    )
    assert late_rows(frame, replace(HAPPENED, zone=NEW_YORK), allowed_s * SECOND, None) == late
