"""SQL rules run as they were written, give one number or a reason, and leave nothing behind."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pyspark.sql import DataFrame, SparkSession
from support.spark_plans import plan

from floe_contracts.adapters.spark.measure.tables import MeasureOptions, measure
from floe_contracts.checks.measure import SqlNumber
from floe_contracts.checks.measured import Failure, Number


@pytest.fixture(scope="module")
def table(spark: SparkSession) -> DataFrame:
    rows = "(1, 'a', 1.5, timestamp'2024-01-01 23:30:00-05:00'), (2, null, -2.5, null)"
    return spark.sql(f"SELECT * FROM VALUES {rows} AS (id, `odd.name`, n, at)")


def answer(frame: DataFrame, one: SqlNumber, **more: object) -> Number | Failure:
    return measure(frame, plan(one), options=MeasureOptions(**more)).values[one]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "number"),
    [
        pytest.param("SELECT count(*) FROM {object}", 2, id="ODCS 3.1"),
        pytest.param("SELECT COUNT(*) FROM ${table}", 2, id="ODCS 3.0"),
        pytest.param("SELECT COUNT(*) FROM {model};\n", 2, id="datacontract-cli, with a semicolon"),
        pytest.param("SELECT count(*) FROM orders", 2, id="the name itself"),
        pytest.param("SELECT count(*) FROM shop_orders", 2, id="the name in the database"),
        pytest.param("SELECT sum(n) FROM {object}", Decimal("-1.0"), id="a decimal"),
        pytest.param("SELECT avg(id) FROM {object}", 1.5, id="an average"),
        pytest.param("SELECT max(n) FROM {object} WHERE id > 5", None, id="no answer"),
        pytest.param("SELECT count(*) = 2 FROM {object}", 1, id="a truth"),
        pytest.param("WITH big AS (SELECT * FROM {object} WHERE id > 1) SELECT count(*) FROM big", 1, id="WITH"),
        pytest.param("SELECT count(*) -- of all\nFROM {object} -- rows", 2, id="comments"),
        pytest.param("SELECT count(*) FROM {object} WHERE hour(at) = 4", 1, id="times are in UTC"),
        pytest.param("SELECT count(*) FROM {object} o JOIN people p ON o.id = p.id", 1, id="another table"),
    ],
)
def test_a_query_gives_its_number(spark: SparkSession, table: DataFrame, query: str, number: Number) -> None:
    found = answer(
        table,
        SqlNumber(query),
        names=("shop_orders",),
        others={"people": "people"},
        open_table=lambda _: spark.sql("SELECT 2 AS id"),
    )
    assert found == number


@pytest.mark.parametrize(
    "query",
    [
        "SELECT count(*) FROM {object} WHERE {property} IS NULL",
        "SELECT count(*) FROM ${table} WHERE ${column} IS NULL",
    ],
)
def test_a_column_with_an_odd_name_is_put_in_quoted(table: DataFrame, query: str) -> None:
    assert answer(table, SqlNumber(query, ("odd.name",))) == 1


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        pytest.param("SELECT id FROM {object}", "one number, and it gives more than one row", id="rows"),
        pytest.param("SELECT id FROM {object} LIMIT 0", "one number, and it gives no row", id="no row"),
        pytest.param("SELECT 1, 2", "one number, and it gives 2 columns", id="columns"),
        pytest.param("SELECT max(`odd.name`) FROM {object}", "one number, and it gives a str", id="a text"),
        pytest.param("SELECT max(at) FROM {object}", "one number, and it gives a datetime", id="a time"),
        pytest.param("SELECT 1 / (id - id) FROM {object}", "divided by zero (DIVIDE_BY_ZERO)", id="a division by zero"),
        pytest.param("SELECT int(`odd.name`) FROM {object}", "(CAST_INVALID_INPUT)", id="a cast under ANSI"),
        pytest.param(
            "SELECT count(*) FROM gone", "it reads gone, which is not a table of this contract", id="a missing table"
        ),
        pytest.param("SELEC 1", "Syntax error at or near '1'", id="no SQL"),
        pytest.param("DROP VIEW orders", "Syntax error at or near 'orders'", id="a command"),
        pytest.param("SELECT 1; DROP VIEW orders", "Syntax error at or near ';'", id="two statements"),
        pytest.param(
            "SELECT count(*) FROM people", "the table people that the query names cannot be read: down", id="?"
        ),
    ],
)
def test_anything_else_is_a_reason(table: DataFrame, query: str, reason: str) -> None:
    found = answer(table, SqlNumber(query), others={"people": "people"}, open_table=lambda _: Failure("down"))
    assert isinstance(found, Failure)
    assert reason in found.reason


def test_nothing_is_left_behind(spark: SparkSession, table: DataFrame) -> None:
    spark.sql("SELECT 'mine' AS orders").createOrReplaceTempView("orders")
    zone = spark.conf.get("spark.sql.session.timeZone")
    answer(table, SqlNumber("SELECT count(*) FROM orders"))
    assert spark.table("orders").columns == ["orders"]
    assert spark.conf.get("spark.sql.session.timeZone") == zone
    assert [one.name for one in spark.catalog.listTables("global_temp") if one.namespace == ["global_temp"]] == []
    spark.catalog.dropTempView("orders")
