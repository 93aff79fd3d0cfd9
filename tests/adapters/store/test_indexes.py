"""Nothing that happens in every slot reads a whole table, so a slot costs the same among ten and among a million."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from support.filled_slots import NOW, claimed, filled, key, outcome, stale
from support.row_engine import actual

from floe_contracts.adapters.store.address import open_sql_store
from floe_contracts.adapters.store.sql_store import SqlStore
from floe_contracts.checks.moments import HOUR
from floe_contracts.monitor.store.outbox import Message
from floe_contracts.monitor.store.protocol import PartitionState, SeenSchema


def _fill(store: SqlStore) -> None:
    found = outcome(
        claimed(store, key(9)),
        violations=(stale(), stale(mark="b")),
        gauges=(("age", Decimal(1)),),
        schemas=(SeenSchema("orders", actual(id="int")),),
        states=(PartitionState("orders", "p", "a", "f"),),
    )
    store.commit(found, now_us=NOW, messages=(Message("lineage", "START", b"x"),))


def _deliver(store: SqlStore) -> None:
    for one in store.outbox.pending("lineage"):
        store.outbox.mark_failed(one, "503")
        store.outbox.mark_delivered(one)


WORK: dict[str, Callable[[SqlStore], object]] = {
    "claim and commit": _fill,
    "release": lambda store: store.release(claimed(store, key(interval_us=0, start_us=0, run_id="r"))),
    "deliver": _deliver,
    "history": lambda store: store.history(key().series, NOW, NOW + HOUR, limit=20),
    "gauges": lambda store: store.gauge_history(key().series, "age", NOW),
    "schema": lambda store: store.last_schema("orders"),
    "states": lambda store: store.partition_states("orders", "p"),
    "slots of a week": lambda store: store.filled("shop", NOW),
}


@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_no_table_is_read_as_a_whole(tmp_path: Path, work: Callable[[SqlStore], object]) -> None:
    store = open_sql_store(f"sqlite:///{tmp_path}/m.db")
    filled(store, key())
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: Any, ___: object, many: bool) -> None:
        asked.append((statement, parameters[0] if many else parameters))

    event.listen(store.database.engine, "before_cursor_execute", note)
    work(store)
    event.remove(store.database.engine, "before_cursor_execute", note)
    said = [(one, values) for one, values in asked if one.split()[0] in ("SELECT", "UPDATE", "DELETE")]
    assert said
    with store.database.read() as connection:
        plans = [
            (statement, row[3])
            for statement, values in said
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        ]
    assert [one for one in plans if one[1].startswith("SCAN")] == []
    store.close()
