"""Delta's log answers without the rows, and says nothing where its statistics are not the whole truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from pyspark.sql import SparkSession
from support.spark_bindings import files
from support.spark_lakes import BEGAN_US, NEXT_US, ROWS, Lake
from support.spark_metadata import AT, COUNTS, LATER, answers, clock_of, opened_as, plan_of, scanned, without_data
from support.spark_reads import Reads

from floe_contracts.adapters.spark.metadata import (
    answer_counts,
    delta_log,
    find_arrival,
    read_column_clock,
    read_commit_clock,
)
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Arrival, Clock
from floe_contracts.checks.promises.promise import ClockChoice

COMMITS = ClockChoice(None, "")
NO_STATISTICS = "ALTER TABLE {t} SET TBLPROPERTIES ('delta.dataSkippingNumIndexedCols'='0')"


@pytest.fixture
def lake(lakehouse: SparkSession) -> Lake:
    return Lake(lakehouse, "delta").add(0).add(ROWS).add(2 * ROWS)


@pytest.fixture
def micros_in_files(lakehouse: SparkSession) -> Iterator[SparkSession]:
    """Footers know the newest of such times; what Spark writes unless told otherwise keeps none."""
    lakehouse.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    yield lakehouse
    lakehouse.conf.unset("spark.sql.parquet.outputTimestampType")


def test_counts_come_without_the_rows(lake: Lake, reads: Reads) -> None:
    more = (*COUNTS, m.NullCount(("local",)), m.NullCount(("day",)))
    table = lake.open()
    expected = scanned(table, *more)
    reads.start()
    with without_data(lake.place):
        numbers, how = answer_counts(table, plan_of(*more))
    assert (numbers, reads.bytes(), how) == (expected, 0, "6 counts from the log of version 3")


def test_newest_days_come_without_the_rows(lake: Lake) -> None:
    choice = ClockChoice(("day",), "", day_end=True)
    found = clock_of(lake.open(), choice)
    assert found is not None
    with without_data(lake.place):
        assert read_column_clock(lake.open(), choice, as_of_us=LATER, skew_us=0) == found


def test_newest_times_come_from_footers_of_the_newest_file(micros_in_files: SparkSession, reads: Reads) -> None:
    lake = Lake(micros_in_files, "delta").add(0).add(ROWS)
    for column in ("at", "local"):
        assert clock_of(lake.open(), ClockChoice((column,), "", "Europe/Berlin")) is not None
    table = lake.open()
    reads.start()
    found = read_column_clock(table, AT, as_of_us=LATER, skew_us=0)
    assert reads.bytes() == 0
    assert found is not None
    assert (found.last_us, found.how) == (BEGAN_US + 599 * NEXT_US, "column at by the log of version 2")


def test_times_that_the_log_cuts_are_read_in_the_newest_file_only(lake: Lake, reads: Reads) -> None:
    table = lake.open()
    reads.start()
    found = read_column_clock(table, AT, as_of_us=LATER, skew_us=0)
    assert reads.rows() == ROWS
    assert found is not None
    assert (found.last_us, found.how) == (
        BEGAN_US + 899 * NEXT_US,
        "column at by the log of version 3 and 1 of 3 files",
    )
    assert clock_of(table) == found


def test_times_in_the_future_are_left_to_a_scan(lake: Lake) -> None:
    newest = BEGAN_US + 899 * NEXT_US
    assert clock_of(lake.open(), as_of_us=newest) is not None
    assert clock_of(lake.open(), as_of_us=newest - 1) is None


CHANGES: list[tuple[str, Callable[[Lake], object], bool]] = [
    ("rows deleted", lambda lake: lake.sql("DELETE FROM {t} WHERE id < 9"), True),
    ("rows changed", lambda lake: lake.sql("UPDATE {t} SET code = null WHERE id < 9"), True),
    ("another column added", lambda lake: lake.sql("ALTER TABLE {t} ADD COLUMN more bigint").add(900), True),
    ("compacted", lambda lake: lake.compact(), True),
    ("restored", lambda lake: lake.sql("RESTORE {t} TO VERSION AS OF 1"), True),
    ("overwritten", lambda lake: lake.sql("INSERT OVERWRITE {t} SELECT * FROM {t} WHERE id < 100"), True),
    ("no statistics from now on", lambda lake: lake.sql(NO_STATISTICS).add(900), False),
]


@pytest.mark.parametrize(("change", "knows"), [pytest.param(*one[1:], id=one[0]) for one in CHANGES])
def test_a_changed_table_gives_the_same_by_log_and_scan(
    lake: Lake, change: Callable[[Lake], object], knows: bool
) -> None:
    change(lake)
    table = lake.open()
    found, by_scan = answers(table, *COUNTS), scanned(table, *COUNTS)
    assert found.items() <= by_scan.items()
    assert (m.NullCount(("code",)) in found) is knows
    clock_of(table)


@pytest.mark.parametrize("mode", ["name", "id"])
def test_renamed_and_dropped_columns_are_found_by_what_files_call_them(lakehouse: SparkSession, mode: str) -> None:
    lake = Lake(lakehouse, "delta", f"delta.columnMapping.mode={mode}").add(0)
    for old, new in (("code", "x"), ("id", "code"), ("x", "id")):
        lake.sql(f"ALTER TABLE {{t}} RENAME COLUMN {old} TO {new}")
    assert answers(lake.open(), *COUNTS) == scanned(lake.open(), *COUNTS)
    assert answers(lake.open(), *COUNTS)[m.NullCount(("code",))] == 0
    lake.sql("ALTER TABLE {t} DROP COLUMN code").sql("ALTER TABLE {t} ADD COLUMN code bigint")
    found = answers(lake.open(), *COUNTS)
    assert found.items() <= scanned(lake.open(), *COUNTS).items()
    assert m.NullCount(("code",)) not in found


def test_rows_deleted_by_vectors_are_counted_and_nothing_else_is_said(lakehouse: SparkSession) -> None:
    lake = Lake(lakehouse, "delta", "delta.enableDeletionVectors=true").add(0).add(ROWS)
    lake.sql("DELETE FROM {t} WHERE id % 10 = 3")
    table = lake.open()
    assert answers(table, *COUNTS) == {m.RowCount(): 2 * ROWS - 2 * ROWS // 10}
    assert scanned(table, *COUNTS)[m.RowCount()] == 2 * ROWS - 2 * ROWS // 10
    assert clock_of(table) is None
    lake.sql("DELETE FROM {t} WHERE id % 10 = 4")
    assert answers(lake.open(), *COUNTS) == {m.RowCount(): 2 * ROWS - 4 * ROWS // 10}


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(["delta.checkpointInterval=2"], id="a checkpoint"),
        pytest.param(["delta.checkpointInterval=2", "delta.checkpoint.writeStatsAsJson=false"], id="without texts"),
        pytest.param(["delta.checkpointInterval=2", "delta.checkpointPolicy=v2"], id="a checkpoint of many files"),
    ],
)
def test_checkpoints_are_read_as_delta_reads_them(lakehouse: SparkSession, settings: list[str]) -> None:
    lake = Lake(lakehouse, "delta", "delta.enableDeletionVectors=true", *settings).add(0).add(ROWS).add(600)
    lake.sql("DELETE FROM {t} WHERE id < 300").sql("DELETE FROM {t} WHERE id = 400").add(900)
    assert answers(lake.open(), m.RowCount()) == {m.RowCount(): 3 * ROWS - 1}


def test_delta_itself_is_asked_where_the_log_is_not_plain(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    lake.sql("DELETE FROM {t} WHERE id < 300")
    own = answers(lake.open(), *COUNTS)
    monkeypatch.setattr(delta_log, "_LARGEST", 0)
    assert answers(lake.open(), *COUNTS) == own == scanned(lake.open(), *COUNTS)


def test_an_earlier_version_has_its_own_numbers(lake: Lake) -> None:
    times = dict(lake.commits())
    table = lake.open(as_of_us=times[3] - 1)
    assert answers(table, *COUNTS)[m.RowCount()] == 2 * ROWS
    assert answers(table, *COUNTS) == scanned(table, *COUNTS)
    assert read_commit_clock(table, times[3] - 1) == Clock(times[2], "commit time of version 2", times[3] - 1)
    by_path = opened_as(lake.spark, files(lake.place, "delta", as_of_us=times[3] - 1))
    assert answers(by_path, *COUNTS) == answers(table, *COUNTS)


def test_an_empty_table_has_no_rows(lakehouse: SparkSession) -> None:
    table = Lake(lakehouse, "delta").open()
    assert answers(table, *COUNTS) == scanned(table, *COUNTS) == dict.fromkeys(COUNTS, 0)
    assert read_commit_clock(table, LATER) == Clock(None, "no commit brought data", LATER)


def test_only_commits_that_change_data_tell_the_time(lake: Lake, reads: Reads) -> None:
    last_us = dict(lake.commits())[3]
    lake.compact().sql("ALTER TABLE {t} SET TBLPROPERTIES ('a'='b')")
    assert lake.commits()[-1][0] == 5
    table = lake.open()
    reads.start()
    assert read_commit_clock(table, LATER) == Clock(last_us, "commit time of version 3", LATER)
    assert reads.bytes() == 0
    lake.sql("DELETE FROM {t} WHERE id = 3")
    assert read_commit_clock(lake.open(), LATER) == Clock(dict(lake.commits())[6], "commit time of version 6", LATER)


def test_times_inside_commits_count_before_those_of_files(lakehouse: SparkSession) -> None:
    lake = Lake(lakehouse, "delta", "delta.enableInCommitTimestamps=true").add(0).add(ROWS)
    found = read_commit_clock(lake.open(), LATER)
    assert found == Clock(dict(lake.commits())[2], "commit time of version 2", LATER)
    line = (lake.place / "_delta_log" / f"{2:020}.json").read_text().splitlines()[0]
    assert json.loads(line)["commitInfo"]["inCommitTimestamp"] * 1000 == dict(lake.commits())[2]


def test_when_data_of_a_day_first_came(lakehouse: SparkSession) -> None:
    lake = Lake(lakehouse, "delta").add(0, 50).add(100, 50).add(150, 50).compact()
    at_101 = BEGAN_US + 101 * NEXT_US - (BEGAN_US + 101 * NEXT_US) % 1000
    found = find_arrival(lake.open(), AT, at_101)
    assert found == Arrival(True, "column at by version 2", dict(lake.commits())[2])
    assert find_arrival(lake.open(), AT, BEGAN_US + 10**9) == Arrival(False, "column at by the history of commits")


def test_data_that_was_there_before_the_day_began_is_not_late(lakehouse: SparkSession) -> None:
    lake = (
        Lake(lakehouse, "delta")
        .sql("INSERT INTO {t} (id, at) VALUES (1, current_timestamp() + INTERVAL 1 HOUR)")
        .add(0)
    )
    since_us = lake.commits()[-1][1] + 1_000
    assert find_arrival(lake.open(as_of_us=LATER), AT, since_us) == Arrival(True, "column at by the history of commits")


def test_the_first_commit_of_a_day(lake: Lake) -> None:
    times = dict(lake.commits())
    table = lake.open()
    assert find_arrival(table, COMMITS, times[2]) == Arrival(True, "commit time of version 2", times[2])
    assert find_arrival(table, COMMITS, times[2] + 1) == Arrival(True, "commit time of version 3", times[3])
    assert find_arrival(table, COMMITS, times[3] + 1) == Arrival(False, "history of commits")


def test_a_forgotten_history_leaves_the_time_open(lake: Lake) -> None:
    lake.sql("ALTER TABLE {t} SET TBLPROPERTIES ('delta.checkpointInterval'='1')").add(900)
    times = dict(lake.commits())
    for version in range(3):
        (lake.place / "_delta_log" / f"{version:020}.json").unlink()
    found = find_arrival(lake.open(), COMMITS, times[3])
    assert found == Arrival(True, "commit time of version 3")
