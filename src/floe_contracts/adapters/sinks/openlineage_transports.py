"""Transports of lineage events: over HTTP, to Kafka, or by whatever else OpenLineage's client can do.

The client would write an event anew, and try it for up to 40 seconds. Here the stored bytes go out as they are, in one
try within the limit; its classes are used for what they know of settings, credentials and certificates.
"""

from __future__ import annotations

import gzip
import json
import ssl
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol
from urllib.parse import urljoin

from ...errors import MissingExtra, SettingsError
from ...monitor.run.delivery import Delivered, Delivery, MessageRefused, Retry
from ..http.client import Address, Call, address_of, basic_auth, tls_context
from ..process.output import put
from .http_delivery import post
from .openlineage_config import JsonObject

_HINTS = {
    401: "look at the auth of the transport, or OPENLINEAGE_API_KEY",
    403: "look at the auth of the transport, or OPENLINEAGE_API_KEY",
    404: "look at OPENLINEAGE_URL and OPENLINEAGE_ENDPOINT, or url and endpoint of the transport",
}
_USUAL_PATH = "/api/v1/lineage"


class Transport(Protocol):
    """Sends to one receiver; `place` tells it from others, without credentials."""

    @property
    def place(self) -> str: ...

    def send(self, body: bytes, limit_s: float) -> Delivery: ...


def transport_for(settings: JsonObject) -> Transport:
    """The transport that the settings describe; a SettingsError where they describe none."""
    kind = str(settings["type"])
    if kind == "console":
        return ConsoleTransport()
    transport = _transport(settings)
    if kind == "http":
        return _http(transport.config)
    if kind in ("kafka", "msk-iam"):
        return Kafka(transport)
    return Other(transport, _place(kind, settings))


def _transport(settings: JsonObject) -> Any:
    """The client's own object, made by its factory; its words about mistakes are left out: they may hold settings."""
    try:
        from openlineage.client.transport import get_default_factory
    except ModuleNotFoundError:
        raise MissingExtra("sending lineage", "store") from None
    kind = str(settings["type"])
    try:
        return get_default_factory().create(json.loads(json.dumps(settings)))
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"the transport {kind} of OpenLineage needs the package {error.name}", fix=f"pip install {error.name}"
        ) from None
    except Exception as error:
        raise SettingsError(
            f"the transport {kind} of OpenLineage cannot be made from its settings ({type(error).__name__})",
            fix="Compare them with https://openlineage.io/docs/client/python.",
        ) from None


def _place(kind: str, settings: JsonObject) -> str:
    named = str(settings.get("name") or settings.get("log_file_path") or "")
    return f"{kind} {named}".strip() if "@" not in named and "?" not in named else f"{kind} {_mark(named)}"


def _mark(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class HttpTransport:
    """POST, with what the transport's settings say about credentials, headers and certificates."""

    address: Address
    config: Any = field(repr=False)
    tls: ssl.SSLContext | None = field(repr=False, default=None)

    @property
    def place(self) -> str:
        path = self.address.path
        return f"{self.address.origin}{f' {_mark(path)}' if path != _USUAL_PATH else ''}"

    def send(self, body: bytes, limit_s: float) -> Delivery:
        headers = {"Content-Type": "application/json", **basic_auth(self.address.userinfo)}
        bearer = self.config.auth.get_bearer()  # may ask for a token first
        headers |= {"Authorization": bearer} if bearer else {}
        if self.config.compression:
            body, headers = gzip.compress(body, 3, mtime=0), {**headers, "Content-Encoding": "gzip"}
        call = Call("POST", "", body, {**headers, **getattr(self.config, "custom_headers", {})})
        return post(self.address, call, min(limit_s, self.config.timeout), self.tls, _HINTS)


def _http(config: Any) -> HttpTransport:
    address = address_of(urljoin(str(config.url).strip(), config.endpoint), "the address of the lineage receiver")
    return HttpTransport(address, config, _certificates(config) if address.tls else None)


def _certificates(config: Any) -> ssl.SSLContext:
    files = getattr(config, "ssl_context", None)
    named = (files.ca_cert_path, files.client_cert_path, files.client_key_path) if files else ()
    authority, *own = (file or "" for file in (*named, "")[:3])
    context = tls_context(authority, "the lineage receiver's sslContext", *own)
    if config.verify is False:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Kafka:
    """One message for each event, confirmed by the broker; events of one job stay in one partition."""

    def __init__(self, transport: Any) -> None:
        self._transport = transport
        servers = str(transport.kafka_config.config.get("bootstrap.servers", ""))
        self.place = f"kafka {servers}/{transport.topic}"

    def send(self, body: bytes, limit_s: float) -> Delivery:
        answers: list[Delivery] = []
        producer, key = self._transport.producer, self._transport.message_key or _key(json.loads(body))
        producer.produce(
            topic=self._transport.topic,
            key=key,
            value=body,
            on_delivery=lambda error, _: answers.append(_judge(error)),
        )
        producer.flush(limit_s)
        if not answers:
            producer.purge()  # else it would go out later, behind events that were delivered meanwhile
            producer.flush(0)
            return Retry("it did not answer in time")
        return answers[0]


def _judge(error: Any) -> Delivery:
    if error is None:
        return Delivered()
    too_large = error.name() in ("MSG_SIZE_TOO_LARGE", "_INVALID_MSG", "INVALID_RECORD")
    return (MessageRefused if too_large else Retry)(f"the broker answered {error.name()}")


def _key(event: JsonObject) -> str:
    """As the client makes it: all runs of the outermost job in one partition, in order."""
    parent = event["run"]["facets"].get("parent") or event
    job = parent.get("root", parent)["job"]
    return f"run:{job['namespace']}/{job['name']}"


@dataclass(frozen=True, slots=True)
class ConsoleTransport:
    """On the error output, where reports do not stand; the client's log lines are usually shown to nobody."""

    place: str = "console"

    def send(self, body: bytes, limit_s: float) -> Delivery:
        put(body.decode("ascii").replace("##[", "##\\u005b") + "\n", error=True)
        return Delivered()


@dataclass(frozen=True, slots=True)
class Other:
    """A file, a cloud's own receiver, or a class of the user's: the client sends, and what it raises is Retry."""

    transport: Any = field(repr=False)
    place: str

    def send(self, body: bytes, limit_s: float) -> Delivery:
        self.transport.emit(_event(json.loads(body)))
        return Delivered()


def _event(event: JsonObject) -> Any:
    """The event as the client's own object, which it writes as the same bytes again."""
    from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState

    return RunEvent(
        eventTime=event["eventTime"],
        eventType=RunState(event["eventType"]),
        producer=event["producer"],
        run=Run(**event["run"]),
        job=Job(**event["job"]),
        inputs=[InputDataset(**dataset) for dataset in event["inputs"]],
        outputs=[OutputDataset(**dataset) for dataset in event["outputs"]],
    )
