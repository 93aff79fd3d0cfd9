"""Points of metrics as families of prometheus_client, which renders and pushes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics_core import Metric as Family

from ...emit.metric import Metric
from ...emit.metric_points import Distribution, Labels, Point, Points


@dataclass(frozen=True, slots=True, eq=False)  # registries know their collectors by identity
class PointsCollector:
    """A Collector of prometheus_client; `read` is called whenever somebody scrapes or pushes."""

    read: Callable[[], Points]

    def collect(self) -> Iterator[Family]:
        return (_family(metric, points) for metric, points in self.read())


def exposition(points: Points) -> str:
    """The text that Prometheus scrapes."""
    return generate_latest(PointsCollector(lambda: points)).decode()


def _family(metric: Metric, points: tuple[Point, ...]) -> Family:
    if metric.kind == "histogram":
        histogram = HistogramMetricFamily(metric.name, metric.help, labels=metric.labels)
        for point in points:
            if isinstance(point.value, Distribution):
                histogram.add_metric(_texts(point.labels), _buckets(point.value), float(point.value.sum))
        return histogram
    kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    family = kind(metric.name, metric.help, labels=metric.labels)
    for point in points:
        if not isinstance(point.value, Distribution):
            family.add_metric(_texts(point.labels), float(point.value))
    return family


def _texts(labels: Labels) -> list[str]:
    """What the labels say; half of a surrogate pair, which JSON can spell, would break the text of all metrics."""
    return [text if text.isascii() else text.encode("utf-8", "replace").decode() for _, text in labels]


def _buckets(value: Distribution) -> list[tuple[str, float]]:
    """Each bound with the count of everything up to it."""
    bounds = [*(str(float(bound)) for bound in value.bounds), "+Inf"]
    return list(zip(bounds, map(float, accumulate(value.counts)), strict=True))
