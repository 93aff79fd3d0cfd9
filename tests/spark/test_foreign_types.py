"""Parquet columns of types that Spark lacks, as Arrow and DuckDB write them: they take no other column with them."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import pyarrow
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession
from support.builders import column
from support.spark_bindings import files
from support.spark_runs import on_files, run, told

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.adapters.spark.read.open import OpenTable, open_table
from floe_contracts.contract.model import Property
from floe_contracts.results import Outcome

KEY = UUID("0f8fad5b-d9cb-469f-a165-70867728950e")
KEYS = pyarrow.array([KEY.bytes, None], pyarrow.uuid())
HALVES = pyarrow.array([1.5, None], pyarrow.float16())
FINE = pyarrow.array([1, None], pyarrow.time64("ns"))
TIMES = pyarrow.array([1_767_398_400_000_000_000, None], pyarrow.timestamp("ns"))
IDS = pyarrow.array([1, 9])
ID = column("id", "integer", required=True, maximum="5")
READ_AS = "read as the bytes or numbers underneath, because Spark lacks the type: "


def write(place: Path, **columns: pyarrow.Array) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.table({"id": IDS, **columns}), place)


def opened(spark: SparkSession, place: Path, *columns: Property) -> OpenTable:
    table = open_table(spark, files(place, "parquet", ID, *columns), limit_s=120.0)
    assert isinstance(table, OpenTable), table
    return table


@pytest.mark.parametrize(
    ("values", "read_as", "remark"),
    [
        pytest.param(KEYS, f"string {KEY}", "", id="a UUID is its text"),
        pytest.param(HALVES, "binary", f"{READ_AS}odd (FLOAT16)", id="a half float is two bytes"),
        pytest.param(FINE, "bigint 1", f"{READ_AS}odd (TIME(NANOS,false))", id="a time in nanoseconds is a number"),
        pytest.param(
            pyarrow.StructArray.from_arrays([KEYS, HALVES], ["key", "half"]),
            "struct<key:string,half:binary>",
            f"{READ_AS}odd (FLOAT16)",
            id="inside of a struct",
        ),
        pytest.param(
            pyarrow.ListArray.from_arrays([0, 1, 1], KEYS),
            f"array<string> ['{KEY}']",
            "",
            id="inside of an array",
        ),
    ],
)
def test_a_type_that_spark_lacks_is_read_as_what_is_underneath(
    spark: SparkSession, tmp_path: Path, values: pyarrow.Array, read_as: str, remark: str
) -> None:
    write(tmp_path / "t.parquet", odd=values)
    table = opened(spark, tmp_path / "t.parquet")
    row = table.frame.where("id = 1").first()
    assert row is not None
    assert f"{table.frame.schema['odd'].dataType.simpleString()} {row['odd']}".startswith(read_as)
    assert table.remark == remark


def test_the_other_columns_are_measured(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "k=007" / "a.parquet", key=KEYS, half=HALVES, at=TIMES)
    key = column("key", physical_type="uuid", unique=True, pattern="[0-9a-f-]{36}")
    promised = on_files(
        tmp_path, ID, key, column("half", "number"), column("k", min_length=3), column("at", "timestamp")
    )
    quality = run(SparkEngine(spark), "quality", promised)["orders"]
    assert [item.message for item in quality.findings] == ["id is at most 5: 1 row breaks it"]
    drift = run(SparkEngine(spark), "schema_drift", promised)["orders"]
    assert told(drift) == ["E530 half"]
    assert run(SparkEngine(spark), "availability", promised)["orders"].outcome is Outcome.PASSED


@pytest.mark.parametrize("unit", ["us", "ms"])
def test_a_time_of_day_takes_no_other_column(spark: SparkSession, tmp_path: Path, unit: str) -> None:
    """Spark has the type, but refuses it until a setting allows it."""
    kind = pyarrow.time64(unit) if unit == "us" else pyarrow.time32(unit)
    write(tmp_path / "t.parquet", at=pyarrow.array([1, None], kind))
    session = spark.newSession()
    session.conf.set("spark.sql.timeType.enabled", "false")
    promised = on_files(tmp_path, ID, column("at", "time"))
    quality = run(SparkEngine(session), "quality", promised)["orders"]
    assert [item.message for item in quality.findings] == ["id is at most 5: 1 row breaks it"]
    assert told(run(SparkEngine(session), "schema_drift", promised)["orders"]) == []


@pytest.mark.parametrize("names", ["ab", "ba"], ids=["the plain file first", "the plain file last"])
def test_files_with_and_without_such_columns_are_one_table(spark: SparkSession, tmp_path: Path, names: str) -> None:
    write(tmp_path / "2026" / f"{names[0]}.parquet", note=pyarrow.array(["x", "y"]))
    write(tmp_path / f"{names[1]}.parquet", key=KEYS, at=TIMES)
    frame = opened(spark, tmp_path, column("key"), column("note")).frame
    rows = frame.selectExpr("id", "key", "note", "date(at)").collect()
    assert sorted(str(item) for item in rows) == [
        f"Row(id=1, key='{KEY}', note=None, at=datetime.date(2026, 1, 3))",
        "Row(id=1, key=None, note='x', at=None)",
        "Row(id=9, key=None, note='y', at=None)",
        "Row(id=9, key=None, note=None, at=None)",
    ]
