"""What makes another promise of the same slot, and what does not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from support.builders import column, contract, table
from support.monitored import FRESH, HOUR, Desk, orders, said, settings, targets

from floe_contracts.checks.promises.calendar import Calendar
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import Contract, Deprecation, Server, Sla
from floe_contracts.monitor.run.promised import promise_of
from floe_contracts.monitor.run.targets import Target
from floe_contracts.monitor.source.binding import SourceHints
from floe_contracts.monitor.source.connection import connection_from

HERE = Server("here", "local", coordinates={"path": "data/orders.parquet"})
THERE = Server("there", "local", coordinates={"path": "old/orders.parquet"})
PLAIN = contract(table(column("id", "integer")), slas=(Sla("freshness", "PT6H"),), servers=(HERE, THERE))
EVERY: tuple[Check, ...] = ("availability", "freshness", "schema_drift", "quality", "lifecycle")
DATA = EVERY[:4]


def target(made: Contract = PLAIN, **more: Any) -> Target:
    where = more.pop("where", SourceHints(server="here", folder="/a", root="/b"))
    return Target(made, where=where, **more)


def _row(changed: Target, *checks: Check, id: str) -> object:  # noqa: A002  pytest's word
    return pytest.param(changed, checks, id=id)


EDITS = (
    _row(target(replace(PLAIN, objects=(table(column("id", "string")),))), *EVERY, id="a type"),
    _row(target(replace(PLAIN, slas=(Sla("freshness", "PT3H"),))), *EVERY, id="a service level"),
    _row(target(where=SourceHints(server="there")), *DATA, id="the chosen server"),
    _row(
        target(replace(PLAIN, servers=(replace(HERE, coordinates={"path": "new.parquet"}), THERE))),
        *DATA,
        id="where the chosen server is",
    ),
    _row(target(where=SourceHints(connection_from({"filter": "id > 3"}), server="here")), *DATA, id="a filter"),
    _row(target(calendars={"work": Calendar(frozenset({0}))}), "freshness", id="a calendar"),
    _row(target(replace(PLAIN, deprecation=Deprecation(sunset_date="2026-01-01"))), "lifecycle", id="an end"),
    _row(target(problem="the settings ask for more"), *EVERY, id="a problem"),
    _row(target(replace(PLAIN, tags=("shop",))), id="documentation"),
    _row(target(replace(PLAIN, version="1.0.1")), id="the version alone"),
    _row(target(path="elsewhere/orders.yaml", label="orders.v1"), id="another path"),
    _row(target(where=SourceHints(server="here", folder="/x", root="/y")), id="the folder of the job"),
    _row(target(replace(PLAIN, servers=(HERE, replace(THERE, coordinates={"path": "x"})))), id="another server"),
    _row(
        target(calendars={"work": Calendar(holidays=frozenset())}, where=SourceHints(server="here")),
        "freshness",
        id="a calendar without holidays",
    ),
)


@pytest.mark.parametrize(("changed", "checks"), EDITS)
def test_what_is_another_promise_to_whom(changed: Target, checks: tuple[Check, ...]) -> None:
    assert tuple(check for check in EVERY if promise_of(changed, check) != promise_of(target(), check)) == checks


def test_holidays_are_part_of_a_calendar() -> None:
    one, other = (target(calendars={"work": Calendar(holidays=frozenset({date(2026, 12, day)}))}) for day in (24, 25))
    assert promise_of(one, "freshness") != promise_of(other, "freshness")


@pytest.mark.parametrize(
    ("changed", "checks"),
    [
        pytest.param({"sql_trust": "full"}, ("quality",), id="what rules in SQL may do"),
        pytest.param({"data_contracts": {"plugin": {"type": "other"}}}, DATA, id="who judges"),
        pytest.param({"data_contracts": {"enforcement": "block"}}, (), id="what violations do"),
    ],
)
def test_settings_of_the_judge(changed: dict[str, Any], checks: tuple[Check, ...]) -> None:
    before, after = settings(), settings(**changed)
    assert tuple(check for check in EVERY if before.judge_settings(check) != after.judge_settings(check)) == checks


def test_an_edited_promise_is_checked_anew_in_the_same_slot_and_counts_once() -> None:
    desk = Desk()
    desk.put("orders", 8 * HOUR)
    desk.check("freshness", orders(FRESH))
    edited = desk.check("freshness", orders(replace(FRESH, value="PT9H")))
    back = desk.check("freshness", orders(FRESH))
    again = desk.check("freshness", orders(FRESH))
    assert [result.outcome.value for result in (edited, back, again)] == ["passed", "violated", "violated"]
    assert [said(result, "attempt") for result in (edited, back, again)] == ["2", "3", "3"]
    (totals,) = desk.store.totals("shop").values()
    assert sum(totals.counters.values()) == 1


def test_a_documentation_edit_repeats_nothing() -> None:
    desk = Desk()
    desk.put("orders", HOUR)
    desk.check("freshness", orders(FRESH))
    assert said(desk.check("freshness", orders(FRESH, tags=("shop",))), "repeated") == "true"
    assert targets(orders(FRESH))[0].key == "orders"
