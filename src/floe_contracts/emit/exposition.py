"""Points as the text that Prometheus and its gateway read: one block per metric, help and type first."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from .metric import Metric
from .metric_points import Distribution, Labels, Point, Points

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def exposition(points: Points) -> bytes:
    """The bytes to push: no timestamps, which a gateway refuses, and a newline at the end, which it demands."""
    lines = [line for metric, found in points for line in _block(metric, found)]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _block(metric: Metric, points: tuple[Point, ...]) -> Iterator[str]:
    yield f"# HELP {metric.name} {_escaped(metric.help)}"
    yield f"# TYPE {metric.name} {metric.kind}"
    for point in points:
        if isinstance(point.value, Distribution):
            yield from _histogram(metric.name, point.labels, point.value)
        else:
            yield f"{metric.name}{_shown(point.labels)} {number(point.value)}"


def _histogram(name: str, labels: Labels, value: Distribution) -> Iterator[str]:
    """Buckets count everything up to their bound."""
    inside, running = _inside(labels), 0
    for bound, count in zip((*map(number, value.bounds), "+Inf"), value.counts, strict=True):
        running += count
        yield f'{name}_bucket{{{inside},le="{bound}"}} {running}'
    yield f"{name}_sum{{{inside}}} {number(value.sum)}"
    yield f"{name}_count{{{inside}}} {running}"


def _shown(labels: Labels) -> str:
    return f"{{{_inside(labels)}}}" if labels else ""


def _inside(labels: Labels) -> str:
    return ",".join(f'{name}="{quoted(text)}"' for name, text in labels)


def quoted(text: str) -> str:
    """What stands between the quotes of a label, here and in PromQL."""
    return _escaped(text).replace('"', '\\"')


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def number(value: Decimal) -> str:
    """Without an exponent and without zeros that say nothing."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
