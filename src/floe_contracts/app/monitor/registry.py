"""A ContractMonitor in the process around it: the environment's namespace, and metrics in its Prometheus registry."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

from ...monitor.plugin.protocol import DataContractPlugin
from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.protocol import Store
from .notify import LineageEmitter, Metrics
from .service import ContractMonitor, ServicePorts

CollectorRegistry: TypeAlias = Any  # of prometheus_client, which may not be installed


def contract_monitor(
    config: MonitoringConfig,
    contract_plugin: DataContractPlugin,
    lineage_emitter: LineageEmitter,
    metrics_registry: Metrics | CollectorRegistry | None = None,
    *,
    store: Store | None = None,
    outside: ServicePorts | None = None,
) -> ContractMonitor:
    """The monitor; `metrics_registry` may be one of prometheus_client, which then shows floe's metrics."""
    return ContractMonitor(
        config,
        contract_plugin,
        lineage_emitter,
        _metrics(metrics_registry),
        store=store,
        outside=outside or ServicePorts(environ=os.environ),
    )


def _metrics(registry: Metrics | CollectorRegistry | None) -> Metrics | None:
    if registry is None or isinstance(registry, Metrics):
        return registry
    from ...adapters.sinks.registry import metrics_in

    return metrics_in(registry)
