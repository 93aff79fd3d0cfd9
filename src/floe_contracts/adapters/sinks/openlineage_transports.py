"""How an event's bytes leave: over HTTP, to Kafka, or by whatever else OpenLineage's client can do.

The client would write an event anew, and try it for up to 40 seconds. Here the stored bytes go out as they are, in one
try within the limit; its classes are used for what they know of settings, credentials and certificates.
"""

from __future__ import annotations

import gzip
import json
import ssl
import sys
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol
from urllib.parse import urljoin

from ...errors import MissingExtra, SettingsError
from ...monitor.run.delivery import Delivered, Delivery, MessageRefused, Retry
from ..http.client import Address, Call, NoAnswer, address_of, basic, delivery_of, send, trusting
from .openlineage_config import Said

_HINTS = {
    401: "look at the auth of the transport, or OPENLINEAGE_API_KEY",
    403: "look at the auth of the transport, or OPENLINEAGE_API_KEY",
    404: "look at OPENLINEAGE_URL and OPENLINEAGE_ENDPOINT, or url and endpoint of the transport",
}
_USUAL_PATH = "/api/v1/lineage"


class Transport(Protocol):
    """To one receiver; `place` tells it from others, without credentials."""

    @property
    def place(self) -> str: ...

    def send(self, body: bytes, limit_s: float) -> Delivery: ...


def way_of(said: Said) -> Transport:
    """The way that a transport's settings describe; a SettingsError where they describe none."""
    kind = str(said["type"])
    if kind == "console":
        return ConsoleTransport()
    transport = _transport(said)
    if kind == "http":
        return _http(transport.config)
    if kind in ("kafka", "msk-iam"):
        return Kafka(transport)
    return Other(transport, _place(kind, said))


def _transport(said: Said) -> Any:
    """Made by the client's own factory, with its words about what is wrong left out: they may hold the settings."""
    try:
        from openlineage.client.transport import get_default_factory
    except ModuleNotFoundError:
        raise MissingExtra("sending lineage", "spark") from None
    kind = str(said["type"])
    try:
        return get_default_factory().create(json.loads(json.dumps(said)))
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"the transport {kind} of OpenLineage needs the package {error.name}", fix=f"pip install {error.name}"
        ) from None
    except Exception as error:
        raise SettingsError(
            f"the transport {kind} of OpenLineage cannot be made from its settings ({type(error).__name__})",
            fix="Compare them with https://openlineage.io/docs/client/python.",
        ) from None


def _place(kind: str, said: Said) -> str:
    named = str(said.get("name") or said.get("log_file_path") or "")
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
        headers = {"Content-Type": "application/json", **basic(self.address.userinfo)}
        bearer = self.config.auth.get_bearer()  # may ask for a token first
        headers |= {"Authorization": bearer} if bearer else {}
        if self.config.compression:
            body, headers = gzip.compress(body, 3, mtime=0), {**headers, "Content-Encoding": "gzip"}
        try:
            call = Call("POST", "", body, {**headers, **getattr(self.config, "custom_headers", {})})
            return delivery_of(send(self.address, call, min(limit_s, self.config.timeout), self.tls), _HINTS)
        except NoAnswer as why:
            return Retry(str(why))


def _http(config: Any) -> HttpTransport:
    address = address_of(urljoin(str(config.url).strip(), config.endpoint), "the address of the lineage receiver")
    return HttpTransport(address, config, _certificates(config) if address.tls else None)


def _certificates(config: Any) -> ssl.SSLContext:
    said = getattr(config, "ssl_context", None)
    named = (said.ca_cert_path, said.client_cert_path, said.client_key_path) if said else ()
    authority, *own = (file or "" for file in (*named, "")[:3])
    context = trusting(authority, "the lineage receiver's sslContext", *own)
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
            on_delivery=lambda error, _: answers.append(_confirmed(error)),
        )
        producer.flush(limit_s)
        if not answers:
            producer.purge()  # else it would go out later, behind events that were delivered meanwhile
            producer.flush(0)
            return Retry("it did not answer in time")
        return answers[0]


def _confirmed(error: Any) -> Delivery:
    if error is None:
        return Delivered()
    too_large = error.name() in ("MSG_SIZE_TOO_LARGE", "_INVALID_MSG", "INVALID_RECORD")
    return (MessageRefused if too_large else Retry)(f"the broker answered {error.name()}")


def _key(event: Said) -> str:
    """As the client makes it: all runs of the outermost job in one partition, in order."""
    parent = event["run"]["facets"].get("parent") or event
    job = parent.get("root", parent)["job"]
    return f"run:{job['namespace']}/{job['name']}"


@dataclass(frozen=True, slots=True)
class ConsoleTransport:
    """On the error output, where reports do not stand; the client's log lines are usually shown to nobody."""

    place: str = "console"

    def send(self, body: bytes, limit_s: float) -> Delivery:
        print(body.decode("ascii"), file=sys.stderr, flush=True)
        return Delivered()


@dataclass(frozen=True, slots=True)
class Other:
    """A file, a cloud's own receiver, or a class of the user's: the client sends, and what it raises is Retry."""

    transport: Any = field(repr=False)
    place: str

    def send(self, body: bytes, limit_s: float) -> Delivery:
        self.transport.emit(_event(json.loads(body)))
        return Delivered()


def _event(said: Said) -> Any:
    """The event as the client's own object, which it writes as the same bytes again."""
    from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState

    return RunEvent(
        eventTime=said["eventTime"],
        eventType=RunState(said["eventType"]),
        producer=said["producer"],
        run=Run(**said["run"]),
        job=Job(**said["job"]),
        inputs=[InputDataset(**one) for one in said["inputs"]],
        outputs=[OutputDataset(**one) for one in said["outputs"]],
    )
