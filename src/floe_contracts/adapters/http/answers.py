"""What an answer over HTTP means for a delivery: done, once more later, or never.

Wrong credentials and wrong addresses are mended by people, and then what waits is still right: it waits. Only what the
other side calls wrong in itself is refused.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from ...monitor.run.delivery import Delivered, Delivery, Refused, Retry
from .client import Answer

_SAID = {
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


def delivery_of(answer: Answer, hints: Mapping[int, str] | None = None) -> Delivery:
    """`hints` say by status which setting to look at."""
    status = answer.status
    if 200 <= status < 300:
        return Delivered()
    said = _SAID.get(status) or ("it redirects elsewhere; write that address" if 300 <= status < 400 else "")
    hint = (hints or {}).get(status, "")
    reason = "; ".join(part for part in (f"it answered {status}", said, hint) if part)
    if status in _WRONG_IN_ITSELF:
        return Refused(reason)
    return Retry(reason, _after_s(answer.headers.get("retry-after", "")) if status in (429, 503) else None)


def _after_s(text: str) -> float | None:
    """Retry-After in seconds, also where it is a date; never so long that somebody would think it is lost."""
    try:
        seconds = float(text) if text.strip().isdigit() else parsedate_to_datetime(text).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return None
    return min(max(seconds, 1.0), _LONGEST_S)
