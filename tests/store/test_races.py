"""Many processes on one store: one winner per slot, every violation counted once, one holder per lock."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from monitor.store_conformance import NOW, STALE, key, totals
from store.racing import SLOTS

from floe_contracts.adapters.store.opening import open_sql_store
from floe_contracts.adapters.store.sql_store import SqlStore
from floe_contracts.monitor.store import Claim

TESTS = Path(__file__).parents[1]
RACERS = 6


def _started(address: str, work: str, start: Path) -> subprocess.Popen[str]:
    paths = os.pathsep.join(str(path) for path in (TESTS, TESTS.parent / "src"))
    return subprocess.Popen(
        [sys.executable, "-m", "store.racing", address, work, str(start)],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        text=True,
    )


def _raced(address: str, work: str, folder: Path) -> list[Any]:
    """What each process said; all begin when all are ready."""
    start = folder / "start"
    running = [_started(address, work, start) for _ in range(RACERS)]
    _wait_for(folder, "ready-*", RACERS)
    start.touch()
    said = [one.communicate(timeout=300)[0] for one in running]
    assert [one.returncode for one in running] == [0] * RACERS
    return [json.loads(one) for one in said]


def _wait_for(folder: Path, pattern: str, number: int) -> None:
    until = time.monotonic() + 120
    while len(list(folder.glob(pattern))) < number:
        assert time.monotonic() < until, "the processes did not start"
        time.sleep(0.01)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "race"
    made.mkdir()
    return made


def test_a_slot_has_one_winner(address: str, folder: Path) -> None:
    won = _raced(address, "claim_all", folder)
    assert sorted(slot for one in won for slot in one) == list(range(SLOTS))


def test_slots_that_all_want_are_counted_once(address: str, folder: Path) -> None:
    assert sum(_raced(address, "fill_all", folder)) == SLOTS
    store = open_sql_store(address)
    assert totals(store, key()).counters == {STALE: SLOTS + 1}  # each its own violation, and one deadline for all
    assert len(store.history(key().series, 0)) == SLOTS
    pending = store.outbox.pending("lineage", limit=1000)
    assert sorted(int(one.message.body) for one in pending) == list(range(SLOTS))
    assert sum(totals(store, key()).durations) == SLOTS
    store.close()


def test_commits_to_one_series_lose_nothing(address: str, folder: Path) -> None:
    new = _raced(address, "fill_own", folder)
    store = open_sql_store(address)
    assert sum(new) == RACERS * SLOTS + 1
    assert totals(store, key()).counters == {STALE: RACERS * SLOTS + 1}
    assert store.outbox.groups()[0].revision == RACERS * SLOTS
    store.close()


def test_a_lock_has_one_holder(address: str, folder: Path) -> None:
    turns = sum(_raced(address, "take_turns", folder))
    assert (turns, int((folder / "count").read_text())) == (RACERS * 5, RACERS * 5)


def test_a_lock_ends_with_its_holder(store: SqlStore, address: str, folder: Path) -> None:
    (folder / "start").touch()
    holder = _started(address, "hold", folder / "start")
    assert holder.stdout is not None
    assert json.loads(holder.stdout.readline()) is True
    assert _held(store, 0) is False
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert _held(store, 20) is True


def _held(store: SqlStore, wait_s: float) -> bool:
    with store.lock("held", wait_s) as held:
        return held


def test_pruning_while_others_commit_counts_nothing_twice(address: str, folder: Path) -> None:
    """Pruned up to now: what is committed afterwards is counted, and what was counted before stays counted."""
    store = open_sql_store(address)
    running = [_started(address, "fill_all", folder / "start") for _ in range(3)]
    _wait_for(folder, "ready-*", 3)
    (folder / "start").touch()
    while any(one.poll() is None for one in running):
        store.prune(NOW)
    done = [json.loads(one.communicate()[0]) for one in running]
    assert sum(done) == SLOTS
    assert totals(store, key()).counters == {STALE: SLOTS + 1}
    store.close()


def test_who_waits_is_not_turned_away(address: str) -> None:
    """Writers queue while one holds the database for a while."""
    first, second, found = open_sql_store(address), open_sql_store(address), list[object]()
    with first.database.writing() as connection:
        first.database.locking.alone(connection)
        waiting = Thread(target=lambda: found.append(second.claim(key(), now_us=NOW)))
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
    waiting.join()
    assert [type(one) for one in found] == [Claim]
    first.close()
    second.close()
