"""The points of all metrics of one group, made from the totals of a store, for every kind of receiver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from ..checks import gauges
from ..codes import Severity, ViolationType
from ..monitor.settings.model import CHECKS
from ..monitor.store.outbox import Backlog
from ..monitor.store.protocol import DURATION_BOUNDS, RuleCount, SeriesTotals
from ..monitor.store.slots import STEPS, Kind, Series
from .metric import Metric, gauge, of_check
from .metrics import INFO, METRICS, OUTBOX_DEAD, OUTBOX_OLDEST, OUTBOX_PENDING, VIOLATIONS

_BY_OVERRUN = (Severity.WARNING, Severity.ERROR, Severity.CRITICAL)

# What each check can count. A series that appears with its first violation shows no increase in Prometheus, so all of
# these are there from the first run on, as zeros.
COUNTED: dict[Kind, tuple[tuple[ViolationType, tuple[Severity, ...]], ...]] = {
    "availability": ((ViolationType.AVAILABILITY, _BY_OVERRUN),),
    "freshness": ((ViolationType.FRESHNESS, _BY_OVERRUN), (ViolationType.QUALITY, (Severity.WARNING,))),
    "schema_drift": (
        (ViolationType.SCHEMA_MISMATCH, (Severity.ERROR,)),
        (ViolationType.SCHEMA_DRIFT, (Severity.INFO,)),
        (ViolationType.BREAKING_CHANGE, (Severity.ERROR,)),
    ),
    "quality": ((ViolationType.QUALITY, tuple(Severity)),),
    "lifecycle": (
        (ViolationType.DEPRECATION_WARNING, (Severity.WARNING,)),
        (ViolationType.DEPRECATION_ERROR, (Severity.ERROR, Severity.CRITICAL)),
    ),
}
Labels: TypeAlias = "tuple[tuple[str, str], ...]"


@dataclass(frozen=True, slots=True)
class Distribution:
    """A histogram: how many in each bucket, the last for all above the highest bound, and the sum of them."""

    bounds: tuple[Decimal, ...]
    counts: tuple[int, ...]
    sum: Decimal

    @property
    def count(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Point:
    """One series of a metric and its number."""

    labels: Labels
    value: Decimal | Distribution


Points: TypeAlias = "tuple[tuple[Metric, tuple[Point, ...]], ...]"


def points_of(
    check: Kind,
    totals: Mapping[Series, SeriesTotals],
    backlog: Sequence[Backlog] = (),
    metrics: Sequence[Metric] = METRICS,
) -> Points:
    """All points of a group in the order of the table, each series once; empty when nothing of it is published."""
    shown = by_contract(totals)
    if not shown:
        return ()
    rest = {OUTBOX_PENDING: _backlog(backlog, "pending"), OUTBOX_DEAD: _backlog(backlog, "dead")}
    rest[OUTBOX_OLDEST] = _oldest(backlog)
    points_by_metric = (
        (metric, rest[metric] if metric in rest else tuple(_series(metric, check, shown)))
        for metric in metrics
        if check in metric.checks
    )
    return tuple((metric, points) for metric, points in points_by_metric if points)


def all_points(totals: Mapping[Series, SeriesTotals], backlog: Sequence[Backlog] = ()) -> Points:
    """The points of all groups of one namespace as one text: kinds that count one type of violation share a counter."""
    values: dict[Metric, dict[Labels, Decimal | Distribution]] = {}
    for kind in (*CHECKS, *STEPS):
        of_kind = {series: total for series, total in totals.items() if series.check_type == kind}
        for metric, points in points_of(kind, of_kind, backlog):
            known = values.setdefault(metric, {})
            for point in points:
                known[point.labels] = _sum(metric, known.get(point.labels), point.value)
    ordered = ((metric, values[metric]) for metric in METRICS if metric in values)
    return tuple((metric, tuple(Point(*point) for point in points.items())) for metric, points in ordered)


def _sum(
    metric: Metric, before: Decimal | Distribution | None, value: Decimal | Distribution
) -> Decimal | Distribution:
    """Counters of several checks add up; what is not a sum is the same in every group."""
    both = isinstance(before, Decimal) and isinstance(value, Decimal) and metric.kind == "counter"
    return before + value if both else value  # type: ignore[operator]


def by_contract(totals: Mapping[Series, SeriesTotals]) -> dict[str, SeriesTotals]:
    """The totals by the value of the label `contract`, in order.

    A contract that went to the next MAJOR in place is shown by its newer line: its counters begin anew, which
    Prometheus takes as a restart. Two contracts that share a name are told apart by their keys. What was never
    published (enforcement `warn`) has no duration and is nobody's business; what is so no longer would stand still,
    as would a contract that is gone.
    """
    newest: dict[tuple[str, str], tuple[tuple[int, int], SeriesTotals]] = {}
    for series, total in totals.items():
        if total.durations and total.published and total.gone_us is None:
            key, age = (total.label or series.contract, series.contract), (total.last_run_us or 0, series.major)
            if key not in newest or newest[key][0] < age:
                newest[key] = (age, total)
    names = distinct_names(newest)
    return {names[key]: total for key, (_, total) in sorted(newest.items(), key=lambda item: item[0])}


def distinct_names(contracts: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """What metrics call contracts, by their label and key: the label, and where two share it the key beside it."""
    contracts = set(contracts)
    counted = Counter(label for label, _ in contracts)
    return {(label, key): f"{label} ({key})" if counted[label] > 1 else label for label, key in contracts}


def _series(metric: Metric, check: Kind, shown: Mapping[str, SeriesTotals]) -> Iterator[Point]:
    for contract, totals in shown.items():
        labels = {"contract": contract, "check_type": check, "version": totals.version}
        labels |= {"product": contract, "model": contract}  # a pipeline's steps have these instead
        if metric is VIOLATIONS:
            yield from _violations(contract, check, totals)
            continue
        value = _value(metric, totals)
        if value is not None:
            yield Point(tuple((label, labels[label]) for label in metric.labels), value)


def _value(metric: Metric, totals: SeriesTotals) -> Decimal | Distribution | None:
    if metric.kind == "histogram":
        return Distribution(DURATION_BOUNDS, totals.durations, totals.duration_sum)
    return Decimal(1) if metric is INFO else metric.read(totals)


def _violations(contract: str, check: Kind, totals: SeriesTotals) -> Iterator[Point]:
    """Zeros for all that the check can count, and whatever a plugin counted besides."""
    counters: dict[tuple[ViolationType, Severity], int] = {
        (kind, severity): 0 for kind, severities in COUNTED[check] for severity in severities
    }
    counters.update(totals.counters)
    for (kind, severity), number in counters.items():
        labels = (("contract", contract), ("type", kind.value), ("severity", severity.value))
        yield Point(labels, Decimal(number))


def _backlog(backlog: Sequence[Backlog], what: str) -> tuple[Point, ...]:
    return (Point((), Decimal(sum(getattr(waiting, what) for waiting in backlog))),)


def _oldest(backlog: Sequence[Backlog]) -> tuple[Point, ...]:
    moments = [waiting.oldest_us for waiting in backlog if waiting.oldest_us is not None]
    return (Point((), Decimal(min(moments)) / 1_000_000),) if moments else ()


def _counter(name: str, text: str, read: Callable[[RuleCount], int]) -> Metric:
    return Metric(
        f"floe.quality.{name}",
        "counter",
        text,
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
        gauge(gauges.COVERAGE),
        "Share of the columns with a rule that was run, 0 to 100.",
        "%",
    ),
)
