"""Metrics of a monitor in a registry of prometheus_client, for services that are scraped; named as those pushed."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from itertools import starmap
from threading import Lock

from prometheus_client.registry import CollectorRegistry

from ...emit.metric import Metric
from ...emit.metric_points import Distribution, Labels, Point, Points, points_of
from ...emit.metrics import METRICS
from ...monitor.settings.model import CHECKS
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
        values = _values(totals)
        return tuple((metric, tuple(starmap(Point, values[metric].items()))) for metric in METRICS if metric in values)


def metrics_in(registry: CollectorRegistry) -> RegistryMetrics:
    """Metrics that the registry shows from now on."""
    metrics = RegistryMetrics()
    registry.register(PointsCollector(metrics.points))
    return metrics


_Values = dict[Labels, "Decimal | Distribution"]


def _values(totals: dict[Series, SeriesTotals]) -> dict[Metric, _Values]:
    """Each series once: checks that count violations of one kind share a counter."""
    values: dict[Metric, _Values] = {}
    for check in CHECKS:
        of_check = {series: total for series, total in totals.items() if series.check_type == check}
        for metric, points in points_of(check, of_check):
            if not metric.labels:  # about the outbox of a store, which has its own ways out
                continue
            known = values.setdefault(metric, {})
            for point in points:
                before = known.get(point.labels)
                both = isinstance(before, Decimal) and isinstance(point.value, Decimal) and metric.kind == "counter"
                known[point.labels] = before + point.value if both else point.value  # type: ignore[operator]
    return values
