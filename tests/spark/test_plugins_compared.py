"""Both plugins on the same tables: where they agree, and every difference with its reason.

The table below is the list of differences that docs/adr/0027 speaks of. `ours` and `theirs` are outcomes with codes.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.builders import column, contract

from floe_contracts.contract.model import Contract, QualityRule, Server, Sla, Threshold
from floe_contracts.monitor.plugin.protocol import DataContractPlugin, SchemaComparisonResult, SLACheckResult
from floe_contracts.monitor.settings.model import MonitoringConfig

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ID = column("id")


def sql(query: str) -> QualityRule:
    return QualityRule("sql", query=query, thresholds=((Threshold.MUST_BE, 0),))


# rows as a query, the promise, what is asked, ours, theirs, and why they differ (empty: they agree)
Case = tuple[str, Contract, str, str, str, str]
CASES: dict[str, Case] = {
    "a column that is missing": (
        "SELECT 'a' AS id",
        contract(ID, column("gone")),
        "drift",
        "violated E531",
        "violated E531",
        "",
    ),
    "text where a date is promised": (
        "SELECT 'a' AS id, '2026-01-01' AS day",
        contract(ID, column("day", "date")),
        "drift",
        "violated E530",
        "violated E530",
        "",
    ),
    "int where bigint is promised": (
        "SELECT 'a' AS id, 1 AS n",
        contract(ID, column("n", "integer", physical_type="bigint")),
        "drift",
        "violated E530",
        "passed",
        "it compares logical types on Spark, not physical ones",
    ),
    "double where an integer is promised": (
        "SELECT 'a' AS id, 1.5D AS n",
        contract(ID, column("n", "integer")),
        "drift",
        "violated E530",
        "passed",
        "it takes every number for an integer",
    ),
    "a column that nobody promised": (
        "SELECT 'a' AS id, 1 AS more",
        contract(ID),
        "drift",
        "passed E532",
        "passed",
        "it does not look for further columns; ours lists them as info",
    ),
    "a null where a value is required": (
        "SELECT * FROM VALUES ('a'), (NULL) AS t(id)",
        contract(column("id", required=True)),
        "quality",
        "violated E553",
        "violated E553",
        "",
    ),
    "a repeated key": (
        "SELECT * FROM VALUES ('a'), ('a') AS t(id)",
        contract(column("id", unique=True)),
        "quality",
        "violated E553",
        "violated E553",
        "",
    ),
    "two nulls in a unique column": (
        "SELECT * FROM VALUES ('a'), (NULL), (NULL) AS t(id)",
        contract(column("id", unique=True)),
        "quality",
        "passed",
        "passed",
        "",
    ),
    "NaN under a minimum": (
        "SELECT 'a' AS id, double('NaN') AS x",
        contract(ID, column("x", "number", minimum=0)),
        "quality",
        "violated E553",
        "passed",
        "to Spark NaN is above every number; ours says that it is within no bounds",
    ),
    "a pattern that matches only a part": (
        "SELECT 'abc1' AS id",
        contract(column("id", pattern="[a-z]+")),
        "quality",
        "violated E553",
        "passed",
        "it searches for the pattern; ours asks whether the whole value matches",
    ),
    "a query that finds rows": (
        "SELECT 'a' AS id, -1 AS n",
        contract(ID, column("n", "integer", quality=(sql("SELECT count(*) FROM orders WHERE n < 0"),))),
        "quality",
        "violated E553",
        "violated E553",
        "",
    ),
    "a query that fails on a value": (
        "SELECT 'a' AS id",
        contract(column("id", quality=(sql("SELECT count(*) FROM orders WHERE CAST(id AS INT) > 0"),))),
        "quality",
        "errored E560",
        "errored E560",
        "",
    ),
    "data that is older than promised": (
        "SELECT 'a' AS id, current_timestamp() - INTERVAL 8 HOURS AS at",
        contract(ID, column("at", "timestamp"), slas=(Sla("freshness", "PT6H", element="at"),)),
        "freshness",
        "violated E550",
        "violated E550",
        "",
    ),
    "a row of the future beside old ones": (
        "SELECT current_timestamp() + make_dt_interval(0, IF(id = 0, -8, 200)) AS at FROM range(2)",
        contract(column("at", "timestamp"), slas=(Sla("freshness", "PT6H", element="at"),)),
        "freshness",
        "violated E550 E557",
        "passed",
        "one time of the future makes the table fresh for ever; ours leaves it out and tells it",
    ),
    "a floor of rows per day": (
        "SELECT 'a' AS id, timestamp'2020-01-01 00:00:00' AS at",
        contract(ID, column("at", "timestamp"), slas=(Sla("minRowsPerDay", 5, element="at"),)),
        "quality",
        "violated E555",
        "violated E555",
        "",
    ),
    "a deadline that was missed": (
        "SELECT 'a' AS id, timestamp'2020-01-01 00:00:00' AS at",
        contract(ID, column("at", "timestamp"), slas=(Sla("timeOfAvailability", "00:00", element="at"),)),
        "freshness",
        "violated E551",
        "violated E551",
        "",
    ),
    "a table that is not there": (
        "",
        contract(ID),
        "quality",
        "skipped",
        "errored E560",
        "without rules ours needs no table; it looks at columns in any case",
    ),
}


@pytest.fixture(scope="module")
def plugins(spark: SparkSession) -> dict[str, DataContractPlugin]:
    from floe_contracts.app.monitor.plugins import load_plugin

    return {name: load_plugin(name, MonitoringConfig(), spark) for name in ("odcs", "datacontract-cli")}


@pytest.mark.parametrize("name", CASES)
def test_a_difference_has_a_reason(
    spark: SparkSession, plugins: dict[str, DataContractPlugin], tmp_path: Path, name: str
) -> None:
    rows, promised, question, ours, theirs, reason = CASES[name]
    if rows:
        spark.sql(rows).coalesce(1).write.parquet(str(tmp_path / "orders"))
    here = (Server("here", "local", coordinates={"path": str(tmp_path / "orders"), "format": "parquet"}),)
    promised = replace(promised, servers=here)
    found = [_asked(plugins[each], question, promised) for each in ("odcs", "datacontract-cli")]
    assert found == [ours, theirs]
    assert bool(reason) is (ours != theirs)


def test_the_session_of_the_caller_keeps_its_settings(
    spark: SparkSession, plugins: dict[str, DataContractPlugin], tmp_path: Path
) -> None:
    names = ("spark.sql.session.timeZone", "spark.sql.mapKeyDedupPolicy")
    before = [spark.conf.get(one) for one in names]
    spark.sql("SELECT 'a' AS id").write.parquet(str(tmp_path / "orders"))
    connection = {"type": "local", "location": str(tmp_path / "orders"), "format": "parquet"}
    plugins["datacontract-cli"].check_quality(contract(column("id", required=True)), connection)
    assert [spark.conf.get(one) for one in names] == before
    assert not spark.catalog.tableExists("orders")


def _asked(plugin: DataContractPlugin, question: str, promised: Contract) -> str:
    if question == "drift":
        return _said([plugin.detect_schema_drift(promised, {})])
    if question == "freshness":
        return _said([plugin.check_freshness(promised, {}, None)])
    return _said(plugin.check_quality(promised, {}))


def _said(answers: list[SLACheckResult] | list[SchemaComparisonResult]) -> str:
    """The worst outcome with the codes of everything that was found."""
    order = ("violated", "errored", "passed", "skipped")
    outcome = min((one.outcome.value for one in answers), key=order.index)
    codes = sorted({each.code.removeprefix("FLOE-") for one in answers for each in one.violations})
    return " ".join([outcome, *codes, *(["E560"] if outcome == "errored" else [])])
