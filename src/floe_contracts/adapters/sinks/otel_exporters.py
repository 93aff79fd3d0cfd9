"""Exporters of telemetry: HTTP or gRPC, one try within the limit, and what came of it as a value.

An SDK's exporter would try for a minute, and its providers answer that all is well when nothing arrived.
"""

from __future__ import annotations

import gzip
import ssl
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from ...errors import SettingsError
from ...monitor.run.delivery import Delivered, Delivery, MessageRefused, Retry
from ..http.client import Address, Call, address_of, basic_auth, tls_context
from .http_delivery import post
from .otel_settings import Endpoint

_METHODS = {
    "traces": "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
    "metrics": "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
}
# A receiver that is back is found at the next try, not after minutes.
_PATIENCE = (("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 500))
_FILES = "the variables OTEL_EXPORTER_OTLP_*CERTIFICATE and _KEY"
_WRONG_IN_ITSELF = ("INVALID_ARGUMENT", "OUT_OF_RANGE", "DATA_LOSS")


class Exporter(Protocol):
    """Sends to one receiver; `place` tells it from others, without credentials."""

    @property
    def place(self) -> str: ...

    def send(self, body: bytes, limit_s: float) -> Delivery: ...


def exporter_for(endpoint: Endpoint) -> Exporter:
    return _grpc(endpoint) if endpoint.protocol == "grpc" else _http(endpoint)


@dataclass(frozen=True, slots=True)
class HttpExporter:
    """POST of protocol buffers."""

    endpoint: Endpoint
    address: Address
    tls: ssl.SSLContext | None = field(repr=False, default=None)

    @property
    def place(self) -> str:
        usual = self.address.path == f"/v1/{self.endpoint.signal}"
        return f"{self.address.origin}{'' if usual else f' {sha256(self.address.path.encode()).hexdigest()[:8]}'}"

    def send(self, body: bytes, limit_s: float) -> Delivery:
        headers = {"Content-Type": "application/x-protobuf", **basic_auth(self.address.userinfo)}
        if self.endpoint.compressed:
            body, headers = gzip.compress(body, 3, mtime=0), {**headers, "Content-Encoding": "gzip"}
        call = Call("POST", "", body, {**headers, **dict(self.endpoint.headers)})
        hints = dict.fromkeys((401, 403, 404), f"look at {self.endpoint.setting} and its headers")
        return post(self.address, call, min(limit_s, self.endpoint.limit_s), self.tls, hints)


def _http(endpoint: Endpoint) -> HttpExporter:
    address = address_of(endpoint.url, endpoint.setting)
    files = endpoint.ca_file, _FILES, endpoint.certificate, endpoint.key
    return HttpExporter(endpoint, address, tls_context(*files) if address.tls else None)


@dataclass(frozen=True, slots=True)
class Grpc:
    """One call without waiting for a connection that is not there."""

    endpoint: Endpoint
    place: str
    call: Any = field(repr=False)

    def send(self, body: bytes, limit_s: float) -> Delivery:
        grpc = _library()
        try:
            limit_s = min(limit_s, self.endpoint.limit_s)
            self.call(body, timeout=limit_s, metadata=self.endpoint.headers, wait_for_ready=False)
        except grpc.RpcError as error:
            return _judge(error.code().name if hasattr(error, "code") else "UNKNOWN", self.endpoint.setting)
        return Delivered()


def _judge(code: str, setting: str) -> Delivery:
    """By the name of the status alone: its words may hold anything."""
    if code in _WRONG_IN_ITSELF:
        return MessageRefused(f"it answered {code}")
    reasons = {
        "UNAVAILABLE": "nothing listens at its address",
        "DEADLINE_EXCEEDED": "it did not answer in time",
        "UNIMPLEMENTED": f"it answered {code}; look at {setting}, which may be the address of something else",
    }
    return Retry(reasons.get(code, f"it answered {code}"))


def _grpc(endpoint: Endpoint) -> Grpc:
    grpc = _library()
    parts = urlsplit(endpoint.url if "://" in endpoint.url else f"//{endpoint.url}")
    if not parts.hostname or parts.scheme not in ("", "http", "https"):
        raise SettingsError(
            f"{endpoint.setting} is not an address of a server", fix="Write one such as http://otel:4317."
        )
    target = f"{parts.hostname}:{parts.port or 4317}"
    packed = grpc.Compression.Gzip if endpoint.compressed else grpc.Compression.NoCompression
    if parts.scheme == "http" or (not parts.scheme and endpoint.insecure):
        channel = grpc.insecure_channel(target, _PATIENCE, packed)
    else:
        channel = grpc.secure_channel(target, _credentials(endpoint), _PATIENCE, packed)
    return Grpc(endpoint, f"grpc {target}", channel.unary_unary(_METHODS[endpoint.signal]))


def _library() -> Any:
    """Late, because it is heavy; and without types, because it has none."""
    return import_module("grpc")


def _credentials(endpoint: Endpoint) -> Any:
    try:
        ca, key, certificate = (_content(path) for path in (endpoint.ca_file, endpoint.key, endpoint.certificate))
    except OSError as error:
        raise SettingsError(f"a file of {_FILES} cannot be used: {error.strerror}", fix="Name PEM files.") from None
    return _library().ssl_channel_credentials(ca, key, certificate)


def _content(path: str) -> bytes | None:
    return Path(path).read_bytes() if path else None
