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
from adapters.store.racing import SLOTS
from support.filled_slots import NOW, STALE, key, totals

from floe_contracts.adapters.store.address import open_sql_store
from floe_contracts.adapters.store.sql_store import SqlStore
from floe_contracts.monitor.store.protocol import Claim

TESTS = Path(__file__).parents[2]
RACERS = 6


def _started(address: str, work: str, folder: Path, number: int = RACERS) -> subprocess.Popen[str]:
    """So many processes, which begin when all are ready."""
    paths = os.pathsep.join(str(path) for path in (TESTS, TESTS.parent / "src"))
    running = subprocess.Popen(
        [sys.executable, "-m", "adapters.store.racing", address, work, str(folder / "start"), str(number)],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        text=True,
    )
    _wait_for(folder, "ready-*", number)
    (folder / "start").touch()
    return running


def _ended(running: subprocess.Popen[str]) -> list[Any]:
    """What each process said."""
    said = running.communicate(timeout=300)[0].splitlines()
    assert running.returncode == 0
    return [json.loads(one)[1] for one in said]


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
    won = _ended(_started(address, "claim_all", folder))
    assert sorted(slot for one in won for slot in one) == list(range(SLOTS))


def test_slots_that_all_want_are_counted_once(address: str, folder: Path) -> None:
    assert sum(_ended(_started(address, "fill_all", folder))) == SLOTS
    store = open_sql_store(address)
    assert totals(store, key()).counters == {STALE: SLOTS + 1}  # each its own violation, and one deadline for all
    assert len(store.history(key().series, 0)) == SLOTS
    pending = store.outbox.pending("lineage", limit=1000)
    assert sorted(int(one.message.body) for one in pending) == list(range(SLOTS))
    assert sum(totals(store, key()).durations) == SLOTS
    store.close()


def test_commits_to_one_series_lose_nothing(address: str, folder: Path) -> None:
    new = _ended(_started(address, "fill_own", folder))
    store = open_sql_store(address)
    assert sum(new) == RACERS * SLOTS + 1
    assert totals(store, key()).counters == {STALE: RACERS * SLOTS + 1}
    assert store.outbox.groups()[0].revision == RACERS * SLOTS
    store.close()


def test_a_lock_has_one_holder(address: str, folder: Path) -> None:
    turns = sum(_ended(_started(address, "take_turns", folder)))
    assert (turns, int((folder / "count").read_text())) == (RACERS * 5, RACERS * 5)


def test_a_lock_ends_with_its_holder(store: SqlStore, address: str, folder: Path) -> None:
    holder = _started(address, "hold", folder, number=1)
    assert holder.stdout is not None
    process, held = json.loads(holder.stdout.readline())
    assert (held, _held(store, 0)) == (True, False)
    os.kill(process, signal.SIGKILL)
    holder.communicate()
    assert _held(store, 20) is True


def _held(store: SqlStore, wait_s: float) -> bool:
    with store.lock("held", wait_s) as held:
        return held


def test_pruning_while_others_commit_counts_nothing_twice(address: str, folder: Path) -> None:
    """Pruned up to now: what is committed afterwards is counted, and what was counted before stays counted."""
    store = open_sql_store(address)
    running = _started(address, "fill_all", folder)
    while running.poll() is None:
        store.prune(NOW)
    done = _ended(running)
    assert sum(done) == SLOTS
    assert totals(store, key()).counters == {STALE: SLOTS + 1}
    store.close()


def test_who_waits_is_not_turned_away(address: str) -> None:
    """Writers queue while one holds the database for a while."""
    first, second, found = open_sql_store(address), open_sql_store(address), list[object]()
    with first.database.write() as connection:
        first.database.locking.lock_alone(connection)
        waiting = Thread(target=lambda: found.append(second.claim(key(), now_us=NOW)))
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
    waiting.join()
    assert [type(one) for one in found] == [Claim]
    first.close()
    second.close()
