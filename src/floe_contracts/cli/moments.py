"""Moments as people write them on a command line: a length of time ago, a date, or a time."""

from __future__ import annotations

import time

from ..contract.meaning.duration import parse_duration
from ..errors import UsageError
from ..monitor.store.slots import parse_slot


def now_us() -> int:
    return time.time_ns() // 1000


def ago_us(text: str, option: str) -> int:
    """The moment that a length of time such as 7d leads back to."""
    duration, problem = parse_duration(text)
    if duration is None or duration.months:
        raise UsageError(f"{option} {text[:40]!r}: {problem or 'a month has no fixed length'}", fix="Write 24h or 90d.")
    return now_us() - duration.microseconds


def moment_us(text: str, option: str) -> int:
    """A length of time ago, or a moment."""
    duration, _ = parse_duration(text)
    if duration is not None:
        return ago_us(text, option)
    try:
        return parse_slot(text)
    except UsageError:  # which speaks of slots
        fix = "Write how far back, such as 7d, or a date such as 2026-01-03."
        raise UsageError(f"{option} {text[:40]!r} is neither a length of time nor a date", fix=fix) from None
