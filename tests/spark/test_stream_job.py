"""The stream job as a process: it ends when it is asked to, and what a killed one began is counted once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.streamed import Folder, order

from floe_contracts.adapters.store.address import open_store
from floe_contracts.monitor.store.protocol import SlotOutcome
from floe_contracts.monitor.store.slots import Series

pytestmark = pytest.mark.slow
JOB = Path(__file__).parents[2] / "batch" / "stream.py"
PATIENCE_S = 420.0
ORDERS = """\
schema: orders
version: "1.0.0"
owner: checkout
servers: [{server: here, type: local, path: ../orders, format: json}]
fields:
  - {name: order_id, type: STRING, nullable: false, primary_key: true}
  - {name: amount, type: BIGINT}
  - {name: placed_at, type: TIMESTAMP}
sla: {element: placed_at, freshness_minutes: 60}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "orders.yaml").write_text(ORDERS)
    (tmp_path / ".floe").mkdir()
    return Folder(tmp_path / "orders")


@contextmanager
def job(place: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    around = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    asked = ("--contracts", "contracts", "--checkpoint", "checkpoint", "--format", "json", "--log-format", "json")
    with (place / "stderr").open("a") as said:
        started = subprocess.Popen(
            [sys.executable, str(JOB), *asked, *options],
            cwd=place,
            env=around,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        )
    try:
        yield started
    finally:
        if started.poll() is None:
            started.kill()
        started.communicate()


def kept(place: Path) -> list[SlotOutcome]:
    """The batches, oldest first."""
    if not (place / ".floe" / "monitoring.db").exists():
        return []
    store = open_store(f"sqlite:///{place}/.floe/monitoring.db")
    return list(store.history(Series("floe", "orders", 1, "quality"), 0))[::-1]


def wait(place: Path, until: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not until():
        assert time.monotonic() < end, (place / "stderr").read_text()[-3_000:]
        time.sleep(0.02)


def test_a_killed_job_counts_nothing_twice_and_a_terminated_one_reports(folder: Folder, tmp_path: Path) -> None:
    folder.put(order("o1"), order("o2"))
    with job(tmp_path, "--trigger", "1s") as first:
        wait(tmp_path, lambda: len(kept(tmp_path)) == 1)
        first.kill()  # about the moment at which Spark notes that the batch is done
        first.wait(60)
    folder.put(order("o3"), order(None))
    with job(tmp_path, "--trigger", "1s") as second:
        wait(tmp_path, lambda: len(kept(tmp_path)) == 2)
        second.send_signal(signal.SIGTERM)
        out, _ = second.communicate(timeout=120)
    assert second.returncode == 0
    report = json.loads(out)
    assert [f"{one['check']} {one['outcome']}" for one in report["results"]] == ["freshness passed", "quality violated"]
    found = kept(tmp_path)
    assert [dict(one.gauges)["rows"] for one in found] == [2, 2]
    assert [one.key.run_id.rpartition(":")[2] for one in found] == ["0", "1"]
    assert len({one.key.run_id.rpartition(":")[0] for one in found}) == 1, "one query, whoever ran it"


def test_what_would_be_followed_is_said_without_starting_spark(folder: Folder, tmp_path: Path) -> None:
    with job(tmp_path, "--dry-run") as asked:
        out, _ = asked.communicate(timeout=120)
    assert asked.returncode == 0
    assert json.loads(out)["notes"] == [f"orders.v1.orders would follow local:{tmp_path}/orders."]
