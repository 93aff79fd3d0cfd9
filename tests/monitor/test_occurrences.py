"""A deadline or scheduled update that is missed is one violation, however many slots see it."""

from __future__ import annotations

import pytest
from support.monitored import HOUR, MINUTE, Desk, codes, orders

from floe_contracts.contract.model import Sla
from floe_contracts.monitor.store.slots import Series

SERIES = Series("shop", "orders", 1, "freshness")


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_a_missed_deadline_is_counted_once(desk: Desk) -> None:
    due = Sla("timeOfAvailability", "06:00", element="placed_at")
    for _ in range(4):
        desk.put("orders", 20 * HOUR)
        assert codes(desk.check("freshness", orders(due)))[0].startswith("E551")
        desk.later(15 * MINUTE)
    assert sum(desk.store.totals("shop")[SERIES].counters.values()) == 1


def test_a_deadline_that_was_missed_and_then_met_late_is_counted_once(desk: Desk) -> None:
    due = Sla("timeOfAvailability", "06:00", element="placed_at")
    desk.put("orders", 20 * HOUR)
    rules = [item.rule for item in desk.check("freshness", orders(due)).findings]
    desk.later(15 * MINUTE)
    desk.put("orders", 0, committed_us=desk.now_us)
    rules += [item.rule for item in desk.check("freshness", orders(due)).findings]
    assert rules == ["missed", "late"]
    assert sum(desk.store.totals("shop")[SERIES].counters.values()) == 1


def test_a_scheduled_update_of_an_empty_table_is_counted_once(desk: Desk) -> None:
    due = Sla("frequency", "1", unit="d", element="placed_at", scheduler="cron", schedule="0 6 * * *")
    for _ in range(4):
        desk.put("orders")
        assert [item.rule for item in desk.check("freshness", orders(due)).findings] == ["no-data"]
        desk.later(15 * MINUTE)
    assert sum(desk.store.totals("shop")[SERIES].counters.values()) == 1
