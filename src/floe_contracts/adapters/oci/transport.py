"""Requests to one registry: credentials when it asks, redirects without them, retries, and one deadline for all."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import urlencode, urljoin

from ...codes import E570, E571
from ...errors import FloeError
from ...frozen import dataclass, field
from ..http.client import Address, Call, HttpAnswer, NoAnswer, TooLate, address_of, basic_auth, is_loopback, send
from .credentials import HUB, HUB_SERVER, Credentials

_RETRIED = (429, 500, 502, 503, 504)
_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 5
_PAUSES_S = (0.5, 1.0)
_MOST_TOKEN_BYTES = 64_000
_PARAMETER = re.compile(r'([A-Za-z]+)\s*=\s*(?:"([^"]*)"|([^\s,]+))')


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a registry may take: without a byte, and for all requests of one command together."""

    idle_s: float = 30.0
    total_s: float = 120.0


@dataclass(frozen=True, slots=True)
class RegistryAccess:
    """How registries may be spoken to: which ones without encryption, and whose credentials are used."""

    allow_http: tuple[str, ...] = ()
    credentials: Callable[[str], Credentials] = lambda _: Credentials()
    limits: Limits = Limits()

    def plain(self, host: str) -> bool:
        """Whether a host, with or without its port, may be spoken to without encryption."""
        return _is_here(host) or bool({host, _without_port(host)} & set(self.allow_http))


def _is_here(host: str) -> bool:
    return is_loopback(_without_port(host).strip("[]"))


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() and (":" not in name or name.endswith("]")) else host


@dataclass(slots=True)
class Session:
    """A conversation with one registry."""

    host: str
    access: RegistryAccess
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    ends: float = 0.0
    authorization: dict[str, dict[str, str]] = field(default_factory=dict, repr=False)  # by scope

    def __post_init__(self) -> None:
        self.ends = self.clock() + self.access.limits.total_s

    def ask(self, call: Call, scope: str, most_bytes: int = 4_000, to: Address | None = None) -> HttpAnswer:
        """The answer to a call, after whatever the registry wants to be told first; FloeError when there is none."""
        address = to or self._home()
        answer = self._follow(address, call, scope, most_bytes)
        if answer.status == 401 and self._own(address):
            self.authorization[scope] = self._authorise(answer, scope)
            answer = self._follow(address, call, scope, most_bytes)
        if answer.status in (401, 403):
            raise FloeError(f"{self.host} refuses the credentials ({answer.status})", code=E571)
        return answer

    def locate(self, text: str) -> Address:
        """The address that a header `Location` means."""
        return self._parse(urljoin(f"{self._home().url}/", text))

    def _home(self) -> Address:
        scheme = "http" if self.access.plain(self.host) else "https"
        return address_of(f"{scheme}://{HUB_SERVER if self.host in HUB else self.host}", "the reference")

    def _own(self, address: Address) -> bool:
        home = self._home()
        return (address.host, address.port, address.tls) == (home.host, home.port, home.tls)

    def _parse(self, url: str) -> Address:
        try:
            address = address_of(url, f"an address that {self.host} sent")
        except FloeError as error:
            raise FloeError(f"{self.host} sends to something that is not an address", code=E570) from error
        if not address.tls and not self._may_be_plain(address):
            raise FloeError(
                f"{self.host} sends to {address.host}, which would not be encrypted",
                fix=f"Use https, or say --allow-http {address.host} if the network between is yours.",
                code=E570,
            )
        return address

    def _may_be_plain(self, address: Address) -> bool:
        """A registry elsewhere has no business on this machine: only one on loopback may send to loopback."""
        if is_loopback(address.host):
            return _is_here(self.host)
        return self.access.plain(f"{address.host}:{address.port}")

    def _follow(self, address: Address, call: Call, scope: str, most_bytes: int) -> HttpAnswer:
        headers = self.authorization.get(scope, {}) if self._own(address) else {}
        for _ in range(_MOST_REDIRECTS):
            answer = self._attempt(address, replace(call, headers={**call.headers, **headers}), most_bytes)
            target = answer.headers.get("location", "")
            if answer.status not in _REDIRECTS or not target or call.method not in ("GET", "HEAD"):
                return answer
            address = self._parse(urljoin(f"{address.url}{call.path}", target))
            headers = headers if self._own(address) else {}
            call = replace(call, path="")
        raise FloeError(f"{self.host} redirects without end", code=E570)

    def _attempt(self, address: Address, call: Call, most_bytes: int) -> HttpAnswer:
        """The answer of the first try that has one worth looking at."""
        why = ""
        for pause in (0.0, *_PAUSES_S):
            self.sleep(min(pause, max(self.ends - self.clock(), 0.0)))
            try:
                answer = self._send(address, call, most_bytes)
            except NoAnswer as error:
                why = str(error)
                continue
            if answer.status not in _RETRIED:
                return answer
            why = f"it answered {answer.status}"
        raise FloeError(f"{address.host}:{address.port} cannot be used as a registry: {why}", code=E570)

    def _send(self, address: Address, call: Call, most_bytes: int) -> HttpAnswer:
        left = self.ends - self.clock()
        if left <= 0:
            raise self._late()
        try:
            answer = send(address, call, left, None, most_bytes, self.access.limits.idle_s)
        except TooLate:
            raise self._late() from None
        if not answer.complete and self.clock() >= self.ends:
            raise self._late()
        return answer

    def _late(self) -> FloeError:
        limits = self.access.limits
        return FloeError(
            f"{self.host} did not answer in time: nothing came for {limits.idle_s:g} s, "
            f"or not all of it within {limits.total_s:g} s",
            code=E570,
        )

    def _authorise(self, answer: HttpAnswer, scope: str) -> dict[str, str]:
        """The header that the registry asks for, by its challenge."""
        challenge = answer.headers.get("www-authenticate", "")
        kind, _, rest = challenge.strip().partition(" ")
        credentials = self.access.credentials(self.host)
        if kind.lower() == "basic" and credentials.userinfo:
            return basic_auth(credentials.userinfo)
        if kind.lower() != "bearer":
            raise FloeError(f"{self.host} wants credentials, and docker's config holds none for it", code=E571)
        wants = {name.lower(): quoted or bare for name, quoted, bare in _PARAMETER.findall(rest)}
        return {"Authorization": f"Bearer {self._token(wants, scope, credentials)}"}

    def _token(self, wants: Mapping[str, str], scope: str, credentials: Credentials) -> str:
        realm = self._parse(wants.get("realm", ""))
        wanted = {"service": wants.get("service", ""), "scope": wants.get("scope") or scope}
        wanted = {name: text for name, text in wanted.items() if text}
        if credentials.identity_token:
            form = {"grant_type": "refresh_token", "client_id": "floe", "refresh_token": credentials.identity_token}
            kind = {"Content-Type": "application/x-www-form-urlencoded"}
            call = Call("POST", "", urlencode({**wanted, **form}).encode(), kind)
        else:
            realm = replace(realm, query="&".join(filter(None, (realm.query, urlencode(wanted)))))
            call = Call("GET", "", headers=basic_auth(credentials.userinfo))
        answer = self._attempt(realm, call, _MOST_TOKEN_BYTES)
        if answer.status in (400, 401, 403):
            raise FloeError(f"the issuer of tokens of {self.host} refuses the credentials", code=E571)
        try:
            granted = json.loads(answer.body) if answer.taken and answer.complete else {}
            token = granted.get("token") or granted.get("access_token")
        except (ValueError, AttributeError):
            token = None
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise FloeError(f"the issuer of tokens of {self.host} gave none ({answer.status})", code=E571)
        return token
