"""What the store remembers, as commands show it: status, history, prune; and the plan, which needs no store."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.job_desk import ORDERS, Project
from support.monitored import HOUR
from support.running import Floe

from floe_contracts.checks.moments import DAY
from floe_contracts.cli.moments import now_us


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Orders that were late five hours ago and are late now, and payments without a table, by the real clock."""
    monkeypatch.chdir(tmp_path)
    project = Project(tmp_path, now_us=now_us() - 5 * HOUR)
    project.contract()
    project.contract("payments")
    project.table("orders", 8 * HOUR)
    project.run("freshness")
    project.now_us += 5 * HOUR
    project.run("freshness", "lifecycle")
    return project


Told = Callable[..., Any]


@pytest.fixture
def told(floe: Floe, shop: Project) -> Told:
    def ask(*arguments: str) -> Any:
        ran = floe("monitor", *arguments, "--format", "json")
        assert ran.code == 0, ran.err
        return json.loads(ran.out)

    return ask


def test_status_tells_state_and_missed_slots(told: Told) -> None:
    found = {(one["name"], one["check"]): one for one in told("status")["checks"]}
    late = found["orders", "freshness"]
    assert (late["state"], late["violations"], late["errors"]) == ("violated", 2, 0)
    assert late["since"] < late["last_slot"]
    assert (late["expected_slots"], late["missed_slots"]) == (21, 19)
    assert (found["payments", "freshness"]["state"], found["payments", "freshness"]["errors"]) == ("errored", 2)
    assert found["orders", "lifecycle"]["missed_slots"] == 0


def test_status_for_people(floe: Floe, shop: Project) -> None:
    lines = floe("monitor", "status", "orders").out.splitlines()
    assert lines[0] == "orders 1.0.0  floe"
    assert lines[1].startswith("  freshness    violated  since 20")
    assert lines[1].endswith("19 of 21 slots missed")
    assert lines[2] == "    Data is 13 hours old, SLA is 6 hours"
    assert lines[3].startswith("  lifecycle    passed    since 20")
    assert len(lines) == 4


def test_status_tells_people_of_runs_outside_slots_to_the_second(floe: Floe, shop: Project) -> None:
    shop.now_us += 471_787
    shop.run("availability", run_id="tuesday")
    line = next(line for line in floe("monitor", "status", "orders").out.splitlines() if "availability" in line)
    assert re.search(r"last slot \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", line), line


def test_status_begins_with_the_worst_and_can_leave_out_the_rest(floe: Floe, shop: Project) -> None:
    shop.contract("again")
    shop.table("again", HOUR)
    shop.run("freshness")
    names = [line.split(" ")[0] for line in floe("monitor", "status").out.splitlines() if line[:1] != " "]
    assert names == ["orders", "payments", "again"]
    assert "again" not in floe("monitor", "status", "--violated").out


def test_status_of_nobody_in_trouble(floe: Floe, shop: Project) -> None:
    ran = floe("monitor", "status", "--violated", "nobody*")
    assert (ran.code, ran.out, ran.err) == (0, "", "No contract is violated or errored.\n")


def test_status_of_nothing(floe: Floe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = floe("monitor", "status")
    assert (ran.code, ran.out, ran.err) == (0, "", "No contract was checked yet.\n")
    assert not list(tmp_path.iterdir())


def test_history_tells_slot_by_slot(told: Told) -> None:
    found = told("history", "orders")
    assert [one["slot"] for one in found] == sorted((one["slot"] for one in found), reverse=True)
    assert sorted((one["check"], one["outcome"]) for one in found) == [
        ("freshness", "violated"),
        ("freshness", "violated"),
        ("lifecycle", "passed"),
    ]
    assert [item["code"] for item in found[0]["findings"]] == ["FLOE-E550"]
    assert found[0]["gauges"]["freshness_seconds"].startswith("46")


@pytest.mark.parametrize(
    ("more", "slots"),
    [
        pytest.param(("--check", "freshness"), 2, id="one check"),
        pytest.param(("--check", "freshness", "--since", "2h"), 1, id="since"),
        pytest.param(("--check", "quality"), 0, id="a check that never ran"),
    ],
)
def test_history_can_be_narrowed(told: Told, more: tuple[str, ...], slots: int) -> None:
    assert len(told("history", "orders", *more)) == slots


def test_history_for_people(floe: Floe, shop: Project) -> None:
    out = floe("monitor", "history", "orders", "--check", "freshness").out
    assert "freshness    violated  13 hours old, 6 hours promised" in out
    assert "    FLOE-E550 error Data is 13 hours old, SLA is 6 hours" in out


def test_history_of_nobody(floe: Floe, shop: Project) -> None:
    ran = floe("monitor", "history", "refunds")
    assert (ran.code, ran.out) == (0, "")
    assert "Nothing is known of 'refunds'" in ran.err


def test_forget_takes_a_contract_out_of_the_status_and_leaves_its_history(floe: Floe, told: Told) -> None:
    ran = floe("monitor", "forget", "orders")
    assert (ran.code, ran.out.splitlines()[0]) == (
        0,
        "orders: it left status, report and metrics; its history stays until it is pruned.",
    )
    assert {one["name"] for one in told("status")["checks"]} == {"payments"}
    assert len(told("history", "orders", "--check", "freshness")) == 2


def test_forget_of_nobody(floe: Floe, shop: Project) -> None:
    ran = floe("monitor", "forget", "order")
    assert (ran.code, "no contract called 'order' was checked" in ran.err, "orders" in ran.err) == (2, True, True)


def test_prune_forgets_slots_and_keeps_counters(told: Told, shop: Project) -> None:
    shop.now_us -= 9 * DAY
    shop.table("orders", 8 * HOUR)
    shop.run("freshness")
    assert told("prune", "--keep", "3d")["slots"] == 2
    (late,) = (one for one in told("status", "orders")["checks"] if one["check"] == "freshness")
    assert late["violations"] == 3
    assert len(told("history", "orders", "--check", "freshness", "--since", "30d")) == 2


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        pytest.param(("--before", "2099-01-01"), "", id="the future"),
        pytest.param(("--keep", "47h"), "", id="two days of a daily check"),
        pytest.param(
            ("--keep", "13d"),
            "contracts: {orders: {lifecycle: {check_interval: 7d}}}",
            id="two weeks of a weekly one",
        ),
    ],
)
def test_prune_refuses_what_may_still_be_run(
    floe: Floe, shop: Project, tmp_path: Path, arguments: tuple[str, ...], settings: str
) -> None:
    path = tmp_path / "settings.yaml"
    path.write_text(settings)
    given = ("--config", str(path), "--store", f"sqlite:///{tmp_path}/.floe/monitoring.db") if settings else ()
    ran = floe("monitor", "prune", *arguments, *given)
    assert (ran.code, "may still be run" in ran.err) == (2, True)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="nothing said"),
        pytest.param(("--keep", "1d", "--before", "2026-01-01"), id="both said"),
        pytest.param(("--keep", "some"), id="no length"),
        pytest.param(("--before", "yesterday"), id="no moment"),
    ],
)
def test_prune_must_know_what_to_keep(floe: Floe, shop: Project, arguments: tuple[str, ...]) -> None:
    assert floe("monitor", "prune", *arguments).code == 2


def test_plan_tells_where_tables_are_and_what_they_cost(floe: Floe, tmp_path: Path) -> None:
    path = tmp_path / "orders.yaml"
    path.write_text(ORDERS.replace("{name}", "orders"))
    ran = floe("monitor", "plan", str(path))
    assert ran.code == 0
    assert ran.out.splitlines() == [
        f"orders 1.0.0  {path}",
        "  every 5 minutes availability, 15 minutes freshness, 1 hour schema_drift, 6 hours quality, 1 day lifecycle",
        "  orders: 2 rules, 2 scans, one more if keys repeat",
        "    at custom:orders",
        "    pass 1: 2 counts in one aggregation",
        "      orders.order_id.not_null: order_id is never null",
        "      metadata may answer the number of rows, nulls of 1 column",
        "    keys: 1 set of columns hashed in one scan, repeats confirmed by value",
        "      orders.order_id.primary_key: order_id is unique",
        "    freshness PT6H: column placed_at (the SLA names it)",
    ]


def test_plan_for_machines(floe: Floe, tmp_path: Path) -> None:
    path = tmp_path / "orders.yaml"
    path.write_text(ORDERS.replace("{name}", "orders"))
    ((plan,), code) = (json.loads((ran := floe("monitor", "plan", str(path), "--format", "json")).out), ran.code)
    (table,) = plan["tables"]
    assert (code, plan["intervals"]["freshness"], table["scans"]) == (0, "PT15M", {"least": 2, "most": 3})


def test_plan_of_a_broken_contract_says_what_is_wrong(floe: Floe, tmp_path: Path) -> None:
    (tmp_path / "orders.yaml").write_text("schema: orders\nversion: 1\nfields: []\n")
    ran = floe("monitor", "plan", str(tmp_path / "orders.yaml"))
    assert ran.code == 2
    assert "not monitored: the contract has errors: " in ran.out


@pytest.mark.parametrize(
    "command", [("status",), ("history", "orders"), ("report", "-o", "page.html")], ids=lambda c: c[0]
)
def test_a_store_that_is_looked_at_is_opened_for_reading(
    floe: Floe, shop: Project, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def noted(database: str, **options: Any) -> sqlite3.Connection:
        opened.append(database)
        return connect(database, **options)

    monkeypatch.setattr(sqlite3, "connect", noted)
    assert floe("monitor", *command).code == 0
    assert opened
    assert [name for name in opened if not name.endswith("?mode=ro")] == []
