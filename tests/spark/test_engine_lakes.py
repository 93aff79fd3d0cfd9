"""Iceberg and Delta through the engine: the verdicts that the same rows have as files, names, and earlier moments."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.builders import column
from support.spark_bindings import ID, catalog, files
from support.spark_plans import plan
from support.spark_runs import NOON, Sla, on_files, run, told

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Failure
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import Contract, Server
from floe_contracts.monitor.run.engine import Measurements, Surroundings
from floe_contracts.monitor.source.binding import Binding, as_of

LIMIT_S = 300.0
NAMES = {"iceberg": "ice.db.lake", "delta": "lake"}
COLUMNS = (
    column("id", "integer", physical_type="bigint", required=True, unique=True),
    column("status", "string", required=True, pattern="[a-z]+"),
    column("at", "timestamp"),
    column("added", "integer", physical_type="int"),
)
CHECKS: tuple[Check, ...] = ("quality", "freshness", "schema_drift", "availability")


@pytest.fixture(scope="module", params=["iceberg", "delta"])
def lake(spark: SparkSession, request: pytest.FixtureRequest) -> Iterator[tuple[SparkSession, str, str]]:
    """A table with a history: rows added twice, some deleted, one column added, one dropped."""
    if not spark.conf.get("spark.jars.packages", ""):
        pytest.skip("the jars of tests/support/spark_jars.py could not be had for this Spark")
    kind = request.param
    name = NAMES[kind]
    more = "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')" if kind == "delta" else ""
    spark.sql(f"CREATE TABLE {name} (id bigint, status string, at timestamp, gone string) USING {kind} {more}")
    rows = f"SELECT id, 'open', timestamp_micros({NOON} - id * 1000000), 'x' FROM range(%d, %d)"
    spark.sql(f"INSERT INTO {name} {rows % (0, 50)}")
    spark.sql(f"INSERT INTO {name} {rows % (40, 60)}")
    spark.sql(f"DELETE FROM {name} WHERE id BETWEEN 5 AND 9")
    spark.sql(f"ALTER TABLE {name} ADD COLUMN added int")
    spark.sql(f"ALTER TABLE {name} DROP COLUMN gone")
    spark.sql(f"INSERT INTO {name} SELECT 100, 'OPEN', timestamp_micros({NOON}), 7")
    yield spark, kind, name
    spark.sql(f"DROP TABLE {name}")


def _contract(server: Server, name: str) -> Contract:
    made = on_files("x", *COLUMNS, slas=(Sla("freshness", "PT1H", element="at"),))
    return replace(made, servers=(server,), objects=(replace(made.objects[0], physical_name=name),))


@pytest.mark.parametrize("check", CHECKS)
def test_the_verdict_is_that_of_the_same_rows_in_files(
    lake: tuple[SparkSession, str, str], tmp_path: Path, check: Check
) -> None:
    spark, kind, name = lake
    spark.table(name).write.parquet(str(tmp_path / "t"))
    plain = Server("here", "local", coordinates={"path": str(tmp_path / "t"), "format": "parquet"})
    engine = SparkEngine(spark)
    in_files = run(engine, check, _contract(plain, "orders"))["orders"]
    in_lake = run(engine, check, _contract(Server("here", kind), name))["orders"]
    assert (in_lake.outcome, told(in_lake)) == (in_files.outcome, told(in_files))
    assert [one.message for one in in_lake.findings] == [one.message for one in in_files.findings]
    if check == "quality":
        assert told(in_lake)  # ten keys twice, and a status in capitals


def _rows(engine: SparkEngine, binding: Binding) -> int | None:
    found = engine.measure(binding, plan(m.NullCount(("id",))), Surroundings(limit_s=LIMIT_S))
    assert isinstance(found, Measurements), found
    return found.rows


@pytest.mark.parametrize("by", ["name", "path"])
@pytest.mark.parametrize("kind", ["iceberg", "delta"])
def test_an_earlier_moment(lakehouse: SparkSession, tmp_path: Path, kind: str, by: str) -> None:
    name = {"iceberg": "ice.db.past", "delta": "past"}[kind]
    lakehouse.sql(f"CREATE TABLE {name} USING {kind} AS SELECT id FROM range(3)")
    try:
        place = _location(lakehouse, name)
        binding = catalog(name) if by == "name" else files(place, kind)
        time.sleep(1.1)
        between_us = time.time_ns() // 1000
        time.sleep(1.1)
        lakehouse.sql(f"INSERT INTO {name} SELECT id FROM range(3, 10)")
        engine = SparkEngine(lakehouse)
        assert engine.travels(binding)
        assert _rows(engine, binding) == 10
        assert _rows(engine, as_of(binding, between_us)) == 3
        assert _rows(engine, as_of(binding, between_us + 3_600_000_000)) == 10
        assert isinstance(engine.schema(as_of(binding, 1_000_000), limit_s=LIMIT_S), Failure)
    finally:
        lakehouse.sql(f"DROP TABLE {name}")


def _location(spark: SparkSession, name: str) -> str:
    rows = spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
    return next(str(row[1]) for row in rows if row[0] == "Location")


def test_other_tables_do_not_travel(lakehouse: SparkSession, tmp_path: Path) -> None:
    assert not SparkEngine(lakehouse).travels(files(tmp_path, "parquet"))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("ice.db.`with space`", id="a space"),
        pytest.param("ice.db.`with.dot`", id="a dot"),
        pytest.param("ice.`odd db`.`select`", id="an odd namespace"),
        pytest.param("ice.db.`back``tick`", id="a backtick"),
    ],
)
def test_odd_names_of_tables(lakehouse: SparkSession, name: str) -> None:
    lakehouse.sql(f"CREATE TABLE {name} USING iceberg AS SELECT id FROM range(4)")
    try:
        engine, binding = SparkEngine(lakehouse), catalog(name, ID)
        assert engine.travels(binding)
        assert _rows(engine, binding) == 4
    finally:
        lakehouse.sql(f"DROP TABLE {name}")
