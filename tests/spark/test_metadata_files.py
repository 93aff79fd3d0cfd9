"""Parquet footers and times of files answer what they know exactly, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pyarrow
import pytest
from pyarrow import parquet
from pyspark.sql import SparkSession
from support.spark_bindings import files
from support.spark_metadata import AT, COUNTS, LATER, answers, clock_of, opened_as, plan_of, scanned
from support.spark_reads import Reads

from floe_contracts.adapters.spark.metadata import answer_counts, find_arrival, read_column_clock, read_commit_clock
from floe_contracts.adapters.spark.read.open import OpenTable
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Arrival, Clock, Failure
from floe_contracts.checks.moments import DAY, SECOND, micros
from floe_contracts.checks.promises.promise import ClockChoice

ROWS = 300
COLUMNS = (
    "id",
    "if(id % 7 = 0, null, concat('c', id)) AS code",
    "if(id % 9 = 0, null, timestamp_micros(1700000000000000 + id)) AS at",
    "if(id % 9 = 0, null, timestamp_ntz'2024-07-01 12:00:00.000001' + make_dt_interval(0, 0, 0, id)) AS local",
    "if(id % 5 = 0, null, date_add(date'2024-01-01', int(id))) AS day",
    "named_struct('x', if(id % 2 = 0, null, id)) AS s",
    "array(id) AS a",
)


@pytest.fixture(autouse=True)
def _micros(spark: SparkSession) -> Iterator[None]:
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    yield
    spark.conf.unset("spark.sql.parquet.outputTimestampType")


def write(spark: SparkSession, place: Path, *columns: str, rows: int = ROWS, first: int = 0) -> OpenTable:
    frame = spark.range(first, first + rows, numPartitions=3).selectExpr(*(columns or COLUMNS))
    frame.write.mode("append").parquet(str(place))
    return opened_as(spark, files(place, "parquet"))


def test_counts_of_parquet_cost_no_scan(spark: SparkSession, tmp_path: Path, reads: Reads) -> None:
    table = write(spark, tmp_path / "t")
    more = (*COUNTS, m.MissingCount(("code",)), m.NullCount(("local",)), m.NullCount(("day",)))
    reads.start()
    numbers, how = answer_counts(table, plan_of(*more))
    assert (reads.bytes(), reads.rows(), how) == (0, 0, "7 counts from the footers of 3 Parquet files")
    assert numbers == scanned(table, *more)
    assert numbers[m.RowCount()] == ROWS


@pytest.mark.parametrize(
    "choice",
    [
        pytest.param(AT, id="timestamp"),
        pytest.param(ClockChoice(("AT",), ""), id="a name in other case"),
        pytest.param(ClockChoice(("local",), ""), id="timestamp without a zone"),
        pytest.param(ClockChoice(("local",), "", "America/New_York"), id="timestamp of New York"),
        pytest.param(ClockChoice(("day",), "", "Asia/Tokyo"), id="day of Tokyo"),
        pytest.param(ClockChoice(("day",), "", day_end=True), id="end of a day"),
    ],
)
def test_newest_times_cost_no_scan(spark: SparkSession, tmp_path: Path, reads: Reads, choice: ClockChoice) -> None:
    table = write(spark, tmp_path / "t")
    reads.start()
    assert read_column_clock(table, choice, as_of_us=LATER, skew_us=0) is not None
    assert (reads.bytes(), reads.rows()) == (0, 0)
    found = clock_of(table, choice)
    assert found is not None
    assert found.how.endswith("by the footers of 3 Parquet files")


@pytest.mark.parametrize(
    ("as_of_us", "skew_us", "knows"),
    [
        pytest.param(1_700_000_000_000_299, 0, True, id="the newest is now"),
        pytest.param(1_700_000_000_000_298, 0, False, id="the newest is a microsecond ahead"),
        pytest.param(1_700_000_000_000_298, 1, True, id="within the skew"),
    ],
)
def test_times_in_the_future_are_left_to_a_scan(
    spark: SparkSession, tmp_path: Path, as_of_us: int, skew_us: int, knows: bool
) -> None:
    table = write(spark, tmp_path / "t", "timestamp_micros(1700000000000000 + id) AS at")
    assert (clock_of(table, as_of_us=as_of_us, skew_us=skew_us) is not None) is knows


def test_files_from_before_a_column_was_added_have_nulls_in_it(spark: SparkSession, tmp_path: Path) -> None:
    write(spark, tmp_path / "t", "id")
    write(spark, tmp_path / "t", "id", "concat('c', id) AS code", "timestamp_micros(id) AS at", first=ROWS)
    table = opened_as(spark, files(tmp_path / "t", "parquet", options=(("mergeSchema", "true"),)))
    assert answers(table, *COUNTS) == scanned(table, *COUNTS)
    assert answers(table, *COUNTS)[m.NullCount(("code",))] == ROWS
    assert clock_of(table) is not None


def test_an_empty_table_has_no_rows_and_no_time(spark: SparkSession, tmp_path: Path) -> None:
    table = write(spark, tmp_path / "t", rows=0)
    assert answers(table, *COUNTS) == scanned(table, *COUNTS) == dict.fromkeys(COUNTS, 0)
    found = clock_of(table)
    assert found is not None
    assert (found.last_us, found.rows) == (None, 0)


def test_a_column_without_values_has_no_newest(spark: SparkSession, tmp_path: Path) -> None:
    table = write(spark, tmp_path / "t", "id", "cast(null AS timestamp) AS at")
    found = clock_of(table)
    assert found is not None
    assert (found.last_us, found.nulls) == (None, ROWS)


def test_times_of_old_sparks_have_nulls_and_no_newest(spark: SparkSession, tmp_path: Path) -> None:
    spark.conf.set("spark.sql.parquet.outputTimestampType", "INT96")
    table = write(spark, tmp_path / "t")
    assert answers(table, *COUNTS) == scanned(table, *COUNTS)
    assert clock_of(table) is None


@pytest.mark.parametrize(
    ("column", "measure"),
    [
        pytest.param("named_struct('x', id) AS s", m.NullCount(("s", "x")), id="below a struct"),
        pytest.param("named_struct('x', id) AS s", m.NullCount(("s",)), id="a struct"),
        pytest.param("array(id) AS a", m.NullCount(("a", "[]")), id="items"),
        pytest.param("id", m.MissingCount(("id",), ("0",)), id="values that stand for nothing"),
        pytest.param("id", m.RowCount("id > 3"), id="some rows"),
        pytest.param("id", m.InvalidCount(("id",), m.Within("1")), id="values"),
        pytest.param("id", m.NullCount(("nobody",)), id="a column that is not there"),
    ],
)
def test_what_footers_cannot_know_they_do_not_say(
    spark: SparkSession, tmp_path: Path, column: str, measure: m.Measure
) -> None:
    table = write(spark, tmp_path / "t", "id AS other", column)
    assert set(answers(table, measure)) <= {m.RowCount()}


def test_columns_of_folders_are_not_in_the_files(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.range(20).selectExpr("id", "if(id < 5, null, id % 2) AS part")
    frame.write.partitionBy("part").parquet(str(tmp_path / "t"))
    table = opened_as(spark, files(tmp_path / "t", "parquet"))
    assert answers(table, m.NullCount(("id",)), m.NullCount(("part",))) == {m.RowCount(): 20, m.NullCount(("id",)): 0}


def test_names_with_dots_are_names(spark: SparkSession, tmp_path: Path) -> None:
    table = write(spark, tmp_path / "t", "if(id < 5, null, id) AS `a.b`", "named_struct('b', id) AS a")
    asked = m.NullCount(("a.b",))
    assert answers(table, asked).get(asked, 5) == scanned(table, asked)[asked] == 5


def arrow_file(place: Path, **options: object) -> None:
    place.mkdir()
    times = pyarrow.array([1_700_000_000_000, None], pyarrow.timestamp("ms", "UTC"))
    parquet.write_table(pyarrow.table({"id": [1, 2], "at": times}), place / "one.parquet", **options)


@pytest.mark.parametrize(
    ("options", "counts", "tells_time"),
    [
        pytest.param({}, 3, True, id="milliseconds by another writer"),
        pytest.param({"write_statistics": False}, 1, False, id="no statistics"),
        pytest.param({"write_statistics": ["id"]}, 2, False, id="statistics of some columns"),
        pytest.param({"use_deprecated_int96_timestamps": True}, 2, False, id="INT96"),
    ],
)
def test_other_writers_are_believed_where_they_say_it(
    spark: SparkSession, tmp_path: Path, options: dict[str, object], counts: int, tells_time: bool
) -> None:
    arrow_file(tmp_path / "t", **options)
    table = opened_as(spark, files(tmp_path / "t", "parquet"))
    asked = (m.NullCount(("id",)), m.NullCount(("at",)))
    found = answers(table, *asked)
    assert len(found) == counts
    assert found.items() <= {m.RowCount(): 2, asked[0]: 0, asked[1]: 1}.items()
    assert (clock_of(table) is not None) is tells_time


def test_one_file_that_does_not_know_silences_all(spark: SparkSession, tmp_path: Path) -> None:
    arrow_file(tmp_path / "t", write_statistics=False)
    write(spark, tmp_path / "t", "id", "timestamp_micros(id) AS at")
    table = opened_as(spark, files(tmp_path / "t", "parquet"))
    assert answers(table, m.NullCount(("id",))) == {m.RowCount(): ROWS + 2}
    assert clock_of(table) is None


def test_a_filter_makes_footers_say_nothing(spark: SparkSession, tmp_path: Path) -> None:
    write(spark, tmp_path / "t")
    table = opened_as(spark, files(tmp_path / "t", "parquet", filter="id > 3"))
    assert answer_counts(table, plan_of(*COUNTS)) == ({}, "")
    assert clock_of(table) is None


def test_a_frame_that_is_no_table_is_not_answered_by_files(spark: SparkSession, tmp_path: Path) -> None:
    table = write(spark, tmp_path / "t")
    frame = table.frame
    for other in (frame.distinct(), frame.limit(3), frame.union(frame), frame.selectExpr("id AS code", "code AS id")):
        assert answers(OpenTable(table.binding, other, "dataframe", ""), *COUNTS) == {}


def test_a_file_that_was_replaced_meanwhile_is_not_believed(spark: SparkSession, tmp_path: Path) -> None:
    table = write(spark, tmp_path / "t")
    first = min((tmp_path / "t").glob("*.parquet"))
    first.write_bytes(first.read_bytes()[:-1])
    assert answers(table, *COUNTS) == {}


def test_files_that_are_no_parquet_are_no_reason_to_stop(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(3).write.json(str(tmp_path / "t"))
    table = opened_as(spark, files(tmp_path / "t", "json"))
    assert answer_counts(table, plan_of(*COUNTS)) == ({}, "")


def test_footers_are_read_from_any_file_system(spark: SparkSession, tmp_path: Path, reads: Reads) -> None:
    write(spark, tmp_path / "t")
    settings = spark._jsc.hadoopConfiguration()
    settings.set("fs.viewfs.mounttable.lake.link./data", tmp_path.as_uri())
    table = opened_as(spark, files("viewfs://lake/data/t", "parquet"))
    reads.start()
    found = answers(table, *COUNTS)
    assert reads.bytes() == 0
    assert found == scanned(table, *COUNTS)


@pytest.mark.parametrize("kind", ["parquet", "csv", "json", "orc"])
def test_the_newest_file_is_the_clock_of_files(spark: SparkSession, tmp_path: Path, reads: Reads, kind: str) -> None:
    spark.range(9, numPartitions=3).write.format(kind).save(str(tmp_path / "t"))
    for number, one in enumerate(sorted((tmp_path / "t").glob("part-*"))):
        os.utime(one, (1_000 + number, 1_000 + number))
    table = opened_as(spark, files(tmp_path / "t", kind))
    reads.start()
    assert read_commit_clock(table, 9_000 * SECOND) == Clock(1_002 * SECOND, "newest file time", 9_000 * SECOND)
    assert read_commit_clock(table, 1_001 * SECOND) == Clock(1_001 * SECOND, "newest file time", 1_001 * SECOND)
    assert reads.rows() == 0


def test_frames_have_no_time_of_their_own(spark: SparkSession, tmp_path: Path) -> None:
    table = OpenTable(files(tmp_path, "parquet"), spark.range(3), "dataframe", "")
    assert read_commit_clock(table, 0) == Failure("nothing tells when it was last written")


@pytest.mark.parametrize(
    ("since", "present"),
    [
        pytest.param(datetime(2023, 11, 14, 22, 13, 20, 299, tzinfo=timezone.utc), True, id="the newest time itself"),
        pytest.param(datetime(2023, 11, 14, 22, 13, 20, 300, tzinfo=timezone.utc), False, id="a microsecond later"),
    ],
)
def test_data_of_a_day_is_there_or_not(spark: SparkSession, tmp_path: Path, since: datetime, present: bool) -> None:
    table = write(spark, tmp_path / "t", "timestamp_micros(1700000000000000 + id) AS at")
    found = find_arrival(table, AT, micros(since))
    assert found == Arrival(present, "column at by the footers of 3 Parquet files")


def test_files_of_today_are_there(spark: SparkSession, tmp_path: Path) -> None:
    table = write(spark, tmp_path / "t", "id")
    choice = ClockChoice(None, "")
    assert find_arrival(table, choice, micros(datetime.now(timezone.utc)) - DAY) == Arrival(True, "newest file time")
    assert find_arrival(table, choice, micros(datetime.now(timezone.utc)) + DAY) == Arrival(False, "newest file time")
