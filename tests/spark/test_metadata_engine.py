"""Metadata through the whole engine: freshness, deadlines and rules without the rows, on Iceberg and Delta alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession
from support.builders import column
from support.spark_lakes import BEGAN_US, NEXT_US, ROWS, Lake
from support.spark_metadata import without_data
from support.spark_runs import Sla, on_files, run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks.moments import HOUR
from floe_contracts.contract.model import Contract, Server
from floe_contracts.results import Outcome

NEWEST_US = BEGAN_US + (2 * ROWS - 1) * NEXT_US


@pytest.fixture(params=["iceberg", "delta"])
def lake(lakehouse: SparkSession, request: pytest.FixtureRequest) -> Iterator[Lake]:
    """Delta's newest times come from footers, which are in the files; these stay where they are."""
    lakehouse.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    yield Lake(lakehouse, request.param).add(0).add(ROWS)
    lakehouse.conf.unset("spark.sql.parquet.outputTimestampType")


def promised(lake: Lake, *slas: Sla) -> Contract:
    columns = column("id", "integer", required=True), column("at", "timestamp"), column("day", "date", required=True)
    made = on_files("x", *columns, slas=slas)
    server = Server("here", lake.kind, coordinates={"table": lake.name})
    return replace(made, servers=(server,), objects=(replace(made.objects[0], physical_name=lake.name),))


def test_required_columns_are_checked_without_the_rows(lake: Lake) -> None:
    engine, made = SparkEngine(lake.spark), promised(lake)
    with without_data(lake.place):
        found = run(engine, "quality", made)["orders"]
    assert found.outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("later_us", "outcome"),
    [
        pytest.param(HOUR, Outcome.PASSED, id="just in time"),
        pytest.param(HOUR + 1, Outcome.VIOLATED, id="a microsecond too old"),
    ],
)
def test_freshness_is_exact_to_the_microsecond(lake: Lake, later_us: int, outcome: Outcome) -> None:
    made = promised(lake, Sla("freshness", "PT1H", element="at"))
    found = run(SparkEngine(lake.spark), "freshness", made, now_us=NEWEST_US + later_us)["orders"]
    assert found.outcome is outcome
    assert "column at by scan" not in str(found.context)


def test_rows_of_the_future_are_found_by_a_scan(lake: Lake) -> None:
    """All of the second commit lies ahead of the moment that is asked for."""
    made = promised(lake, Sla("freshness", "PT1H", element="at"))
    moment_us = BEGAN_US + (ROWS - 1) * NEXT_US
    found = run(SparkEngine(lake.spark), "freshness", made, now_us=moment_us - 5 * 60 * 1_000_000)["orders"]
    assert "column at by scan" in str(found.context)
    assert "future" in str(found.findings)


def test_commits_are_the_clock_where_no_column_is(lake: Lake) -> None:
    _, last_us = lake.commits()[-1]
    made = promised(lake, Sla("freshness", "PT1H"))
    made = replace(made, objects=(replace(made.objects[0], properties=made.objects[0].properties[:1]),))
    lake.compact()
    with without_data(lake.place):
        found = [
            run(SparkEngine(lake.spark), "freshness", made, now_us=last_us + late_us)["orders"].outcome
            for late_us in (HOUR, HOUR + 1)
        ]
    assert found == [Outcome.PASSED, Outcome.VIOLATED]
