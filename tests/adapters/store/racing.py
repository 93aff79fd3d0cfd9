"""Many processes that work on one store at the same time; started by `test_races`.

Each says on stdout who it is and what it got, as one JSON line. They begin when the file named last appears, so that
all begin together; which is when each has made a file `ready-…` beside it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from support.filled_slots import NOW, key, outcome, stale

from floe_contracts.adapters.store.address import open_sql_store
from floe_contracts.monitor.store.outbox import Message
from floe_contracts.monitor.store.protocol import Claim, Committed, Store
from floe_contracts.results import Outcome

SLOTS = 12


def claim_all(store: Store) -> object:
    """Every slot once, and none given back: the slots that this process won."""
    return [slot for slot in range(SLOTS) if isinstance(store.claim(key(slot), now_us=NOW), Claim)]


def fill_all(store: Store) -> object:
    """Every slot, as often as somebody has it: how many this process committed."""
    done = 0
    for slot in range(SLOTS):
        claim = store.claim(key(slot), now_us=NOW)
        if isinstance(claim, Claim):
            found = outcome(claim, Outcome.VIOLATED, violations=(stale(claim.key.start_us), stale(NOW, "deadline")))
            message = Message("lineage", "FAIL", str(slot).encode())
            done += isinstance(store.commit(found, now_us=NOW, messages=(message,)), Committed)
    return done


def fill_own(store: Store) -> object:
    """Slots that nobody else wants, of one series: how many violations were new."""
    new = 0
    for slot in range(SLOTS):
        claim = store.claim(key(slot, interval_us=os.getpid()), now_us=NOW)
        assert isinstance(claim, Claim)
        found = outcome(claim, Outcome.VIOLATED, violations=(stale(NOW, "shared"), stale(NOW, f"{os.getpid()} {slot}")))
        answer = store.commit(found, now_us=NOW)
        assert isinstance(answer, Committed)
        new += len(answer.counted)
    return new


def take_turns(store: Store) -> object:
    """Under the lock a file is read, and written a moment later: what is lost was written by two at once."""
    file, turns = Path(sys.argv[3]).with_name("count"), 0
    for _ in range(5):
        with store.lock("turns", 120) as held:
            if held:
                seen = int(file.read_text()) if file.exists() else 0
                time.sleep(0.005)
                file.write_text(str(seen + 1))
                turns += 1
    return turns


def hold(store: Store) -> object:
    """Holds a lock until it is killed."""
    with store.lock("held", 0) as held:
        _say(held)
        time.sleep(600)
    return None


WORK: dict[str, Callable[[Store], object]] = {
    one.__name__: one for one in (claim_all, fill_all, fill_own, take_turns, hold)
}


def _say(found: object) -> None:
    os.write(1, f"{json.dumps([os.getpid(), found])}\n".encode())  # one write, so that lines stay whole


def _race(address: str, work: str, start: Path) -> None:
    store = open_sql_store(address)
    start.with_name(f"ready-{os.getpid()}").touch()
    while not start.exists():
        time.sleep(0.001)
    _say(WORK[work](store))
    store.close()


def main() -> int:
    """Forks before any store is open: the imports are paid for once, and nothing else is shared."""
    address, work, start, number = sys.argv[1:]
    racers = []
    for _ in range(int(number)):
        racer = os.fork()
        if not racer:
            _race(address, work, Path(start))
            os._exit(0)
        racers.append(racer)
    return max(os.waitpid(racer, 0)[1] for racer in racers)


if __name__ == "__main__":
    sys.exit(main())
