"""One message by HTTP, and what the answer means for it: delivered, to be tried again, or refused."""

from __future__ import annotations

import ssl
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from ...monitor.run.delivery import Delivered, Delivery, MessageRefused, Retry
from ..http.client import Address, Call, HttpAnswer, NoAnswer, send

_MEANINGS = {
    401: "the credentials are missing or wrong",
    403: "the credentials do not allow it",
    404: "there is no such address",
    405: "the address is of something else",
    407: "the proxy wants credentials",
    410: "the address is no longer in use",
    413: "it is too large",
    429: "it was asked too often",
}
_WRONG_IN_ITSELF = (400, 413, 415, 422)
_LONGEST_S = 3600.0


def post(
    address: Address, call: Call, limit_s: float, tls: ssl.SSLContext | None, hints: Mapping[int, str]
) -> Delivery:
    """What came of one try; `hints` say by status which setting to look at."""
    try:
        return judge_answer(send(address, call, limit_s, tls), hints)
    except NoAnswer as why:
        return Retry(str(why))


def judge_answer(answer: HttpAnswer, hints: Mapping[int, str]) -> Delivery:
    """What an answer means for the message."""
    status = answer.status
    if answer.taken:
        return Delivered()
    meaning = _MEANINGS.get(status) or ("it redirects elsewhere; write that address" if 300 <= status < 400 else "")
    reason = "; ".join(part for part in (f"it answered {status}", meaning, hints.get(status, "")) if part)
    if status in _WRONG_IN_ITSELF:
        return MessageRefused(reason)
    return Retry(reason, _after_s(answer.headers.get("retry-after", "")) if status in (429, 503) else None)


def _after_s(text: str) -> float | None:
    """Retry-After in seconds, also where it is a date; never so long that somebody would think it is lost."""
    try:
        seconds = float(text) if text.strip().isdigit() else parsedate_to_datetime(text).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return None
    return min(max(seconds, 1.0), _LONGEST_S)
