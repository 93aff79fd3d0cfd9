"""How often a table is read, by Spark's own count of the rows that came from files."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from support.spark_reads import Reads

from floe_contracts.adapters.spark.measure.tables import MeasureOptions, measure
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Number
from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.checks.rules.check import QualityCheck, TableRules
from floe_contracts.monitor.run.plan import TablePlan, plan_rules

ROWS = 1_000
COUNTS: list[m.Measure] = [
    *(m.NullCount((name,)) for name in ("id", "code", "amount", "at")),
    *(m.InvalidCount(("amount",), m.Within(str(least))) for least in range(10)),
    *(m.InvalidCount(("code",), m.LengthBetween(most=most)) for most in range(5)),
    m.InvalidCount(("code",), m.Matches("c[0-9]+")),
]
KEYS: list[m.Measure] = [m.DuplicateCount((("id",),)), m.DuplicateCount((("code",), ("amount",)))]


def plan(*measures: m.Measure, clock: ClockChoice | None = None) -> TablePlan:
    rules = tuple(QualityCheck(str(number), "", "", one) for number, one in enumerate(measures))
    return plan_rules(TableRules("orders", rules), clock=clock)


@pytest.fixture(scope="module")
def clean(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    return _table(spark, tmp_path_factory.mktemp("clean"), ROWS)


@pytest.fixture(scope="module")
def dirty(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> DataFrame:
    return _table(spark, tmp_path_factory.mktemp("dirty"), ROWS - 10)


def _table(spark: SparkSession, place: Path, different: int) -> DataFrame:
    columns = f"id % {different} AS id", f"concat('c', id % {different}) AS code", "id % 7 AS amount"
    spark.range(ROWS).selectExpr(*columns, "timestamp_micros(id) AS at").write.parquet(str(place / "table"))
    return spark.read.parquet(str(place / "table"))


def test_twenty_rules_are_one_scan(clean: DataFrame, reads: Reads) -> None:
    reads.start()
    found = measure(clean, plan(*COUNTS))
    assert (reads.rows(), found.scans) == (ROWS, 1)


def test_the_clock_comes_with_the_first_pass(clean: DataFrame, reads: Reads) -> None:
    reads.start()
    found = measure(clean, plan(*COUNTS, clock=ClockChoice(("at",), "")), options=MeasureOptions(as_of_us=ROWS))
    assert (reads.rows(), found.scans) == (ROWS, 1)


def test_all_keys_together_are_one_more(clean: DataFrame, reads: Reads) -> None:
    reads.start()
    found = measure(clean, plan(*COUNTS, *KEYS))
    assert (reads.rows(), found.scans) == (2 * ROWS, 2)
    assert found.how == "1 pass over the rows; 2 keys by hashes sorted on the driver"


@pytest.mark.parametrize("budget", [pytest.param(10**9, id="driver"), pytest.param(0, id="executors")])
def test_suspects_are_one_more_again(dirty: DataFrame, reads: Reads, budget: int) -> None:
    reads.start()
    found = measure(dirty, plan(*COUNTS, *KEYS), options=MeasureOptions(driver_bytes=budget))
    assert (reads.rows(), found.scans) == (3 * ROWS, 3)
    assert [found.values[one] for one in KEYS] == [10, 0]


def test_what_metadata_knows_is_not_read(clean: DataFrame, reads: Reads) -> None:
    reads.start()
    known: dict[m.Measure, Number] = {m.RowCount(): ROWS, m.NullCount(("id",)): 0}
    found = measure(clean, plan(m.NullCount(("id",))), options=MeasureOptions(known=known, known_how="Parquet footers"))
    assert (reads.rows(), found.scans, found.how) == (0, 0, "Parquet footers")
    assert found.values == known
