"""The seeds' metrics of tests, which OpenTelemetry alone is told: Prometheus has the same facts under other names."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from ..checks import context_keys as keys
from ..monitor.store.protocol import RuleCount
from .metric import Metric, gauge, of_check


def _counter(name: str, said: str, read: Callable[[RuleCount], int]) -> Metric:
    return Metric(
        f"floe.quality.{name}",
        "counter",
        said,
        checks=("quality",),
        unit="{test}",
        read=lambda totals: Decimal(read(totals.rules)),
    )


QUALITY: tuple[Metric, ...] = (
    _counter("tests_total", "Quality rules that were judged, each counted once per slot.", lambda rules: rules.judged),
    _counter("tests_passed", "Quality rules that were met, each counted once per slot.", lambda rules: rules.passed),
    _counter(
        "tests_failed", "Quality rules that were not met, each counted once per slot.", lambda rules: rules.failed
    ),
    of_check(
        "quality",
        "floe.quality.coverage",
        gauge(keys.COVERAGE),
        "Share of the columns with a rule that was run, 0 to 100.",
        "%",
    ),
)
