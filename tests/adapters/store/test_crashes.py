"""Killed anywhere and run again: counted once, told at least once with the same bytes, nothing left, nothing lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.crash_runner import POINTS

from floe_contracts.adapters.store.address import open_sql_store
from floe_contracts.monitor.store.protocol import SeriesTotals, SlotOutcome
from floe_contracts.results import Outcome

TESTS = Path(__file__).parents[2]
ONCE = [point for point in POINTS if "push" in point]  # everything is pushed at the end
FOUR_TIMES = [point for point in POINTS if "delivery" in point]  # two messages for each of two contracts
CASES = [
    *(pytest.param(point, 1, "", id=point) for point in POINTS),
    *(pytest.param(point, 2, "", id=f"{point}, second time") for point in POINTS if point not in ONCE),
    *(pytest.param(point, times, "", id=f"{point}, time {times}") for point in FOUR_TIMES for times in (3, 4)),
    *(  # and once more in the run after it
        pytest.param("while it measures", 2, point, id=f"while it measures, then {point}") for point in POINTS[2:12:2]
    ),
]


@dataclass(frozen=True)
class _Left:
    """What the world looks like after a crash and two more runs."""

    exits: list[int]
    totals: dict[str, SeriesTotals]
    history: dict[str, tuple[SlotOutcome, ...]]
    waiting: int
    unpushed: int
    events: list[bytes]
    shown: list[dict[str, int]]


def _after(address: str, folder: Path, point: str, times: int, then: str) -> _Left:
    paths = os.pathsep.join(str(path) for path in (TESTS, TESTS.parent / "src"))
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "support.crash_runner", address, str(folder), point, str(times), then],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    store = open_sql_store(address)
    totals = store.totals("shop")
    left = _Left(
        exits=json.loads(done.stdout),
        totals={series.contract: total for series, total in totals.items()},
        history={series.contract: store.history(series, 0) for series in totals},
        waiting=sum(one.pending + one.dead for one in store.outbox.backlog()),
        unpushed=len(store.outbox.unpushed("mirror")),
        events=[path.read_bytes() for path in sorted(folder.glob("*.event"))],
        shown=[json.loads(line) for line in (folder / "shown").read_text().splitlines()],
    )
    store.close()
    return left


@pytest.mark.parametrize(("point", "times", "then"), CASES)
def test_killed(address: str, tmp_path: Path, point: str, times: int, then: str) -> None:
    left = _after(address, tmp_path / "told", point, times, then)
    assert left.exits == [-signal.SIGKILL, *([-signal.SIGKILL] if then else []), 0, 0]
    _counted_once(left)
    _told(left)


def _counted_once(left: _Left) -> None:
    counts = {name: sum(total.counters.values()) for name, total in left.totals.items()}
    assert counts == {"orders": 1, "items": 0}
    assert left.shown[-1] == counts
    assert {name: sum(total.durations) for name, total in left.totals.items()} == {"orders": 1, "items": 1}
    found = {name: [one.result.outcome for one in slots] for name, slots in left.history.items()}
    assert found == {"orders": [Outcome.VIOLATED], "items": [Outcome.PASSED]}


def _told(left: _Left) -> None:
    bodies: defaultdict[tuple[str, str], set[bytes]] = defaultdict(set)
    for body in left.events:
        said = json.loads(body)
        bodies[said["run"], said["kind"]].add(body)
    runs = {
        f"{one.key}#{one.claim.attempt}": one.result.outcome.value for each in left.history.values() for one in each
    }
    assert set(bodies) == {(run, kind) for run, terminal in runs.items() for kind in ("START", terminal)}
    assert all(len(one) == 1 for one in bodies.values())
    assert (left.waiting, left.unpushed) == (0, 0)
    assert all(
        sum(now.values()) >= sum(before.values()) for before, now in zip(left.shown, left.shown[1:], strict=False)
    )
