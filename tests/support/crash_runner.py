"""A run that dies at a named point, and the runs after it: started by `store/test_crashes.py`.

Production code has no such points. The store, the engine, the sink and the mirror are wrapped here, and the points
inside the transaction are events of SQLAlchemy. Every run is a process of its own, forked before a store is open.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import event

from floe_contracts.adapters.store.address import open_sql_store
from floe_contracts.adapters.store.sql_store import SqlStore
from floe_contracts.app.monitor.drain import Sinks, drain
from floe_contracts.checks.moments import HOUR
from floe_contracts.monitor.run.check import engine_judge
from floe_contracts.monitor.run.delivery import Delivered, Delivery, NewResult, messages_for
from floe_contracts.monitor.run.run import Request, RunPorts, run_check
from floe_contracts.monitor.store.outbox import Backlog, Message, MetricsGroup, Outbox, Pending
from floe_contracts.monitor.store.protocol import Claimed, Committed, Lost, SeriesTotals, SlotOutcome
from floe_contracts.monitor.store.slots import Series
from floe_contracts.product.data_contracts import Monitoring
from support.monitored import FRESH, NOW, Desk, orders, settings, targets

POINTS = (
    "after the claim",
    "while it measures",
    "before the commit",
    "in the middle of the transaction",
    "at the end of the transaction",
    "after the commit",
    "before the delivery",
    "in the middle of the delivery",
    "after the delivery",
    "after the delivery is noted",
    "before the push",
    "after the push",
    "after the push is noted",
)
DAILY = settings(data_contracts={"monitoring": {"freshness": {"check_interval": "1d"}}})


@dataclass
class Killer:
    """Ends this process at the n-th time that it comes to a point."""

    point: str = ""
    left: int = 1

    def at(self, point: str) -> None:
        if point == self.point:
            self.left -= 1
            if not self.left:
                os.kill(os.getpid(), signal.SIGKILL)


class DyingStore:
    """The real store, with points before and after what changes it."""

    def __init__(self, store: SqlStore, killer: Killer) -> None:
        self._store, self._killer, self._commits = store, killer, False
        self.outbox = DyingOutbox(store.outbox, killer)
        event.listen(store.database.engine, "commit", self._ending)
        event.listen(store.database.engine, "after_cursor_execute", self._executed)

    def claim(self, *key: Any, **more: Any) -> Claimed:
        found = self._store.claim(*key, **more)
        self._killer.at("after the claim")
        return found

    def commit(self, outcome: SlotOutcome, *, now_us: int, messages: Sequence[Message] = ()) -> Committed | Lost:
        self._killer.at("before the commit")
        self._commits = True
        answer = self._store.commit(outcome, now_us=now_us, messages=messages)
        self._commits = False
        self._killer.at("after the commit")
        return answer

    def _executed(self, _: object, __: object, statement: str, *___: object) -> None:
        if self._commits and statement.startswith("UPDATE floe_slots"):
            self._killer.at("in the middle of the transaction")

    def _ending(self, _: object) -> None:
        if self._commits:
            self._killer.at("at the end of the transaction")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class DyingOutbox:
    """The real outbox, with points after what is noted."""

    def __init__(self, outbox: Outbox, killer: Killer) -> None:
        self._outbox, self._killer = outbox, killer

    def mark_delivered(self, message: Pending) -> None:
        self._outbox.mark_delivered(message)
        self._killer.at("after the delivery is noted")

    def mark_pushed(self, mirror: str, group: MetricsGroup) -> None:
        self._outbox.mark_pushed(mirror, group)
        self._killer.at("after the push is noted")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._outbox, name)


@dataclass
class FileSink:
    """Every delivery is a file, which appears whole or not at all."""

    folder: Path
    killer: Killer
    name: str = "files"

    def messages(self, told: NewResult) -> Iterable[Message]:
        run = f"{told.outcome.key}#{told.outcome.claim.attempt}"
        for kind in ("START", told.outcome.result.outcome.value):
            said = {"run": run, "kind": kind, "as_of_us": told.outcome.as_of_us}
            yield Message(self.name, kind, json.dumps(said).encode())

    def deliver(self, pending: Pending, limit_s: float) -> Delivery:
        self.killer.at("before the delivery")
        file = self.folder / f"{pending.id}-{os.getpid()}.part"
        file.write_bytes(pending.message.body)
        self.killer.at("in the middle of the delivery")
        file.rename(file.with_suffix(".event"))
        self.killer.at("after the delivery")
        return Delivered()


@dataclass
class FileMirror:
    """Shows the newest totals in one file, and keeps all that it ever showed in order."""

    folder: Path
    killer: Killer
    name: str = "mirror"

    def push(
        self, group: MetricsGroup, totals: Mapping[Series, SeriesTotals], backlog: Sequence[Backlog], limit_s: float
    ) -> Delivery:
        self.killer.at("before the push")
        counts = {one.contract: sum(total.counters.values()) for one, total in totals.items()}
        with (self.folder / "shown").open("a") as file:
            file.write(json.dumps(counts) + "\n")
        self.killer.at("after the push")
        return Delivered()


def run_once(address: str, folder: Path, killer: Killer, hours: int) -> None:
    """Two contracts in the slot of today, one of them stale; then everybody is told."""
    opened = open_sql_store(address)
    store: Any = DyingStore(opened, killer)
    desk = Desk(now_us=NOW)
    desk.put("orders", 8 * HOUR)
    desk.put("items", HOUR)
    desk.engine.meanwhile = lambda: killer.at("while it measures")
    desk.now_us = NOW + hours * HOUR
    sink, mirror = FileSink(folder, killer), FileMirror(folder, killer)
    tools = RunPorts(
        engine_judge(desk.engine),
        store,
        now_us=lambda: desk.now_us,
        seconds=lambda: 0.0,
        messages=lambda told: messages_for(told, [sink]),
    )
    found = targets(orders(FRESH), orders(FRESH, name="items"), config=DAILY)
    run_check(Request("freshness", "shop"), found, Monitoring(), tools)
    drain(store, Sinks((sink,), (mirror,)), [("shop", "freshness")])
    opened.close()


def run_apart(address: str, folder: Path, killer: Killer, hours: int) -> int:
    """The same in a process of its own: its exit code, negative for a signal."""
    child = os.fork()
    if not child:
        run_once(address, folder, killer, hours)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Killed at a point, killed again in the run after it where a second point is given, then run twice in peace."""
    address, folder, point, times, then = sys.argv[1:]
    killers = [Killer(point, int(times)), *([Killer(then)] if then else []), Killer(), Killer()]
    hours = range(0, 2 * len(killers), 2)  # a lease has ended each time
    exits = [run_apart(address, Path(folder), killer, hour) for killer, hour in zip(killers, hours, strict=True)]
    sys.stdout.write(json.dumps(exits))


if __name__ == "__main__":
    main()
