"""A ContractMonitor in the process around it: the environment's namespace, and metrics in its Prometheus registry."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..monitor.emission import LineageEmitter, Metrics
from ..monitor.monitor import ContractMonitor
from ..monitor.outside import Outside
from ..monitor.plugin import DataContractPlugin
from ..monitor.settings import MonitoringConfig
from ..monitor.store import Store

if TYPE_CHECKING:
    from prometheus_client.registry import CollectorRegistry


def contract_monitor(
    config: MonitoringConfig,
    contract_plugin: DataContractPlugin,
    lineage_emitter: LineageEmitter,
    metrics_registry: Metrics | CollectorRegistry | None = None,
    *,
    store: Store | None = None,
    outside: Outside | None = None,
) -> ContractMonitor:
    """The monitor; `metrics_registry` may be one of prometheus_client, which then shows floe's metrics."""
    return ContractMonitor(
        config,
        contract_plugin,
        lineage_emitter,
        _metrics(metrics_registry),
        store=store,
        outside=outside or Outside(environ=os.environ),
    )


def _metrics(registry: Metrics | CollectorRegistry | None) -> Metrics | None:
    if registry is None or hasattr(registry, "record"):
        return registry
    from .sinks.registry import metrics_in

    return metrics_in(registry)
