"""Folders of files as people lay them out: written by pandas, pyarrow, DuckDB and Spark."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pandas  # type: ignore[import-untyped]
import pyarrow
import pytest
from pyarrow import orc, parquet
from pyspark.sql import SparkSession
from support.builders import column
from support.spark_bindings import ID, files
from support.spark_runs import on_files, run, told

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.adapters.spark.read.open import OpenTable, open_table
from floe_contracts.checks.measured import Failure
from floe_contracts.contract.model import Property
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.results import Outcome

LIMIT_S = 120.0
KEY = column("k", required=True, pattern="00[0-9]")


def write(place: Path, **columns: list[object]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    pandas.DataFrame(columns).to_parquet(place)


def opened(spark: SparkSession, place: Path, *columns: Property, format_: str = "parquet") -> OpenTable:
    table = open_table(spark, files(place, format_, *columns), limit_s=LIMIT_S)
    assert isinstance(table, OpenTable), table
    return table


def refusal(spark: SparkSession, place: Path, format_: str = "parquet") -> str:
    table = open_table(spark, files(place, format_), limit_s=LIMIT_S)
    assert isinstance(table, Failure), table
    return table.reason


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")], ids=["the short file first", "the long file first"])
def test_a_folder_has_the_columns_of_all_its_files(spark: SparkSession, tmp_path: Path, names: tuple[str, str]) -> None:
    write(tmp_path / f"{names[0]}.parquet", id=[1])
    write(tmp_path / f"{names[1]}.parquet", id=[2], note=["x"], more=[1.5])
    promised = on_files(tmp_path, ID, column("note"), column("amount", "number"))
    result = run(SparkEngine(spark), "schema_drift", promised)["orders"]
    assert told(result) == ["E531 amount", "E532 more"]


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")], ids=["the good file first", "the bad file first"])
def test_another_type_in_one_file_is_drift_with_the_file(
    spark: SparkSession, tmp_path: Path, names: tuple[str, str]
) -> None:
    write(tmp_path / f"{names[0]}.parquet", id=[1, 2], n=[1, 2])
    write(tmp_path / f"{names[1]}.parquet", id=["x", "y"], n=[3, 4])
    promised = on_files(tmp_path, column("id", "integer", required=True), column("n", "integer", maximum="3"))
    drift = run(SparkEngine(spark), "schema_drift", promised)["orders"]
    assert [item.message for item in drift.findings] == [
        f"in the file {names[1]}.parquet id is string, the contract promises integer"
    ]
    quality = run(SparkEngine(spark), "quality", promised)["orders"]
    assert sorted(item.element or "" for item in quality.findings) == ["id", "n"]
    assert any("another type than others do" in item.message for item in quality.findings)


def test_numbers_of_another_width_are_told_and_read(spark: SparkSession, tmp_path: Path) -> None:
    for name, kind in (("a", pyarrow.int32()), ("b", pyarrow.int64())):
        parquet.write_table(pyarrow.table({"id": pyarrow.array([1, 2], kind)}), tmp_path / f"{name}.parquet")
    promised = on_files(tmp_path, column("id", "integer", physical_type="bigint", maximum="1"))
    assert told(run(SparkEngine(spark), "schema_drift", promised)["orders"]) == ["E530 id"]
    assert "2 rows break it" in run(SparkEngine(spark), "quality", promised)["orders"].findings[0].message


@pytest.mark.parametrize("format_", ["parquet", "csv", "json", "orc"])
@pytest.mark.parametrize("beside", [True, False], ids=["files and folders", "only folders"])
def test_files_in_folders_of_any_name_are_read(spark: SparkSession, tmp_path: Path, format_: str, beside: bool) -> None:
    for place in ("2026/01/01", "2026/01/02", *(["."] if beside else [])):
        spark.range(2).coalesce(1).write.mode("append").option("header", "true").format(format_).save(
            str(tmp_path / "t" / place)
        )
    assert opened(spark, tmp_path / "t", format_=format_).frame.count() == (6 if beside else 4)


def test_files_beside_folders_with_values_are_refused_by_name(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "k=1" / "a.parquet", id=[1])
    write(tmp_path / "stray.parquet", id=[2])
    assert "1 file lies outside of the folders k=…" in refusal(spark, tmp_path)
    assert "stray.parquet; move" in refusal(spark, tmp_path)


@pytest.mark.parametrize(
    ("others", "words"),
    [
        pytest.param("k=1/j=2", "k=… in k=1/a.parquet and k=…/j=… in k=1/j=2/b.parquet; move", id="one more below"),
        pytest.param("old/k=1", "k=… in k=1/a.parquet and old/k=… in old/k=1/b.parquet; move", id="in another folder"),
        pytest.param("j=1", "j=… in j=1/b.parquet and k=… in k=1/a.parquet; move", id="another name"),
    ],
)
def test_folders_that_do_not_agree_on_their_columns_are_named(
    spark: SparkSession, tmp_path: Path, others: str, words: str
) -> None:
    write(tmp_path / "k=1" / "a.parquet", id=[1])
    write(tmp_path / others / "b.parquet", id=[2])
    assert words in refusal(spark, tmp_path)


@pytest.mark.parametrize("format_", ["parquet", "csv", "json", "orc"])
@pytest.mark.parametrize(
    ("promised", "read_as"),
    [
        pytest.param(column("k"), "string 007", id="text"),
        pytest.param(column("k", "integer"), "bigint 7", id="a number"),
        pytest.param(column("k", "date"), "string 007", id="what it is not"),
    ],
)
def test_values_of_folders_are_as_promised(
    spark: SparkSession, tmp_path: Path, format_: str, promised: Property, read_as: str
) -> None:
    rows = spark.sql("SELECT 1L AS id, '007' AS k")
    rows.write.partitionBy("k").option("header", "true").format(format_).save(str(tmp_path / "t"))
    frame = opened(spark, tmp_path / "t", ID, promised, format_=format_).frame
    assert f"{frame.schema['k'].dataType.simpleString()} {frame.collect()[0]['k']}" == read_as


def test_days_in_folders_of_pyarrow_stay_text(spark: SparkSession, tmp_path: Path) -> None:
    table = pyarrow.table({"id": [1, 2], "k": ["2026-01-01", None]})
    parquet.write_to_dataset(table, tmp_path / "t", partition_cols=["k"])
    rows = opened(spark, tmp_path / "t", ID, column("k")).frame.orderBy("id").collect()
    assert [row["k"] for row in rows] == ["2026-01-01", None]


def test_rules_on_values_of_folders(spark: SparkSession, tmp_path: Path) -> None:
    write(tmp_path / "k=007" / "a.parquet", id=[1])
    assert run(SparkEngine(spark), "quality", on_files(tmp_path, ID, KEY))["orders"].outcome is Outcome.PASSED


def test_nanoseconds_of_pandas_are_read(spark: SparkSession, tmp_path: Path) -> None:
    moments = ["1969-12-31 23:59:59.123456789", "2026-01-03 11:00:00.123456789"]
    frame = pandas.DataFrame({"id": [1, 2], "at": pandas.to_datetime(moments)})
    frame["moment"] = frame["at"].dt.tz_localize("UTC")
    written = pyarrow.Table.from_pandas(frame)
    many = pyarrow.array([[moment] for moment in frame["at"]], pyarrow.list_(pyarrow.timestamp("ns")))
    parquet.write_table(written.append_column("many", many), tmp_path / "t.parquet")
    table = opened(spark, tmp_path / "t.parquet")
    kinds = [field.dataType.simpleString() for field in table.frame.schema.fields]
    assert kinds == ["bigint", "timestamp_ntz", "timestamp", "array<timestamp_ntz>"]
    texts = table.frame.selectExpr("CAST(at AS string)", "CAST(many[0] AS string)").collect()
    assert [tuple(row) for row in texts] == [(text[:26], text[:26]) for text in moments]
    assert table.remark == "nanoseconds of at, many, moment cut to microseconds"
    promised = on_files(tmp_path / "t.parquet", ID, column("moment", "timestamp", required=True))
    assert "cut to microseconds" in str(run(SparkEngine(spark), "quality", promised)["orders"].facts)


NOTE = column("note")
TAGS = column("note", "array", items=column("", "string"))


@pytest.mark.parametrize(
    ("files", "promised", "kind"),
    [
        pytest.param([["a", "b"], [None]], NOTE, "string", id="beside a file with values"),
        pytest.param([[None], ["a", "b"]], NOTE, "string", id="before a file with values"),
        pytest.param([[None, None]], NOTE, "string", id="everywhere"),
        pytest.param([[None], [7]], column("note", "integer"), "bigint", id="a number elsewhere"),
        pytest.param([[["a"]], [[]]], TAGS, "array<string>", id="lists without items"),
    ],
)
def test_a_column_without_a_value_fits_what_is_promised(
    spark: SparkSession, tmp_path: Path, files: list[list[object]], promised: Property, kind: str
) -> None:
    """pandas keeps no type of a column that holds nothing but nulls."""
    for number, values in enumerate(files):
        written = pandas.DataFrame({"id": range(len(values)), "note": values})
        written.to_parquet(tmp_path / f"{number}.parquet")
    table = opened(spark, tmp_path, ID, promised)
    assert table.frame.schema["note"].dataType.simpleString() == kind
    kept = [row["note"] for row in table.frame.collect()]
    assert sorted(map(str, kept)) == sorted(str(value) for values in files for value in values)
    drift = run(SparkEngine(spark), "schema_drift", on_files(tmp_path, ID, promised))["orders"]
    assert told(drift) == []


def _damaged(place: Path) -> None:
    write(place / "a.parquet", id=[1])
    (place / "b.parquet").write_bytes(b"PAR1 no")


def _only_damaged(place: Path) -> None:
    (place / "b.parquet").write_bytes(b"PAR1 no")


def _cut_off(kept: slice, name: str = "0.parquet") -> Callable[[Path], None]:
    """A good file, and beside it one of which a writer that died left so much."""

    def make(place: Path) -> None:
        write(place / "a.parquet", id=[1])
        (place / name).write_bytes((place / "a.parquet").read_bytes()[kept])

    return make


def _empty(place: Path) -> None:
    (place / "_SUCCESS").write_bytes(b"")


def test_times_that_spark_cannot_read_in_orc_are_named(spark: SparkSession, tmp_path: Path) -> None:
    orc.write_table(
        pyarrow.table({"id": [1], "at": pyarrow.array([1], pyarrow.timestamp("us", "UTC"))}), str(tmp_path / "a.orc")
    )
    assert "no ORC file with times that have a zone: at in file:" in refusal(spark, tmp_path, "orc")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        pytest.param(_damaged, ["a file cannot be read", "b.parquet; write it again"], id="one damaged file"),
        pytest.param(_only_damaged, ["a file cannot be read", "b.parquet; write it again"], id="nothing else"),
        pytest.param(
            _cut_off(slice(0)),
            ["a file cannot be read, it is empty (0 bytes)", "0.parquet; write it again"],
            id="empty",
        ),
        *(
            pytest.param(
                _cut_off(kept, name),
                ["a file cannot be read, its schema is missing or damaged: file:", f"{name}; write it again"],
                id=f"{name} cut off at {kept.stop}",
            )
            for kept in (slice(3), slice(100), slice(-12))
            for name in ("0.parquet", "z.parquet")
        ),
        pytest.param(_empty, ["it holds no file with rows; write one"], id="no files"),
    ],
)
def test_a_place_that_cannot_be_read_says_file_cause_and_fix(
    spark: SparkSession, tmp_path: Path, make: Callable[[Path], None], words: list[str]
) -> None:
    make(tmp_path)
    reason = refusal(spark, tmp_path)
    assert all(word in reason for word in words), reason
    assert "FOOTER" not in reason
    assert not SparkEngine(spark).probe(files(tmp_path, "parquet"), limit_s=LIMIT_S).ok


def test_a_file_replaced_with_the_same_size_and_time_is_noticed(spark: SparkSession, tmp_path: Path) -> None:
    def fill(value: int) -> None:
        table = pyarrow.table({"id": pyarrow.array([value] * 100)})
        parquet.write_table(table, tmp_path / "t.parquet", compression="none", use_dictionary=False)
        os.utime(tmp_path / "t.parquet", ns=(10**18, 10**18))

    store, promised = MemoryStore(), on_files(tmp_path, column("id", "integer", maximum="5"))
    fill(1)
    size = (tmp_path / "t.parquet").stat().st_size
    first = run(SparkEngine(spark), "quality", promised, store=store)["orders"]
    fill(9)
    assert (tmp_path / "t.parquet").stat().st_size == size
    again = run(SparkEngine(spark), "quality", promised, store=store, now_us=1_767_441_600_000_000 + 10**11)["orders"]
    assert (first.outcome, again.outcome) == (Outcome.PASSED, Outcome.VIOLATED)


def test_a_table_without_rows_is_said(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(0).write.parquet(str(tmp_path / "t"))
    result = run(SparkEngine(spark), "quality", on_files(tmp_path / "t", column("id", "integer", required=True)))[
        "orders"
    ]
    assert "0 rows" in str(result.facts)
