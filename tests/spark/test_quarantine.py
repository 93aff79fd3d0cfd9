"""Failing rows in a table of the user's own: each once for every rule it breaks, whatever is run how often, masked."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet
import pytest

from floe_contracts.adapters.store.sql_store import SqlStore
from floe_contracts.cli.main import main

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SHOP = """\
schema: orders
version: "1.0.0"
owner: checkout
servers: [{server: here, type: local, path: data/orders, format: parquet}]
fields:
  - {name: id, type: STRING, nullable: false, primary_key: true}
  - {name: status, type: STRING, enum: [paid]}
  - {name: email, type: STRING, nullable: false, classification: confidential}
  - {name: at, type: TIMESTAMP}
"""
# 1 is there twice, 2 has an odd status and no e-mail, 3 is fine; nobody promised `extra`.
ROWS = """\
select * from values ('1', 'paid', 'a@b.c', timestamp'2026-01-01T00:00:00Z', 'x'), ('1', 'paid', 'd@e.f', null, 'y'),
('2', 'odd', null, null, 'z'), ('3', 'paid', 'g@h.i', null, null) as t(id, status, email, at, extra)"""
BROKEN = [
    ("orders.email.not_null", "2"),
    ("orders.id.primary_key", "1"),
    ("orders.id.primary_key", "1"),
    ("orders.status.enum", "2"),
]


@pytest.fixture
def shop(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".floe").mkdir()
    (tmp_path / "orders.yaml").write_text(SHOP)
    spark.sql(ROWS).write.parquet(str(tmp_path / "data/orders"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str, to: str = "./kept") -> int:
    return main(["monitor", "run", "quality", "orders.yaml", "--quarantine", to, *words])


def kept(spark: SparkSession) -> DataFrame:
    return spark.read.parquet(os.path.abspath("kept"))


def broken(rows: DataFrame) -> list[tuple[str, str | None]]:
    pairs = [(row["rule"], json.loads(row["row"])["id"]) for row in rows.collect()]
    return sorted(pairs, key=repr)


def test_each_failing_row_says_what_it_breaks_where_and_when(spark: SparkSession, shop: Path) -> None:
    assert run() == 0
    (row,) = kept(spark).where("rule = 'orders.status.enum'").collect()
    slot = row.slot.isoformat() if hasattr(row.slot, "isoformat") else row.slot
    assert slot[:4].isdigit()
    assert (row.namespace, row.contract, row.version, row.table_name) == ("floe", "orders", "1.0.0", "orders")
    assert row.promise == "status is always paid"
    assert json.loads(row.row) == {"id": "2", "status": "odd", "email": None, "at": None, "extra": "***"}


PLACES: dict[str, tuple[str, Callable[[SparkSession], DataFrame]]] = {
    "a folder of parquet": ("./kept", kept),
    "an iceberg table": ("ice.q.kept", lambda spark: spark.table("ice.q.kept")),
    "a delta table": ("kept", lambda spark: spark.table("kept")),
    "a delta folder": ("delta:./kept", lambda spark: spark.read.format("delta").load(os.path.abspath("kept"))),
}


@pytest.mark.parametrize("place", PLACES)
def test_run_rerun_and_recheck_leave_each_row_once(place: str, lakehouse: SparkSession, shop: Path) -> None:
    to, read = PLACES[place]
    lakehouse.sql("CREATE NAMESPACE IF NOT EXISTS ice.q")
    for words in ([], [], ["--recheck"]):
        assert run(*words, to=to) == 0
        assert broken(read(lakehouse.newSession())) == BROKEN
    put(lakehouse, "select '3' id, 'paid' status, 'g' email, current_timestamp() at")
    run("--recheck", to=to)
    if to == "./kept":
        assert not [*Path("kept").rglob("*.parquet")]
    else:
        assert broken(read(lakehouse.newSession())) == []


def test_a_slot_that_was_checked_without_gets_its_rows_later_and_keeps_those_of_then(
    spark: SparkSession, shop: Path
) -> None:
    assert main(["monitor", "run", "quality", "orders.yaml"]) == 0
    run()
    assert broken(kept(spark)) == BROKEN
    put(spark, "select '4' id, 'odd' status, 'g' email, current_timestamp() at")
    run()
    assert broken(kept(spark)) == BROKEN


def test_what_dies_before_its_result_is_kept_writes_its_rows_again(
    spark: SparkSession, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a SIGKILL between rows and result does: the slot is open, and the next run replaces the rows."""

    def die(*_: object, **__: object) -> None:
        raise SystemExit(9)

    monkeypatch.setattr(SqlStore, "commit", die)
    with pytest.raises(SystemExit):
        run()
    monkeypatch.undo()
    monkeypatch.chdir(shop)
    assert broken(kept(spark)) == BROKEN
    run()
    assert broken(kept(spark)) == BROKEN


DYING = """\
import os, signal, sys
from pyspark.sql import DataFrameWriter
from floe_contracts.adapters.store.sql_store import SqlStore
from floe_contracts.cli.main import main

def die_in(owner, name):
    whole = getattr(owner, name)
    def dying(*words, **options):
        if name == "parquet":
            whole(*words, **options)
        os.kill(os.getpid(), signal.SIGKILL)
    setattr(owner, name, dying)

die_in(*{"renamed": (DataFrameWriter, "parquet"), "kept": (SqlStore, "commit")}[sys.argv[1]])
main(["monitor", "run", "quality", "orders.yaml", "--quarantine", "./kept"])
"""


@pytest.mark.slow
@pytest.mark.parametrize(("place", "left"), [("renamed", 0), ("kept", 4)], ids=["before files are renamed", "after"])
def test_a_run_that_is_killed_leaves_each_row_once(place: str, left: int, spark: SparkSession, shop: Path) -> None:
    dead = subprocess.run([sys.executable, "-c", DYING, place], check=False, cwd=shop, capture_output=True)
    assert dead.returncode == -signal.SIGKILL, dead.stderr
    assert sum(map(_count_rows, Path("kept").glob("namespace=*/*/*/*.parquet"))) == left
    run("--store", "sqlite:///next.db")  # another store, for the dead run holds its slot in its own for an hour
    assert broken(kept(spark)) == BROKEN
    assert not [*Path("kept").glob(".floe-*")]


def _count_rows(file: Path) -> int:
    return int(pyarrow.parquet.read_metadata(file).num_rows)


def test_settings_may_show_a_column_and_a_slip_in_them_is_told(
    spark: SparkSession, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shop / ".floe/monitoring.yaml").write_text("contracts: {orders: {unmasked_columns: [email, emial]}}\n")
    run()
    shown = {json.loads(row.row)["email"] for row in kept(spark).where("rule = 'orders.id.primary_key'").collect()}
    assert shown == {"a@b.c", "d@e.f"}
    printed = capsys.readouterr().out
    assert "unmasked_columns: emial stays masked, because the contract has no such column." in printed
    assert "a@b.c" not in printed


NO_PLACE = {
    "a table of others": ("ice.q.taken", "it has other columns than namespace, contract, slot"),
    "a view": ("taken", "it has other columns than namespace"),
    "the folder of a table": ("./data/orders", "which is not of floe"),
    "the folder above tables": ("./data", "the folder holds orders, which is not of floe"),
    "the folder of a table, for delta": ("delta:./data/orders", "which is not of floe"),
    "the folder of another delta table": ("./delta_orders", "it has other columns than namespace"),
    "a file": ("./orders.yaml", "it is a file"),
    "a catalog that is not there": ("nowhere.q.rows", "could not be kept in nowhere.q.rows"),
}


@pytest.mark.parametrize(("to", "told"), NO_PLACE.values(), ids=NO_PLACE)
def test_a_place_that_cannot_be_written_is_told_and_the_verdict_stands(
    to: str, told: str, lakehouse: SparkSession, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lakehouse.sql("CREATE NAMESPACE IF NOT EXISTS ice.q")
    lakehouse.sql("CREATE TABLE IF NOT EXISTS ice.q.taken (id INT)")
    lakehouse.sql("CREATE TABLE IF NOT EXISTS taken (id INT) USING parquet")
    lakehouse.range(1).write.format("delta").save(os.path.abspath("delta_orders"))
    files = sorted(map(str, Path("data").rglob("*")))
    assert run(to=to) == 0
    assert sorted(map(str, Path("data").rglob("*"))) == files
    printed = capsys.readouterr().out
    assert "ALERT: orders has broken promises" in printed
    assert told in printed


TYPES = """\
select '1' id, 'odd' status, 'e' email, timestamp'2026-01-01T00:00:00Z' at, map(1, array('x')) m, binary('x') b,
  make_dt_interval(1) i, cast(1.50 as decimal(9,2)) d, named_struct('x', date'2026-01-02') s, double('NaN') n"""


def test_every_type_of_column_can_be_kept(spark: SparkSession, shop: Path) -> None:
    (shop / "orders.yaml").write_text(
        SHOP + "".join(f"  - {{name: {name}, type: STRING}}\n" for name in ("m", "b", "i", "d", "n"))
    )
    put(spark, TYPES)
    run()
    (row,) = kept(spark).collect()
    assert json.loads(row.row) == {
        "id": "1", "status": "odd", "email": "***", "at": "2026-01-01T00:00:00.000Z", "m": {"1": ["x"]}, "b": "eA==",
        "i": "INTERVAL '1 00:00:00' DAY TO SECOND", "d": 1.5, "s": "***", "n": "NaN",
    }  # fmt: skip


TWO = """\
apiVersion: v3.1.0
kind: DataContract
id: shop
name: shop
version: 1.0.0
status: active
servers: [{server: here, type: local, path: "data/{model}", format: parquet}]
schema:
  - name: orders
    properties:
      - name: id
        logicalType: string
        required: true
        unique: true
        quality: [{metric: duplicateValues, unit: percent, mustBeLessThan: 20}]
      - {name: buyer, logicalType: string, relationships: [{to: buyers.id}]}
      - {name: state, logicalType: string}
  - name: buyers
    properties: [{name: id, logicalType: string}, {name: state, logicalType: string}]
"""
ORDERS = """\
select * from values ('1', 'b1', 'open'), ('1', 'b9', 'closed'), ('2', 'b2', 'open'), (null, 'b2', 'closed')
  as t(id, buyer, state)"""
BUYERS = "select * from values ('b1', 'open'), ('b2', 'closed') as t(id, state)"
FILTERED: dict[str, tuple[str, str, dict[str, str], list[tuple[str, str | None]]]] = {
    "all rows": (
        "{}",
        "",
        {"not-null": "1 row", "unique": "1 value", "quality-rule": "25 percent", "foreign-key": "1 row"},
        [("buyer.foreign_key", "1"), ("id.not_null", None), ("id.quality_1", "1"), ("id.unique", "1")],
    ),
    "a slice": (
        "{filter: \"state = 'open'\"}",
        "orders: state = 'open'; buyers: state = 'open'",
        {"unique": "1 value", "quality-rule": "25 percent"},
        [("id.quality_1", "1"), ("id.unique", "1")],
    ),
}


@pytest.mark.parametrize(("connection", "told", "found", "rows"), FILTERED.values(), ids=FILTERED)
def test_a_filter_narrows_counts_but_not_keys_and_results_say_so(
    connection: str,
    told: str,
    found: dict[str, str],
    rows: list[tuple[str, str | None]],
    spark: SparkSession,
    shop: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (shop / "orders.yaml").write_text(TWO)
    (shop / ".floe/monitoring.yaml").write_text(f"connections: {{shop: {connection}}}\n")
    put(spark, ORDERS)
    put(spark, BUYERS, "buyers")
    run("--format", "json")
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert {item["rule"]: item["actual"] for item in result["findings"]} == found
    assert result["context"].get("slice", "") == told
    assert sorted(set(broken(kept(spark)))) == [(f"orders.{rule}", key) for rule, key in rows]
    for check in ("freshness", "availability", "schema_drift"):
        main(["monitor", "run", check, "orders.yaml"])
        assert ("only rows where orders: state = 'open'" in capsys.readouterr().out) is bool(
            told and check == "availability"
        )


def put(spark: SparkSession, rows: str, table: str = "orders") -> None:
    spark.sql(rows).write.mode("overwrite").parquet(os.path.abspath(f"data/{table}"))
