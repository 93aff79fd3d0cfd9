"""Iceberg's manifests and snapshots answer without the rows, and say nothing where rows were deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from pyspark.sql import SparkSession
from support.spark_bindings import catalog, files
from support.spark_lakes import BEGAN_US, NEXT_US, ROWS, Lake
from support.spark_metadata import AT, COUNTS, LATER, answers, clock_of, opened_as, plan_of, scanned, without_data
from support.spark_reads import Reads

from floe_contracts.adapters.spark.metadata import (
    answer_counts,
    find_arrival,
    iceberg,
    read_column_clock,
    read_commit_clock,
)
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Arrival, Clock
from floe_contracts.checks.promises.promise import ClockChoice

COMMITS = ClockChoice(None, "")


@pytest.fixture
def lake(lakehouse: SparkSession) -> Lake:
    return Lake(lakehouse, "iceberg").add(0).add(ROWS)


def test_counts_come_without_the_rows(lake: Lake, reads: Reads) -> None:
    table = lake.open()
    more = (*COUNTS, m.NullCount(("local",)), m.NullCount(("day",)))
    expected = scanned(table, *more)
    reads.start()
    with without_data(lake.place):
        numbers, how = answer_counts(lake.open(), plan_of(*more))
    assert (numbers, reads.bytes()) == (expected, 0)
    assert how == f"6 counts from metadata of snapshot {lake.commits()[-1][0]}"


@pytest.mark.parametrize(
    "choice",
    [
        pytest.param(AT, id="timestamp"),
        pytest.param(ClockChoice(("local",), "", "Europe/Berlin"), id="timestamp of Berlin"),
        pytest.param(ClockChoice(("day",), "", day_end=True), id="end of a day"),
    ],
)
def test_newest_times_come_without_the_rows(lake: Lake, choice: ClockChoice) -> None:
    found = clock_of(lake.open(), choice)
    assert found is not None
    with without_data(lake.place):
        assert read_column_clock(lake.open(), choice, as_of_us=LATER, skew_us=0) == found


def test_many_files_are_asked_through_a_table_of_files(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    by_path = opened_as(lake.spark, files(lake.place, "iceberg"))
    few = [answers(lake.open(), *COUNTS), clock_of(lake.open())]
    monkeypatch.setattr(iceberg, "_FEW", 0)
    assert [answers(lake.open(), *COUNTS), clock_of(lake.open())] == few
    assert [answers(by_path, *COUNTS), clock_of(by_path)] == few
    lake.sql("DELETE FROM {t} WHERE id = 5")
    assert answers(lake.open(), *COUNTS) == scanned(lake.open(), *COUNTS)


def test_a_table_without_a_snapshot_is_empty(lakehouse: SparkSession) -> None:
    table = Lake(lakehouse, "iceberg").open()
    assert answers(table, *COUNTS) == scanned(table, *COUNTS) == dict.fromkeys(COUNTS, 0)
    clock = clock_of(table)
    assert clock is not None
    assert clock.last_us is None
    assert read_commit_clock(table, 9) == Clock(None, "it has no commits yet", 9)


def _exchanged(lake: Lake) -> None:
    for old, new in (("code", "x"), ("id", "code"), ("x", "id")):
        lake.sql(f"ALTER TABLE {{t}} RENAME COLUMN {old} TO {new}")


def _made_again(lake: Lake) -> None:
    """Under a new id: what old files hold under the name is no longer its value."""
    lake.sql("ALTER TABLE {t} DROP COLUMN code").sql("ALTER TABLE {t} ADD COLUMN code bigint")


CHANGES: list[tuple[str, Callable[[Lake], object], bool]] = [
    ("rows rewritten without those that were deleted", lambda lake: lake.sql("DELETE FROM {t} WHERE id < 9"), True),
    ("a file overwritten", lambda lake: lake.sql("UPDATE {t} SET code = null WHERE id < 9"), True),
    ("a column renamed", lambda lake: lake.sql("ALTER TABLE {t} RENAME COLUMN day TO date"), True),
    ("a column widened", lambda lake: lake.sql("ALTER TABLE {t} ALTER COLUMN s.x TYPE bigint"), True),
    ("another column dropped", lambda lake: lake.sql("ALTER TABLE {t} DROP COLUMN day").add(900), True),
    ("another column added", lambda lake: lake.sql("ALTER TABLE {t} ADD COLUMN more bigint").add(900), True),
    ("names exchanged", _exchanged, True),
    ("a column dropped and made again", _made_again, False),
    ("compacted", lambda lake: lake.compact(), True),
]


@pytest.mark.parametrize(("change", "knows"), [pytest.param(*one[1:], id=one[0]) for one in CHANGES])
def test_a_changed_table_gives_the_same_by_metadata_and_scan(
    lake: Lake, change: Callable[[Lake], object], knows: bool
) -> None:
    change(lake)
    table = lake.open()
    found, by_scan = answers(table, *COUNTS), scanned(table, *COUNTS)
    assert found.items() <= by_scan.items()
    assert (m.NullCount(("code",)) in found) is knows
    assert clock_of(table) is not None


@pytest.mark.parametrize("version", ["2", "3"])
def test_rows_deleted_beside_the_files_silence_them(lakehouse: SparkSession, version: str) -> None:
    lake = Lake(lakehouse, "iceberg", f"format-version={version}", "write.delete.mode=merge-on-read").add(0)
    assert len(answers(lake.open(), *COUNTS)) == len(COUNTS)
    lake.sql("DELETE FROM {t} WHERE id % 10 = 3")
    assert answers(lake.open(), *COUNTS) == {}
    assert clock_of(lake.open()) is None
    assert scanned(lake.open(), *COUNTS)[m.RowCount()] == ROWS - ROWS // 10


@pytest.mark.parametrize(
    ("settings", "counts", "tells_time"),
    [
        pytest.param(["write.metadata.metrics.default=none"], 1, False, id="no metrics"),
        pytest.param(["write.metadata.metrics.default=counts"], 4, False, id="counts only"),
        pytest.param(["write.metadata.metrics.column.code=none"], 3, True, id="one column without"),
        pytest.param(["write.format.default=avro"], 1, False, id="Avro"),
        pytest.param(["write.format.default=orc"], 1, False, id="ORC rounds times"),
    ],
)
def test_only_what_every_file_says_is_known(
    lakehouse: SparkSession, settings: list[str], counts: int, tells_time: bool
) -> None:
    table = Lake(lakehouse, "iceberg", *settings).add(0).open()
    found = answers(table, *COUNTS)
    assert len(found) == counts
    assert found.items() <= scanned(table, *COUNTS).items()
    assert (clock_of(table) is not None) is tells_time


def test_an_earlier_snapshot_has_its_own_numbers(lake: Lake) -> None:
    (_, first_us), (_, second_us) = lake.commits()
    lake.sql("ALTER TABLE {t} RENAME COLUMN code TO word").add(5_000)
    table = lake.open(as_of_us=second_us - 1)
    assert answers(table, *COUNTS)[m.RowCount()] == ROWS
    assert answers(table, *COUNTS) == scanned(table, *COUNTS)
    assert clock_of(table) is not None
    found = read_commit_clock(table, second_us - 1)
    assert isinstance(found, Clock)
    assert found.last_us == first_us


def test_times_in_the_future_are_left_to_a_scan(lake: Lake) -> None:
    newest = BEGAN_US + (2 * ROWS - 1) * NEXT_US
    assert clock_of(lake.open(), as_of_us=newest) is not None
    assert clock_of(lake.open(), as_of_us=newest - 1) is None


def test_compaction_brings_no_data(lake: Lake, reads: Reads) -> None:
    (_, first_us), (number, last_us) = lake.commits()
    lake.compact()
    assert len(lake.commits()) == 3
    reads.start()
    assert read_commit_clock(lake.open(), LATER) == Clock(last_us, f"commit time of snapshot {number}", LATER)
    assert reads.rows() == 0
    found = read_commit_clock(lake.open(), last_us - 1)
    assert isinstance(found, Clock)
    assert found.last_us == first_us


def test_a_delete_is_a_commit_that_changes_data(lake: Lake) -> None:
    lake.sql("DELETE FROM {t} WHERE id < 9")
    number, last_us = lake.commits()[-1]
    assert read_commit_clock(lake.open(), LATER) == Clock(last_us, f"commit time of snapshot {number}", LATER)


def test_a_filter_leaves_commits_as_they_are(lake: Lake) -> None:
    table = opened_as(lake.spark, replace(catalog(lake.name), filter="id > 3"))
    assert read_commit_clock(table, LATER) == read_commit_clock(lake.open(), LATER)
    assert answer_counts(table, plan_of(*COUNTS)) == ({}, "")


def test_when_data_of_a_day_first_came(lakehouse: SparkSession) -> None:
    lake = Lake(lakehouse, "iceberg")
    lake.add(0, 50).add(100, 50)
    _, second_us = lake.commits()[-1]
    lake.add(150, 50).compact()
    number = lake.commits()[1][0]
    found = find_arrival(lake.open(), AT, BEGAN_US + 100 * NEXT_US)
    assert found == Arrival(True, f"column at by snapshot {number}", second_us)
    assert find_arrival(lake.open(), AT, BEGAN_US + 500 * NEXT_US) == Arrival(
        False, "column at by the history of commits"
    )


def test_data_that_was_there_before_the_day_began_is_not_late(lakehouse: SparkSession) -> None:
    lake = Lake(lakehouse, "iceberg")
    lake.sql("INSERT INTO {t} (id, at) VALUES (1, current_timestamp() + INTERVAL 1 HOUR)").add(0)
    since_us = lake.commits()[-1][1] + 1_000
    assert find_arrival(lake.open(as_of_us=LATER), AT, since_us) == Arrival(True, "column at by the history of commits")


def test_the_first_commit_of_a_day(lake: Lake) -> None:
    (first, first_us), (second, second_us) = lake.commits()
    table = lake.open()
    assert find_arrival(table, COMMITS, first_us) == Arrival(True, f"commit time of snapshot {first}", first_us)
    assert find_arrival(table, COMMITS, first_us + 1) == Arrival(True, f"commit time of snapshot {second}", second_us)
    assert find_arrival(table, COMMITS, second_us + 1) == Arrival(False, "history of commits")


def test_a_forgotten_history_leaves_the_time_open(lake: Lake) -> None:
    _, second_us = lake.commits()[-1]
    number = lake.commits()[-1][0]
    lake.sql("CALL ice.system.expire_snapshots(table => '{t}', older_than => timestamp'2100-01-01', retain_last => 1)")
    assert len(lake.commits()) == 1
    assert find_arrival(lake.open(), COMMITS, second_us) == Arrival(True, f"commit time of snapshot {number}")
    assert find_arrival(lake.open(), AT, BEGAN_US) == Arrival(True, "column at by the history of commits")
