"""Metrics of a monitor in a registry of prometheus_client, for services that are scraped; named as those pushed."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from prometheus_client.registry import CollectorRegistry

from ...emit.metric_points import Points, all_points
from ...monitor.store.protocol import SeriesTotals, SlotOutcome, Violation
from ...monitor.store.slots import Series
from ...monitor.store.totals import add_outcome, add_violations
from .prometheus import PointsCollector


@dataclass(slots=True)
class RegistryMetrics:
    """Totals of what this process saw; a restart begins at zero, as Prometheus expects of whom it scrapes."""

    _totals: dict[Series, SeriesTotals] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def record(self, outcome: SlotOutcome, counted: tuple[Violation, ...]) -> None:
        """Add a result, with the violations that were not counted before."""
        with self._lock:
            before = self._totals.get(outcome.key.series, SeriesTotals())
            self._totals[outcome.key.series] = add_violations(add_outcome(before, outcome), counted)

    def points(self) -> Points:
        """Where all metrics stand now, in the order of the table."""
        with self._lock:
            totals = dict(self._totals)
        # The outbox of a store has its own ways out.
        return tuple(pair for pair in all_points(totals) if pair[0].labels)


def metrics_in(registry: CollectorRegistry) -> RegistryMetrics:
    """Metrics that the registry shows from now on."""
    metrics = RegistryMetrics()
    registry.register(PointsCollector(metrics.points))
    return metrics
