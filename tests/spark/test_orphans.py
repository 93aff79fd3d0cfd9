"""A key that points nowhere is an orphan; a key with a null in it points nowhere by right."""

from __future__ import annotations

import pytest
from pyspark.sql import DataFrame, SparkSession
from support.spark_plans import plan

from floe_contracts.adapters.spark.measure.tables import MeasureOptions, measure
from floe_contracts.checks.measure import OrphanCount, Path
from floe_contracts.checks.measured import Failure, Number

ORDERS = "(1, 10, 'de', struct(10)), (2, 99, 'de', struct(99)), (3, null, 'de', struct(null)), (4, 10, 'fr', null)"
PEOPLE = "(10L, 'de'), (11L, 'fr'), (null, 'de')"


@pytest.fixture(scope="module")
def orders(spark: SparkSession) -> DataFrame:
    return spark.sql(f"SELECT * FROM VALUES {ORDERS} AS (id, person, land, `in side`)")


def answer(frame: DataFrame, one: OrphanCount, target: DataFrame | Failure) -> Number | Failure:
    return measure(frame, plan(one), options=MeasureOptions(open_target=lambda _: target)).values[one]


@pytest.mark.parametrize(
    ("columns", "targets", "orphans"),
    [
        pytest.param([("person",)], [("id",)], 1, id="one column, int against bigint"),
        pytest.param([("person",), ("land",)], [("id",), ("land",)], 2, id="two columns"),
        pytest.param([("in side", "col1")], [("id",)], 1, id="a field of a struct"),
    ],
)
def test_orphans_are_counted(
    spark: SparkSession, orders: DataFrame, columns: list[Path], targets: list[Path], orphans: int
) -> None:
    people = spark.sql(f"SELECT * FROM VALUES {PEOPLE} AS (id, land)")
    assert answer(orders, OrphanCount(tuple(columns), "people", tuple(targets)), people) == orphans


@pytest.mark.parametrize(
    ("keys", "targets", "orphans"),
    [
        pytest.param("'1', '007', 'x', '2'", "1, 7", 2, id="texts against numbers"),
        pytest.param("1, 7, 9", "'1', '007', 'x'", 1, id="numbers against texts"),
        pytest.param("'1.0', '3'", "CAST(1 AS DECIMAL(9, 2))", 1, id="texts against decimals"),
    ],
)
def test_keys_of_another_type_point_at_what_they_stand_for(
    spark: SparkSession, keys: str, targets: str, orphans: int
) -> None:
    sources = spark.sql(f"SELECT explode(array({keys})) AS k")
    others = spark.sql(f"SELECT explode(array({targets})) AS id")
    assert answer(sources, OrphanCount((("k",),), "people", (("id",),)), others) == orphans


def test_a_table_may_point_at_itself(orders: DataFrame) -> None:
    assert answer(orders, OrphanCount((("person",),), "orders", (("id",),)), orders) == 3


@pytest.mark.parametrize(
    ("measure_", "reason"),
    [
        pytest.param(OrphanCount((("gone",),), "people", (("id",),)), "gone is not in the table", id="no such column"),
        pytest.param(OrphanCount((("id",),), "people", (("gone",),)), "gone is not in the table", id="none there"),
    ],
)
def test_columns_that_are_not_there_are_said(orders: DataFrame, measure_: OrphanCount, reason: str) -> None:
    assert answer(orders, measure_, orders) == Failure(reason)


def test_a_target_that_cannot_be_read_is_said(orders: DataFrame) -> None:
    found = answer(orders, OrphanCount((("id",),), "people", (("id",),)), Failure("no such file"))
    assert found == Failure("the table people that it points at cannot be read: no such file")
