"""The newest time is the same moment in UTC, whatever zone the session or the driver has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone

import pytest
from pyspark.sql import DataFrame, SparkSession
from support.spark_plans import plan

from floe_contracts.adapters.spark.measure.tables import MeasureOptions, measure
from floe_contracts.checks.measured import Clock, Failure
from floe_contracts.checks.moments import MINUTE, micros
from floe_contracts.checks.promises.promise import ClockChoice

NOON = "2024-03-10T12:00:00"
CHOICE = ClockChoice(("at",), "")


def us(text: str) -> int:
    return micros(datetime.fromisoformat(text).replace(tzinfo=timezone.utc))


@pytest.fixture(params=["UTC", "America/New_York", "Asia/Kathmandu"])
def session(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[SparkSession]:
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", request.param)
    yield spark
    spark.conf.set("spark.sql.session.timeZone", str(before))


def read(frame: DataFrame, choice: ClockChoice = CHOICE, now: str = NOON, skew_us: int = 0) -> Clock:
    found = measure(frame, plan(clock=choice), options=MeasureOptions(as_of_us=us(now), skew_us=skew_us)).clock
    assert isinstance(found, Clock), found
    return found


def column(spark: SparkSession, kind: str, *values: str | None) -> DataFrame:
    rows = ", ".join(f"({'null' if one is None else repr(one)})" for one in values)
    return spark.sql(f"SELECT CAST(t AS {kind}) AS at FROM VALUES {rows} AS (t)")


@pytest.mark.parametrize(
    ("kind", "zone", "value", "moment"),
    [
        ("timestamp", "UTC", "2024-03-10 11:59:59.000001Z", "2024-03-10T11:59:59.000001"),
        ("timestamp", "Europe/Berlin", "2024-03-10 11:59:59Z", "2024-03-10T11:59:59"),
        ("timestamp_ntz", "UTC", "2024-03-10 02:30:00.123456", "2024-03-10T02:30:00.123456"),
        ("timestamp_ntz", "Europe/Berlin", "2024-03-10 02:30:00", "2024-03-10T01:30:00"),
        ("timestamp_ntz", "America/New_York", "2024-03-10 02:30:00", "2024-03-10T07:30:00"),
        ("date", "UTC", "2024-03-10", "2024-03-10T00:00:00"),
        ("date", "America/New_York", "2024-03-10", "2024-03-10T05:00:00"),
        ("timestamp_ntz", "UTC", "1969-12-31 23:59:59.5", "1969-12-31T23:59:59.500000"),
    ],
)
def test_every_type_tells_utc(session: SparkSession, kind: str, zone: str, value: str, moment: str) -> None:
    assert read(column(session, kind, value), replace(CHOICE, zone=zone)).last_us == us(moment)


@pytest.mark.parametrize("kind", ["timestamp", "timestamp_ntz"])
def test_rows_from_the_future_are_counted_and_not_believed(session: SparkSession, kind: str) -> None:
    zone = "Z" if kind == "timestamp" else ""
    values = [f"2024-03-10 {clock}{zone}" for clock in ("11:00:00", "12:00:00", "12:00:01", "15:00:00")]
    clock = read(column(session, kind, *values, None))
    assert (clock.last_us, clock.future, clock.nulls, clock.rows) == (us(NOON), 2, 1, 5)


def test_clocks_may_differ_a_little(spark: SparkSession) -> None:
    frame = column(spark, "timestamp", "2024-03-10 12:05:00Z", "2024-03-10 12:05:01Z")
    clock = read(frame, skew_us=5 * MINUTE)
    assert (clock.last_us, clock.future) == (us("2024-03-10T12:05:00"), 1)


@pytest.mark.parametrize(("day_end", "moment"), [(False, "2024-03-10T00:00:00"), (True, "2024-03-10T23:59:59.999999")])
def test_a_date_is_its_first_or_its_last_moment(spark: SparkSession, day_end: bool, moment: str) -> None:
    clock = read(column(spark, "date", "2024-03-10", "2024-03-11"), replace(CHOICE, day_end=day_end))
    assert (clock.last_us, clock.future) == (us(moment), 1)


@pytest.mark.parametrize("values", [(), (None,), (None, None)], ids=["empty", "null", "nulls"])
def test_no_time_at_all_is_no_time(spark: SparkSession, values: tuple[None, ...]) -> None:
    frame = column(spark, "timestamp", *values, None).limit(len(values))
    clock = read(frame)
    assert (clock.last_us, clock.rows, clock.nulls, clock.future) == (None, len(values), len(values), 0)


def test_only_the_future_is_no_time_either(spark: SparkSession) -> None:
    clock = read(column(spark, "timestamp", "2999-01-01 00:00:00Z"))
    assert (clock.last_us, clock.future) == (None, 1)


def test_a_clock_may_lie_in_a_struct(spark: SparkSession) -> None:
    frame = spark.sql(f"SELECT named_struct('a.b', timestamp'{NOON}Z') AS `m e`")
    clock = read(frame, ClockChoice(("m e", "a.b"), ""))
    assert (clock.last_us, clock.how) == (us(NOON), "column `m e`.`a.b` by scan")


def test_times_beyond_the_calendar_of_python_do_no_harm(spark: SparkSession) -> None:
    frame = spark.sql("SELECT timestamp_ntz'+20000-01-01 00:00:00' AS at")
    clock = read(frame, replace(CHOICE, zone="Europe/Berlin"))
    assert (clock.last_us, clock.future) == (None, 1)


def test_a_missing_clock_is_a_reason(spark: SparkSession) -> None:
    found = measure(spark.range(1).toDF("id"), plan(clock=CHOICE), options=MeasureOptions(as_of_us=0)).clock
    assert found == Failure("at is not in the table")


@pytest.mark.parametrize(
    ("kind", "value", "choice", "moment"),
    [
        ("string", "10.03.2024 02:30", {"format": "dd.MM.yyyy HH:mm"}, "2024-03-10T02:30:00"),
        ("string", "10.03.2024 02:30", {"format": "dd.MM.yyyy HH:mm", "zone": "Europe/Berlin"}, "2024-03-10T01:30:00"),
        ("string", "2024-03-10 02:30 +02:00", {"format": "yyyy-MM-dd HH:mm XXX"}, "2024-03-10T00:30:00"),
        ("string", "2024-03-10T02:30:00Z", {"format": "date-time"}, "2024-03-10T02:30:00"),
        ("bigint", "1710037800", {"unit_us": 1_000_000}, "2024-03-10T02:30:00"),
        ("bigint", "1710037800000", {"unit_us": 1_000}, "2024-03-10T02:30:00"),
        ("int", "1710037800", {"unit_us": 1_000_000}, "2024-03-10T02:30:00"),
    ],
)
def test_texts_and_numbers_tell_the_time_that_is_declared(
    spark: SparkSession, kind: str, value: str, choice: dict[str, object], moment: str
) -> None:
    frame = column(spark, kind, value, None)
    assert read(frame, ClockChoice(("at",), "", **choice)).last_us == us(moment)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "value", "offer"),
    [
        pytest.param(
            "string", "2024-03-10", "format: yyyy-MM-dd HH:mm:ss, in ODCS below logicalTypeOptions", id="a text"
        ),
        pytest.param(
            "bigint",
            "1710037800",
            "unit: seconds, millis or micros, in ODCS the custom property floe.unit",
            id="a number",
        ),
    ],
)
def test_without_a_declaration_the_message_offers_it(spark: SparkSession, kind: str, value: str, offer: str) -> None:
    answer = measure(column(spark, kind, value), plan(clock=CHOICE), options=MeasureOptions(as_of_us=us(NOON))).clock
    assert isinstance(answer, Failure)
    assert offer in answer.reason


@pytest.mark.parametrize(
    ("now", "future"),
    [
        pytest.param("2024-10-27T00:30:00", 1, id="the hour for the first time"),
        pytest.param("2024-10-27T01:10:00", 0, id="the hour for the second time"),
        pytest.param("2024-10-27T02:10:00", 0, id="after both"),
    ],
)
def test_the_hour_that_is_shown_twice_in_autumn(spark: SparkSession, now: str, future: int) -> None:
    frame = column(spark, "timestamp_ntz", "2024-10-27 02:50:00")
    assert read(frame, replace(CHOICE, zone="Europe/Berlin"), now=now).future == future
