"""A re-check of Iceberg and Delta reads the files that are new, and says what a check of all of them says."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pyspark.sql import SparkSession
from support.spark_lakes import ROWS, Lake
from support.spark_metadata import LATER, WHOLE, agree, check, check_all, plan_of
from support.spark_reads import Reads

from floe_contracts.adapters.spark.measure.parts import measure_parts
from floe_contracts.adapters.spark.measure.tables import MeasureOptions
from floe_contracts.adapters.spark.metadata import parts_of
from floe_contracts.monitor.store.states import TableState, decode_state, encode_state


@pytest.fixture(params=["iceberg", "delta"])
def lake(lakehouse: SparkSession, request: pytest.FixtureRequest) -> Lake:
    return Lake(lakehouse, request.param).add(0).add(ROWS).add(2 * ROWS - 3)


def kept(lake: Lake) -> TableState:
    """What a store has of the first check."""
    found = check(lake.open())
    agree(found, check_all(lake.open()))
    assert found.state is not None
    state = decode_state(encode_state(found.state, "lake", ""))
    assert state is not None
    return state


def test_new_files_are_the_only_ones_that_are_read(lake: Lake, reads: Reads) -> None:
    state = kept(lake)
    assert check(lake.open(), state).scans == 0
    lake.add(10_000, 20)
    table = lake.open()
    reads.start()
    found = check(table, state)
    counted, hashed, looked_up = 20, 20, 3 * ROWS
    assert reads.rows() == counted + hashed + looked_up
    assert found.how.startswith("3 of 4 parts known from the last run")
    agree(found, check_all(table))


CHANGES: list[tuple[str, Callable[[Lake], object]]] = [
    ("rows deleted", lambda lake: lake.sql("DELETE FROM {t} WHERE id < 9")),
    ("rows changed and added", lambda lake: lake.sql("UPDATE {t} SET code = null WHERE id = 8").add(5_000, 7)),
    ("compacted", lambda lake: lake.compact()),
    ("overwritten", lambda lake: lake.sql("INSERT OVERWRITE {t} SELECT * FROM {t} WHERE id < 100")),
    ("a column added", lambda lake: lake.sql("ALTER TABLE {t} ADD COLUMN more bigint").add(5_000, 7)),
]


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change in CHANGES])
def test_what_changed_is_measured_anew(lake: Lake, change: Callable[[Lake], object]) -> None:
    state = kept(lake)
    change(lake)
    agree(check(lake.open(), state), check_all(lake.open()))


BESIDE = [
    pytest.param("iceberg", ["format-version=2", "write.delete.mode=merge-on-read"], id="Iceberg's delete files"),
    pytest.param("iceberg", ["format-version=3", "write.delete.mode=merge-on-read"], id="Iceberg's deletion vectors"),
    pytest.param("delta", ["delta.enableDeletionVectors=true"], id="Delta's deletion vectors"),
]


@pytest.mark.parametrize(("kind", "settings"), BESIDE)
def test_rows_deleted_beside_their_files_make_these_new(
    lakehouse: SparkSession, kind: str, settings: list[str]
) -> None:
    lake = Lake(lakehouse, kind, *settings).add(0).add(ROWS).add(2 * ROWS)
    state = kept(lake)
    for gone in ("id BETWEEN 5 AND 8", "id BETWEEN 20 AND 21"):
        lake.sql(f"DELETE FROM {{t}} WHERE {gone}")
        table = lake.open()
        parts = parts_of(table)
        assert parts is not None
        assert sum(parts.files[one.part] != one.files for one in state.parts) == 1
        again = check(table, state)
        agree(again, check_all(table))
        assert again.state is not None
        state = again.state


def test_names_that_were_exchanged_make_all_files_new(lakehouse: SparkSession) -> None:
    lake = Lake(lakehouse, "delta", "delta.columnMapping.mode=name").add(0).add(ROWS)
    state = kept(lake)
    for old, new in (("code", "x"), ("local", "code"), ("x", "local")):
        lake.sql(f"ALTER TABLE {{t}} RENAME COLUMN {old} TO {new}")
    agree(check(lake.open(), state), check_all(lake.open()))


@pytest.mark.parametrize("kind", ["iceberg", "delta"])
def test_partitions_with_odd_names_are_parts_like_others(lakehouse: SparkSession, kind: str) -> None:
    lake = Lake(lakehouse, kind, partitioned="PARTITIONED BY (code)")
    lake.sql("INSERT INTO {t} (id, code) VALUES (1, 'a b:%/?#ü'), (2, null), (3, 'x')")
    state = kept(lake)
    lake.sql("INSERT INTO {t} (id, code) VALUES (11, 'a b:%/?#ü')")
    table = lake.open()
    found = check(table, state)
    assert found.how.startswith("3 of 4 parts known from the last run")
    agree(found, check_all(table))


def test_what_is_written_meanwhile_is_left_to_the_next_check(lake: Lake) -> None:
    """Repeated keys that are kept must be those of the parts that are kept."""
    table = lake.open()
    parts = parts_of(table)
    lake.add(0, 20)
    assert parts is not None
    options, plan = MeasureOptions(as_of_us=LATER), plan_of(*WHOLE)
    found = measure_parts(parts.only(parts.files), plan, parts, None, options=options)
    assert (found.rows, found.values[WHOLE[-1]]) == (3 * ROWS, 3)
    agree(check(lake.open(), found.state, clock=None), check_all(lake.open(), clock=None))


def test_an_earlier_snapshot_of_iceberg_has_no_parts(lakehouse: SparkSession) -> None:
    lake = Lake(lakehouse, "iceberg").add(0).add(ROWS)
    assert parts_of(lake.open(as_of_us=lake.commits()[-1][1] - 1)) is None


def test_a_table_without_rows_has_no_parts(lakehouse: SparkSession) -> None:
    for kind in ("iceberg", "delta"):
        assert parts_of(Lake(lakehouse, kind).open()) is None
