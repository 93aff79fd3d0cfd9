"""A re-check of plain files opens the files that are new, and says what a check of all of them says."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.spark_bindings import files
from support.spark_metadata import agree, check, check_all, opened_as
from support.spark_reads import Reads

from floe_contracts.adapters.spark.metadata import parts as parting
from floe_contracts.adapters.spark.metadata import parts_of
from floe_contracts.adapters.spark.read.open import OpenTable
from floe_contracts.monitor.store.states import TableState, decode_state, encode_state

PART = 400


class Shop:
    """A folder of Parquet with a folder for each day, whose names need escaping."""

    def __init__(self, spark: SparkSession, place: Path) -> None:
        self.spark, self.place = spark, place / "a shop%20"

    def add(self, day: str, first: int, rows: int = PART, mode: str = "append") -> Shop:
        frame = self.spark.range(first, first + rows, numPartitions=1)
        columns = "id", "if(id % 7 = 0, null, 'c') AS code", "timestamp_micros(id) AS at"
        frame.selectExpr(*columns).write.mode(mode).parquet(f"{self.place}/day={day} %3A")
        return self

    def open(self) -> OpenTable:
        return opened_as(self.spark, files(self.place, "parquet"))

    def file(self, day: str) -> Path:
        return next((self.place / f"day={day} %3A").glob("*.parquet"))


@pytest.fixture
def shop(spark: SparkSession, tmp_path: Path) -> Shop:
    return Shop(spark, tmp_path).add("1", 0).add("2", PART).add("3", 2 * PART - 3)


@pytest.fixture
def state(shop: Shop) -> TableState:
    """What a store kept of the first check."""
    found = check(shop.open())
    agree(found, check_all(shop.open()))
    assert found.state is not None
    kept = decode_state(encode_state(found.state, "shop", ""))
    assert kept is not None
    return kept


def test_a_new_file_is_the_only_one_that_is_opened(shop: Shop, state: TableState, reads: Reads) -> None:
    shop.add("4", 10_000, 30)
    table = shop.open()
    reads.start()
    found = check(table, state)
    counted, hashed, looked_up = 30, 30, 3 * PART
    assert reads.rows() == counted + hashed + looked_up
    agree(found, check_all(table))


def test_nothing_new_opens_nothing(shop: Shop, state: TableState, reads: Reads) -> None:
    table = shop.open()
    reads.start()
    found = check(table, state)
    assert (reads.bytes(), found.scans) == (0, 0)
    agree(found, check_all(table))


def _compacted(shop: Shop) -> None:
    rows = shop.spark.createDataFrame(shop.open().frame.drop("day").collect(), "id bigint, code string, at timestamp")
    for day in "123":
        shop.file(day).unlink()
    rows.coalesce(1).write.mode("append").parquet(f"{shop.place}/day=1 %3A")


CHANGES: list[tuple[str, Callable[[Shop], object]]] = [
    ("a file is gone", lambda shop: shop.file("2").unlink()),
    ("a day was written again", lambda shop: shop.add("2", 5_000, mode="overwrite")),
    ("a day has one more file", lambda shop: shop.add("2", 5_000, 10)),
    ("all days became one", _compacted),
    ("a file was touched", lambda shop: os.utime(shop.file("2"), (5, 5))),
]


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change in CHANGES])
def test_what_changed_is_measured_anew(shop: Shop, state: TableState, change: Callable[[Shop], object]) -> None:
    change(shop)
    agree(check(shop.open(), state), check_all(shop.open()))


def test_another_way_of_reading_makes_all_parts_new(shop: Shop) -> None:
    one = parts_of(shop.open())
    other = parts_of(opened_as(shop.spark, files(shop.place, "parquet", options=(("mergeSchema", "true"),))))
    assert one is not None
    assert other is not None
    assert one.files.keys() == other.files.keys()
    assert not set(one.files.values()) & set(other.files.values())


def test_folders_are_the_parts_when_files_are_many(shop: Shop, reads: Reads, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parting, "MOST_PARTS", 4)
    shop.add("1", 3_000, 10).add("2", 4_000, 10)
    before = check(shop.open())
    assert before.state is not None
    assert [one.part for one in before.state.parts] == [f"day={day}%20%253A/" for day in "123"]
    shop.add("3", 20_000, 5)
    table = shop.open()
    reads.start()
    found = check(table, before.state)
    all_rows = 3 * PART + 10 + 10 + 5  # a folder was changed, so all keys are hashed anew, and suspects looked at
    assert reads.rows() == PART + 5 + 2 * all_rows
    agree(found, check_all(table))


@pytest.mark.parametrize("kind", ["csv", "json", "orc"])
def test_files_of_any_format_have_parts(spark: SparkSession, tmp_path: Path, reads: Reads, kind: str) -> None:
    def add(first: int) -> OpenTable:
        columns = "id", "'c' AS code", "timestamp_micros(id) AS at"
        frame = spark.range(first, first + 50, numPartitions=1).selectExpr(*columns)
        options = {"header": "true"} if kind == "csv" else {}
        frame.write.mode("append").options(**options).format(kind).save(str(tmp_path / "t"))
        return opened_as(spark, files(tmp_path / "t", kind))

    add(0)
    before = check(add(100), clock=None)
    table = add(200)
    parts, again = parts_of(table), check(table, before.state, clock=None)
    agree(again, check_all(table, clock=None))
    assert parts is not None
    assert before.state is not None
    fresh = set(parts.files) - {one.part for one in before.state.parts}
    reads.start()
    assert len(fresh) == 1
    assert parts.only(fresh).selectExpr("sum(id)").collect()[0][0] == sum(range(200, 250))
    assert reads.rows() == 50


def test_rows_that_a_filter_leaves_out_make_no_parts(shop: Shop) -> None:
    assert parts_of(opened_as(shop.spark, files(shop.place, "parquet", filter="at > current_date()"))) is None
    assert parts_of(opened_as(shop.spark, files(shop.place, "parquet", filter="id > 3"))) is None
