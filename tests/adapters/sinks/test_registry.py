"""A monitor inside a service: its metrics in the service's own registry of Prometheus, and its namespace."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from support.monitored import FRESH, HOUR, MINUTE, Desk, orders, settings

from floe_contracts.app.monitor.service import ContractMonitor
from floe_contracts.app.monitor.service_ports import ServicePorts
from floe_contracts.contract.model import Sla
from floe_contracts.emit.metrics import BY_NAME
from floe_contracts.errors import UsageError
from floe_contracts.monitor.plugin.odcs import OdcsPlugin

LATE = orders(FRESH, Sla("availability", "99%"))


@dataclass
class Service:
    """A process with a registry, and a monitor of orders that are late."""

    environ: dict[str, str] = field(default_factory=dict)
    desk: Desk = field(default_factory=Desk)
    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    logged: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.desk.put("orders", 9 * HOUR)
        outside = ServicePorts(
            now_us=lambda: self.desk.now_us,
            seconds=self.desk._seconds,
            log=lambda level, message, _: self.logged.append(f"{level} {message}"),
            environ=self.environ,
        )
        self.monitor = ContractMonitor(
            settings(), plugin(self.desk), untold, self.registry,
            store=self.desk.store, outside=outside,
        )  # fmt: skip
        self.monitor.register_contract(LATE, {"type": "dataframe"})

    def runs(self, number: int = 1) -> None:
        for _ in range(number):
            asyncio.run(self.monitor.check_contract_post_run("orders"))
            self.desk.later(MINUTE)

    def scraped(self) -> dict[tuple[str, tuple[str, ...]], float]:
        """Every sample by its name and what its labels say, sorted by label; none may come twice."""
        text = generate_latest(self.registry).decode()
        samples = [one for family in text_string_to_metric_families(text) for one in family.samples]
        found = {(one.name, tuple(one.labels.values())): one.value for one in samples}
        assert len(found) == len(samples), text
        return found


def plugin(desk: Desk) -> OdcsPlugin:
    return OdcsPlugin(desk.engine, read=lambda _: b"", judge_bump=lambda *_: (True, ""), now_us=lambda: desk.now_us)


def untold(**_: Any) -> None: ...


def test_results_are_shown_under_the_names_that_are_pushed() -> None:
    service = Service()
    service.runs(2)
    found = service.scraped()
    assert found["floe_contract_freshness_hours", ("orders",)] == pytest.approx(9 + 1 / 60)
    assert found["floe_contract_availability_up", ("orders",)] == 1
    assert found["floe_contract_info", ("orders", "1.0.0")] == 1
    assert found["floe_contract_check_status", ("freshness", "orders")] == 0
    assert found["floe_contract_check_duration_seconds_count", ("freshness", "orders")] == 2
    late = {labels: value for (name, labels), value in found.items() if name == "floe_contract_violations_total"}
    assert sum(late.values()) == 2
    assert service.logged.count("error Could not be delivered") == 0


def test_every_metric_is_one_of_the_table() -> None:
    service = Service()
    service.runs()
    text = generate_latest(service.registry).decode()
    families = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    assert set(families) <= set(BY_NAME)
    assert len(families) == len(set(families))


def test_the_buckets_of_a_histogram_add_up() -> None:
    service = Service()
    service.runs(3)
    found = service.scraped()
    buckets = [
        value for (name, labels), value in found.items()
        if name == "floe_contract_check_duration_seconds_bucket" and "freshness" in labels
    ]  # fmt: skip
    assert buckets == sorted(buckets)
    assert buckets[-1] == 3


@pytest.mark.parametrize(
    ("environ", "namespace"),
    [
        pytest.param({}, "floe", id="none"),
        pytest.param({"OPENLINEAGE_NAMESPACE": "checkout"}, "checkout", id="of the environment"),
    ],
)
def test_namespace(environ: dict[str, str], namespace: str) -> None:
    service = Service(environ)
    service.runs()
    assert {series.namespace for series in service.desk.store.totals(namespace)} == {namespace}


def test_the_environment_of_the_process_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "checkout")
    desk = Desk()
    monitor = ContractMonitor(settings(), plugin(desk), untold, store=desk.store)
    monitor.register_contract(LATE, {"type": "dataframe"})
    asyncio.run(monitor.check_contract_post_run("orders"))
    assert desk.store.totals("checkout")


def test_anything_else_than_a_registry_is_refused_with_what_to_give() -> None:
    registry: Any = object()
    with pytest.raises(UsageError, match="the metrics registry is of type object") as refused:
        ContractMonitor(settings(), plugin(Desk()), untold, registry)
    assert "CollectorRegistry" in refused.value.fix
