"""A harmless pattern and one long text, wherever Spark runs: the run ends with a report on all contracts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support.running import fresh_floe
from support.spark_jobs import ROOT, Submit, bare_python, report_of

from floe_contracts.cli.main import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ASKED = ("contracts", "--format", "json", "--store", "memory:")
HOLDS = {"before": "passed", "long": "passed", "after": "passed"}
GUARDED = {**HOLDS, "long": "errored"}
CONTRACT = """\
schema: {name}
version: "1.0.0"
owner: shop
servers: [{{server: here, type: local, path: ../data/{name}, format: parquet}}]
fields:
  - {{name: id, type: BIGINT, nullable: false}}
  - {{name: text, type: STRING, pattern: '{pattern}'}}
"""


@pytest.fixture(scope="module")
def place(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three contracts, of which the second has a text that overflows a stack of the usual size."""
    folder = tmp_path_factory.mktemp("long")
    (folder / "contracts").mkdir()
    for name in HOLDS:
        length = 20_000 if name == "long" else 2
        pattern = r"(\w|\s|[.,;:!?-])*"
        (folder / "contracts" / f"{name}.yaml").write_text(CONTRACT.format(name=name, pattern=pattern))
        rows = spark.sql(f"SELECT id, repeat('a', {length}) AS text FROM range(3)")
        rows.write.parquet(str(folder / "data" / name))
    return folder


def outcomes(report: dict[str, Any]) -> dict[str, str]:
    return {result["contract"]: result["outcome"] for result in report["results"]}


def test_in_a_session_that_somebody_else_started(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(place)
    assert main(["monitor", "run", "quality", *ASKED]) == 0
    report = json.loads(capsys.readouterr().out)
    assert outcomes(report) == GUARDED
    (guilty,) = (result for result in report["results"] if result["contract"] == "long")
    assert ["a text is longer than" in item["message"] for item in guilty["findings"]] == [True]


@pytest.mark.slow
def test_where_floe_starts_spark_the_stack_is_large_enough(place: Path) -> None:
    ran = fresh_floe("monitor", "run", "quality", *ASKED, cwd=place)
    assert (ran.code, outcomes(json.loads(ran.out))) == (0, HOLDS), ran.err


@pytest.mark.slow
@pytest.mark.parametrize("master", ["local[2]", "local-cluster[2,1,1024]"])
def test_under_spark_submit_only_the_rule_itself_is_lost(place: Path, master: str) -> None:
    submit = Submit(place, bare_python(place), master=master, job=ROOT / "batch" / "quality.py")
    ran = submit("--contracts", *ASKED, "--log-format", "json")
    assert outcomes(report_of(ran)) == GUARDED, ran.err
    assert ran.code == 0
