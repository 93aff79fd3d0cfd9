"""SIGKILL at each thing that a run does, then the same run again: totals exact, nothing lost, nothing told twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.answering import receiver
from support.lineage_spec import conforms
from support.otlp_receivers import unpacked
from support.pipelines import ran, write_product

from floe_contracts.adapters.store.address import open_sql_store

pytestmark = pytest.mark.slow
TESTS = Path(__file__).parents[2]
POINTS = ("compile_folder", "run_child", "run_checks", "the commit", "deliver")
JOBS = ("customer-360", "ingest.one")


@dataclass(frozen=True)
class _Left:
    """What the world looks like after a kill at point n and one more run; n is 0 for a run in peace, twice."""

    number: int
    folder: Path
    point: str
    exits: list[int]
    bodies: list[dict[str, Any]]


@pytest.fixture(scope="module")
def kills(tmp_path_factory: pytest.TempPathFactory) -> list[_Left]:
    """One for each point that a run in peace comes to."""
    place = tmp_path_factory.mktemp("kills")
    peaceful = _kill(place, [0])
    return [*peaceful, *_kill(place, _points((peaceful[0].folder / "trail").read_text().splitlines()))]


def _points(trail: list[str]) -> list[int]:
    """Those of the first run, but for the inside of the store, which has a test of its own, and for later messages."""
    run = trail[: trail.index("before compile_folder", 1)]
    first = {point: run.index(point) + 1 for point in run}
    return [
        number
        for number, point in enumerate(run, 1)
        if "transaction" not in point and ("deliver" not in point or first[point] == number)
    ]


def _kill(place: Path, numbers: Sequence[int]) -> list[_Left]:
    folders = [write_product(place / str(number), "one") for number in numbers]
    paths = os.pathsep.join(str(path) for path in (TESTS, TESTS.parent / "src"))
    with receiver() as lineage:
        environ = {"PYTHONPATH": paths, "NO_PROXY": "*", "OPENLINEAGE_URL": lineage.url}
        kept = {name: text for name, text in os.environ.items() if not name.startswith(("OTEL_", "OPENLINEAGE"))}
        command = [sys.executable, "-m", "support.pipeline_killer", *map(str, folders)]
        done = subprocess.run(
            command, env={**kept, **environ}, capture_output=True, text=True, check=False, timeout=500
        )
        assert done.returncode == 0, done.stderr[-3_000:]
        told: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for asked in lineage.asked:
            told[asked.path.split("/")[1]].append(conforms(unpacked(asked)))
    return [_left(folder, told) for folder in folders]


def _left(folder: Path, told: dict[str, list[dict[str, Any]]]) -> _Left:
    killed = folder / "killed"
    return _Left(
        int(folder.name),
        folder,
        killed.read_text() if killed.exists() else "",
        json.loads((folder / "exits").read_text()),
        told[folder.name],
    )


def _wrong(left: _Left) -> list[str]:
    """What is not as it should be after this kill."""
    first = -signal.SIGKILL if left.number else 0
    store = open_sql_store(f"sqlite:///{left.folder}/.floe/monitoring.db")
    totals = store.totals("customer-360")
    waiting = sum(one.pending + one.dead for one in store.outbox.backlog())
    store.close()
    counts = {
        series.contract: (total.runs.runs, total.runs.failures, sum(total.durations))
        for series, total in totals.items()
    }
    ids = {(event["run"]["runId"], event["eventType"]) for event in left.bodies}
    twice = Counter((event["run"]["runId"], event["eventType"]) for event in left.bodies)
    ends = Counter(event["job"]["name"] for event in left.bodies if event["eventType"] == "COMPLETE")
    said = {
        "exit codes": (left.exits, [first, 0]),
        "totals": (counts, dict.fromkeys(JOBS, (1, 0, 1))),
        "waiting": (waiting, 0),
        "jobs": (set(ends), set(JOBS)),
        "runs": (len(ids), 2 * len(JOBS)),
        # Who dies between an answer and its note cannot know of it; the receiver sees the same run and type again.
        "told twice": (sum(twice.values()) - len(twice), int(left.point == "after deliver")),
        "steps": (sorted(set(ran(left.folder))), ["one"]),
    }
    return [
        f"{left.number} {left.point}: {name} {found} != {wanted}"
        for name, (found, wanted) in said.items()
        if found != wanted
    ]


def test_whatever_a_run_is_killed_at_the_same_run_again_makes_it_whole(kills: list[_Left]) -> None:
    points = {left.point for left in kills}
    assert len(kills) > 12
    assert points >= {f"{when} {what}" for when in ("before", "after") for what in POINTS}
    assert [line for left in kills for line in _wrong(left)] == []
