"""Samples show rows at fault, a few for each rule, and never a column that is classified."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.builders import column, table
from support.spark_plans import rules
from support.spark_reads import Reads

from floe_contracts.adapters.spark.measure.samples import sample_rows
from floe_contracts.checks import measure as m
from floe_contracts.checks.disclosure import open_columns
from floe_contracts.checks.measured import Failure
from floe_contracts.contract.model import Property

RULES = rules(
    m.NullCount(("code",)),
    m.InvalidCount(("id",), m.Within("5")),
    m.InvalidCount(("items", "[]"), m.Within("3")),
    m.DuplicateCount((("id",),)),
    m.NullCount(("gone",)),
    m.RowCount(),
)
COLUMNS = "id", "nullif(concat('c', id), 'c7') AS code", "array(id % 4, null) AS items", "timestamp_micros(id) AS at"


def test_each_rule_has_its_rows(spark: SparkSession) -> None:
    frame = spark.range(10).selectExpr(*COLUMNS)
    assert sample_rows(frame, RULES, ["id", "at"], each=2) == {
        "r0": ({"id": 7, "at": "1970-01-01T00:00:00.000Z"},),
        "r1": ({"id": 0, "at": "1970-01-01T00:00:00.000Z"}, {"id": 1, "at": "1970-01-01T00:00:00.000Z"}),
        "r2": ({"id": 0, "at": "1970-01-01T00:00:00.000Z"}, {"id": 1, "at": "1970-01-01T00:00:00.000Z"}),
    }


def test_all_rules_share_one_pass(spark: SparkSession, tmp_path: Path, reads: Reads) -> None:
    spark.range(100).selectExpr(*COLUMNS).write.parquet(str(tmp_path / "t"))
    frame = spark.read.parquet(str(tmp_path / "t"))
    reads.start()
    assert len(dict(sample_rows(frame, RULES, ["id"], each=1))) == 3  # type: ignore[arg-type]
    assert reads.rows() == 100


@pytest.mark.parametrize("shown", [(), ("elsewhere",)], ids=["all closed", "not in the table"])
def test_without_an_open_column_nothing_is_shown(spark: SparkSession, shown: tuple[str, ...]) -> None:
    assert sample_rows(spark.range(3).selectExpr(*COLUMNS), RULES, shown, each=5) == {}


def test_a_table_that_cannot_be_read_has_no_samples(spark: SparkSession) -> None:
    frame = spark.range(3).selectExpr("CAST(concat('x', id) AS INT) AS id")
    found = sample_rows(frame, rules(m.NullCount(("id",))), ["id"], each=5)
    assert found == Failure("a text cannot be read as the type it is cast to (CAST_INVALID_INPUT)")


@pytest.mark.parametrize(
    ("prop", "shown"),
    [
        pytest.param(column("a"), ("a",), id="nothing said"),
        pytest.param(column("a", classification="Public"), ("a",), id="public"),
        pytest.param(column("a", physical_name="b"), ("b",), id="by its name in the table"),
        pytest.param(column("a", classification="confidential"), (), id="classified"),
        pytest.param(column("a", classification="internal"), (), id="internal"),
        pytest.param(column("a", pii_type="email"), (), id="personal"),
        pytest.param(column("a", encrypted_name="a_enc"), (), id="kept encrypted elsewhere"),
        pytest.param(column("a", "object", properties=(column("x", pii_type="name"),)), (), id="personal inside"),
        pytest.param(column("a", "array", items=Property("", classification="pii")), (), id="classified items"),
    ],
)
def test_only_open_columns_are_shown(prop: Property, shown: tuple[str, ...]) -> None:
    assert open_columns(table(prop)) == shown
