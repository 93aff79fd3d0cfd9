"""The monitor as a service inside a process: contracts are registered, checked in loops or on demand.

scheduled: one loop per check. continuous: loops only for what no event announces (availability, freshness, lifecycle);
the rest is checked when data arrives, by `check_contract_post_run`. on_demand: no loops. A check never overlaps with
itself, and a slot is checked once even by several processes that share a store.
"""

from __future__ import annotations

import asyncio
import logging  # a service that alerts must be able to log; everything else returns values
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ... import __version__
from ...checks.moments import SECOND
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
from ...monitor.store.slots import floor_to_slot, slot_start
from ...product.data_contracts import Mode
from ...product.observability import namespace_of
from ...results import Report
from .notify import Emission, LineageEmitter, Log, Metrics

CollectorRegistry: TypeAlias = Any  # of prometheus_client, which may not be installed
LONGEST_REST_S = 30.0  # so that a contract registered meanwhile is noticed
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
        metrics_registry: Metrics | None = None,
        *,
        store: Store | None = None,
        outside: ServicePorts | None = None,
    ) -> None:
        self._config = config
        self._outside = outside or ServicePorts()
        self._namespace = namespace_of(config.observability, self._outside.environ.get("OPENLINEAGE_NAMESPACE", ""))
        self._contracts: dict[str, Target] = {}
        self._loops: list[asyncio.Task[None]] = []
        self._stopping = asyncio.Event()
        self._ports = RunPorts(
            judge=plugin_judge(contract_plugin),
            store=store or MemoryStore(),
            now_us=self._outside.now_us,
            seconds=self._outside.seconds,
            crashed=self._note_crash,
            committed=Emission(config, lineage_emitter, _require_record(metrics_registry), self._outside.log),
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
        if self._loops:
            return
        checks = _LOOPS[monitoring.mode] if monitoring.enabled else ()
        if not checks:
            why = f"mode is {monitoring.mode.value}" if monitoring.enabled else "monitoring is switched off"
            self._outside.log("info", "No loops were started", {"reason": why})
        self._stopping = asyncio.Event()
        self._loops = [asyncio.create_task(self._loop(check), name=f"floe {check}") for check in checks]

    async def stop(self) -> None:
        """End the loops; a check that is running is finished first."""
        self._stopping.set()
        loops, self._loops = self._loops, []
        await asyncio.gather(*loops)

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
            for name, new in violations_of(await self._run(check, targets, run_id)).items():
                violations[name] += new
        return violations

    async def _run(self, check: Check, targets: Sequence[Target], run_id: str = "") -> Report:
        """In a thread of its own: engines block, and the loops must not."""
        request = Request(
            check,
            self._namespace,
            run_id=run_id,
            scheduled=not run_id,
            settings=self._config.judge_settings(check),
            tool_version=__version__,
        )
        return await asyncio.to_thread(run_check, request, targets, self._config.data_contracts.monitoring, self._ports)

    async def _loop(self, check: Check) -> None:
        done: dict[str, int] = {}
        while not self._stopping.is_set():
            now_us = self._outside.now_us()
            slots = {name: slot_start(now_us, target.interval_us(check)) for name, target in self._contracts.items()}
            due = [self._contracts[name] for name, slot in slots.items() if slot > done.get(name, -1)]
            done = {name: max(slot, done.get(name, -1)) for name, slot in slots.items()}
            if due:
                await self._tick(check, due)
            await self._rest(check)

    async def _tick(self, check: Check, due: Sequence[Target]) -> None:
        try:
            await self._run(check, due)
        except Exception as error:  # a loop that ends would end all alerts without a word
            self._outside.log("error", "A check could not be run", {"check_type": check, "error": type(error).__name__})

    async def _rest(self, check: Check) -> None:
        """Until the next slot of any contract begins, or the monitor is stopped."""
        now_us = self._outside.now_us()
        intervals = {target.interval_us(check) for target in self._contracts.values()}
        next_us = min((floor_to_slot(now_us, interval) + interval for interval in intervals), default=None)
        seconds = min(LONGEST_REST_S, (next_us - now_us) / SECOND) if next_us is not None else LONGEST_REST_S
        waits = [asyncio.ensure_future(self._outside.sleep(seconds)), asyncio.ensure_future(self._stopping.wait())]
        _, pending = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in pending:
            wait.cancel()
        await asyncio.gather(*pending, return_exceptions=True)

    def _note_crash(self, target: Target, error: Exception) -> None:
        fields = {"contract": target.name, "error": type(error).__name__}
        self._outside.log("error", "An unforeseen error was met", fields)


def contract_monitor(
    config: MonitoringConfig,
    contract_plugin: DataContractPlugin,
    lineage_emitter: LineageEmitter,
    metrics_registry: Metrics | CollectorRegistry | None = None,
    *,
    store: Store | None = None,
    outside: ServicePorts | None = None,
) -> ContractMonitor:
    """A monitor in the namespace of the environment; a registry of prometheus_client then shows floe's metrics."""
    return ContractMonitor(
        config,
        contract_plugin,
        lineage_emitter,
        _as_metrics(metrics_registry),
        store=store,
        outside=outside or ServicePorts(environ=os.environ),
    )


def _as_metrics(registry: Metrics | CollectorRegistry | None) -> Metrics | None:
    if registry is None or isinstance(registry, Metrics):
        return registry
    from ...adapters.sinks.registry import metrics_in

    return metrics_in(registry)


def _require_record(registry: Metrics | None) -> Metrics | None:
    """A registry of another kind would fail at every result, so it is refused before the first."""
    if registry is not None and not hasattr(registry, "record"):
        raise UsageError(
            f"the metrics registry is a {type(registry).__name__}, which records no results by itself",
            fix="Make the monitor by floe_contracts.app.monitor.service.contract_monitor; it takes one of Prometheus.",
        )
    return registry


_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def _to_logger(level: str, message: str, fields: Mapping[str, str]) -> None:
    text = " ".join(f"{key}={value!r}" for key, value in fields.items())
    logging.getLogger("floe.contracts").log(_LEVELS[level], "%s %s", message, text, extra={"floe": dict(fields)})


@dataclass(frozen=True, slots=True)
class ServicePorts:
    """Clocks, log and environment of the monitor; a test gives its own."""

    now_us: Callable[[], int] = lambda: time.time_ns() // 1000
    seconds: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    log: Log = _to_logger
    environ: Mapping[str, str] = field(default_factory=dict)
