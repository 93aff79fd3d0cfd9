"""The webhook sink: tells people of violations and recoveries by Slack's JSON.

FLOE_WEBHOOK_URL       the address, which is a secret: also env:NAME or file:PATH
FLOE_WEBHOOK_SEVERITY  from which severity on (warning)
FLOE_WEBHOOK_AFTER     after how many violated slots in a row (1)
FLOE_WEBHOOK_AGAIN     how often again while it stands (24h)
FLOE_WEBHOOK_LIMIT     messages a minute (20); what is beyond waits
FLOE_WEBHOOK_CA_FILE   the certificate of a private authority
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from threading import Lock

from ...codes import Severity
from ...contract.meaning.duration import parse_duration
from ...emit.notices import Manner, message_of, news_of
from ...errors import SettingsError
from ...monitor.run.delivery import Delivery, NewResult, Retry
from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.outbox import Message, Pending
from ..files.secrets import read_setting
from ..http.client import Call, address_of, basic_auth, tls_context
from .http_delivery import post

URL = "FLOE_WEBHOOK_URL"
SEVERITY, AFTER, AGAIN = "FLOE_WEBHOOK_SEVERITY", "FLOE_WEBHOOK_AFTER", "FLOE_WEBHOOK_AGAIN"
LIMIT, CA_FILE = "FLOE_WEBHOOK_LIMIT", "FLOE_WEBHOOK_CA_FILE"
NAME = "webhook"  # the same for every address, so that what waits goes to the new one
_MOST_AFTER = 10  # no more results are remembered for a streak
_HINTS = dict.fromkeys((401, 403, 404, 405, 410), f"look at {URL}")


@dataclass(slots=True)
class RateLimit:
    """At most so many messages a minute, evenly after a burst; by a clock that never goes back."""

    limit: int
    seconds: Callable[[], float] = time.monotonic
    _left: float = field(init=False)
    _at: float = field(init=False)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._left, self._at = float(self.limit), self.seconds()

    def take(self) -> float:
        """Take a place: 0 when one more may go now, else how many seconds to wait."""
        with self._lock:
            now = self.seconds()
            self._left = min(float(self.limit), self._left + (now - self._at) * self.limit / 60)
            self._at = now
            if self._left < 1:
                return (1 - self._left) * 60 / self.limit
            self._left -= 1
            return 0.0


@dataclass(frozen=True, slots=True)
class Webhook:
    """A Sink; `url` is as the environment has it, and a reference is read for each message."""

    url: str = field(repr=False)
    manner: Manner = Manner()
    pace: RateLimit = field(default_factory=lambda: RateLimit(20))
    tls: ssl.SSLContext | None = field(repr=False, default=None)

    @property
    def name(self) -> str:
        return NAME

    def messages(self, result: NewResult) -> Iterable[Message]:
        items = news_of(result, self.manner)
        return (Message(NAME, *message_of(result, items)),) if items else ()

    def deliver(self, pending: Pending, limit_s: float) -> Delivery:
        wait_s = self.pace.take()
        if wait_s:
            return Retry(f"{self.pace.limit} messages a minute are allowed ({LIMIT})", wait_s)
        try:
            address = address_of(read_setting(self.url), URL)
        except SettingsError as error:
            return Retry(error.message)
        headers = {"Content-Type": "application/json; charset=utf-8", **basic_auth(address.userinfo)}
        return post(address, Call("POST", "", pending.message.body, headers), limit_s, self.tls, _HINTS)


def from_environment(_: MonitoringConfig, environ: Mapping[str, str]) -> Webhook | None:
    """The webhook that the environment names; None where no address is given."""
    settings = {name: environ.get(name, "").strip() for name in (URL, SEVERITY, AFTER, AGAIN, LIMIT, CA_FILE)}
    if not settings[URL]:
        return None
    if not settings[URL].startswith(("env:", "file:")):
        address_of(settings[URL], URL)
    manner = Manner(
        _severity(settings[SEVERITY]), _number(settings[AFTER], AFTER, 1, _MOST_AFTER), _again_us(settings[AGAIN])
    )
    tls = tls_context(settings[CA_FILE], CA_FILE) if settings[CA_FILE] else None
    return Webhook(settings[URL], manner, RateLimit(_number(settings[LIMIT], LIMIT, 20, 1000)), tls)


def _severity(text: str) -> Severity:
    try:
        return Severity(text.casefold() or "warning")
    except ValueError:
        words = ", ".join(severity.value for severity in Severity)
        raise SettingsError(f"{SEVERITY} is not a severity", fix=f"Write one of {words}.") from None


def _number(text: str, name: str, default: int, most: int) -> int:
    if not text:
        return default
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise SettingsError(f"{name} is not a number from 1 to {most}", fix=f"Write one such as {default}.")
    return int(text)


def _again_us(text: str) -> int:
    if not text:
        return Manner().again_us
    length, _ = parse_duration(text)
    if length is None or length.months or length.microseconds < 60_000_000:
        raise SettingsError(f"{AGAIN} is not a length of time", fix="Write one such as 24h or 7d.")
    return length.microseconds
