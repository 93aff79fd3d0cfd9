"""The monitor as a service inside a process: contracts are registered, checked in loops or on demand.

scheduled: one loop per check. continuous: loops only for what no event announces (availability, freshness, lifecycle);
the rest is checked when data arrives, by `check_contract_post_run`. on_demand: no loops. A check never overlaps with
itself, and a slot is checked once even by several processes that share a store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from ... import __version__
from ...checks.verdict import Check
from ...contract.model import Contract, Json
from ...errors import UsageError
from ...monitor.plugin.judge import plugin_judge
from ...monitor.plugin.protocol import ContractViolation, DataContractPlugin
from ...monitor.plugin.results import violations_of
from ...monitor.run.run import Request, RunPorts, run_check
from ...monitor.run.targets import Target, target_of
from ...monitor.settings.model import CHECKS, MonitoringConfig
from ...monitor.source.binding import SourceHints
from ...monitor.source.connection import connection_from
from ...monitor.store.memory_store import MemoryStore
from ...monitor.store.protocol import Store
from ...product.data_contracts import Mode
from ...product.observability import namespace_of
from ...results import Report
from .log import crash_fields
from .loops import CheckLoops
from .notify import Emission, LineageEmitter, Metrics
from .service_ports import ServicePorts

if TYPE_CHECKING:
    from prometheus_client.registry import CollectorRegistry

MetricsRegistry: TypeAlias = "Metrics | CollectorRegistry"
_LOOPS: dict[Mode, tuple[Check, ...]] = {
    Mode.SCHEDULED: CHECKS,
    Mode.CONTINUOUS: ("availability", "freshness", "lifecycle"),
    Mode.ON_DEMAND: (),
}


class ContractMonitor:
    """Alerts and never raises for what is wrong with contracts, data, sources or sinks."""

    def __init__(
        self,
        config: MonitoringConfig,
        contract_plugin: DataContractPlugin,
        lineage_emitter: LineageEmitter,
        metrics_registry: MetricsRegistry | None = None,
        *,
        store: Store | None = None,
        outside: ServicePorts | None = None,
    ) -> None:
        self._config = config
        self._outside = outside or ServicePorts()
        self._namespace = namespace_of(config.observability, self._outside.environ.get("OPENLINEAGE_NAMESPACE", ""))
        self._contracts: dict[str, Target] = {}
        self._loops = CheckLoops(self._outside, lambda _: tuple(self._contracts.values()), self._run)
        self._ports = RunPorts(
            judge=plugin_judge(contract_plugin),
            store=store or MemoryStore(),
            now_us=self._outside.now_us,
            seconds=self._outside.seconds,
            crashed=self._note_crash,
            committed=Emission(config, lineage_emitter, _metrics_of(metrics_registry), self._outside.log),
        )

    def register_contract(self, contract: Contract, connection: Mapping[str, Json] | None = None) -> None:
        """Monitor a contract; the same contract and MAJOR again replaces it. Without a connection the settings say."""
        known = connection_from(connection) if connection else self._config.connections.get(contract.key)
        target = target_of(contract, self._config, SourceHints(known))
        lines = {(target.key, target.major): name for name, target in self._contracts.items()}
        name = lines.get((target.key, target.major), contract.label)
        other = self._contracts.get(name)
        if other is not None and (other.key, other.major) != (target.key, target.major):
            name = f"{contract.label}.v{target.major}"
        self._contracts[name] = replace(target, label=name)

    def unregister_contract(self, contract_name: str) -> None:
        """Stop monitoring a contract; what is being checked is finished."""
        self._find(contract_name)
        del self._contracts[contract_name]

    @property
    def registered(self) -> tuple[str, ...]:
        return tuple(self._contracts)

    async def start(self) -> None:
        """Start the loops of the mode; starting twice changes nothing."""
        monitoring = self._config.data_contracts.monitoring
        if self._loops.started:
            return
        checks = _LOOPS[monitoring.mode] if monitoring.enabled else ()
        if not checks:
            why = f"mode is {monitoring.mode.value}" if monitoring.enabled else "monitoring is switched off"
            self._outside.log("info", "No loops were started", {"reason": why})
        self._loops.start(checks)

    async def stop(self) -> None:
        """End the loops; a check that is running is finished first."""
        await self._loops.stop()

    async def check_contract_post_run(self, contract_name: str, *, run_id: str = "") -> list[ContractViolation]:
        """Every check after a pipeline's run. With the orchestrator's run id a second call finds the same result."""
        target = self._find(contract_name)
        return (await self._on_demand([target], run_id or self._own_id()))[contract_name]

    async def check_all_contracts(self) -> dict[str, list[ContractViolation]]:
        """Every check of every contract, now."""
        return await self._on_demand(list(self._contracts.values()), self._own_id())

    def _find(self, contract_name: str) -> Target:
        target = self._contracts.get(contract_name)
        if target is None:
            known = ", ".join(sorted(self._contracts)) or "none"
            raise UsageError(f"no contract called {contract_name!r} is registered", fix=f"Registered: {known}.")
        return target

    def _own_id(self) -> str:
        return f"on-demand-{self._outside.now_us()}"

    async def _on_demand(self, targets: Sequence[Target], run_id: str) -> dict[str, list[ContractViolation]]:
        violations: dict[str, list[ContractViolation]] = {target.name: [] for target in targets}
        for check in CHECKS:
            # In a thread of its own: engines block, and the loops must not.
            report = await asyncio.to_thread(self._run, check, targets, run_id)
            for name, new in violations_of(report).items():
                violations[name] += new
        return violations

    def _run(self, check: Check, targets: Sequence[Target], run_id: str = "") -> Report:
        request = Request(
            check,
            self._namespace,
            run_id=run_id,
            scheduled=not run_id,
            settings=self._config.judge_settings(check),
            tool_version=__version__,
        )
        return run_check(request, targets, self._config.data_contracts.monitoring, self._ports)

    def _note_crash(self, target: Target, error: Exception) -> None:
        self._outside.log("error", "An unforeseen error was met", {"contract": target.name, **crash_fields(error)})


def _metrics_of(registry: MetricsRegistry | None) -> Metrics | None:
    """What results are recorded in: a registry of prometheus_client shows floe's metrics from now on."""
    if registry is None or isinstance(registry, Metrics):
        return registry
    if not hasattr(registry, "register"):  # anything else would fail at every result, so it is refused before the first
        raise UsageError(
            f"the metrics registry is of type {type(registry).__name__}, which takes no metrics",
            fix="Give a prometheus_client.CollectorRegistry, or an object with a method record.",
        )
    from ...adapters.sinks.registry import metrics_in

    return metrics_in(registry)
