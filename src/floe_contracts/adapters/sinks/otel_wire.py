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


def trace_request(span: Span, resource: Attributes) -> bytes:
    """One span."""
    scope = t.ScopeSpans(scope=_SCOPE, spans=[_span(span)])
    return _bytes(
        ExportTraceServiceRequest(resource_spans=[t.ResourceSpans(resource=_of(resource), scope_spans=[scope])])
    )


def metrics_request(points: Points, resource: Attributes, now_us: int, more: Attributes) -> bytes:
    """All points of a group at one moment; `more` stands at each of them."""
    listed = [_metric(metric, found, now_us, more) for metric, found in points]
    scope = m.ScopeMetrics(scope=_SCOPE, metrics=listed)
    return _bytes(
        ExportMetricsServiceRequest(resource_metrics=[m.ResourceMetrics(resource=_of(resource), scope_metrics=[scope])])
    )


def _bytes(request: Any) -> bytes:
    made: bytes = request.SerializeToString(deterministic=True)
    return made


def _of(resource: Attributes) -> Resource:
    return Resource(attributes=_attributes(resource))


def _attributes(said: Attributes) -> list[KeyValue]:
    return [KeyValue(key=key, value=_value(value)) for key, value in sorted(said.items())]


def _value(value: str | float) -> AnyValue:
    if isinstance(value, str):
        return AnyValue(string_value=value)
    return AnyValue(int_value=value) if isinstance(value, int) else AnyValue(double_value=value)


def _span(span: Span) -> t.Span:
    status = t.Status(code=t.Status.STATUS_CODE_ERROR, message=span.failed) if span.failed else t.Status()
    events = [
        t.Span.Event(time_unix_nano=span.end_us * 1000, name=one.name, attributes=_attributes(one.attributes))
        for one in span.events
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


def _metric(metric: Metric, found: Iterable[Point], now_us: int, more: Attributes) -> m.Metric:
    """Totals are cumulative since the store began, which nobody knows any more: their start time is left open."""
    made = m.Metric(name=metric.otel_name, description=metric.help, unit=metric.unit)
    if metric.kind == "histogram":
        buckets = [_bucket(one, one.value, now_us, more) for one in found if isinstance(one.value, Distribution)]
        made.histogram.data_points.extend(buckets)
        made.histogram.aggregation_temporality = m.AGGREGATION_TEMPORALITY_CUMULATIVE
    elif metric.kind == "gauge":
        made.gauge.data_points.extend(_number(one, now_us, more, float(_decimal(one))) for one in found)
    else:
        made.sum.data_points.extend(_number(one, now_us, more, int(_decimal(one))) for one in found)
        made.sum.aggregation_temporality = m.AGGREGATION_TEMPORALITY_CUMULATIVE
        made.sum.is_monotonic = True
    return made


def _decimal(one: Point) -> Decimal:
    return one.value if isinstance(one.value, Decimal) else Decimal(one.value.count)


def _number(one: Point, now_us: int, more: Attributes, value: float) -> m.NumberDataPoint:
    """Counters are whole numbers and gauges are not, in every push: a receiver keeps one type for each series."""
    made = m.NumberDataPoint(attributes=_attributes({**more, **dict(one.labels)}), time_unix_nano=now_us * 1000)
    if isinstance(value, int):
        made.as_int = value
    else:
        made.as_double = value
    return made


def _bucket(one: Point, value: Distribution, now_us: int, more: Attributes) -> m.HistogramDataPoint:
    return m.HistogramDataPoint(
        attributes=_attributes({**more, **dict(one.labels)}),
        time_unix_nano=now_us * 1000,
        count=value.count,
        sum=float(value.sum),
        bucket_counts=list(value.counts),
        explicit_bounds=[float(bound) for bound in value.bounds],
    )
