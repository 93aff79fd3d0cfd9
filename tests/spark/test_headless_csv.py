"""A CSV without a line of names: its first row becomes no name that anybody prints, stores or sends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.spark_bindings import ID
from support.spark_runs import on_files, run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import QualityRule, Threshold
from floe_contracts.results import CheckResult, Outcome

VALUES = ("ana@example.com", "4111-1111", "secret word")


def check(spark: SparkSession, folder: Path, text: str, what: Check = "schema_drift") -> CheckResult:
    folder.mkdir(exist_ok=True)
    (folder / "t.csv").write_text(text)
    query = QualityRule("sql", query="SELECT count(email) FROM orders", thresholds=((Threshold.MUST_BE, 0),))
    target = on_files(folder / "t.csv", replace(ID, quality=(query,)), format_="csv")
    return run(SparkEngine(spark), what, target)["orders"]


@pytest.mark.parametrize("what", ["schema_drift", "quality", "freshness", "availability"])
def test_a_first_row_is_never_quoted(spark: SparkSession, tmp_path: Path, what: Check) -> None:
    found = check(spark, tmp_path / "d", f"{','.join(VALUES)}\nben@example.com,5555,other\n", what)
    told = repr(found) + json.dumps([item.message for item in found.findings])
    assert not [value for value in VALUES if value in told]


def test_its_names_are_counted(spark: SparkSession, tmp_path: Path) -> None:
    found = check(spark, tmp_path / "d", f"{','.join(VALUES)}\nx,y,z\n")
    assert found.outcome is Outcome.VIOLATED
    extra = [item for item in found.findings if item.rule == "column-extra"]
    assert [item.message for item in extra] == [
        "the first line of orders names 3 columns, and none of them is the contract's"
    ]
    assert "header: false" in extra[0].suggestions[0]


def test_names_beside_the_contracts_own_are_quoted(spark: SparkSession, tmp_path: Path) -> None:
    found = check(spark, tmp_path / "d", "ID,colour\n1,red\n")
    assert [item.element for item in found.findings if item.rule == "column-extra"] == ["colour"]
