"""Newest time by group, rows of a day and time to arrival, in UTC whatever the session's zone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timezone
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from floe_contracts.adapters.spark.clock_scans import scan_clock, scan_latency, scan_rows_of_day
from floe_contracts.checks.measured import Clock, DayRows, Failure, Latency
from floe_contracts.checks.moments import SECOND, micros
from floe_contracts.checks.promises import ClockChoice

NOW = micros(datetime(2024, 3, 10, 12, tzinfo=timezone.utc))
AT = ClockChoice(("at",), "")
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
    found = scan_latency(frame, ("happened",), ("at",), quantile=Decimal("0.99"), **window)
    assert found == Latency(500, Decimal("0.99"), 495_000, 0, "at minus happened by scan")


def test_events_from_the_future_are_counted_apart(spark: SparkSession) -> None:
    frame = spark.range(10).selectExpr(
        f"timestamp_micros({NOW}) AS at", f"timestamp_micros({NOW} + id - 5) AS happened"
    )
    found = scan_latency(frame, ("happened",), ("at",), quantile=Decimal("0.1"), since_us=NOW, until_us=NOW + 1)
    assert found == Latency(10, Decimal("0.1"), 0, 4, "at minus happened by scan")


def test_an_empty_stretch_has_no_quantile(spark: SparkSession) -> None:
    frame = spark.sql("SELECT timestamp'2024-01-01' AS at, timestamp'2024-01-01' AS happened")
    found = scan_latency(frame, ("happened",), ("at",), quantile=Decimal("0.99"), since_us=NOW, until_us=NOW + 1)
    assert found == Latency(0, Decimal("0.99"), None, 0, "at minus happened by scan")
