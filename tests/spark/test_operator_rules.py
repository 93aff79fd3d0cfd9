"""Rules of every metric, unit and operator say what counting by hand says: more than a thousand in one contract.

`make test-oracle` asks the same of many tables.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.operator_rules import SCHEMA, operator_table
from support.spark_runs import run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.contract.load import load
from floe_contracts.results.facts import QualityFacts

TABLES = int(os.environ.get("FLOE_ORACLE_TABLES", "1"))


@pytest.mark.parametrize("seed", range(TABLES))
def test_every_rule_has_the_verdict_that_counting_by_hand_gives(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    table = operator_table(seed)
    assert len(table.rules) >= 1000
    spark.createDataFrame([dict(row) for row in table.rows], SCHEMA).coalesce(2).write.parquet(str(tmp_path / "t"))
    loaded = load(table.contract(str(tmp_path / "t")), "contracts/orders.yaml")
    assert loaded.contract is not None, loaded.findings
    result = run(SparkEngine(spark), "quality", loaded.contract)["orders"]
    assert isinstance(result.facts, QualityFacts)
    assert {fact.name: fact.status for fact in result.facts.tests} == table.verdicts
    assert {"pass", "fail"} == set(table.verdicts.values())
    assert result.facts.rules == len(table.rules)
