"""Spark as an engine: every question of the protocol on a small table, and failures as values."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession
from support.builders import column, table
from support.spark_bindings import AMOUNT, ID, NOWHERE, PLACED, catalog, files, registered
from support.spark_plans import plan

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Arrival, Clock, DayRows, Failure, Latency
from floe_contracts.checks.moments import HOUR, MINUTE
from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.contract.meaning.typenames import Zone
from floe_contracts.monitor.run.engine import Engine, Measurements, Surroundings, Window
from floe_contracts.monitor.source.binding import Binding

LIMIT_S = 120.0
NOON = 1_767_441_600_000_000  # 2026-01-03T12:00:00Z
AT = ClockChoice(("placed_at",), "")
ORDERS = (ID, AMOUNT, PLACED, column("region"))


@pytest.fixture(scope="module")
def engine(spark: SparkSession) -> Engine:
    return SparkEngine(spark)


@pytest.fixture(scope="module")
def orders(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Binding:
    """Ten orders, one a minute until noon, each of which came two seconds later."""
    place = tmp_path_factory.mktemp("orders") / "t"
    spark.range(10).selectExpr(
        "id",
        "CAST(id AS double) AS amount",
        f"timestamp_micros({NOON} - (9 - id) * {MINUTE}) AS placed_at",
        f"timestamp_micros({NOON} - (9 - id) * {MINUTE} + 2000000) AS came_at",
        "IF(id % 2 = 0, 'north', 'south') AS region",
    ).write.parquet(str(place))
    return files(place, "parquet", *ORDERS)


def test_a_probe_reads_a_row(engine: Engine, orders: Binding) -> None:
    found = engine.probe(orders, limit_s=LIMIT_S)
    assert (found.ok, found.reason, found.retried) == (True, "", False)
    assert found.seconds > 0


def test_a_probe_tries_twice_before_it_says_no(engine: Engine) -> None:
    found = engine.probe(files(NOWHERE, "parquet"), limit_s=LIMIT_S)
    assert (found.ok, found.retried, found.reason) == (False, True, "Path does not exist: file:/nowhere")


def test_the_schema(engine: Engine, orders: Binding) -> None:
    found = engine.schema(orders, limit_s=LIMIT_S)
    assert not isinstance(found, Failure)
    shown = [(one.name, one.shown) for one in found]
    assert shown[:3] == [("id", "bigint"), ("amount", "double"), ("placed_at", "timestamp")]
    assert found[2].type.zone is Zone.WITH


def test_the_newest_time(engine: Engine, orders: Binding) -> None:
    found = engine.clock(orders, AT, as_of_us=NOON, skew_us=0, group_by="", limit_s=LIMIT_S)
    assert isinstance(found, Clock)
    assert (found.last_us, found.rows, found.nulls, found.future) == (NOON, 10, 0, 0)


def test_the_newest_time_by_group(engine: Engine, orders: Binding) -> None:
    found = engine.clock(orders, AT, as_of_us=NOON, skew_us=0, group_by="region", limit_s=LIMIT_S)
    assert isinstance(found, Clock)
    assert found.groups == (("north", NOON - MINUTE), ("south", NOON))


@pytest.mark.parametrize(
    ("since_us", "present"), [pytest.param(NOON, True, id="there"), pytest.param(NOON + 1, False, id="not there")]
)
def test_whether_data_has_come(engine: Engine, orders: Binding, since_us: int, present: bool) -> None:
    found = engine.arrival(orders, AT, since_us=since_us, limit_s=LIMIT_S)
    assert isinstance(found, Arrival)
    assert (found.present, found.arrived_us) == (present, None)


def test_latency(engine: Engine, orders: Binding) -> None:
    window = Window(NOON - HOUR, NOON + HOUR)
    found = engine.latency(
        orders, AT, ClockChoice(("came_at",), ""), quantile=Decimal("0.99"), window=window, limit_s=LIMIT_S
    )
    assert isinstance(found, Latency)
    assert (found.n, found.value_us) == (10, 2_000_000)


def test_rows_of_a_day(engine: Engine, orders: Binding) -> None:
    found = engine.rows_of_day(orders, AT, date(2026, 1, 3), limit_s=LIMIT_S)
    assert isinstance(found, DayRows)
    assert found.rows == 10


def test_measuring(engine: Engine, orders: Binding) -> None:
    asked = m.InvalidCount(("amount",), m.Within("2", None)), m.DuplicateCount((("region",),))
    found = engine.measure(orders, plan(*asked), Surroundings(limit_s=LIMIT_S))
    assert isinstance(found, Measurements)
    assert [found.values[one] for one in asked] == [2, 2]
    assert found.rows == 10


def test_other_tables_of_the_contract(spark: SparkSession, orders: Binding) -> None:
    engine = SparkEngine(spark, {"people": spark.range(4)})
    others = {"orders": orders, "customers": replace(registered("people"), table=table(ID, name="customers"))}
    asked = (
        m.OrphanCount((("id",),), "customers", (("id",),)),
        m.SqlNumber("SELECT count(*) FROM orders o JOIN customers c ON o.id = c.id"),
        m.OrphanCount((("id",),), "elsewhere", (("id",),)),
    )
    found = engine.measure(orders, plan(*asked), Surroundings(others, limit_s=LIMIT_S))
    assert isinstance(found, Measurements)
    assert [found.values[one] for one in asked[:2]] == [6, 4]
    assert isinstance(found.values[asked[2]], Failure)


def test_a_view_of_the_session_is_a_data_frame(spark: SparkSession) -> None:
    spark.range(3).createOrReplaceTempView("`three rows`")
    found = SparkEngine(spark).measure(registered("`three rows`"), plan(), Surroundings(limit_s=LIMIT_S))
    assert isinstance(found, Measurements)
    assert found.rows == 3


def test_a_frame_that_nobody_registered(engine: Engine) -> None:
    found = engine.schema(registered("ghost"), limit_s=LIMIT_S)
    assert found == Failure("nobody registered a data frame or view called 'ghost'")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("plain_orders", id="plain"),
        pytest.param("default.`2026_orders`", id="a digit first"),
        pytest.param("spark_catalog.default.`select`", id="a reserved word"),
    ],
)
def test_tables_of_the_catalog(spark: SparkSession, engine: Engine, name: str) -> None:
    spark.sql(f"CREATE TABLE {name} USING parquet AS SELECT id FROM range(5)")
    try:
        found = engine.measure(catalog(name.replace("`", "")), plan(), Surroundings(limit_s=LIMIT_S))
    finally:
        spark.sql(f"DROP TABLE {name}")
    assert isinstance(found, Measurements)
    assert found.rows == 5


@pytest.mark.parametrize(
    "binding",
    [
        pytest.param(files(NOWHERE, "parquet", *ORDERS), id="no file"),
        pytest.param(catalog("nowhere.orders", *ORDERS), id="no table"),
        pytest.param(catalog("a..b", *ORDERS), id="no name"),
    ],
)
def test_what_is_not_there_is_a_failure_in_every_question(engine: Engine, binding: Binding) -> None:
    window = Window(0, NOON)
    answers = [
        engine.schema(binding, limit_s=LIMIT_S),
        engine.clock(binding, AT, as_of_us=NOON, skew_us=0, group_by="", limit_s=LIMIT_S),
        engine.arrival(binding, AT, since_us=0, limit_s=LIMIT_S),
        engine.latency(binding, AT, AT, quantile=Decimal(1), window=window, limit_s=LIMIT_S),
        engine.rows_of_day(binding, AT, date(2026, 1, 3), limit_s=LIMIT_S),
        engine.measure(binding, plan(), Surroundings(limit_s=LIMIT_S)),
    ]
    assert {type(one) for one in answers} == {Failure}
    assert len(set(answers)) == 1
    assert engine.travels(binding) is False


def test_many_threads_share_an_engine(engine: Engine, orders: Binding) -> None:
    def rows(_: int) -> int | None:
        found = engine.measure(orders, plan(m.NullCount(("id",))), Surroundings(limit_s=LIMIT_S))
        return found.rows if isinstance(found, Measurements) else None

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(rows, range(24))) == [10] * 24
