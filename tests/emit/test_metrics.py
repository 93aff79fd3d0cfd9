"""The table of metrics, and the points that follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from support.monitored import FRESH, HOUR, NOW, Desk, orders, targets
from support.row_engine import RowEngine, RowTable, actual

from floe_contracts.checks.verdict import Check
from floe_contracts.codes import Severity, ViolationType
from floe_contracts.emit.metric_points import COUNTED, QUALITY, Distribution, Labels, points_of
from floe_contracts.emit.metrics import BY_NAME, METRICS, SEEDS
from floe_contracts.monitor.run.outcome import GAUGES
from floe_contracts.monitor.settings.model import CHECKS
from floe_contracts.monitor.store.outbox import Backlog
from floe_contracts.monitor.store.protocol import DURATION_BOUNDS, RuleCount, SeriesTotals
from floe_contracts.monitor.store.slots import Series
from floe_contracts.results import Outcome

ONCE = (0, 1, *(0,) * (len(DURATION_BOUNDS) - 1))
STALE = ViolationType.FRESHNESS, Severity.WARNING


def series(contract: str = "orders", check: Check = "freshness", major: int = 1) -> Series:
    return Series("shop", contract, major, check)


def standing(**more: Any) -> SeriesTotals:
    return SeriesTotals(
        **{"label": "orders", "version": "1.0.0", "durations": ONCE, "duration_sum": Decimal("0.7"), **more}
    )


def lines(
    totals: Mapping[Series, SeriesTotals], check: Check = "freshness", backlog: tuple[Backlog, ...] = ()
) -> dict[str, Decimal]:
    """Every number by its name and labels; of a histogram the count and the sum."""
    found: dict[str, Decimal] = {}
    for metric, points in points_of(check, totals, backlog):
        for point in points:
            if isinstance(point.value, Distribution):
                found[f"{metric.name}_count{shown(point.labels)}"] = Decimal(point.value.count)
                found[f"{metric.name}_sum{shown(point.labels)}"] = point.value.sum
            else:
                found[f"{metric.name}{shown(point.labels)}"] = point.value
    return found


def shown(labels: Labels) -> str:
    return "{" + ",".join(f'{name}="{text}"' for name, text in labels) + "}" if labels else ""


def test_the_six_names_of_the_seeds_stand_with_their_labels() -> None:
    assert {one.name: one.labels for one in SEEDS} == {
        "floe_contract_violations_total": ("contract", "type", "severity"),
        "floe_contract_check_duration_seconds": ("contract", "check_type"),
        "floe_contract_freshness_hours": ("contract",),
        "floe_contract_availability_up": ("contract",),
        "floe_contract_quality_score": ("contract",),
        "floe_contract_schema_drift_detected": ("contract",),
    }


def test_no_name_is_given_twice_and_each_has_its_twin_in_opentelemetry() -> None:
    assert len({one.name for one in METRICS}) == len(METRICS)
    of_contracts = [one for one in METRICS if not one.otel]
    assert {one.otel_name.replace(".", "_") for one in of_contracts} == {one.name for one in of_contracts}


@pytest.mark.parametrize(
    ("name", "twin", "kind"),
    [
        ("floe_pipeline_duration_seconds", "floe.pipeline.duration", "histogram"),
        ("floe_pipeline_runs_total", "floe.pipeline.runs", "counter"),
        ("floe_pipeline_failures_total", "floe.pipeline.failures", "counter"),
        ("floe_transform_duration_seconds", "floe.transform.duration", "histogram"),
        ("floe_transform_rows_affected", "floe.transform.rows_affected", "gauge"),
        ("floe_transform_bytes_processed", "floe.transform.bytes_processed", "gauge"),
    ],
)
def test_metrics_of_runs_have_the_names_of_the_seeds(name: str, twin: str, kind: str) -> None:
    assert (BY_NAME[name].otel_name, BY_NAME[name].kind) == (twin, kind)


def test_the_four_names_of_tests_are_those_of_the_seeds_with_their_kinds_and_units() -> None:
    assert [(one.otel_name, one.kind, one.unit) for one in QUALITY] == [
        ("floe.quality.tests_total", "counter", "{test}"),
        ("floe.quality.tests_passed", "counter", "{test}"),
        ("floe.quality.tests_failed", "counter", "{test}"),
        ("floe.quality.coverage", "gauge", "%"),
    ]


@pytest.mark.parametrize(
    ("more", "numbers"),
    [
        pytest.param({"rules": RuleCount(40, 2), "gauges": {"coverage": Decimal("62.5")}},
                     {"tests_total": 42, "tests_passed": 40, "tests_failed": 2, "coverage": Decimal("62.5")},
                     id="rules and a coverage"),
        pytest.param({}, {"tests_total": 0, "tests_passed": 0, "tests_failed": 0}, id="no rule yet"),
    ],
)  # fmt: skip
def test_tests_are_told_beside_the_table_and_only_of_quality(more: dict[str, Any], numbers: dict[str, Any]) -> None:
    found = points_of("quality", {series(check="quality"): standing(**more)}, metrics=QUALITY)
    assert {metric.name.removeprefix("floe.quality."): one.value for metric, (one,) in found} == numbers
    assert {one.labels for _, points in found for one in points} == {(("contract", "orders"),)}
    assert points_of("freshness", {series(): standing(**more)}, metrics=QUALITY) == ()


def test_prometheus_is_not_told_of_tests_under_the_names_of_opentelemetry() -> None:
    found = lines({series(check="quality"): standing(rules=RuleCount(4, 2))}, "quality")
    assert found
    assert [name for name in found if not name.startswith("floe_contract_")] == []


def test_labels_are_those_that_the_number_of_contracts_bounds() -> None:
    assert {label for one in METRICS for label in one.labels} == {
        "contract",
        "model",
        "product",
        "type",
        "severity",
        "check_type",
        "version",
    }


@pytest.mark.parametrize("check", CHECKS)
def test_every_gauge_that_a_check_keeps_is_shown(check: Check) -> None:
    gauges = {name: Decimal(77 + place) for place, name in enumerate(GAUGES[check])}
    found = lines({series(check=check): standing(gauges=gauges)}, check)
    values = set(found.values())
    missing = {name for name, value in gauges.items() if not {value, value / 100} & values}
    assert missing == set()


@pytest.mark.parametrize(
    ("more", "line", "value"),
    [
        pytest.param({"gauges": {"freshness_seconds": Decimal(28800)}}, "freshness_hours{", "8", id="hours"),
        pytest.param(
            {"gauges": {"freshness_seconds": Decimal(90)}}, "freshness_hours{", "0.025", id="parts of an hour"
        ),
        pytest.param({"errors": 3}, "check_errors_total{", "3", id="errors"),
        pytest.param({"last_run_us": NOW}, "check_last_run_timestamp_seconds{", "1767435300", id="last run"),
        pytest.param({"state": Outcome.ERRORED}, "check_errored{", "1", id="could not be checked"),
        pytest.param({"state": Outcome.VIOLATED}, "check_errored{", "0", id="could be checked"),
        pytest.param({"version": "2.1.0"}, 'info{contract="orders",version="2.1.0"', "1", id="version"),
        pytest.param({}, "check_duration_seconds_count{", "1", id="duration, count"),
        pytest.param({}, "check_duration_seconds_sum{", "0.7", id="duration, sum"),
    ],
)
def test_a_number_stands_where_the_store_says(more: dict[str, Any], line: str, value: str) -> None:
    found = lines({series(): standing(**more)})
    assert [text for name, text in found.items() if name.startswith(f"floe_contract_{line}")] == [Decimal(value)]


@pytest.mark.parametrize("missing", ["floe_contract_freshness_hours", "floe_contract_check_errored"])
def test_what_is_not_known_has_no_sample(missing: str) -> None:
    assert not any(name.startswith(missing) for name in lines({series(): standing()}))


@pytest.mark.parametrize("check", CHECKS)
def test_whatever_a_check_can_count_is_there_as_zero(check: Check) -> None:
    found = lines({series(check=check): standing()}, check)
    counters = {name: text for name, text in found.items() if name.startswith("floe_contract_violations_total")}
    wanted = {
        f'floe_contract_violations_total{{contract="orders",type="{kind.value}",severity="{severity.value}"}}'
        for kind, severities in COUNTED[check]
        for severity in severities
    }
    assert counters == dict.fromkeys(wanted, Decimal(0))


def test_what_only_a_plugin_counts_is_shown_as_well() -> None:
    odd = (ViolationType.AVAILABILITY, Severity.INFO)
    found = lines({series(): standing(counters={STALE: 2, odd: 1})})
    counters = {name: text for name, text in found.items() if name.startswith("floe_contract_violations_total")}
    assert sorted(counters.values()) == [0, 0, 0, 1, 2]


BROKEN: dict[str, tuple[Check, list[dict[str, Any]]]] = {
    "stale": ("freshness", [{"order_id": "a", "placed_at": NOW - 40 * HOUR}]),
    "from the future": ("freshness", [{"order_id": "a", "placed_at": NOW + 40 * HOUR}]),
    "empty": ("freshness", []),
    "keys twice": ("quality", [{"order_id": "a", "placed_at": NOW}] * 2),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_checks_count_is_what_they_are_said_to_count(case: str) -> None:
    check, rows = BROKEN[case]
    desk = Desk(RowEngine({"orders": RowTable(rows, actual(order_id="string", placed_at="timestamp"))}))
    for _ in range(4):
        desk.run(check, targets(orders(FRESH)))
        desk.later()
    (totals,) = desk.store.totals("shop").values()
    possible = {(kind, severity) for kind, all_of in COUNTED[check] for severity in all_of}
    assert totals.counters
    assert set(totals.counters) <= possible


def test_what_was_never_published_is_not_shown() -> None:
    assert points_of("freshness", {series(): standing(durations=())}) == ()


def test_what_is_no_longer_published_is_not_shown() -> None:
    assert points_of("freshness", {series(): standing(published=False)}) == ()


def test_the_newer_line_of_a_contract_speaks_under_its_name() -> None:
    older = standing(version="1.4.0", last_run_us=NOW, counters={STALE: 9})
    newer = replace(older, version="2.0.0", last_run_us=NOW + HOUR, counters={})
    found = lines({series(): older, series(major=2): newer})
    assert 'floe_contract_info{contract="orders",version="2.0.0"}' in found
    assert 9 not in found.values()


def test_two_contracts_of_one_name_are_told_apart_by_their_keys() -> None:
    found = lines({series("a/orders"): standing(), series("b/orders"): standing(), series("c"): standing(label="c")})
    names = {name.partition('contract="')[2].partition('"')[0] for name in found if "info" in name}
    assert names == {"orders (a/orders)", "orders (b/orders)", "c"}


def test_the_backlog_of_all_sinks_is_summed() -> None:
    backlog = (Backlog("a", 2, 1, NOW + HOUR), Backlog("b", 3, 0, NOW))
    found = lines({series(): standing()}, backlog=backlog)
    assert found["floe_contract_outbox_pending"] == 5
    assert found["floe_contract_outbox_dead"] == 1
    assert found["floe_contract_outbox_oldest_timestamp_seconds"] == 1767435300
