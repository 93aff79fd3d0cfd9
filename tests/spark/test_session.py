"""Sessions: a job's own in a program of its own, far from UTC and without rights, and one beside somebody else's."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession
from support.spark_elsewhere import answers

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.adapters.spark.session.start import own_session, spark_session, utc_session

TESTS = Path(__file__).parent.parent
ZONE = "spark.sql.session.timeZone"
_DROP = 24  # PR_CAPBSET_DROP of prctl(2)
_BEYOND_RIGHTS = (1, 2)  # CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, by which root reads what nobody may


def _as_anybody() -> None:
    """Take from root what lets it read locked files; from others there is nothing to take."""
    libc = ctypes.CDLL(None, use_errno=True)
    for one in _BEYOND_RIGHTS:
        libc.prctl(_DROP, one, 0, 0, 0)


@pytest.fixture(scope="module")
def places(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Times half an hour before noon in three formats, and a file that nobody may read."""
    place = tmp_path_factory.mktemp("times")
    rows = spark.sql(
        "SELECT timestamp'2026-01-03 11:30:00Z' AS moment, timestamp_ntz'2026-01-03 11:30:00' AS wall, "
        "date'2026-01-02' AS day"
    )
    for form in ("parquet", "csv", "json"):
        rows.write.option("header", "true").format(form).save(str(place / form))
    locked = place / "locked.parquet"
    locked.write_bytes(b"PAR1")
    locked.chmod(0)
    return place, locked


@pytest.fixture(scope="module")
def elsewhere(places: tuple[Path, Path]) -> dict[str, Any]:
    """What a driver in New York found."""
    environment = {**os.environ, "TZ": "America/New_York", "PYTHONPATH": f"{TESTS}:{TESTS.parent / 'src'}"}
    done = subprocess.run(
        [sys.executable, str(TESTS / "support" / "spark_elsewhere.py"), *map(str, places)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
        preexec_fn=_as_anybody,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_a_driver_in_new_york_finds_the_same(
    spark: SparkSession, elsewhere: dict[str, Any], places: tuple[Path, Path]
) -> None:
    assert elsewhere["zone"] == "America/New_York"
    found = elsewhere["answers"]
    assert found == answers(SparkEngine(spark), places[0])
    assert (found["parquet moment"], found["csv wall"]) == (1_767_439_800_000_000, 1_767_439_800_000_000)
    assert [found[f"{form} verdict"] for form in ("parquet", "csv", "json")] == ["passed"] * 3


def test_a_file_without_permission(elsewhere: dict[str, Any]) -> None:
    assert elsewhere["locked"] == "permission to read it is denied"


def test_the_settings_of_a_session_of_our_own(elsewhere: dict[str, Any]) -> None:
    assert elsewhere["settings"] == {
        ZONE: "UTC",
        "spark.scheduler.mode": "FAIR",
        "spark.ui.enabled": "false",
        "spark.app.name": "floe elsewhere",
        "spark.master": "local[*]",
    }


@pytest.fixture
def theirs(spark: SparkSession) -> SparkSession:
    """Somebody's session in New York, with settings of their own."""
    session = spark.newSession()
    session.conf.set(ZONE, "America/New_York")
    session.conf.set("spark.sql.ansi.enabled", "false")
    return session


def test_a_session_beside_theirs_has_their_settings_and_our_zone(theirs: SparkSession) -> None:
    theirs.sql("CREATE DATABASE IF NOT EXISTS beside")
    theirs.catalog.setCurrentDatabase("beside")
    ours = own_session(theirs)
    assert (ours.conf.get(ZONE), ours.conf.get("spark.sql.ansi.enabled")) == ("UTC", "false")
    assert ours.catalog.currentDatabase() == "beside"
    assert (theirs.conf.get(ZONE), theirs.catalog.currentDatabase()) == ("America/New_York", "beside")


def test_a_session_in_utc_is_used_as_it_is(spark: SparkSession, theirs: SparkSession) -> None:
    in_utc = own_session(theirs)
    assert utc_session(in_utc) is in_utc
    assert utc_session(theirs) is not theirs


def test_a_running_spark_is_joined(spark: SparkSession) -> None:
    joined = spark_session("floe test", settings={"spark.sql.shuffle.partitions": "77"})
    assert joined.sparkContext.applicationId == spark.sparkContext.applicationId
    assert joined.conf.get(ZONE) == "UTC"


def test_an_engine_in_a_session_of_new_york_finds_the_same(
    spark: SparkSession, theirs: SparkSession, places: tuple[Path, Path]
) -> None:
    assert answers(SparkEngine(theirs), places[0]) == answers(SparkEngine(spark), places[0])


def test_a_spark_that_cannot_start_is_told_in_one_line() -> None:
    code = (
        "from floe_contracts.adapters.spark.session.start import spark_session\n"
        "from floe_contracts.errors import FloeError\n"
        "try:\n    spark_session('x', settings={'spark.driver.memory': '1k'})\n"
        "except FloeError as error:\n    print(error.message)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(TESTS.parent / "src")}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=200, check=False
    )
    said = done.stdout.splitlines()
    assert said[-1] == "Spark could not start: its Java ended at once, and what it said stands above"
    assert "Traceback" not in done.stdout + done.stderr
