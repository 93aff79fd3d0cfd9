"""The monitor as a service: registration, loops by a clock set by hand, checks on demand, and who is told of what."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

import pytest
from support.monitored import FRESH, HOUR, NOW, Desk, orders, settings
from support.row_engine import actual

from floe_contracts.app.monitor.service import ContractMonitor
from floe_contracts.app.monitor.service_ports import ServicePorts
from floe_contracts.checks.moments import MINUTE, SECOND
from floe_contracts.codes import ViolationType
from floe_contracts.errors import UsageError
from floe_contracts.monitor.plugin.odcs import OdcsPlugin
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.store.protocol import SlotOutcome, Violation

HERE = {"type": "dataframe"}


@dataclass
class Office:
    """A monitor with everything around it; time passes when the monitor sleeps."""

    config: MonitoringConfig = field(default_factory=MonitoringConfig)
    desk: Desk = field(default_factory=Desk)
    told: list[str] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    logged: list[tuple[str, str, Mapping[str, str]]] = field(default_factory=list)
    ends_us: int = NOW + HOUR
    broken: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        plugin = OdcsPlugin(
            self.desk.engine, read=lambda _: b"", judge_bump=lambda _, __: (True, ""), now_us=lambda: self.desk.now_us
        )
        outside = ServicePorts(lambda: self.desk.now_us, self.desk._seconds, self._sleep, self._log, {})
        self.monitor = ContractMonitor(self.config, plugin, self._lineage, self, store=self.desk.store, outside=outside)

    def _lineage(self, *, event_type: str, job: str, facets: Mapping[str, Any]) -> None:
        self._tell("lineage")
        self.events.append({"event_type": event_type, "job": job, "facets": facets})

    def record(self, outcome: SlotOutcome, counted: tuple[Violation, ...]) -> None:
        self._tell("metrics")

    def _log(self, level: str, message: str, fields: Mapping[str, str]) -> None:
        self.logged.append((level, message, fields))
        if message == "Contract violation":
            self._tell("log")

    def _tell(self, sink: str) -> None:
        if sink in self.broken:
            raise ConnectionError("https://me:hunter2@sink is down")
        self.told.append(sink)

    async def _sleep(self, seconds: float) -> None:
        """All loops share one clock, so time moves on only when it must; at the end it stands still."""
        await asyncio.sleep(0.001)
        if self.desk.now_us >= self.ends_us:
            await asyncio.sleep(3600)
        self.desk.now_us += max(1, int(min(seconds, 30.0) * SECOND) // 5)

    async def until_the_end(self) -> None:
        await self.monitor.start()
        await self.until(lambda: self.desk.now_us >= self.ends_us)
        await self.monitor.stop()

    async def until(self, done: Callable[[], bool]) -> None:
        async def wait() -> None:
            while not done():
                await asyncio.sleep(0.001)

        await asyncio.wait_for(wait(), 60)


def checked(office: Office, what: str) -> int:
    return sum(one.startswith(what) for one in office.desk.engine.asked)


def test_the_worst_of_everything_is_told_in_order_lineage_metrics_log() -> None:
    office = Office()
    office.desk.put("orders", 8 * HOUR)
    office.monitor.register_contract(orders(FRESH), HERE)
    found = asyncio.run(office.monitor.check_contract_post_run("orders"))
    assert [(one.violation_type, one.severity.value) for one in found] == [(ViolationType.FRESHNESS, "warning")]
    assert found[0].timestamp == datetime(2026, 1, 3, 10, 15, tzinfo=timezone.utc)
    assert office.told == [
        *("lineage", "metrics"),  # availability
        *("lineage", "metrics", "log"),  # freshness, with its violation
        *("lineage", "metrics") * 3,  # drift, quality, lifecycle
    ]


def test_an_unforeseen_error_is_logged_with_its_place_and_without_its_words() -> None:
    office = Office()
    office.desk.put("orders", 0, crash=RuntimeError("row 17 holds hunter2"))
    office.monitor.register_contract(orders(FRESH), HERE)
    asyncio.run(office.monitor.check_contract_post_run("orders"))
    fields = next(fields for _, message, fields in office.logged if message == "An unforeseen error was met")
    assert (fields["contract"], fields["error"]) == ("orders", "RuntimeError")
    assert "row_engine.py:" in fields["at"]
    assert "hunter2" not in repr(office.logged)


def test_a_violation_is_a_fail_event_with_the_seeds_fields() -> None:
    office = Office()
    office.desk.put("orders", 8 * HOUR)
    office.monitor.register_contract(orders(FRESH), HERE)
    asyncio.run(office.monitor.check_contract_post_run("orders"))
    (event,) = [one for one in office.events if one["event_type"] == "FAIL"]
    facet = event["facets"]["contractViolation"]
    assert event["job"] == "contract_check.orders"
    assert {key: facet[key] for key in facet if not key.startswith("_") and key != "violations"} == {
        "contractName": "orders",
        "contractVersion": "1.0.0",
        "violationType": "freshness_violation",
        "severity": "warning",
        "message": "Data is 8 hours old, SLA is 6 hours",
        "element": "placed_at",
        "expectedValue": "PT6H",
        "actualValue": "PT8H",
        "timestamp": "2026-01-03T10:15:00Z",
        "violationCount": 1,
    }


def test_a_kept_promise_is_a_complete_event_with_numbers() -> None:
    office = Office()
    office.desk.put("orders", 150 * MINUTE)
    office.monitor.register_contract(orders(FRESH), HERE)
    asyncio.run(office.monitor.check_contract_post_run("orders"))
    status = next(
        one["facets"]["contractStatus"]
        for one in office.events
        if one["facets"].get("contractStatus", {}).get("checkType") == "freshness"
    )
    assert (status["status"], status["threshold"], status["actualValue"], status["checkedAt"]) == (
        "pass",
        6.0,
        2.5,
        "2026-01-03T10:15:00Z",
    )


def test_what_could_not_be_checked_is_an_abort_and_no_violation() -> None:
    office = Office()
    office.desk.put("orders", down="permission denied")
    office.monitor.register_contract(orders(FRESH), HERE)
    found = asyncio.run(office.monitor.check_contract_post_run("orders"))
    assert [one.violation_type.value for one in found] == ["availability_violation"]
    aborts = [one for one in office.events if one["event_type"] == "ABORT"]
    assert len(aborts) == 3
    assert "permission denied" in aborts[0]["facets"]["errorMessage"]["message"]


def test_a_fail_event_says_its_worst_violation_in_a_sentence() -> None:
    office = Office()
    office.desk.put("orders", 8 * HOUR)
    office.monitor.register_contract(orders(FRESH), HERE)
    asyncio.run(office.monitor.check_contract_post_run("orders"))
    (event,) = [event for event in office.events if event["event_type"] == "FAIL"]
    assert event["facets"]["errorMessage"]["message"] == "Data is 8 hours old, SLA is 6 hours"


def test_a_check_with_nothing_to_check_is_a_complete_event_that_says_so() -> None:
    office = Office()
    office.desk.put("orders", HOUR)
    office.monitor.register_contract(orders(), HERE)
    asyncio.run(office.monitor.check_contract_post_run("orders"))
    statuses = {
        (event["event_type"], status["checkType"], status["status"])
        for event in office.events
        if (status := event["facets"].get("contractStatus"))
    }
    assert ("COMPLETE", "freshness", "skip") in statuses


def test_an_extra_column_is_listed_in_a_complete_event() -> None:
    office = Office()
    office.desk.put("orders", columns=actual(order_id="string", placed_at="timestamp", note="string"))
    office.monitor.register_contract(orders(), HERE)
    asyncio.run(office.monitor.check_contract_post_run("orders"))
    drift = [one for one in office.events if "contractViolation" in one["facets"]]
    assert [(one["event_type"], one["facets"]["contractViolation"]["severity"]) for one in drift] == [
        ("COMPLETE", "info")
    ]


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        pytest.param({"data_contracts": {"enforcement": "warn"}}, ["log"], id="warn: the log alone"),
        pytest.param({"data_contracts": {"enforcement": "off"}}, [], id="off: nobody"),
        pytest.param(
            {"data_contracts": {"alerting": {"openlineage_events": False}}}, ["metrics", "log"], id="without lineage"
        ),
        pytest.param(
            {"data_contracts": {"alerting": {"prometheus_metrics": False}}}, ["lineage", "log"], id="without metrics"
        ),
        pytest.param({"observability": {"lineage": False, "metrics": False}}, ["log"], id="without both"),
        pytest.param({"data_contracts": {"enforcement": "block"}}, ["lineage", "metrics", "log"], id="block: all"),
    ],
)
def test_who_is_told_of_a_violation(blocks: dict[str, Any], told: list[str]) -> None:
    office = Office(settings(**blocks))
    office.desk.put("orders", 8 * HOUR)
    office.monitor.register_contract(orders(FRESH), HERE)
    asyncio.run(office.monitor.check_contract_post_run("orders"))
    at = office.told.index("log") if "log" in office.told else len(office.told)
    per_check = len(told) - ("log" in told)
    assert office.told[max(0, at - per_check) : at + 1] == told


@pytest.mark.parametrize("sink", ["lineage", "metrics"])
def test_a_sink_that_is_down_stops_nothing_and_tells_no_secret(sink: str) -> None:
    office = Office(broken=frozenset({sink}))
    office.desk.put("orders", 8 * HOUR)
    office.monitor.register_contract(orders(FRESH), HERE)
    assert len(asyncio.run(office.monitor.check_contract_post_run("orders"))) == 1
    assert "log" in office.told
    errors = [fields for level, message, fields in office.logged if message == "Could not be delivered"]
    assert {fields["sink"] for fields in errors} == {sink}
    assert "hunter2" not in repr(office.logged)


def test_an_engine_that_breaks_is_logged_and_raises_nothing() -> None:
    office = Office()
    office.desk.put("orders", crash=RuntimeError("hunter2"))
    office.monitor.register_contract(orders(FRESH), HERE)
    assert asyncio.run(office.monitor.check_contract_post_run("orders")) == []
    assert "hunter2" not in repr(office.logged)


def test_the_same_run_of_a_pipeline_is_counted_once() -> None:
    office = Office()
    office.desk.put("orders", 8 * HOUR)
    office.monitor.register_contract(orders(FRESH), HERE)

    async def twice() -> list[int]:
        return [len(await office.monitor.check_contract_post_run("orders", run_id="dag-1")) for _ in range(2)]

    assert asyncio.run(twice()) == [1, 1]
    assert office.told.count("log") == 1


def test_on_demand_looks_again_every_time() -> None:
    office = Office()
    office.desk.put("orders", 8 * HOUR)
    office.monitor.register_contract(orders(FRESH), HERE)

    async def twice() -> None:
        await office.monitor.check_all_contracts()
        office.desk.later(SECOND)
        await office.monitor.check_all_contracts()

    asyncio.run(twice())
    assert checked(office, "clock") == 2


def test_all_contracts_by_name() -> None:
    office = Office()
    office.desk.put("a", 0)
    office.desk.put("b", 8 * HOUR)
    for name in ("a", "b"):
        office.monitor.register_contract(orders(FRESH, name=name), HERE)
    found = asyncio.run(office.monitor.check_all_contracts())
    assert {name: len(violations) for name, violations in found.items()} == {"a": 0, "b": 1}


def test_a_second_major_gets_a_name_of_its_own_and_a_new_version_replaces() -> None:
    office = Office()
    for version in ("1.0.0", "2.0.0", "2.1.0", "1.1.0"):
        office.monitor.register_contract(orders(version=version), HERE)
    assert office.monitor.registered == ("orders", "orders.v2")


def test_an_unregistered_contract_is_not_checked() -> None:
    office = Office()
    office.monitor.register_contract(orders(), HERE)
    office.monitor.unregister_contract("orders")
    assert asyncio.run(office.monitor.check_all_contracts()) == {}


def test_an_unknown_name_is_an_error_that_lists_the_names() -> None:
    office = Office()
    office.monitor.register_contract(orders(), HERE)
    with pytest.raises(UsageError, match="no contract called 'ordes'") as refused:
        asyncio.run(office.monitor.check_contract_post_run("ordes"))
    assert refused.value.fix == "Registered: orders."
    with pytest.raises(UsageError):
        office.monitor.unregister_contract("ordes")


def test_a_connection_of_the_settings_is_used_where_none_is_given() -> None:
    office = Office(settings(connections={"orders": {"type": "dataframe", "table": "o"}}))
    office.desk.put("o", 0)
    office.monitor.register_contract(orders(FRESH, servers=()))
    assert asyncio.run(office.monitor.check_contract_post_run("orders")) == []


# --- loops


def test_an_hour_of_loops_fills_every_slot_once() -> None:
    office = Office()
    office.desk.put("orders", 0)
    office.monitor.register_contract(orders(FRESH), HERE)
    asyncio.run(office.until_the_end())
    counted = {what: checked(office, what) for what in ("probe", "clock", "schema", "measure")}
    assert 12 <= counted.pop("probe") <= 13
    assert 4 <= counted.pop("clock") <= 5
    assert counted.pop("schema") in (1, 2)
    assert counted == {"measure": 1}


def test_intervals_of_single_contracts() -> None:
    config = settings(contracts={"a": {"freshness": {"check_interval": "5m"}}})
    office = Office(config)
    for name in ("a", "b"):
        office.desk.put(name, 0)
        office.monitor.register_contract(orders(FRESH, name=name), HERE)
    asyncio.run(office.until_the_end())
    assert 12 <= office.desk.engine.asked.count("clock a") <= 13
    assert 4 <= office.desk.engine.asked.count("clock b") <= 5


@pytest.mark.parametrize("monitoring", [{"mode": "on_demand"}, {"enabled": False}], ids=["on demand", "switched off"])
def test_modes_without_loops(monitoring: dict[str, Any]) -> None:
    office = Office(settings(data_contracts={"monitoring": monitoring}))
    office.desk.put("orders", 0)
    office.monitor.register_contract(orders(FRESH), HERE)

    async def a_moment() -> None:
        await office.monitor.start()
        await asyncio.sleep(0.05)
        await office.monitor.stop()

    asyncio.run(a_moment())
    assert (office.desk.engine.asked, office.logged[0][1]) == ([], "No loops were started")


@pytest.mark.parametrize(
    ("monitoring", "asked"),
    [
        pytest.param({"mode": "continuous"}, {"probe", "clock"}, id="continuous: only what no event announces"),
        pytest.param({"mode": "scheduled"}, {"probe", "clock", "schema", "measure"}, id="scheduled: all"),
    ],
)
def test_modes(monitoring: dict[str, Any], asked: set[str]) -> None:
    office = Office(settings(data_contracts={"monitoring": monitoring}))
    office.desk.put("orders", 0)
    office.monitor.register_contract(orders(FRESH), HERE)
    asyncio.run(office.until_the_end())
    assert {one.split()[0] for one in office.desk.engine.asked} == asked


def test_starting_twice_and_stopping_twice_changes_nothing() -> None:
    office = Office()
    office.desk.put("orders", 0)
    office.monitor.register_contract(orders(FRESH), HERE)
    office.ends_us = NOW

    async def twice() -> None:
        for _ in range(2):
            await office.monitor.start()
        await office.until(lambda: checked(office, "clock") > 0)
        for _ in range(2):
            await office.monitor.stop()

    asyncio.run(twice())
    assert checked(office, "clock") == 1


def test_a_contract_registered_meanwhile_is_checked_too() -> None:
    office = Office()
    office.desk.put("orders", 0)

    async def later() -> None:
        await office.monitor.start()
        await asyncio.sleep(0.05)
        office.monitor.register_contract(orders(FRESH), HERE)
        await office.until(lambda: checked(office, "clock") > 0)
        await office.monitor.stop()

    asyncio.run(later())


def test_a_check_never_overlaps_with_itself_and_stop_waits_for_it() -> None:
    office = Office()
    office.desk.put("orders", 0)
    office.monitor.register_contract(orders(FRESH), HERE)
    running: list[str] = []
    most: list[int] = []

    def slow() -> None:
        name = office.desk.engine.asked[-1]
        running.append(name)
        most.append(running.count(name))
        time.sleep(0.02)
        running.remove(name)

    office.desk.engine.meanwhile = slow
    office.ends_us = NOW + 20 * MINUTE
    asyncio.run(office.until_the_end())
    assert (max(most), running) == (1, [])


def test_a_second_process_with_the_same_store_finds_the_slots_done() -> None:
    first = Office(ends_us=NOW)
    first.desk.put("orders", 8 * HOUR)
    second = Office(desk=Desk(first.desk.engine, first.desk.store), ends_us=NOW)

    async def a_moment(office: Office) -> None:
        office.monitor.register_contract(orders(FRESH), HERE)
        await office.monitor.start()
        await asyncio.sleep(0.1)
        await office.monitor.stop()  # waits for what has begun

    asyncio.run(a_moment(first))
    asyncio.run(a_moment(second))
    assert (first.told.count("log"), second.told) == (1, [])
