"""The monitor as a service with a real Spark behind it: registered contracts, loops of both modes, checks on demand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.builders import column, contract
from support.monitored import settings

from floe_contracts.app.monitor.service import ContractMonitor
from floe_contracts.contract.model import Json, Sla
from floe_contracts.errors import UsageError
from floe_contracts.monitor.plugin.protocol import ContractViolation
from floe_contracts.monitor.store.memory_store import MemoryStore

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATIENCE_S = 300.0
ROWS = "SELECT concat('o', id % 9) AS order_id, current_timestamp() - INTERVAL 8 HOURS AS placed_at FROM range(10)"
ORDERS = contract(
    column("order_id", primary_key=True),
    column("placed_at", "timestamp"),
    column("gone"),
    slas=(Sla("freshness", "PT6H", element="placed_at"),),
)
LOST = contract(column("order_id"), name="lost")


@dataclass
class Desk:
    """A monitor, and everything that it told."""

    spark: SparkSession
    path: str
    store: MemoryStore = field(default_factory=MemoryStore)
    events: list[str] = field(default_factory=list)

    def monitor(self, mode: str = "on_demand", plugin: str = "odcs") -> ContractMonitor:
        from floe_contracts.app.monitor.plugins import load_plugin

        config = settings(data_contracts={"monitoring": {"mode": mode}, "plugin": {"type": plugin}})
        made = ContractMonitor(config, load_plugin(plugin, config, self.spark), self._told, store=self.store)
        made.register_contract(ORDERS, {"type": "local", "location": self.path, "format": "parquet"})
        return made

    def _told(self, *, event_type: str, job: str, facets: Mapping[str, Json]) -> None:
        self.events.append(f"{event_type} {job}")

    def checked(self) -> set[str]:
        return {series.check_type for series, total in self.store.totals("floe").items() if total.last_run_us}


@pytest.fixture(scope="module")
def table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("monitor") / "orders"
    spark.sql(ROWS).coalesce(1).write.parquet(str(path))
    return str(path)


@pytest.fixture
def desk(spark: SparkSession, table: str) -> Desk:
    return Desk(spark, table)


def said(violations: list[ContractViolation]) -> list[str]:
    return sorted(f"{one.violation_type.value} {one.element}" for one in violations)


FOUND = ["freshness_violation placed_at", "quality_violation order_id", "schema_mismatch gone"]


def test_checks_after_a_run_and_of_all_contracts(desk: Desk, tmp_path: Path) -> None:
    async def day() -> None:
        monitor = desk.monitor()
        assert said(await monitor.check_contract_post_run("orders", run_id="load-1")) == FOUND
        assert said(await monitor.check_contract_post_run("orders", run_id="load-1")) == FOUND, "as it was found"
        assert len(desk.store.namespaces()) == 1
        counted = [sum(one.counters.values()) for one in desk.store.totals("floe").values()]
        assert sum(counted) == len(FOUND), "the second call counted nothing"
        monitor.register_contract(LOST, {"type": "local", "location": str(tmp_path / "no"), "format": "parquet"})
        everything = await monitor.check_all_contracts()
        assert {name: said(found) for name, found in everything.items()} == {
            "orders": FOUND,
            "lost": ["availability_violation orders"],
        }
        monitor.unregister_contract("lost")
        assert monitor.registered == ("orders",)
        with pytest.raises(UsageError, match="no contract called 'lost'"):
            await monitor.check_contract_post_run("lost")

    asyncio.run(day())
    assert "FAIL contract_check.orders" in desk.events
    assert "COMPLETE contract_check.orders" in desk.events


@pytest.mark.parametrize(
    ("mode", "by_itself", "after_data"),
    [
        pytest.param(
            "scheduled",
            {"availability", "freshness", "schema_drift", "quality", "lifecycle"},
            {"availability", "freshness", "schema_drift", "quality", "lifecycle"},
            id="scheduled: every check has a loop",
        ),
        pytest.param(
            "continuous",
            {"availability", "freshness", "lifecycle"},
            {"availability", "freshness", "schema_drift", "quality", "lifecycle"},
            id="continuous: the rest is checked when data arrives",
        ),
    ],
)
def test_loops(desk: Desk, mode: str, by_itself: set[str], after_data: set[str]) -> None:
    async def day() -> None:
        monitor = desk.monitor(mode)
        await monitor.start()
        await monitor.start()  # changes nothing
        await _until(lambda: desk.checked() >= by_itself)
        assert desk.checked() == by_itself
        assert said(await monitor.check_contract_post_run("orders")) == FOUND
        assert desk.checked() == after_data
        await monitor.stop()
        assert not [one for one in asyncio.all_tasks() if one.get_name().startswith("floe ")]

    asyncio.run(day())


def test_another_plugin_gives_the_same_alerts(desk: Desk) -> None:
    async def day() -> list[ContractViolation]:
        return await desk.monitor(plugin="datacontract-cli").check_contract_post_run("orders")

    assert said(asyncio.run(day())) == FOUND


async def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not holds() and time.monotonic() < end:
        await asyncio.sleep(0.2)
