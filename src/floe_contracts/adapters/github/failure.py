"""Failures of GitHub's API, in words that say what to do, and how long to wait before trying again."""

from __future__ import annotations

import json
from collections.abc import Mapping

from ...errors import FloeError
from ..http.client import HttpAnswer

_FIXES = {
    401: "Check github-token; the job's own token is the default.",
    403: "Give the job `pull-requests: write`; a fork's token may only read, see the guide on forks.",
    404: "Give the job `pull-requests: write`; a fork's token may only read, see the guide on forks.",
}
_WORDS = {
    401: "GitHub does not accept the token",
    403: "the token may not do this",
    404: "the token may not see this, or it does not exist",
    422: "GitHub refuses what was sent",
}


class GithubFailure(FloeError):
    """A request that came to nothing; `unsure` when GitHub may have done it all the same."""

    def __init__(self, message: str, status: int = 0, *, fix: str = "", unsure: bool = False) -> None:
        super().__init__(message, fix=fix)
        self.status = status
        self.unsure = unsure

    @property
    def not_allowed(self) -> bool:
        return self.status in (401, 403, 404)


def failure(method: str, status: int, message: str) -> GithubFailure:
    """The failure for a last status (0: no answer at all) and the message that came with it."""
    words = _WORDS.get(status) or ("GitHub did not answer" if not status else f"GitHub answered {status}")
    unsure = method == "POST" and (status == 0 or status >= 500)
    fix = _FIXES.get(status, "Run the job again when GitHub works; its status page says when.")
    number = f" ({status})" if status in _WORDS else ""
    return GithubFailure(f"{words}{number}{f': {message}' if message else ''}", status, fix=fix, unsure=unsure)


MOST_ATTEMPTS = 5
_SECONDARY = 60.0  # what GitHub asks for when it names no time: docs.github.com, "Rate limits for the REST API"
_BROKEN = (500, 502, 503, 504)


def message_of(answer: HttpAnswer) -> str:
    """GitHub's own words about what is wrong, or an empty text."""
    try:
        value = json.loads(answer.body)
    except ValueError:
        return ""
    message = value.get("message") if isinstance(value, dict) else None
    return message if isinstance(message, str) else ""


def pause(method: str, answer: HttpAnswer | None, attempt: int, now: float) -> float | None:
    """Seconds until the next attempt; None when the answer stands.

    A POST that GitHub may have carried out is not repeated here, because a comment would appear twice.
    """
    if attempt >= MOST_ATTEMPTS:
        return None
    growing = float(2 ** (attempt - 1))
    if answer is None:
        return None if method == "POST" else growing
    if _limited(answer):
        return _wait_for(answer.headers, now) or (_SECONDARY if answer.status == 403 else growing)
    if answer.status in _BROKEN and method != "POST":
        return _wait_for(answer.headers, now) or growing
    return None


def _limited(answer: HttpAnswer) -> bool:
    """Too many requests: refused before anything was done. A plain 403 is a matter of permission."""
    if answer.status == 429:
        return True
    if answer.status != 403:
        return False
    spent = answer.headers.get("x-ratelimit-remaining") == "0"
    return spent or "retry-after" in answer.headers or "secondary rate limit" in message_of(answer).lower()


def _wait_for(headers: Mapping[str, str], now: float) -> float | None:
    after = headers.get("retry-after", "")
    if after.isdecimal():
        return max(1.0, float(after))
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        return max(1.0, float(reset) - now)
    return None
