"""A table that was there and is gone is an error in the first slot; one that nobody ever saw is a warning."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.builders import contract, table
from support.spark_bindings import ID
from support.spark_runs import NOON, on_files, run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import Contract, Server
from floe_contracts.monitor.store.memory_store import MemoryStore

LATER = NOON + 10**11
Gone = tuple[Contract, Callable[[], object]]


def files(spark: SparkSession, place: Path, format_: str) -> Gone:
    spark.range(3).write.format(format_).option("header", "true").save(str(place / "t"))
    return on_files(place / "t", ID, format_=format_), lambda: shutil.rmtree(place / "t")


def emptied(spark: SparkSession, place: Path, format_: str) -> Gone:
    promised, remove = files(spark, place, format_)

    def empty() -> None:
        remove()
        (place / "t").mkdir()

    return promised, empty


def dropped(spark: SparkSession, _: Path, format_: str) -> Gone:
    name = f"ice.gone.{format_}" if format_ == "iceberg" else f"gone_{format_}"
    spark.sql(f"CREATE TABLE {name} (id bigint) USING {format_}")
    server = Server("here", "spark", coordinates={})
    promised = contract(table(ID, physical_name=name), servers=(server,))
    return promised, lambda: spark.sql(f"DROP TABLE {name}")


@pytest.mark.parametrize("check", ["availability", "schema_drift"])
@pytest.mark.parametrize(
    ("make", "format_"),
    [
        *(pytest.param(files, kind, id=f"a path of {kind}") for kind in ("parquet", "csv", "delta")),
        *(pytest.param(emptied, kind, id=f"a folder of {kind}") for kind in ("parquet", "json", "avro")),
        *(pytest.param(dropped, kind, id=f"a table of {kind}") for kind in ("parquet", "iceberg", "delta")),
    ],
)
def test_a_table_that_is_gone(
    lakehouse: SparkSession,
    tmp_path: Path,
    make: Callable[[SparkSession, Path, str], Gone],
    format_: str,
    check: Check,
) -> None:
    promised, remove = make(lakehouse, tmp_path, format_)
    engine, store = SparkEngine(lakehouse), MemoryStore()
    before = run(engine, check, promised, store=store)["orders"]
    assert before.findings == ()
    remove()
    (gone,) = run(engine, check, promised, store=store, now_us=LATER)["orders"].findings
    (unseen,) = run(engine, check, promised, now_us=LATER)["orders"].findings
    assert (gone.severity.value, unseen.severity.value) == ("error", "warning"), gone.message
    assert gone.message == f"{unseen.message}; it was there before"
