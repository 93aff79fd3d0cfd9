"""What a whole check reads, by Spark's own count of rows: one scan for many rules, none where metadata tells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from support.builders import column
from support.spark_reads import Reads
from support.spark_runs import NOON, Sla, on_files, run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks.moments import HOUR
from floe_contracts.contract.model import Contract, Property, Server
from floe_contracts.monitor.run.plan import plan_table
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.results import Outcome

ROWS = 1_000


def _columns(*, keys: bool) -> tuple[Property, ...]:
    """Twenty rules on four columns, and two keys beside them."""
    numbers = [column(f"n{index}", "integer", minimum="0", maximum="9", required=True) for index in range(8)]
    return (
        column("id", "integer", required=True, unique=keys, minimum="0"),
        column("code", "string", required=True, unique=keys, min_length=1, max_length=9, pattern="c[0-9]+"),
        *numbers,
        column("at", "timestamp"),
    )


def _table(spark: SparkSession, place: Path, different: int = ROWS, first: int = 0, rows: int = ROWS) -> Path:
    numbers = [f"id % 7 AS n{index}" for index in range(8)]
    ids = f"id % {different}"
    spark.range(first, first + rows, numPartitions=1).selectExpr(
        f"{ids} AS id", f"concat('c', {ids}) AS code", *numbers, f"timestamp_micros({NOON} - id) AS at"
    ).write.mode("append").parquet(str(place))
    return place


@pytest.fixture(scope="module")
def clean(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _table(spark, tmp_path_factory.mktemp("clean") / "t")


@pytest.fixture(scope="module")
def dirty(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _table(spark, tmp_path_factory.mktemp("dirty") / "t", different=ROWS - 10)


def test_the_contract_has_twenty_rules(spark: SparkSession, clean: Path) -> None:
    made = on_files(clean, *_columns(keys=False))
    assert len(plan_table(made, made.objects[0]).rules) >= 20


def test_twenty_rules_are_one_scan(spark: SparkSession, clean: Path, reads: Reads) -> None:
    engine = SparkEngine(spark)
    reads.start()
    found = run(engine, "quality", on_files(clean, *_columns(keys=False)))["orders"]
    assert (found.outcome, reads.rows()) == (Outcome.PASSED, ROWS)


def test_all_keys_are_one_more(spark: SparkSession, clean: Path, reads: Reads) -> None:
    engine = SparkEngine(spark)
    reads.start()
    found = run(engine, "quality", on_files(clean, *_columns(keys=True)))["orders"]
    assert (found.outcome, reads.rows()) == (Outcome.PASSED, 2 * ROWS)


def test_suspects_are_one_more_again(spark: SparkSession, dirty: Path, reads: Reads) -> None:
    engine = SparkEngine(spark)
    reads.start()
    found = run(engine, "quality", on_files(dirty, *_columns(keys=True)))["orders"]
    assert (found.outcome, reads.rows()) == (Outcome.VIOLATED, 3 * ROWS)


def test_what_footers_tell_is_not_read(spark: SparkSession, tmp_path: Path, reads: Reads) -> None:
    engine = SparkEngine(spark)
    promised = tuple(column(name, kind, required=True) for name, kind in (("id", "integer"), ("day", "date")))
    _table(spark, tmp_path / "source")
    rows = spark.read.parquet(str(tmp_path / "source")).selectExpr("id", "CAST(at AS date) AS day")
    rows.write.parquet(str(tmp_path / "t"))
    made = on_files(tmp_path / "t", *promised, slas=(Sla("freshness", "PT24H", element="day"),))
    reads.start()
    found = {check: run(engine, check, made)["orders"].outcome for check in ("quality", "freshness", "schema_drift")}
    assert set(found.values()) == {Outcome.PASSED}
    assert reads.rows() == 0


def _growing(spark: SparkSession, place: Path, kept: str) -> tuple[Contract, str]:
    """A table that can grow, and its name or path for writing."""
    made = on_files(place / "t", *_columns(keys=False))
    if kept == "parquet":
        return made, str(place / "t")
    name = {"iceberg": "ice.db.growing", "delta": "growing"}[kept]
    spark.sql(f"DROP TABLE IF EXISTS {name}")
    server = Server("here", kept, coordinates={"table": name})
    return replace(made, servers=(server,), objects=(replace(made.objects[0], physical_name=name),)), name


@pytest.mark.parametrize("kept", ["parquet", "iceberg", "delta"])
def test_a_recheck_reads_what_is_new(lakehouse: SparkSession, tmp_path: Path, reads: Reads, kept: str) -> None:
    made, target = _growing(lakehouse, tmp_path, kept)
    source = lakehouse.read.parquet(str(_table(lakehouse, tmp_path / "source")))
    more = lakehouse.read.parquet(str(_table(lakehouse, tmp_path / "more", first=ROWS, rows=70)))
    store, engine = MemoryStore(), SparkEngine(lakehouse)
    _append(source, kept, target)
    first = run(engine, "quality", made, store=store)["orders"]
    _append(more, kept, target)
    reads.start()
    second = run(engine, "quality", made, store=store, now_us=NOON + 6 * HOUR)["orders"]
    assert (first.outcome, second.outcome) == (Outcome.PASSED, Outcome.PASSED)
    assert reads.rows() == 70


def _append(frame: DataFrame, kept: str, target: str) -> None:
    writer = frame.coalesce(1).write.mode("append")
    if kept == "parquet":
        writer.parquet(target)
    else:
        writer.format(kept).saveAsTable(target)
