"""`floe init` from data: Parquet without Spark, tables and files by Spark, and each passes its own contract at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from support.postgres_server import PostgresServer, postgres_server

from floe_contracts.adapters.parquet.profile import look_into_parquet, spark_name
from floe_contracts.cli.main import main
from floe_contracts.contract.load import load
from floe_contracts.contract.model import Contract, Property

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
ROWS = 300


def orders(rows: int = ROWS) -> pa.Table:
    return pa.table(
        {
            "order_id": [f"o{index}" for index in range(rows)],
            "status": [("open", "paid", "sent")[index % 3] for index in range(rows)],
            "amount": pa.array([Decimal(index) for index in range(rows)], pa.decimal128(12, 2)),
            "note": [None if index % 7 == 0 else "x" * (index % 50) for index in range(rows)],
            "first_name": [("Ana", "Bo")[index % 2] for index in range(rows)],
            "placed_at": pa.array(
                [START + timedelta(minutes=index) for index in range(rows)], pa.timestamp("us", "UTC")
            ),
        }
    )


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def proposed(place: Path, name: str = "orders") -> Contract:
    path = place / f"contracts/{name}.odcs.yaml"
    found = load(path.read_bytes(), str(path)).contract
    assert found is not None
    return found


def columns(contract: Contract) -> dict[str, Property]:
    return {one.name: one for one in contract.objects[0].properties}


def assert_as_seen(contract: Contract) -> None:
    found = columns(contract)
    assert [name for name, one in found.items() if one.primary_key] == ["order_id"]
    assert {name for name, one in found.items() if not one.required} == {"note"}
    assert [name for name, one in found.items() if one.enum] == ["status"]
    assert found["amount"].physical_type == "decimal(12,2)"
    assert found["placed_at"].logical_type == "timestamp"


def outcomes(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    """What every check says about the new contract, by a real run on Spark."""
    capsys.readouterr()
    main(["monitor", "run", "all", "contracts", "--dry-run", "--format", "json", *arguments])
    return {one["check"]: one["outcome"] for one in json.loads(capsys.readouterr().out)["results"]}


def test_parquet_passes_its_own_contract(spark: SparkSession, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "data").mkdir()
    pq.write_table(orders(), place / "data/orders.parquet")
    assert main(["init", "data/orders.parquet", "--yes"]) == 0
    assert "proposed from all 300 rows" in capsys.readouterr().out
    assert_as_seen(proposed(place))
    found = outcomes(capsys)
    assert found["quality"] == found["schema_drift"] == found["availability"] == "passed"


def test_a_folder_of_parquet_files_is_one_table(place: Path) -> None:
    for part in range(2):
        (place / f"orders/day={part + 1}").mkdir(parents=True)
        pq.write_table(orders(60), place / f"orders/day={part + 1}/part.parquet")
    look = look_into_parquet("orders")
    assert look.rows == 120
    found = {one.name: one for one in look.columns}
    assert found["order_id"].distinct == 60, "every id twice: no key"
    assert "day" in found


def test_no_file_that_is_no_parquet_is_read(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "orders.parquet").write_text("not parquet at all")
    assert main(["init", "orders.parquet", "--yes"]) == 2
    assert (
        "orders.parquet cannot be read as Parquet: Parquet magic bytes not found in footer" in capsys.readouterr().err
    )
    assert not (place / "contracts").exists()


def test_other_files_are_read_by_spark(spark: SparkSession, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.dumps({"order_id": f"o{index}", "status": "open" if index % 2 else "paid"}) for index in range(100)]
    (place / "orders.jsonl").write_text("\n".join(lines))
    assert main(["init", "orders.jsonl", "--yes"]) == 0, capsys.readouterr().err
    found = columns(proposed(place))
    assert [name for name, one in found.items() if one.primary_key] == ["order_id"]
    assert [one.value for one in found["status"].enum or ()] == ["open", "paid"]
    assert outcomes(capsys)["quality"] == "passed"


CSV = ["kunde;plz;am;um;ok;preis"] + [
    f"k{index};0{1000 + index % 9};2026-01-02;2026-01-02 10:00:00;true;{index % 7}.50" for index in range(150)
]
CSV_TYPES = {
    "kunde": "string",
    "plz": "string",
    "am": "date",
    "um": "timestamp_ntz",
    "ok": "boolean",
    "preis": "double",
}


@pytest.mark.parametrize("source", ["Größe 1.csv", "parts"], ids=["a file without Spark", "a folder by Spark"])
def test_csv_is_typed_and_passes_its_own_contract(
    spark: SparkSession, place: Path, capsys: pytest.CaptureFixture[str], source: str
) -> None:
    path = place / source if source.endswith(".csv") else place / source / "a.csv"
    path.parent.mkdir(exist_ok=True)
    mark = ";" if source.endswith(".csv") else ","
    path.write_text("\n".join(CSV).replace(";", mark) + "\n", encoding="utf-8")
    where = [source] if source.endswith(".csv") else ["--connection", "type=local", "--connection", "format=csv"]
    where += [] if source.endswith(".csv") else ["--connection", f"location={source}", "--name", "parts"]
    assert main(["init", *where, "--yes"]) == 0, capsys.readouterr().err
    (name,) = (file.name.removesuffix(".odcs.yaml") for file in (place / "contracts").iterdir())
    found = columns(proposed(place, name))
    assert {name: one.physical_type for name, one in found.items()} == CSV_TYPES
    assert [name for name, one in found.items() if one.primary_key] == ["kunde"]
    answers = outcomes(capsys)
    assert answers["quality"] == answers["schema_drift"] == "passed"


def test_a_table_of_a_catalog(lakehouse: SparkSession, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(orders(), place / "seed.parquet")
    lakehouse.sql("CREATE NAMESPACE IF NOT EXISTS ice.first")
    lakehouse.read.parquet(str(place / "seed.parquet")).writeTo("ice.first.orders").createOrReplace()
    assert main(["init", "ice.first.orders", "--yes"]) == 0, capsys.readouterr().err
    contract = proposed(place)
    assert_as_seen(contract)
    assert contract.objects[0].physical_name == "ice.first.orders"
    assert outcomes(capsys)["quality"] == "passed"


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


def test_a_table_of_a_database(
    lakehouse: SparkSession, server: PostgresServer, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    url = server.new_database()
    sql = "SELECT id AS order_id, (ARRAY['open','paid'])[1 + id % 2] AS status FROM generate_series(1, 200) AS id"
    server.run_sql(f"CREATE TABLE orders AS {sql}", url)
    said = {
        "type": "postgres",
        "host": "127.0.0.1",
        "port": str(server.port),
        "database": url.rpartition("/")[2],
        "table": "orders",
        "options.user": "floe",
    }
    pairs = [word for key, text in said.items() for word in ("--connection", f"{key}={text}")]
    assert main(["init", *pairs, "--yes"]) == 0, capsys.readouterr().err
    found = columns(proposed(place))
    assert [name for name, one in found.items() if one.primary_key] == ["order_id"]
    assert [one.value for one in found["status"].enum or ()] == ["open", "paid"]
    assert "user: floe" in (place / ".floe/monitoring.yaml").read_text()
    assert outcomes(capsys)["quality"] == "passed"


def test_a_table_that_is_not_there_is_said(
    spark: SparkSession, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "no_such_table", "--yes"]) == 2
    assert "no_such_table cannot be read" in capsys.readouterr().err
    assert list(place.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (pa.int8(), "tinyint"),
        (pa.uint32(), "bigint"),
        (pa.float64(), "double"),
        (pa.bool_(), "boolean"),
        (pa.large_string(), "string"),
        (pa.dictionary(pa.int8(), pa.string()), "string"),
        (pa.date32(), "date"),
        (pa.timestamp("ms"), "timestamp_ntz"),
        (pa.timestamp("ns", "Europe/Berlin"), "timestamp"),
        (pa.decimal128(10, 2), "decimal(10,2)"),
        (pa.list_(pa.int64()), "array<bigint>"),
        (pa.map_(pa.string(), pa.float32()), "map<string,float>"),
        (pa.struct([("a", pa.binary()), ("b", pa.int16())]), "struct<a:binary,b:smallint>"),
    ],
    ids=str,
)
def test_types_of_arrow_in_sparks_words(kind: pa.DataType, name: str) -> None:
    assert spark_name(kind) == name
