"""The OpenTelemetry sink and mirror: a span for every attempt, and where the metrics of a group stand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...emit.metric_points import QUALITY, points_of
from ...emit.metrics import METRICS
from ...emit.pipeline_spans import step_spans
from ...emit.telemetry import SPAN, Identity, Trace, resource_of, spans_of, trace_of
from ...errors import MissingExtra, SettingsError
from ...monitor.run.delivery import Delivered, Delivery, NewResult, NewStep
from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.outbox import Backlog, Message, MetricsGroup, Pending
from ...monitor.store.protocol import SeriesTotals
from ...monitor.store.slots import Series
from .otel_exporters import Exporter, exporter_for
from .otel_settings import Endpoint, endpoint_of, resource_attributes


@dataclass(frozen=True, slots=True)
class SpanSink:
    """A Sink of spans, which wait in the outbox as the bytes that go out."""

    exporter: Exporter
    who: Identity
    above: Trace = Trace()

    @property
    def name(self) -> str:
        return f"otel traces {self.exporter.place}"

    def messages(self, result: NewResult) -> Iterator[Message]:
        from .otel_wire import trace_request

        resource = resource_of(self.who, result.outcome.key.namespace)
        yield Message(self.name, SPAN, trace_request(spans_of(result, self.above), resource))

    def step_messages(self, new: NewStep) -> Iterator[Message]:
        from .otel_wire import trace_request

        spans = step_spans(new, self.above)
        resource = resource_of(self.who, new.outcome.key.namespace)
        yield Message(self.name, spans[0].name, trace_request(spans, resource))

    def deliver(self, pending: Pending, limit_s: float) -> Delivery:
        return self.exporter.send(pending.message.body, limit_s)


@dataclass(frozen=True, slots=True)
class MetricMirror:
    """A Mirror of metrics; a group that is gone is sent no more, as the protocol knows no removing."""

    exporter: Exporter
    who: Identity
    now_us: Callable[[], int] = lambda: time.time_ns() // 1000

    @property
    def name(self) -> str:
        return f"otel metrics {self.exporter.place}"

    def push(
        self, group: MetricsGroup, totals: Mapping[Series, SeriesTotals], backlog: Sequence[Backlog], limit_s: float
    ) -> Delivery:
        from .otel_wire import metrics_request

        points = points_of(group.check_type, totals, backlog, (*METRICS, *QUALITY))
        if not points:
            return Delivered()
        # Two checks can count the same kind of violation: without the check they would be one series with two numbers.
        more = {"check_type": group.check_type}
        body = metrics_request(points, resource_of(self.who, group.namespace), self.now_us(), more)
        return self.exporter.send(body, limit_s)


def from_environment(
    config: MonitoringConfig, environ: Mapping[str, str]
) -> tuple[SpanSink | MetricMirror, ...] | None:
    """Who OpenTelemetry's own variables name; None where they name nobody, or telemetry is off."""
    traces = endpoint_of("traces", environ) if config.observability.traces else None
    metrics = endpoint_of("metrics", environ) if config.observability.metrics else None
    if traces is None and metrics is None:
        return None
    if config.observability.mode == "mesh" and not config.observability.domain:
        raise SettingsError(
            "telemetry of a mesh needs the domain", fix="Write observability: {domain: …} in .floe/monitoring.yaml."
        )
    more = resource_attributes(environ)
    service = environ.get("OTEL_SERVICE_NAME", "").strip() or more.pop("service.name", "floe")
    who = Identity(config.observability, service, more)
    above = trace_of(environ.get("TRACEPARENT", ""))
    spans = (SpanSink(_exporter(traces), who, above),) if traces else ()
    mirrors = (MetricMirror(_exporter(metrics), who),) if metrics else ()
    return (*spans, *mirrors)


def _exporter(endpoint: Endpoint) -> Exporter:
    try:
        import opentelemetry.proto  # noqa: F401 - asked for before anything is measured

        return exporter_for(endpoint)
    except ModuleNotFoundError:
        raise MissingExtra("sending telemetry", "otel") from None
