"""Spans and metrics as the bytes of OpenTelemetry's protocol; the same values give the same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.metrics.v1 import metrics_pb2 as m
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1 import trace_pb2 as t

from ... import __version__
from ...emit.metric import Metric
from ...emit.metric_points import Distribution, Point, Points
from ...emit.telemetry import Attributes, Span

_SCOPE = InstrumentationScope(name="floe.contracts", version=__version__)


def trace_request(spans: Iterable[Span], resource: Attributes) -> bytes:
    """The request that exports a span with those below it."""
    scope = t.ScopeSpans(scope=_SCOPE, spans=[_span(span) for span in spans])
    return _bytes(
        ExportTraceServiceRequest(resource_spans=[t.ResourceSpans(resource=_of(resource), scope_spans=[scope])])
    )


def metrics_request(points: Points, resource: Attributes, now_us: int, more: Attributes) -> bytes:
    """The request that exports all points of a group at one moment; `more` stands at each of them."""
    listed = [_metric(metric, series, now_us, more) for metric, series in points]
    scope = m.ScopeMetrics(scope=_SCOPE, metrics=listed)
    return _bytes(
        ExportMetricsServiceRequest(resource_metrics=[m.ResourceMetrics(resource=_of(resource), scope_metrics=[scope])])
    )


def _bytes(request: Any) -> bytes:
    body: bytes = request.SerializeToString(deterministic=True)
    return body


def _of(resource: Attributes) -> Resource:
    return Resource(attributes=_attributes(resource))


def _attributes(attributes: Attributes) -> list[KeyValue]:
    return [KeyValue(key=key, value=_value(value)) for key, value in sorted(attributes.items())]


def _value(value: str | float) -> AnyValue:
    if isinstance(value, str):
        return AnyValue(string_value=value)
    return AnyValue(int_value=value) if isinstance(value, int) else AnyValue(double_value=value)


def _span(span: Span) -> t.Span:
    status = t.Status(code=t.Status.STATUS_CODE_ERROR, message=span.failed) if span.failed else t.Status()
    events = [
        t.Span.Event(time_unix_nano=span.end_us * 1000, name=event.name, attributes=_attributes(event.attributes))
        for event in span.events
    ]
    return t.Span(
        trace_id=span.trace_id,
        span_id=span.span_id,
        parent_span_id=span.parent_id,
        name=span.name,
        kind=t.Span.SPAN_KIND_INTERNAL,
        start_time_unix_nano=span.start_us * 1000,
        end_time_unix_nano=span.end_us * 1000,
        attributes=_attributes(span.attributes),
        events=events,
        status=status,
    )


def _metric(metric: Metric, points: Iterable[Point], now_us: int, more: Attributes) -> m.Metric:
    """Totals are cumulative since the store began, which nobody knows any more: their start time is left open."""
    message = m.Metric(name=metric.otel_name, description=metric.help, unit=metric.unit)
    if metric.kind == "histogram":
        buckets = [
            _bucket(point, point.value, now_us, more) for point in points if isinstance(point.value, Distribution)
        ]
        message.histogram.data_points.extend(buckets)
        message.histogram.aggregation_temporality = m.AGGREGATION_TEMPORALITY_CUMULATIVE
    elif metric.kind == "gauge":
        message.gauge.data_points.extend(_number(point, now_us, more, float(_decimal(point))) for point in points)
    else:
        message.sum.data_points.extend(_number(point, now_us, more, int(_decimal(point))) for point in points)
        message.sum.aggregation_temporality = m.AGGREGATION_TEMPORALITY_CUMULATIVE
        message.sum.is_monotonic = True
    return message


def _decimal(point: Point) -> Decimal:
    return point.value if isinstance(point.value, Decimal) else Decimal(point.value.count)


def _number(point: Point, now_us: int, more: Attributes, value: float) -> m.NumberDataPoint:
    """Counters are whole numbers and gauges are not, in every push: a receiver keeps one type for each series."""
    message = m.NumberDataPoint(attributes=_attributes({**more, **dict(point.labels)}), time_unix_nano=now_us * 1000)
    if isinstance(value, int):
        message.as_int = value
    else:
        message.as_double = value
    return message


def _bucket(point: Point, value: Distribution, now_us: int, more: Attributes) -> m.HistogramDataPoint:
    return m.HistogramDataPoint(
        attributes=_attributes({**more, **dict(point.labels)}),
        time_unix_nano=now_us * 1000,
        count=value.count,
        sum=float(value.sum),
        bucket_counts=list(value.counts),
        explicit_bounds=[float(bound) for bound in value.bounds],
    )
