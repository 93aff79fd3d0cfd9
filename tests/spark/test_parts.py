"""A re-check reads what is new, and says what a full check says."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from support.spark_reads import Reads

from floe_contracts.adapters.spark.measure.parts import Parts, measure_parts
from floe_contracts.adapters.spark.measure.tables import MeasureOptions, measure
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Clock
from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.checks.rules.check import QualityCheck, TableRules
from floe_contracts.monitor.run.engine import Measurements
from floe_contracts.monitor.run.plan import plan_rules
from floe_contracts.monitor.store.states import TableState, decode_state, encode_state

PART = 400  # rows
MEASURES: list[m.Measure] = [
    m.NullCount(("code",)),
    m.InvalidCount(("amount",), m.Within("1")),
    m.InvalidCount(("items", "[]"), m.Within("1")),
    m.DuplicateCount((("id",),)),
    m.DuplicateCount((("id",),), count_rows=True),
    m.DuplicateCount((("code",), ("amount",)), count_rows=True),
]
RULES = TableRules("orders", tuple(QualityCheck(str(number), "", "", one) for number, one in enumerate(MEASURES)))
PLAN = plan_rules(RULES, clock=ClockChoice(("at",), ""))
LATER = MeasureOptions(as_of_us=10**9)


class Table:
    """A table of parquet folders, each a part."""

    def __init__(self, spark: SparkSession, place: Path) -> None:
        self.spark, self.place, self.parts = spark, place, dict[str, str]()

    def add(self, part: str, first: int, rows: int = PART, version: str = "1") -> Table:
        columns = "id", "nullif(concat('c', id), 'c7') AS code", "id % 5 AS amount", "array(id % 3, null) AS items"
        frame = self.spark.range(first, first + rows).selectExpr(*columns, "timestamp_micros(id) AS at")
        frame.write.mode("overwrite").parquet(str(self.place / f"part={part}"))
        self.parts[part] = version
        return self

    def only(self, parts: Collection[str]) -> DataFrame:
        reader = self.spark.read.option("basePath", str(self.place))
        return reader.parquet(*(str(self.place / f"part={one}") for one in sorted(parts)))

    def check(self, state: TableState | None = None, options: MeasureOptions = LATER) -> Measurements:
        parts = Parts(self.parts, sf.col("part"), self.only)
        return measure_parts(self.only(self.parts), PLAN, parts, state, options=options)

    def check_all(self) -> Measurements:
        return measure(self.only(self.parts), PLAN, options=LATER)


@pytest.fixture
def table(spark: SparkSession, tmp_path: Path) -> Table:
    return Table(spark, tmp_path).add("a", 0).add("b", PART).add("c", 2 * PART - 3)  # three ids twice


def agree(found: Measurements, whole: Measurements) -> None:
    assert (found.values, found.rows, found.clock) == (whole.values, whole.rows, whole.clock)


def test_the_first_run_says_what_a_full_check_says(table: Table) -> None:
    found = table.check()
    agree(found, table.check_all())
    assert found.state is not None
    assert [one.part for one in found.state.parts] == ["a", "b", "c"]


def test_nothing_new_reads_nothing(table: Table, reads: Reads) -> None:
    first = table.check()
    reads.start()
    second = table.check(first.state)
    assert (reads.rows(), second.scans, second.how) == (0, 0, "3 of 3 parts known from the last run")
    agree(second, first)


def test_a_state_survives_a_store(table: Table) -> None:
    state = table.check().state
    assert state is not None
    assert decode_state(encode_state(state, "orders", PLAN.plan_hash)) == state


@pytest.mark.parametrize(
    ("first", "rows"),
    [
        pytest.param(10_000, PART, id="many new rows"),
        pytest.param(10_000, 40, id="few new rows are looked up"),
        pytest.param(5, 40, id="few new rows that repeat old ones"),
        pytest.param(2 * PART - 4, 3, id="new rows that repeat what was repeated already"),
    ],
)
def test_new_rows_are_added_to_what_is_known(table: Table, first: int, rows: int) -> None:
    before = table.check()
    table.add("d", first, rows)
    agree(table.check(before.state), table.check_all())


def test_counting_reads_the_new_part_only(table: Table, reads: Reads) -> None:
    before = table.check()
    table.add("d", 10_000, 40)
    reads.start()
    found = table.check(before.state)
    counting, hashing, looking_up = 40, 40, 3 * PART
    assert (reads.rows(), found.scans) == (counting + hashing + looking_up, 3)
    assert found.how == (
        "3 of 4 parts known from the last run; 1 pass over the rows; "
        "2 keys by hashes of fresh rows looked up in the history"
    )


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda table: table.parts.pop("c"), id="a part is gone"),
        pytest.param(lambda table: table.add("c", 5_000, version="2"), id="a part was rewritten"),
        pytest.param(lambda table: table.add("c", 0, version="2").add("d", 0, 5), id="rewritten and added"),
    ],
)
def test_what_was_taken_away_is_forgotten(table: Table, change: object) -> None:
    before = table.check()
    assert callable(change)
    change(table)
    agree(table.check(before.state), table.check_all())


def test_a_part_without_rows_counts_as_nothing(table: Table) -> None:
    before = table.check()
    table.add("d", 0, 0)
    agree(table.check(before.state), before)


def test_rows_from_the_future_are_told_apart(table: Table) -> None:
    before = table.check()
    clock = table.check(before.state, MeasureOptions(as_of_us=900)).clock
    assert isinstance(clock, Clock)
    assert (clock.last_us, clock.future, clock.nulls) == (900, 2 * PART - 3 + PART - 901, 0)
