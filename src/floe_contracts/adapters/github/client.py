"""GitHub's REST API: retries within a deadline, and a token that is shown to one server only."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from ...errors import FloeError
from ...render.safe import log_safe
from ..http.client import LOOPBACK, Call, HttpAnswer, NoAnswer, address_of, send
from .failure import GithubFailure, failure, message_of, pause

PER_PAGE = 100
_MOST_PAGES = 100  # ten thousand comments
_MOST_BYTES = 20_000_000
_MOST_REDIRECTS = 3
_REDIRECTS = {"GET": (301, 302, 303, 307, 308)}  # only these two repeat what was sent:
_REPEATED = (307, 308)

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try, in seconds, and by which clocks."""

    total: float = 90.0
    once: float = 20.0
    monotonic: Callable[[], float] = time.monotonic
    epoch: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


class Api:
    """One server and one token; the deadline counts from the first request on."""

    def __init__(self, url: str, token: str, patience: Patience | None = None) -> None:
        self._url = check_url(url)
        self._token = check_token(token)
        self._patience = patience or Patience()
        self._end: float | None = None
        self._server = replace(address_of(self._url, "GITHUB_API_URL"), path="")

    def get(self, path: str, **query: str | int) -> Any:
        return self._value(self._ask("GET", self._url_of(path, query)))

    def pages(self, path: str, **query: str | int) -> Iterator[Object]:
        """Every object of a list, page after page, as long as the caller wants more."""
        for page in range(1, _MOST_PAGES + 1):
            answer = self._ask("GET", self._url_of(path, {**query, "per_page": PER_PAGE, "page": page}))
            items = self._value(answer)
            if not isinstance(items, list):
                raise GithubFailure(f"GitHub answered {path} with something else than a list", status=answer.status)
            yield from (item for item in items if isinstance(item, dict))
            if len(items) < PER_PAGE and 'rel="next"' not in answer.headers.get("link", ""):
                return

    def send(self, method: str, path: str, body: Object) -> Object:
        """Create or change something, and return it as it is now."""
        value = self._value(self._ask(method, self._url_of(path, {}), json.dumps(body).encode("ascii")))
        return value if isinstance(value, dict) else {}

    def rest(self, seconds: float) -> bool:
        """Wait, unless the deadline is nearer; returns whether there is time left."""
        if self._left() <= seconds:
            return False
        self._patience.sleep(seconds)
        return True

    def _ask(self, method: str, url: str, body: bytes = b"") -> HttpAnswer:
        attempt = 0
        while True:
            answer, problem = self._attempt(method, url, body)
            if answer is not None and answer.taken:
                return answer
            attempt += 1
            wait = pause(method, answer, attempt, self._patience.epoch())
            if wait is None or not self.rest(wait):
                raise self._failure(method, answer, problem)

    def _attempt(self, method: str, url: str, body: bytes) -> tuple[HttpAnswer | None, str]:
        """An answer, or why there is none."""
        try:
            return self._follow(method, url, body), ""
        except NoAnswer as why:
            return None, str(why)

    def _follow(self, method: str, url: str, body: bytes) -> HttpAnswer:
        """One exchange; a redirect is followed on the same server only, for it would be shown the token."""
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._exchange(method, url, body)
            if answer.status not in _REDIRECTS.get(method, _REPEATED):
                return answer
            target = urljoin(url, answer.headers.get("location", ""))
            if _origin(target) != _origin(self._url):
                raise GithubFailure("GitHub redirects to another server, which may not see the token", answer.status)
            url = target
        raise GithubFailure("GitHub redirects in a circle", answer.status)

    def _exchange(self, method: str, url: str, body: bytes) -> HttpAnswer:
        headers = {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {self._token}",
            "X-GitHub-Api-Version": "2022-11-28",
            **({"Content-Type": "application/json"} if body else {}),
        }
        parts = urlsplit(url)
        call = Call(method, f"{parts.path}?{parts.query}" if parts.query else parts.path, body, headers)
        limit_s = max(0.1, min(self._patience.once, self._left()))
        answer = send(self._server, call, limit_s, most_bytes=_MOST_BYTES)
        if not answer.complete:
            raise NoAnswer("the answer is too long or comes too slowly")
        return answer

    def _value(self, answer: HttpAnswer) -> Any:
        try:
            return json.loads(answer.body)
        except ValueError:
            raise GithubFailure("GitHub's answer is not JSON", answer.status) from None

    def _failure(self, method: str, answer: HttpAnswer | None, problem: str) -> GithubFailure:
        status, message = (answer.status, message_of(answer)) if answer else (0, problem)
        return failure(method, status, log_safe(message.replace(self._token, "***"), 200))

    def _left(self) -> float:
        now = self._patience.monotonic()
        if self._end is None:
            self._end = now + self._patience.total
        return self._end - now

    def _url_of(self, path: str, query: Mapping[str, str | int]) -> str:
        return f"{self._url}/{path}" + (f"?{urlencode(query)}" if query else "")


def check_url(url: str) -> str:
    """The API's address, if a token may be sent there."""
    parts = urlsplit(url)
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
    if not safe or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise FloeError(
            f"{log_safe(url)} is not an address that a token may be sent to",
            fix="GITHUB_API_URL must be an https address.",
        )
    return url.rstrip("/")


def check_token(token: str) -> str:
    """The token, if it can be a header; it is never part of a message."""
    if not re.fullmatch(r"[!-~]+", token):
        raise FloeError("the GitHub token is empty or has characters that no token has", fix="Check github-token.")
    return token


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port
