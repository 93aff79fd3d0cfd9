"""Latency: a quantile of the time to arrival, once there are enough events."""

from __future__ import annotations

from decimal import Decimal

import pytest
from support.judgements import judged, said, sla, told

from floe_contracts.checks.freshness.ages import least_events, quantile_of
from floe_contracts.checks.measured import Latency
from floe_contracts.results import Outcome

P99 = sla("latency_p99", "PT5S", element=None)
SECOND = 1_000_000


def _latency(seconds: float | None, n: int = 5000, negatives: int = 0) -> Latency:
    value = None if seconds is None else int(seconds * SECOND)
    return Latency(n, Decimal("0.99"), value, negatives)


@pytest.mark.parametrize(
    ("measured", "expected"),
    [
        pytest.param(_latency(4.9), [], id="below"),
        pytest.param(_latency(5), [], id="exactly"),
        pytest.param(_latency(5.000001), ["E556 warning"], id="a microsecond above"),
        pytest.param(_latency(15), ["E556 error"], id="three times"),
        pytest.param(_latency(15.1), ["E556 critical"], id="beyond three times"),
        pytest.param(_latency(-3), [], id="negative is clipped to nothing"),
    ],
)
def test_p99_of_five_seconds(measured: Latency, expected: list[str]) -> None:
    assert told(judged(P99, measured)) == expected


@pytest.mark.parametrize(
    ("measured", "status"),
    [
        pytest.param(_latency(60, n=999), "too_few_events", id="999 events say nothing about p99"),
        pytest.param(_latency(None, n=0), "no_rows", id="an empty window is not a violation"),
    ],
)
def test_without_enough_events_nothing_is_judged(measured: Latency, status: str) -> None:
    result = judged(P99, measured)
    assert (result.outcome, said(result, "status")) == (Outcome.SKIPPED, status)


def test_a_thousand_events_are_enough() -> None:
    assert told(judged(P99, _latency(60, n=1000))) == ["E556 critical"]


def test_arrivals_before_the_event_are_counted_apart() -> None:
    assert said(judged(P99, _latency(1, negatives=7)), "latency_negatives") == "7"


def test_the_message_names_the_quantile() -> None:
    (found,) = judged(P99, _latency(7)).findings
    assert found.message == "p99 of the time to arrival is 7 seconds, SLA is 5 seconds"
    assert (found.expected, found.actual, found.violation_type) == ("PT5S", "PT7S", "freshness_violation")


@pytest.mark.parametrize(
    ("name", "quantile", "least"),
    [
        pytest.param("latency_p99", "0.99", 1000, id="p99"),
        pytest.param("latency_p95", "0.95", 200, id="p95"),
        pytest.param("latency_p50", "0.50", 20, id="the median"),
        pytest.param("latency_p999", "0.999", 10000, id="p99.9"),
        pytest.param("latency", "0.99", 1000, id="none named"),
    ],
)
def test_every_quantile_needs_ten_events_beyond_it(name: str, quantile: str, least: int) -> None:
    assert (quantile_of(name), least_events(quantile_of(name))) == (Decimal(quantile), least)
