"""The settings of telemetry, as OpenTelemetry's own variables give them.

https://opentelemetry.io/docs/specs/otel/protocol/exporter/ lists them. The one thing guessed is the protocol where none
is named: port 4317 is that of gRPC everywhere, and all others speak HTTP.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

from ...errors import SettingsError

Signal = Literal["traces", "metrics"]
Protocol = Literal["grpc", "http/protobuf"]
_PREFIX = "OTEL_EXPORTER_OTLP_"
_GRPC_PORT = 4317


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One receiver of one signal; headers may be credentials."""

    signal: Signal
    protocol: Protocol
    url: str = field(repr=False)  # of gRPC without a path
    setting: str  # the variable that named it
    headers: tuple[tuple[str, str], ...] = field(repr=False, default=())
    limit_s: float = 10.0
    compressed: bool = False
    ca_file: str = ""
    certificate: str = ""
    key: str = ""
    insecure: bool = False  # of gRPC, where the address does not say


def endpoint_of(signal: Signal, environ: Mapping[str, str]) -> Endpoint | None:
    """The receiver of a signal; None where there is none, or its exporter is `none`."""
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    if environ.get(f"OTEL_{signal.upper()}_EXPORTER", "otlp").strip().lower() == "none":
        return None
    own, common = f"{_PREFIX}{signal.upper()}_ENDPOINT", f"{_PREFIX}ENDPOINT"
    setting = own if environ.get(own, "").strip() else common
    url = environ.get(setting, "").strip()
    if not url:
        return None

    def setting_of(name: str) -> str:
        return (environ.get(f"{_PREFIX}{signal.upper()}_{name}") or environ.get(f"{_PREFIX}{name}", "")).strip()

    protocol = _protocol(setting_of("PROTOCOL"), url, setting)
    return Endpoint(
        signal=signal,
        protocol=protocol,
        url=_address(url, protocol, "" if setting == own else f"/v1/{signal}"),
        setting=setting,
        headers=_pairs(setting_of("HEADERS"), f"{_PREFIX}HEADERS"),
        limit_s=_seconds(setting_of("TIMEOUT")),
        compressed=setting_of("COMPRESSION").lower() == "gzip",
        ca_file=setting_of("CERTIFICATE"),
        certificate=setting_of("CLIENT_CERTIFICATE"),
        key=setting_of("CLIENT_KEY"),
        insecure=setting_of("INSECURE").lower() == "true",
    )


def resource_attributes(environ: Mapping[str, str]) -> dict[str, str]:
    return dict(_pairs(environ.get("OTEL_RESOURCE_ATTRIBUTES", ""), "OTEL_RESOURCE_ATTRIBUTES", lower=False))


def _protocol(word: str, url: str, setting: str) -> Protocol:
    port = _port(url, setting)
    if not word:
        return "grpc" if port == _GRPC_PORT else "http/protobuf"
    if word == "grpc":
        return "grpc"
    if word == "http/protobuf":
        if port == _GRPC_PORT:
            raise SettingsError(
                f"{setting} has port {_GRPC_PORT}, which speaks gRPC, and the protocol is http/protobuf",
                fix=f"Use port 4318, or set {_PREFIX}PROTOCOL to grpc.",
            )
        return "http/protobuf"
    raise SettingsError(f"{_PREFIX}PROTOCOL is neither grpc nor http/protobuf", fix="Write one of the two.")


def _port(url: str, setting: str) -> int | None:
    try:
        return urlsplit(url if "://" in url else f"//{url}").port
    except ValueError:
        raise SettingsError(
            f"{setting} is not an address of a server", fix="Write one such as http://otel:4318."
        ) from None


def _address(url: str, protocol: Protocol, path: str) -> str:
    return url if protocol == "grpc" else url.rstrip("/") + path


def _seconds(text: str) -> float:
    """Milliseconds, as the variable counts them."""
    return int(text) / 1000 if text.isdigit() and int(text) else 10.0


def _pairs(text: str, setting: str, *, lower: bool = True) -> tuple[tuple[str, str], ...]:
    """`a=1,b=2`, the values in percent encoding."""
    pairs = []
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if not part.strip():
            continue
        if not equals or not name.strip():
            raise SettingsError(f"{setting} is not a list of name=value", fix="Separate entries by commas.")
        name = unquote(name.strip())
        pairs.append((name.lower() if lower else name, unquote(value.strip())))
    return tuple(pairs)
