"""A contract's columns as Spark has them, for topics and files that say nothing about their types."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import types as st
from support.builders import column, table

from floe_contracts.adapters.spark.columns.promised import promised_schema
from floe_contracts.contract.model import Property, ValueOptions


@pytest.mark.parametrize(
    ("prop", "said"),
    [
        pytest.param(column("a", "integer"), "a bigint", id="whole numbers have room"),
        pytest.param(column("a", "number"), "a double", id="numbers"),
        pytest.param(column("a", "integer", physical_type="INT"), "a int", id="a physical type wins"),
        pytest.param(column("a", "number", physical_type="NUMERIC(12, 2)"), "a decimal(12,2)", id="decimals"),
        pytest.param(column("a", "number", physical_type="decimal"), "a decimal(38,18)", id="a width nobody said"),
        pytest.param(column("a", "integer", physical_type="uint32"), "a bigint", id="unsigned"),
        pytest.param(column("a", "timestamp"), "a timestamp", id="instants"),
        pytest.param(
            column("a", "timestamp", options=ValueOptions(timezone=False)), "a timestamp_ntz", id="local times"
        ),
        pytest.param(column("a", "timestamp", physical_type="timestamp_ntz"), "a timestamp_ntz", id="and by type"),
        pytest.param(column("a", physical_type="varchar(20)"), "a string", id="text has no length"),
        pytest.param(column("a", physical_type="geography"), "a string", id="an unknown word"),
        pytest.param(column("a", physical_name="A 1"), "`A 1` string", id="the name in the table"),
        pytest.param(column("a", "object", properties=(column("x", "date"),)), "a struct<x:date>", id="structs"),
        pytest.param(column("a", "array", items=Property("", logical_type="boolean")), "a array<boolean>", id="arrays"),
        pytest.param(
            column("a", "map", map_key=Property("", logical_type="string"), map_value=column("", "integer")),
            "a map<string,bigint>",
            id="maps",
        ),
        pytest.param(
            column("a", "object", physical_type="struct<x: int, y: array<date>>"),
            "a struct<x:int,y:array<date>>",
            id="nested in the type alone",
        ),
    ],
)
def test_each_promise_has_its_type(spark: SparkSession, prop: Property, said: str) -> None:
    assert promised_schema(table(prop)) == st._parse_datatype_string(said)


def test_computed_measures_are_no_columns() -> None:
    props = (column("a"), column("total", "number", semantic_type="measure"))
    assert promised_schema(table(*props)).names == ["a"]
