"""One table kept in eight ways has one verdict: Parquet, ORC, Avro, JSON, CSV, Delta, Iceberg and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from support.builders import column, contract, table
from support.postgres_server import PostgresServer, postgres_server
from support.spark_runs import run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import EnumValue, JsonMap, QualityRule, Sla, Threshold
from floe_contracts.monitor.source.binding import SourceHints
from floe_contracts.monitor.source.connection import connection_from

FILES = ("parquet", "orc", "avro", "json", "csv", "delta")
KINDS = (*FILES, "iceberg", "postgres")
CHECKS: tuple[Check, ...] = ("schema_drift", "freshness", "quality")
GOOD = """
    SELECT id, concat('o', id) AS code, if(id % 3 = 0, 'paid', 'open') AS status, CAST(id AS int) AS qty,
        CAST(id * 1.25 AS decimal(10,2)) AS price, id / 8.0D AS ratio, id % 2 = 0 AS gift, date'2026-01-02' AS day,
        timestamp'2026-01-03 11:00:00Z' - make_dt_interval(0, int(id)) AS placed_at,
        if(id % 4 = 0, NULL, 'note é "x", y') AS note
    FROM range(1, 13)"""
BAD = """
    SELECT if(id = 5, 4, id) AS id, if(id = 3, NULL, concat('o', id)) AS code, if(id = 2, 'lost', 'open') AS status,
        CAST(if(id = 6, -1, id) AS int) AS qty, CAST(id * 125.13 AS decimal(10,2)) AS price, id / 3.0D AS ratio,
        id % 2 = 0 AS gift, date'2025-12-30' AS day, timestamp'2026-01-01 01:00:00Z' AS placed_at,
        if(id % 4 = 0, 'n/a', concat('note ', id)) AS note
    FROM range(1, 13)"""
COLUMNS = (
    column("id", "integer", physical_type="bigint", primary_key=True),
    column("code", required=True, unique=True, pattern="o[0-9]+", max_length=3),
    column("status", enum=(EnumValue("open"), EnumValue("paid"))),
    column("qty", "integer", minimum="0"),
    column("price", "number", physical_type="decimal(10,2)", multiple_of="0.25", maximum="1000"),
    column("ratio", "number", maximum="2"),
    column("gift", "boolean", required=True),
    column("day", "date", minimum="2026-01-01"),
    column("placed_at", "timestamp"),
    column("note", min_length=6),
)
RULES = (
    QualityRule("library", name="rows", metric="rowCount", thresholds=((Threshold.BETWEEN, [12, 12]),)),
    QualityRule("sql", query="SELECT count(*) FROM orders WHERE qty > price", thresholds=((Threshold.MUST_BE, 0),)),
    QualityRule(
        "library", name="notes", metric="missingValues", arguments={"property": "note", "missingValues": ["n/a"]},
        unit="percent", thresholds=((Threshold.LESS_THAN, 26),),
    ),
)  # fmt: skip
PROMISED = contract(
    table(*COLUMNS, quality=RULES),
    slas=(Sla("freshness", "PT6H", element="placed_at"), Sla("quality", "90%")),
)


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("same")


def keep(rows: DataFrame, kind: str, name: str, place: Path, server: PostgresServer) -> SourceHints:
    """The rows kept in one of the eight ways, and where they are."""
    if kind in FILES:
        path = str(place / f"{name}-{kind}")
        rows.write.format(kind).option("header", "true").save(path)
        return SourceHints(connection_from({"type": "local", "location": path, "format": kind}))
    if kind == "iceberg":
        rows.writeTo(f"ice.same.{name}").using("iceberg").create()
        return SourceHints(connection_from({"type": "iceberg", "table": f"ice.same.{name}"}))
    url = server.new_database().partition("@")[2]
    login = {"user": "floe", "driver": "org.postgresql.Driver"}
    rows.write.format("jdbc").options(url=f"jdbc:postgresql://{url}", dbtable=name, **login).save()
    settings: JsonMap = {
        "type": "postgres",
        "url": f"jdbc:postgresql://{url}",
        "table": name,
        "options": {"user": "floe"},
    }
    return SourceHints(connection_from(settings))


def verdicts(spark: SparkSession, where: SourceHints) -> list[str]:
    """The outcome of every check, and every finding in words."""
    lines = []
    for check in CHECKS:
        result = run(SparkEngine(spark), check, PROMISED, where=where)["orders"]
        lines += [f"{check} {result.outcome.value}"]
        lines += [f"{item.code.id} {item.severity.value} {item.element}: {item.message}" for item in result.findings]
    return lines


@pytest.mark.parametrize(
    ("name", "query", "findings"),
    [
        pytest.param("good", GOOD, 0, id="a table that keeps its promises"),
        pytest.param("bad", f"{BAD.replace('SELECT', 'SELECT 1.5D AS more,', 1)}", 12, id="one that breaks many"),
    ],
)
def test_one_table_has_one_verdict(
    lakehouse: SparkSession, place: Path, server: PostgresServer, name: str, query: str, findings: int
) -> None:
    rows = lakehouse.sql(query).coalesce(2).cache()
    said = {kind: verdicts(lakehouse, keep(rows, kind, name, place, server)) for kind in KINDS}
    assert sum(line.startswith("FLOE") for line in said["parquet"]) == findings, said["parquet"]
    assert {kind: lines for kind, lines in said.items() if lines != said["parquet"]} == {}, said["parquet"]
