"""Receivers of OpenTelemetry's protocol on loopback, by HTTP and by gRPC, that keep what they were sent."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from opentelemetry.proto.collector.metrics.v1 import metrics_service_pb2
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
from opentelemetry.proto.common.v1.common_pb2 import KeyValue

from support.answering import Asked

# Without types of their own.
grpc: Any = import_module("grpc")
_traces: Any = import_module("opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc")
_metrics: Any = import_module("opentelemetry.proto.collector.metrics.v1.metrics_service_pb2_grpc")


def read_spans(body: bytes) -> tuple[dict[str, Any], Any]:
    """The resource and the first span of a request; those of tests come below a check."""
    request = trace_service_pb2.ExportTraceServiceRequest.FromString(body)
    (whole,) = request.resource_spans
    (scope,) = whole.scope_spans
    return attributes(whole.resource.attributes), scope.spans[0]


def read_metrics(body: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """The resource, and the metrics of a request by name."""
    request = metrics_service_pb2.ExportMetricsServiceRequest.FromString(body)
    (whole,) = request.resource_metrics
    (scope,) = whole.scope_metrics
    return attributes(whole.resource.attributes), {one.name: one for one in scope.metrics}


def attributes(listed: Any) -> dict[str, Any]:
    def value(one: KeyValue) -> Any:
        kind = one.value.WhichOneof("value")
        assert kind is not None
        return getattr(one.value, kind)

    return {one.key: value(one) for one in listed}


def unpacked(asked: Asked) -> bytes:
    return gzip.decompress(asked.body) if asked.headers.get("content-encoding") == "gzip" else asked.body


@dataclass
class Collector:
    """What a gRPC receiver was sent; `refuses` is the status it answers with instead of taking anything."""

    port: int = 0
    bodies: list[bytes] = field(default_factory=list)
    metadata: list[dict[str, str]] = field(default_factory=list)
    refuses: Any = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def take(self, request: Any, context: Any) -> None:
        self.metadata.append(dict(context.invocation_metadata()))
        if self.refuses is not None:
            context.abort(self.refuses, "http://me:hunter2@collector says no")
        self.bodies.append(request.SerializeToString(deterministic=True))


@contextmanager
def collector(port: int = 0) -> Iterator[Collector]:
    found = Collector()

    class Traces:
        def Export(self, request: Any, context: Any) -> Any:  # noqa: N802 - the protocol's name
            found.take(request, context)
            return trace_service_pb2.ExportTraceServiceResponse()

    class Metrics:
        def Export(self, request: Any, context: Any) -> Any:  # noqa: N802 - as above
            found.take(request, context)
            return metrics_service_pb2.ExportMetricsServiceResponse()

    server = grpc.server(ThreadPoolExecutor(4))
    _traces.add_TraceServiceServicer_to_server(Traces(), server)
    _metrics.add_MetricsServiceServicer_to_server(Metrics(), server)
    found.port = server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    try:
        yield found
    finally:
        server.stop(0).wait()
