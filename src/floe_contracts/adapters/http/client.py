"""The HTTP client: one request within one limit of time, with the credentials and certificates of its address.

The library's own timeouts hold for each read apart, so a receiver that drips bytes would never run into them: here the
connection is cut when the time is over. Proxies of the environment are honoured, except for what is on this machine or
in NO_PROXY. No redirect is followed: only the caller knows who may see its credentials.
"""

from __future__ import annotations

import base64
import http.client
import ipaddress
import re
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Timer
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from ... import __version__
from ...errors import SettingsError

LOOPBACK = ("127.0.0.1", "::1", "localhost")
_MOST_BYTES = 4_000


@dataclass(frozen=True, slots=True)
class Address:
    """Where to call. It never prints: the path may be a secret as much as a password."""

    host: str
    port: int
    tls: bool
    path: str = field(repr=False, default="")  # without a slash at the end
    query: str = field(repr=False, default="")
    userinfo: str = field(repr=False, default="")  # user:password, decoded

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address without credentials and query."""
        return f"http{'s' if self.tls else ''}://{self.origin}{self.path}"


@dataclass(frozen=True, slots=True)
class Call:
    """A request to send."""

    method: str
    path: str = field(repr=False)  # appended to that of the address
    body: bytes = field(repr=False, default=b"")
    headers: Mapping[str, str] = field(repr=False, default_factory=dict)


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back; header names in lower case, and the body up to a limit."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = field(repr=False, default=b"")
    complete: bool = True  # whether that is all of the body

    @property
    def taken(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


class NoAnswer(Exception):
    """There is no answer; the words say why, and hold no address and no credential."""


class TooLate(NoAnswer):
    """There is none within the limit of time."""

    def __init__(self) -> None:
        super().__init__("it did not answer in time")


def address_of(text: str, setting: str) -> Address:
    """An http or https address; a SettingsError names the setting and not its value."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.fragment:
        raise SettingsError(
            f"{setting} is not an address of a server", fix="Write one such as https://gateway.example:9091."
        )
    tls = parts.scheme == "https"
    return Address(
        parts.hostname, port or (443 if tls else 80), tls, parts.path.rstrip("/"), parts.query, _userinfo(parts)
    )


def _userinfo(parts: SplitResult) -> str:
    return f"{unquote(parts.username or '')}:{unquote(parts.password or '')}" if parts.username else ""


def basic_auth(userinfo: str) -> dict[str, str]:
    """The header for `user:password`; none for an empty text."""
    return {"Authorization": f"Basic {base64.b64encode(userinfo.encode()).decode('ascii')}"} if userinfo else {}


def tls_context(ca_file: str, setting: str, *own: str) -> ssl.SSLContext:
    """Trust in the system's authorities, or only in that of a file; `own` is the client's certificate and its key."""
    try:
        context = ssl.create_default_context(cafile=ca_file or None)
        if any(own):
            context.load_cert_chain(*(file for file in own if file))
    except (OSError, ssl.SSLError) as error:
        reason = "it holds no certificate" if isinstance(error, ssl.SSLError) else error.strerror
        raise SettingsError(
            f"a file of {setting} cannot be used: {reason}", fix="Name PEM files that this user may read."
        ) from None
    return context


def send(
    address: Address,
    call: Call,
    limit_s: float,
    tls: ssl.SSLContext | None = None,
    most_bytes: int = _MOST_BYTES,
    idle_s: float | None = None,
) -> HttpAnswer:
    """The answer, whatever its status; NoAnswer when there is none in time, or for `idle_s` not a byte comes."""
    route = _route(address, min(limit_s, idle_s or limit_s), tls)
    connection = route.connection
    late = Event()
    cut = Timer(limit_s, _cut, (connection, late))
    cut.daemon = True
    own = {"User-Agent": f"floe-contracts/{__version__}", "Connection": "close"}
    cut.start()
    try:
        connection.request(
            call.method,
            route.origin + _path(address, call),
            call.body or None,
            {**own, **route.headers, **call.headers},
        )
        response = connection.getresponse()
        if late.is_set():  # the library takes headers that end early as whole
            raise TooLate
        body = response.read(most_bytes + 1)
        complete = len(body) <= most_bytes and not response.length and not late.is_set()
        headers = {name.lower(): text for name, text in response.getheaders()}
        return HttpAnswer(response.status, headers, body[:most_bytes], complete)
    except (OSError, http.client.HTTPException, ValueError) as error:
        if isinstance(error, TimeoutError) or late.is_set():
            raise TooLate from None
        raise NoAnswer(_reason(error)) from None
    finally:
        cut.cancel()
        connection.close()


def _cut(connection: http.client.HTTPConnection, late: Event) -> None:
    late.set()  # before the reader wakes, who would take what came so far as the whole answer
    with suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)  # wakes the thread that reads, which close() does not


def _path(address: Address, call: Call) -> str:
    query = f"?{address.query}" if address.query else ""
    return (f"{address.path}{call.path}" or "/") + query


@dataclass(frozen=True, slots=True)
class _Route:
    """A connection, and what a proxy wants to see in front of the path and in the headers."""

    connection: http.client.HTTPConnection
    origin: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def is_loopback(host: str) -> bool:
    """Whether a host without its port is this machine."""
    try:
        return host in LOOPBACK or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _route(address: Address, limit_s: float, tls: ssl.SSLContext | None) -> _Route:
    kind = "https" if address.tls else "http"
    near = is_loopback(address.host) or proxy_bypass(address.origin)
    proxy = "" if near else getproxies().get(kind, "")
    context = tls or (ssl.create_default_context() if address.tls else None)
    through = address_of(proxy if "://" in proxy else f"http://{proxy}", f"{kind}_proxy") if proxy else address
    connection = (
        http.client.HTTPSConnection(through.host, through.port, timeout=limit_s, context=context)
        if address.tls
        else http.client.HTTPConnection(through.host, through.port, timeout=limit_s)
    )
    if not proxy:
        return _Route(connection)
    headers = {f"Proxy-{name}": text for name, text in basic_auth(through.userinfo).items()}
    if not address.tls:
        return _Route(connection, f"http://{address.origin}", headers)
    connection.set_tunnel(address.host, address.port, headers)
    return _Route(connection)


def _reason(error: Exception) -> str:
    """Words of our own: those of the library may hold the address."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return "its certificate is not trusted"
    if isinstance(error, ssl.SSLError):
        return "no encrypted connection could be made"
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens at its address"
    if isinstance(error, socket.gaierror):
        return "its name cannot be resolved"
    refused = re.match(r"Tunnel connection failed: ([0-9]{3})", str(error))
    if refused:
        return f"the proxy of the environment answers {refused[1]}"
    return f"the connection broke ({type(error).__name__})"
