"""The oldest and the newest line of Spark that is promised: the same jobs find the same there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.environments import Environment, environment, wheel
from support.spark_jobs import FOUND, clean, found_in, shop

from floe_contracts.adapters.files.packaged import job_file

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow
PATIENCE_S = 600
EVENTS = """\
schema: events
version: "1.0.0"
owner: checkout
servers: [{server: here, type: local, path: ../events, format: json}]
fields:
  - {name: event_id, type: STRING, nullable: false, primary_key: true}
  - {name: happened_at, type: TIMESTAMP}
"""
CASTS = """\
from floe_contracts.adapters.spark.session.start import spark_session
from floe_contracts.adapters.spark.measure.limits import try_cast
from pyspark.sql import functions as sf, types as st

spark = spark_session("casts")
rows = spark.sql("SELECT 99999999999L AS n, 'x' AS t, '2024-02-29 ' AS d")
casts = [try_cast(sf.col("n"), st.IntegerType()), try_cast(sf.col("t"), st.DateType())]
day = sf.try_to_timestamp(sf.col("d"), sf.lit("yyyy-MM-dd"))
for ansi in ("false", "true"):
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    print(*rows.select(*casts, day).first())
"""
LINES = '{"event_id": "e1"}\n{"event_id": "e1"}\n{"event_id": null}\nno json\n'


@pytest.fixture(scope="module")
def place(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shop(tmp_path_factory.mktemp("sparks") / "shop", spark)
    (folder / "followed").mkdir()
    (folder / "followed" / "events.yaml").write_text(EVENTS)
    (folder / "events").mkdir()
    (folder / "events" / "1.json").write_text(LINES)
    return folder


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module", params=["pyspark==3.5.*", "pyspark>=4.2,<5"], ids=["3.5", "the newest 4"])
def other(request: pytest.FixtureRequest, built: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    packages = (f"floe-contracts[spark] @ {built.as_uri()}", request.param)
    return environment(tmp_path_factory.mktemp("spark") / "venv", *packages)


def test_every_check_finds_the_same(other: Environment, place: Path) -> None:
    clean(place)
    report = _ran(place, other.program("floe"), "monitor", "run", "all", "--contracts", "contracts")
    assert found_in(report) == FOUND


def test_a_stream_finds_the_same(other: Environment, place: Path, tmp_path: Path) -> None:
    clean(place)
    asked = ("--contracts", "followed", "--checkpoint", str(tmp_path), "--available-now")
    report = _ran(place, other.python, job_file("stream"), *asked)
    assert report["notes"] == ["events.v1.events: 1 batch, 4 rows, 1 unreadable, 2 bad"]
    assert found_in(report) == ["events quality violated FLOE-E553 FLOE-E553 FLOE-E553 score=0.00"]


def test_what_cannot_be_cast_is_null_in_both_modes(other: Environment, place: Path) -> None:
    asked = [other.python, "-c", CASTS]
    done = subprocess.run(asked, cwd=place, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.stdout.split() == ["None"] * 6, done.stderr[-2_000:]


def _ran(place: Path, *command: str) -> Any:
    asked = (*command, "--format", "json", "--store", "memory:")
    done = subprocess.run(asked, cwd=place, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout)
