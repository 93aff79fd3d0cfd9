"""Metrics of a monitor in a registry of prometheus_client, for services that are scraped; named as those pushed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import accumulate
from threading import Lock

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import CollectorRegistry

from ...emit.metric import Metric
from ...emit.metric_points import Distribution, Labels, points_of
from ...emit.metrics import METRICS
from ...monitor.settings.model import CHECKS
from ...monitor.store.protocol import SeriesTotals, SlotOutcome, Violation
from ...monitor.store.slots import Series
from ...monitor.store.totals import moved_on, raised

_Numbers = dict[Labels, "Decimal | Distribution"]


@dataclass(slots=True, eq=False)  # registries know their collectors by identity
class RegistryMetrics:
    """Adds up what this process saw; a restart begins at zero, as Prometheus expects of whom it scrapes."""

    _totals: dict[Series, SeriesTotals] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def record(self, outcome: SlotOutcome, counted: tuple[Violation, ...]) -> None:
        """A result, with the violations that were not counted before."""
        with self._lock:
            before = self._totals.get(outcome.key.series, SeriesTotals())
            self._totals[outcome.key.series] = raised(moved_on(before, outcome), counted)

    def collect(self) -> Iterator[Family]:
        """Whenever somebody scrapes."""
        with self._lock:
            totals = dict(self._totals)
        numbers = _numbers(totals)
        yield from (_family(metric, numbers[metric]) for metric in METRICS if metric in numbers)


def metrics_in(registry: CollectorRegistry) -> RegistryMetrics:
    """Metrics that the registry shows from now on."""
    made = RegistryMetrics()
    registry.register(made)
    return made


def _numbers(totals: dict[Series, SeriesTotals]) -> dict[Metric, _Numbers]:
    """Each series once: checks that count violations of one kind share a counter."""
    found: dict[Metric, _Numbers] = {}
    for check in CHECKS:
        of_check = {series: total for series, total in totals.items() if series.check_type == check}
        for metric, points in points_of(check, of_check):
            if not metric.labels:  # about the outbox of a store, which has its own ways out
                continue
            known = found.setdefault(metric, {})
            for point in points:
                before = known.get(point.labels)
                both = isinstance(before, Decimal) and isinstance(point.value, Decimal) and metric.kind == "counter"
                known[point.labels] = before + point.value if both else point.value  # type: ignore[operator]
    return found


def _family(metric: Metric, numbers: _Numbers) -> Family:
    if metric.kind == "histogram":
        histogram = HistogramMetricFamily(metric.name, metric.help, labels=metric.labels)
        for labels, value in numbers.items():
            if isinstance(value, Distribution):
                histogram.add_metric([text for _, text in labels], _buckets(value), float(value.sum))
        return histogram
    family = (CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily)(
        metric.name, metric.help, labels=metric.labels
    )
    for labels, value in numbers.items():
        if isinstance(value, Decimal):
            family.add_metric([text for _, text in labels], float(value))
    return family


def _buckets(value: Distribution) -> list[tuple[str, float]]:
    bounds = [*(str(float(bound)) for bound in value.bounds), "+Inf"]
    return list(zip(bounds, map(float, accumulate(value.counts)), strict=True))
