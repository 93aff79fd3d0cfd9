"""Spans and metrics against real receivers on loopback, by HTTP and gRPC."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from support.answering import Receiver, black_hole, receiver
from support.lineage_told import HOUR, PEOPLE, Desk, people, told_customers
from support.monitored import targets
from support.otlp_receivers import Collector, attributes, collector, grpc, read_metrics, read_spans, unpacked

from floe_contracts.adapters.sinks.otel import MetricMirror, SpanSink, from_environment
from floe_contracts.app.monitor.drain import DrainLimits, Sinks, drain
from floe_contracts.emit.metrics import BY_NAME, SEEDS
from floe_contracts.errors import SettingsError
from floe_contracts.monitor.run.delivery import Delivered, Delivery, MessageRefused, Retry, messages_for
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.store.outbox import Message, MetricsGroup, Pending
from floe_contracts.product.data_contracts import Monitoring

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "grpc_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def by_http() -> Iterator[Receiver]:
    with receiver() as running:
        yield running


@pytest.fixture
def by_grpc() -> Iterator[Collector]:
    with collector() as running:
        yield running


def outlets(url: str, **said: str) -> tuple[SpanSink, MetricMirror]:
    environ = {ENDPOINT: url, **{f"OTEL_EXPORTER_OTLP_{name}": text for name, text in said.items()}}
    found = from_environment(MonitoringConfig(), environ)
    assert found is not None
    spans, metrics = found
    assert isinstance(spans, SpanSink)
    assert isinstance(metrics, MetricMirror)
    return spans, metrics


def sent(spans: SpanSink, limit_s: float = 5.0) -> Delivery:
    (message,) = spans.messages(told_customers("quality", HOUR, HOUR))
    return spans.deliver(pending(message), limit_s)


def pending(message: Message) -> Pending:
    return Pending(1, message, "s", "slot", 1, 1)


def pushed(metrics: MetricMirror, desk: Desk, limit_s: float = 5.0) -> Delivery:
    return metrics.push(MetricsGroup("shop", "quality", 1), desk.store.totals("shop"), (), limit_s)


def checked(*sinks: SpanSink, desk: Desk | None = None) -> Desk:
    """A shop after one quality check."""
    desk = desk or Desk()
    desk.engine.tables["customers"] = people(HOUR, HOUR)
    tools = replace(desk.tools(), messages=partial(messages_for, sinks=sinks))
    run_check(Request("quality", "shop"), targets(PEOPLE), Monitoring(), tools)
    assert not desk.crashes
    return desk


def test_a_span_arrives_by_http(by_http: Receiver) -> None:
    spans, _ = outlets(by_http.url, HEADERS="api-key=a%20b,x=1", COMPRESSION="gzip")
    assert sent(spans) == Delivered()
    (asked,) = by_http.asked
    assert (asked.method, asked.path) == ("POST", "/v1/traces")
    assert (asked.headers["content-type"], asked.headers["api-key"]) == ("application/x-protobuf", "a b")
    resource, span = read_spans(unpacked(asked))
    assert span.name == "floe.contract.check"
    assert span.status.code == 2
    assert resource["floe.namespace"] == "sales.customer-360"
    assert attributes(span.attributes)["floe.contract.violations"] == 2


def test_a_span_arrives_by_grpc(by_grpc: Collector) -> None:
    spans, _ = outlets(by_grpc.url, PROTOCOL="grpc", HEADERS="api-key=k1")
    assert sent(spans) == Delivered()
    (body,) = by_grpc.bodies
    assert read_spans(body)[1].name == "floe.contract.check"
    assert by_grpc.metadata[0]["api-key"] == "k1"


def test_a_replay_has_the_same_bytes(by_http: Receiver) -> None:
    spans, _ = outlets(by_http.url)
    sent(spans)
    sent(spans)
    first, second = (one.body for one in by_http.asked)
    assert first == second


def test_metrics_are_the_totals_of_the_store_under_the_seeds_names(by_http: Receiver) -> None:
    _, mirror = outlets(by_http.url)
    assert pushed(mirror, checked()) == Delivered()
    (asked,) = by_http.asked
    assert asked.path == "/v1/metrics"
    resource, found = read_metrics(asked.body)
    assert resource["floe.namespace"] == "shop"
    seeds = {one.otel_name for one in SEEDS if "quality" in one.checks}
    assert seeds <= set(found)
    assert {"floe.contract.violations_total", "floe.contract.quality_score"} <= seeds
    total = found["floe.contract.violations_total"].sum
    counted = {attributes(one.attributes)["severity"]: one.as_int for one in total.data_points}
    assert counted == {"info": 0, "warning": 0, "error": 2, "critical": 0}
    assert (total.is_monotonic, total.aggregation_temporality) == (True, 2)
    (score,) = found["floe.contract.quality_score"].gauge.data_points
    assert score.as_double == 75.0
    assert attributes(score.attributes) == {"contract": "sales-customers", "check_type": "quality"}
    (took,) = found["floe.contract.check_duration_seconds"].histogram.data_points
    assert (took.count, took.sum, sum(took.bucket_counts)) == (1, 1.5, 1)
    assert len(took.bucket_counts) == len(took.explicit_bounds) + 1


def test_metrics_arrive_by_grpc_and_stay_where_they_were_when_a_slot_runs_again(by_grpc: Collector) -> None:
    _, mirror = outlets(by_grpc.url, PROTOCOL="grpc")
    desk = checked()
    pushed(mirror, desk)
    pushed(mirror, checked(desk=desk))
    totals = []
    for body in by_grpc.bodies:
        points = read_metrics(body)[1]["floe.contract.violations_total"].sum.data_points
        totals.append(sum(one.as_int for one in points))
    assert totals == [2, 2]


def test_tests_are_cumulative_sums_that_count_a_slot_once(by_http: Receiver) -> None:
    """The same slot three times, twice as a recheck, and then the next one."""
    _, mirror = outlets(by_http.url)
    desk = checked()
    pushed(mirror, desk)
    for recheck in (False, True, True):
        desk.run("quality", targets(PEOPLE), recheck=recheck)
    pushed(mirror, desk)
    desk.later(24 * HOUR)
    pushed(mirror, checked(desk=desk))
    assert [told_tests(asked.body) for asked in by_http.asked] == [(4, 3, 1), (4, 3, 1), (8, 6, 2)]


def told_tests(body: bytes) -> tuple[int, ...]:
    found = read_metrics(body)[1]
    sums = [found[f"floe.quality.tests_{name}"].sum for name in ("total", "passed", "failed")]
    assert {(one.is_monotonic, one.aggregation_temporality) for one in sums} == {(True, 2)}
    return tuple(point.as_int for one in sums for point in one.data_points)


def test_coverage_is_a_gauge_in_percent(by_http: Receiver) -> None:
    _, mirror = outlets(by_http.url)
    desk = checked()
    pushed(mirror, desk)
    (totals,) = desk.store.totals("shop").values()
    found = read_metrics(by_http.asked[0].body)[1]["floe.quality.coverage"]
    (coverage,) = found.gauge.data_points
    assert (found.unit, coverage.as_double) == ("%", float(totals.gauges["coverage"]))
    assert coverage.as_double > 1


def test_a_group_that_is_gone_is_told_of_no_more(by_http: Receiver) -> None:
    _, mirror = outlets(by_http.url)
    assert mirror.push(MetricsGroup("shop", "quality", 0), {}, (), 5.0) == Delivered()
    assert by_http.asked == []


def test_every_metric_of_the_table_has_a_name_here() -> None:
    assert {one.otel_name for one in BY_NAME.values()} == {
        one.otel or name.replace("floe_contract_", "floe.contract.") for name, one in BY_NAME.items()
    }


@pytest.mark.parametrize(
    ("status", "kind"),
    [(200, Delivered), (400, MessageRefused), (401, Retry), (404, Retry), (429, Retry), (503, Retry)],
)
def test_answers_by_http(by_http: Receiver, status: int, kind: type) -> None:
    by_http.will(status)
    spans, mirror = outlets(by_http.url)
    assert isinstance(sent(spans), kind)
    assert isinstance(pushed(mirror, checked()), kind)


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        ("INVALID_ARGUMENT", MessageRefused("it answered INVALID_ARGUMENT")),
        ("RESOURCE_EXHAUSTED", Retry("it answered RESOURCE_EXHAUSTED")),
        ("UNAUTHENTICATED", Retry("it answered UNAUTHENTICATED")),
    ],
)
def test_answers_by_grpc(by_grpc: Collector, status: str, answer: Delivery) -> None:
    by_grpc.refuses = grpc.StatusCode[status]
    assert sent(outlets(by_grpc.url, PROTOCOL="grpc")[0]) == answer


@pytest.mark.parametrize("protocol", ["grpc", "http/protobuf"])
def test_who_never_answers_costs_the_limit_and_no_more(protocol: str) -> None:
    with black_hole() as url:
        since = time.monotonic()
        answer = sent(outlets(url, PROTOCOL=protocol)[0], limit_s=0.5)
        assert isinstance(answer, Retry)
        assert time.monotonic() - since < 15


@pytest.mark.parametrize("protocol", ["grpc", "http/protobuf"])
def test_nobody_there(protocol: str) -> None:
    assert sent(outlets("http://127.0.0.1:9", PROTOCOL=protocol)[0]) == Retry("nothing listens at its address")


def test_spans_wait_for_a_receiver_that_comes_back() -> None:
    with collector() as first:
        port = first.port
    spans, mirror = outlets(f"http://127.0.0.1:{port}", PROTOCOL="grpc")
    desk = checked(spans)
    first_time = drain(desk.store, Sinks((spans,), (mirror,)), limits=DrainLimits(4.0, 0.5))
    assert [one.delivered for one in first_time] == [0, 0]
    with collector(port) as back:
        time.sleep(0.6)
        second_time = drain(desk.store, Sinks((spans,), (mirror,)), limits=DrainLimits(8.0, 3.0))
        assert [one.delivered for one in second_time] == [1, 1], second_time
        assert len(back.bodies) == 2


@pytest.mark.parametrize(
    ("environ", "names"),
    [
        pytest.param({}, None, id="nothing is said"),
        pytest.param({ENDPOINT: "http://otel:4318"}, ["otel traces otel:4318", "otel metrics otel:4318"], id="by HTTP"),
        pytest.param(
            {ENDPOINT: "http://otel:4317"},
            ["otel traces grpc otel:4317", "otel metrics grpc otel:4317"],
            id="the port of gRPC says so",
        ),
        pytest.param(
            {ENDPOINT: "http://otel:4318", "OTEL_TRACES_EXPORTER": "none"}, ["otel metrics otel:4318"], id="no traces"
        ),
        pytest.param(
            {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://otel:4318/v1/traces"},
            ["otel traces otel:4318"],
            id="an address for traces alone",
        ),
        pytest.param({ENDPOINT: "http://otel:4318", "OTEL_SDK_DISABLED": "true"}, None, id="switched off"),
    ],
)
def test_configuration(environ: dict[str, str], names: list[str] | None) -> None:
    found = from_environment(MonitoringConfig(), environ)
    assert (found and [one.name for one in found]) == names


@pytest.mark.parametrize(
    ("blocks", "names"),
    [
        pytest.param({"traces": False}, ["otel metrics otel:4318"], id="no traces"),
        pytest.param({"metrics": False}, ["otel traces otel:4318"], id="no metrics"),
        pytest.param({"traces": False, "metrics": False}, None, id="neither"),
    ],
)
def test_settings_switch_signals_off(blocks: dict[str, Any], names: list[str] | None) -> None:
    config = MonitoringConfig.model_validate({"observability": blocks})
    found = from_environment(config, {ENDPOINT: "http://otel:4318"})
    assert (found and [one.name for one in found]) == names


@pytest.mark.parametrize(
    ("environ", "blocks", "problem"),
    [
        pytest.param({"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"}, {}, "neither grpc nor", id="another protocol"),
        pytest.param(
            {ENDPOINT: "http://otel:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"},
            {},
            "speaks gRPC",
            id="HTTP to the port of gRPC",
        ),
        pytest.param({ENDPOINT: "ftp://otel"}, {}, "not an address of a server", id="another kind of address"),
        pytest.param({"OTEL_EXPORTER_OTLP_HEADERS": "hunter2"}, {}, "not a list of name=value", id="headers"),
        pytest.param(
            {"OTEL_EXPORTER_OTLP_CERTIFICATE": "nowhere.pem", ENDPOINT: "https://otel:4318"},
            {},
            "cannot be used",
            id="a certificate that is not there",
        ),
        pytest.param({}, {"mode": "mesh"}, "needs the domain", id="a mesh without a domain"),
    ],
)
def test_what_cannot_be_used_is_said_at_once(environ: dict[str, str], blocks: dict[str, Any], problem: str) -> None:
    config = MonitoringConfig.model_validate({"observability": blocks})
    with pytest.raises(SettingsError, match=problem) as caught:
        from_environment(config, {ENDPOINT: "http://otel:4318", **environ})
    assert "hunter2" not in caught.value.message


def test_the_environment_names_the_service_and_more(by_http: Receiver) -> None:
    environ = {
        ENDPOINT: by_http.url,
        "OTEL_SERVICE_NAME": "checks",
        "OTEL_RESOURCE_ATTRIBUTES": "service.instance.id=eu-1,team=a%2Cb",
    }
    found = from_environment(MonitoringConfig(), environ)
    assert found is not None
    assert isinstance(found[0], SpanSink)
    sent(found[0])
    resource, _ = read_spans(by_http.asked[0].body)
    assert (resource["service.name"], resource["service.instance.id"], resource["team"]) == ("checks", "eu-1", "a,b")


def test_decimals_of_a_gauge_are_kept(by_http: Receiver) -> None:
    _, mirror = outlets(by_http.url)
    desk = checked()
    (series,) = desk.store.totals("shop")
    totals = {series: replace(desk.store.totals("shop")[series], gauges={"score": Decimal("99.75")})}
    mirror.push(MetricsGroup("shop", "quality", 1), totals, (), 5.0)
    (score,) = read_metrics(by_http.asked[0].body)[1]["floe.contract.quality_score"].gauge.data_points
    assert score.as_double == 99.75
