"""What tests of runs and monitors share: a shop with a table of orders, a clock set by hand, and short calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from floe_contracts.checks.moments import HOUR, MINUTE
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import Contract, Server, Sla
from floe_contracts.monitor.run.check import engine_judge
from floe_contracts.monitor.run.run import Request, RunPorts, run_check
from floe_contracts.monitor.run.targets import Target, label_targets, target_of
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.source.binding import SourceHints
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.product.data_contracts import Monitoring
from floe_contracts.results import CheckResult, Report
from support.builders import column, contract, table
from support.row_engine import RowEngine, RowTable, actual

NOW = 1_767_435_300_000_000  # 2026-01-03T10:15:00Z, a Saturday
FRESH = Sla("freshness", "PT6H", element="placed_at")
PLACED = actual(order_id="string", placed_at="timestamp")


def orders(*slas: Sla, name: str = "orders", **more: Any) -> Contract:
    """A contract on the registered table of its own name."""
    columns = (column("order_id", primary_key=True), column("placed_at", "timestamp"))
    more.setdefault("servers", (Server("here", "custom"),))
    return contract(table(*columns, name=name), name=name, slas=slas, **more)


def rows(*ages_us: int, now_us: int = NOW) -> list[dict[str, Any]]:
    """One order per age."""
    return [{"order_id": f"o{index}", "placed_at": now_us - age} for index, age in enumerate(ages_us)]


def settings(**blocks: Any) -> MonitoringConfig:
    return MonitoringConfig.model_validate(blocks)


def targets(*contracts: Contract, config: MonitoringConfig | None = None) -> tuple[Target, ...]:
    config = config or MonitoringConfig()
    return label_targets([target_of(one, config, SourceHints(), f"{one.name}.yaml") for one in contracts])


@dataclass
class Desk:
    """An engine, a store and a clock; `crashes` holds what nobody foresaw."""

    engine: RowEngine = field(default_factory=RowEngine)
    store: MemoryStore = field(default_factory=MemoryStore)
    now_us: int = NOW
    crashes: list[Exception] = field(default_factory=list)
    _ticks: float = 0.0

    def put(self, name: str, *ages_us: int, **more: Any) -> RowTable:
        """A table whose rows are that old."""
        made = RowTable(rows(*ages_us, now_us=self.now_us), more.pop("columns", PLACED), **more)
        self.engine.tables[name] = made
        return made

    def tools(self) -> RunPorts:
        return RunPorts(
            engine_judge(self.engine),
            self.store,
            now_us=lambda: self.now_us,
            seconds=self._seconds,
            crashed=lambda _, error: self.crashes.append(error),
        )

    def _seconds(self) -> float:
        self._ticks += 1.5
        return self._ticks

    def run(
        self, check: Check, found: Sequence[Target], *, monitoring: Monitoring | None = None, **asked: Any
    ) -> Report:
        request = Request(check, "shop", **asked)
        return run_check(request, found, monitoring or Monitoring(), self.tools())

    def check(self, check: Check, one: Contract, **asked: Any) -> CheckResult:
        """The verdict on one contract."""
        (result,) = self.run(check, targets(one), **asked).results
        return result

    def later(self, us: int = HOUR) -> None:
        self.now_us += us


def said(result: CheckResult, key: str) -> str:
    return dict(result.context).get(key, "")


def codes(result: CheckResult) -> list[str]:
    return [f"{item.code.id.removeprefix('FLOE-')} {item.severity.value}" for item in result.findings]


__all__ = ["FRESH", "HOUR", "MINUTE", "NOW", "PLACED", "Desk", "codes", "orders", "rows", "said", "settings", "targets"]
