"""One bad source among good ones: it is errored with its cause in one line, the others are checked, in time."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from support.builders import column
from support.hanging import hanging_server
from support.spark_bindings import ID, registered
from support.spark_plans import plan
from support.spark_runs import on_files, run

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.adapters.spark.session.time_limit import run_within
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Failure
from floe_contracts.contract.model import QualityRule, Server, Threshold
from floe_contracts.monitor.run.engine import Surroundings
from floe_contracts.results import Outcome

REQUIRED = replace(ID, required=True)
SLOW_S = 60
SLEEP = f"java_method('java.lang.Thread', 'sleep', {SLOW_S}000L)"


def _missing(place: Path) -> Path:
    return place / "nothing"


def _damaged(place: Path) -> Path:
    """A footer that is fine, and pages that are not."""
    (file,) = (place / "t").glob("*.parquet")
    data = file.read_bytes()
    file.write_bytes(data[:4] + bytes(len(data) // 3) + data[4 + len(data) // 3 :])
    (place / "t" / f".{file.name}.crc").unlink()
    return place / "t"


def _garbage(place: Path) -> Path:
    (place / "g.parquet").write_bytes(b"PAR1 no table PAR1")
    return place / "g.parquet"


@pytest.fixture
def good(spark: SparkSession, tmp_path: Path) -> Path:
    spark.range(200).coalesce(1).write.parquet(str(tmp_path / "good" / "t"))
    shutil.copytree(tmp_path / "good", tmp_path / "bad")
    return tmp_path / "good" / "t"


@pytest.mark.parametrize(
    ("spoil", "cause"),
    [
        pytest.param(_missing, "Path does not exist: file:", id="missing files"),
        pytest.param(_garbage, "a file cannot be read, its schema is missing or damaged", id="no parquet"),
        pytest.param(_damaged, "a file cannot be read (FAILED_READ_FILE", id="damaged pages"),
    ],
)
def test_a_bad_file_is_nobody_elses_trouble(
    spark: SparkSession, good: Path, tmp_path: Path, spoil: Callable[[Path], Path], cause: str
) -> None:
    rules = column("id", "integer", maximum="1000")
    bad = on_files(spoil(tmp_path / "bad"), rules, name="bad")
    found = run(SparkEngine(spark), "quality", bad, on_files(good, rules, name="good"))
    assert {name: one.outcome for name, one in found.items()} == {"bad": Outcome.ERRORED, "good": Outcome.PASSED}
    assert all(cause in one.message and "\n" not in one.message for one in found["bad"].findings)


@pytest.mark.parametrize(
    ("query", "cause"),
    [
        pytest.param("SELECT max(1 / (id - 3)) FROM t", "something is divided by zero (DIVIDE_BY_ZERO)", id="zero"),
        pytest.param(
            "SELECT max(CAST(concat('x', id) AS int)) FROM t",
            "a text cannot be read as the type it is cast to (CAST_INVALID_INPUT)",
            id="a cast",
        ),
    ],
)
def test_an_error_in_one_rule_under_ansi_mode(spark: SparkSession, good: Path, query: str, cause: str) -> None:
    rule = QualityRule("sql", query=query.replace("FROM t", "FROM {object}"), thresholds=((Threshold.MUST_BE, 0),))
    bad = on_files(good, column("id", "integer", quality=(rule,)), name="bad")
    found = run(SparkEngine(spark), "quality", bad, on_files(good, REQUIRED, name="good"))
    assert {name: one.outcome for name, one in found.items()} == {"bad": Outcome.ERRORED, "good": Outcome.PASSED}
    assert any(cause in one.message for one in found["bad"].findings)


def test_a_computation_that_takes_too_long_is_cancelled(spark: SparkSession) -> None:
    engine = SparkEngine(spark, {"slow": spark.range(2).selectExpr("id", f"{SLEEP} AS x").where("x IS NULL")})
    started = time.monotonic()
    found = engine.measure(registered("slow"), plan(m.NullCount(("id",))), Surroundings(limit_s=3.0))
    assert found == Failure("it gave no answer within 3 seconds")
    assert time.monotonic() - started < 30
    tracker = spark.sparkContext.statusTracker()
    until = time.monotonic() + SLOW_S / 2
    while tracker.getActiveJobsIds() and time.monotonic() < until:
        time.sleep(0.2)
    assert tracker.getActiveJobsIds() == []


def test_what_was_given_up_asks_no_more(spark: SparkSession) -> None:
    """A first job is cancelled at the limit; the thread that goes on is refused its second."""
    asked: list[str] = []

    def work() -> bool:
        frame: DataFrame = spark.range(1)
        try:
            frame.selectExpr(SLEEP).collect()
        finally:
            try:
                frame.count()
                asked.append("answered")
            except Exception:
                asked.append("refused")
        return True

    assert isinstance(run_within(spark, 2.0, work), Failure)
    until = time.monotonic() + SLOW_S / 2
    while not asked and time.monotonic() < until:
        time.sleep(0.2)
    assert asked == ["refused"]


def test_a_run_with_a_hanging_database_ends_in_time(lakehouse: SparkSession, good: Path) -> None:
    with hanging_server() as port:
        server = Server("here", "postgres", coordinates={"host": "127.0.0.1", "port": port, "database": "shop"})
        bad = replace(on_files("x", ID, name="bad"), servers=(server,))
        started = time.monotonic()
        found = run(SparkEngine(lakehouse), "schema_drift", bad, on_files(good, ID, name="good"), limit_s=5.0)
        seconds = time.monotonic() - started
    assert {name: one.outcome for name, one in found.items()} == {"bad": Outcome.ERRORED, "good": Outcome.PASSED}
    assert seconds < 60


def test_a_hanging_source_is_not_available(lakehouse: SparkSession) -> None:
    with hanging_server() as port:
        server = Server("here", "postgres", coordinates={"host": "127.0.0.1", "port": port, "database": "shop"})
        bad = replace(on_files("x", ID, name="bad"), servers=(server,))
        found = run(SparkEngine(lakehouse), "availability", bad, limit_s=4.0)
    assert found["bad"].outcome is Outcome.VIOLATED
