"""An hour of the service in simulated time: receivers go away and come back, nothing is lost, and memory stays flat."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.answering import Receiver, receiver
from support.lineage_spec import conforms
from support.otlp_receivers import unpacked

from floe_contracts.adapters.store.address import open_store

pytestmark = pytest.mark.slow
MINUTES, SPEED = 60, 80.0
TESTS = Path(__file__).parents[2]
GROWTH = 1.05

# When each receiver is away, in simulated minutes: one refuses, one swallows, then both at once.
OUTAGES = {"lineage": [(4, 6), (12, 20), (34, 40)], "gateway": [(7, 8), (24, 30), (34, 40)]}


def _turn(minute: int, lineage: Receiver, gateway: Receiver) -> None:
    for begins, ends in OUTAGES["lineage"]:
        if minute in (begins, ends):
            lineage.will(503 if minute == begins else 200)
    for begins, ends in OUTAGES["gateway"]:
        if minute in (begins, ends):
            gateway.mute = minute == begins


def test_an_hour_with_receivers_that_come_and_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory: dict[int, int] = {}
    with ExitStack() as stack:
        lineage, gateway = stack.enter_context(receiver()), stack.enter_context(receiver())
        monkeypatch.setenv("OPENLINEAGE_URL", lineage.url)
        monkeypatch.setenv("FLOE_PUSHGATEWAY_URL", gateway.url)
        monkeypatch.setenv("PYTHONPATH", str(TESTS))
        command = [sys.executable, "-m", "support.simulated_hours", str(tmp_path), str(MINUTES), str(SPEED)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            for line in running.stdout:
                assert line.startswith("minute "), line
                _, minute, kilobytes = line.split()
                memory[int(minute)] = int(kilobytes)
                _turn(int(minute), lineage, gateway)
            assert running.wait(30) == 0
        events = [conforms(unpacked(asked)) for asked in lineage.asked if asked.path.endswith("lineage")]
    assert list(memory) == list(range(1, MINUTES + 1))
    assert memory[MINUTES] <= GROWTH * memory[10], memory
    store = open_store(f"sqlite:///{tmp_path}/.floe/monitoring.db")
    assert not store.outbox.backlog(), "everything that waited was delivered before the end"
    told = Counter(event["run"]["runId"] for event in events if event["eventType"] != "START")
    filled = sum(each.slots for each in store.filled("floe", 0).values())
    assert filled > 3 * MINUTES, "several checks in most minutes"
    assert len(told) == filled, "every slot was told of"
