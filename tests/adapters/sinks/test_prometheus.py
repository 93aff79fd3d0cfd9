"""Points as prometheus_client shows them: every name, kind, label and number as the table has it, and nothing else."""

from __future__ import annotations

from decimal import Decimal

import pytest
from prometheus_client.parser import text_string_to_metric_families
from support.prometheus_servers import promtool

from floe_contracts.adapters.sinks.prometheus import exposition
from floe_contracts.checks.verdict import Check
from floe_contracts.emit.metric_points import Distribution, Point, Points, points_of
from floe_contracts.emit.metrics import BY_NAME
from floe_contracts.monitor.run.outcome import GAUGES
from floe_contracts.monitor.settings.model import CHECKS
from floe_contracts.monitor.store.outbox import Backlog
from floe_contracts.monitor.store.protocol import DURATION_BOUNDS, SeriesTotals
from floe_contracts.monitor.store.slots import Series
from floe_contracts.results import Outcome

NOW = 1_767_435_300_000_000
COUNTS = tuple(range(1, len(DURATION_BOUNDS) + 2))
ODD = 'a"b\\c\nd{}=,é'
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def all_points(check: Check, contract: str = "orders") -> Points:
    """Every metric of a check, each with a number."""
    gauges = {name: Decimal("1.5") for name in (*GAUGES[check], "status", "interval_seconds", "updated_seconds")}
    totals = SeriesTotals(
        contract, "1.0.0", durations=COUNTS, duration_sum=Decimal("0.7"), gauges=gauges, state=Outcome.PASSED,
        last_run_us=NOW, last_done_us=NOW, since_us=NOW + 1, errors=3,
    )  # fmt: skip
    return points_of(check, {Series("shop", contract, 1, check): totals}, (Backlog("x", 1, 1, NOW),))


def samples(points: Points) -> Samples:
    found = [one for family in text_string_to_metric_families(exposition(points)) for one in family.samples]
    by_name = {(one.name, frozenset(one.labels.items())): one.value for one in found}
    assert len(by_name) == len(found)
    return by_name


def expected(points: Points) -> Samples:
    found: Samples = {}
    for metric, series in points:
        for point in series:
            found |= expected_of(metric.name, point)
    return found


def expected_of(name: str, point: Point) -> Samples:
    if not isinstance(point.value, Distribution):
        return {(name, frozenset(point.labels)): float(point.value)}
    bounds = [*(str(float(bound)) for bound in point.value.bounds), "+Inf"]
    counts = point.value.counts
    buckets = {
        (f"{name}_bucket", frozenset((*point.labels, ("le", bound)))): float(sum(counts[: place + 1]))
        for place, bound in enumerate(bounds)
    }
    sums = {"count": point.value.count, "sum": float(point.value.sum)}
    return buckets | {(f"{name}_{what}", frozenset(point.labels)): value for what, value in sums.items()}


@pytest.mark.parametrize("contract", ["orders", ODD], ids=["a plain name", "a name that could break the text"])
@pytest.mark.parametrize("check", CHECKS)
def test_the_samples_are_the_points(check: Check, contract: str) -> None:
    points = all_points(check, contract)
    assert samples(points) == expected(points)


@pytest.mark.parametrize("check", CHECKS)
def test_help_and_type_are_those_of_the_table(check: Check) -> None:
    points = all_points(check)
    lines = exposition(points).splitlines()
    assert [line for line in lines if line.startswith("# HELP")] == [f"# HELP {m.name} {m.help}" for m, _ in points]
    assert [line for line in lines if line.startswith("# TYPE")] == [f"# TYPE {m.name} {m.kind}" for m, _ in points]
    assert {metric.name for metric, _ in points} <= set(BY_NAME)


@pytest.mark.parametrize(
    ("bound", "count"), [("2.5", 6), ("+Inf", sum(COUNTS))], ids=["up to a bound", "of everything"]
)
def test_buckets_count_everything_up_to_their_bound(bound: str, count: int) -> None:
    labels = frozenset({("contract", "orders"), ("check_type", "freshness"), ("le", bound)})
    assert samples(all_points("freshness"))["floe_contract_check_duration_seconds_bucket", labels] == count


def test_moments_keep_their_microseconds() -> None:
    labels = frozenset({("contract", "orders"), ("check_type", "freshness")})
    since = samples(all_points("freshness"))["floe_contract_check_since_timestamp_seconds", labels]
    assert since == 1767435300.000001


def test_nothing_is_said_of_nothing() -> None:
    assert exposition(()) == ""


def test_half_a_character_does_not_cost_the_others_their_numbers() -> None:
    assert 'contract="a?"' in exposition(all_points("freshness", "a\ud800"))


@pytest.mark.service
@pytest.mark.parametrize("check", CHECKS)
def test_promtool_finds_nothing_but_the_name_that_the_seeds_gave(check: Check) -> None:
    _, said = promtool("check", "metrics", given=exposition(all_points(check)).encode())
    complaints = [line for line in said.splitlines() if "freshness_hours" not in line]
    assert complaints == []
