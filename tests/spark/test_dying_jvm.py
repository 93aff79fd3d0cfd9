"""Java ends in the middle of a run: the report is written, slots are free, and the exit code says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.spark_killer import PLACES, STREAM_PLACES

from floe_contracts.adapters.store.address import open_sql_store
from floe_contracts.monitor.store.slots import Series

TESTS = Path(__file__).parents[1]
NAMES = ("a", "b", "c")
CONTRACT = """\
schema: {name}
version: "1.0.0"
owner: x
servers: [{{server: here, type: local, path: ../data/{name}.csv, format: csv}}]
fields:
  - {{name: id, type: STRING, nullable: false, primary_key: true}}
  - {{name: status, type: STRING, enum: [paid]}}
"""
NOISE = ("py4j", "Traceback", "Closing down", "Connection refused", "internal error")


def shop(folder: Path, enforcement: str) -> Path:
    for inside in ("contracts", "data", ".floe"):
        (folder / inside).mkdir(parents=True)
    for name in NAMES:
        (folder / "contracts" / f"{name}.yaml").write_text(CONTRACT.format(name=name))
        (folder / "data" / f"{name}.csv").write_text("id,status\n1,paid\n2,lost\n")
    (folder / ".floe/monitoring.yaml").write_text(f"data_contracts: {{enforcement: {enforcement}}}\n")
    return folder


def run(folder: Path, place: str, *words: str) -> tuple[int, str, dict[str, Any]]:
    """The exit code, all that was printed, and the report."""
    paths = os.pathsep.join(str(path) for path in (TESTS, TESTS.parent / "src"))
    command = ["monitor", "run", *(words or ("quality",)), "contracts", "--format", "json", "--output", "report.json"]
    done = subprocess.run(
        [sys.executable, "-m", "support.spark_killer", place, *command],
        env={**os.environ, "PYTHONPATH": paths},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr, json.loads((folder / "report.json").read_text())


@pytest.mark.parametrize(
    ("place", "enforcement", "outcomes", "code"),
    [
        pytest.param(PLACES[0], "block", ["errored", "errored", "errored"], 2, id=PLACES[0]),
        pytest.param(PLACES[1], "warn", ["errored", "errored", "errored"], 2, id=PLACES[1]),
        pytest.param(PLACES[2], "block", ["violated", "errored", "errored"], 1, id=PLACES[2]),
        pytest.param(PLACES[3], "alert_only", ["violated", "violated", "violated"], 0, id=PLACES[3]),
        pytest.param(PLACES[4], "alert_only", ["errored", "errored", "errored"], 2, id=PLACES[4]),
    ],
)
def test_java_ends(tmp_path: Path, place: str, enforcement: str, outcomes: list[str], code: int) -> None:
    folder = shop(tmp_path / "shop", enforcement)
    exit_code, printed, report = run(folder, place)
    assert exit_code == code, printed
    assert [result["outcome"] for result in report["results"]] == outcomes
    assert not [word for word in NOISE if word in printed]
    store = open_sql_store(f"sqlite:///{folder}/.floe/monitoring.db")
    kept = {name: len(store.history(Series("floe", name, 1, "quality"), 0)) for name in NAMES}
    store.close()
    assert kept == {name: int(outcome != "errored") for name, outcome in zip(NAMES, outcomes, strict=True)}
    notes = [note for note in report.get("notes", []) if "not made" in note]
    assert len(notes) == int("errored" in outcomes)


@pytest.mark.parametrize(
    ("place", "enforcement", "outcome", "code"),
    [
        pytest.param(STREAM_PLACES[0], "warn", "errored", 2, id=STREAM_PLACES[0]),
        pytest.param(STREAM_PLACES[1], "block", "errored", 2, id=STREAM_PLACES[1]),
        pytest.param(STREAM_PLACES[2], "alert_only", "violated", 2, id=STREAM_PLACES[2]),
        pytest.param(STREAM_PLACES[2], "block", "violated", 1, id=f"{STREAM_PLACES[2]}, and it blocks"),
        pytest.param(STREAM_PLACES[3], "warn", "errored", 2, id=STREAM_PLACES[3]),
    ],
)
def test_java_ends_under_a_stream(tmp_path: Path, place: str, enforcement: str, outcome: str, code: int) -> None:
    """The report is written, the exit code says so, and the next start counts every row once."""
    folder = shop(tmp_path / "shop", enforcement)
    for name in NAMES[1:]:
        (folder / "contracts" / f"{name}.yaml").unlink()
    data = folder / "data/a"
    data.mkdir()
    (data / "first.json").write_text('{"id": "1", "status": "paid"}\n{"id": "2", "status": "lost"}\n')
    contract = folder / "contracts/a.yaml"
    contract.write_text(contract.read_text().replace("../data/a.csv, format: csv", "../data/a, format: json"))
    words = ("stream", "--checkpoint", "checkpoint", "--available-now")
    exit_code, printed, report = run(folder, place, *words)
    assert exit_code == code, printed
    assert [result["outcome"] for result in report["results"]] == [outcome]
    assert not [word for word in NOISE if word in printed]
    assert len([note for note in report["notes"] if "comes again with the next start" in note]) == 1
    if place in STREAM_PLACES[1:3]:
        run(folder, "nowhere", *words)
    store = open_sql_store(f"sqlite:///{folder}/.floe/monitoring.db")
    kept = store.history(Series("floe", "a", 1, "quality"), 0)
    store.close()
    assert [dict(slot.gauges)["rows"] for slot in kept] == ([2] if place in STREAM_PLACES[1:3] else [])
