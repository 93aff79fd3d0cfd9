"""Whole checks of contracts on Spark: files as servers, a store in memory, and a clock set by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import Contract, Property, Server, Sla
from floe_contracts.monitor.run.check import engine_judge
from floe_contracts.monitor.run.engine import Engine
from floe_contracts.monitor.run.run import Request, RunPorts, run_check
from floe_contracts.monitor.run.targets import label_targets, target_of
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.source.binding import SourceHints
from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.monitor.store.protocol import Store
from floe_contracts.product.data_contracts import Monitoring
from floe_contracts.results import CheckResult
from support.builders import contract, table

NOON = 1_767_441_600_000_000  # 2026-01-03T12:00:00Z


def on_files(
    place: Path | str, *columns: Property, name: str = "orders", format_: str = "parquet", **more: Any
) -> Contract:
    """A contract on one table of files."""
    server = Server("here", "local", coordinates={"path": str(place), "format": format_})
    return contract(table(*columns, name=name), name=name, servers=(server,), **more)


def run(
    engine: Engine, check: Check, *contracts: Contract, store: Store | None = None, now_us: int = NOON, **asked: Any
) -> dict[str, CheckResult]:
    """The verdict on each contract by its name."""
    where = asked.pop("where", SourceHints())
    config = MonitoringConfig()
    found = label_targets([target_of(one, config, where, f"{one.name}.yaml") for one in contracts])
    tools = RunPorts(engine_judge(engine), store or MemoryStore(), now_us=lambda: now_us, seconds=lambda: 0.0)
    report = run_check(Request(check, "shop", limit_s=asked.pop("limit_s", 120.0), **asked), found, Monitoring(), tools)
    return dict(zip([one.name for one in contracts], report.results, strict=True))


def told(result: CheckResult) -> list[str]:
    """Findings as `E530 amount`."""
    return [f"{one.code.id.removeprefix('FLOE-')} {one.element}" for one in result.findings]


__all__ = ["NOON", "Sla", "on_files", "run", "told"]
