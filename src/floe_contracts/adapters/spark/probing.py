"""Probes a source: opens it, reads its schema and a row, and tries once more before saying that it is down."""

from __future__ import annotations

import time
from collections.abc import Callable

from ...checks.measured import Failure, Probe
from .opening import Opened

_PAUSE_S = 1.0  # what is gone after a moment was a hiccup of the network


def read_a_row(table: Opened) -> bool:
    """Whether the source answers; a table without rows answers too. The row itself is looked at by nobody."""
    table.frame.limit(1).collect()
    return True


def probe(attempt: Callable[[float], bool | Failure], limit_s: float) -> Probe:
    """Each of the two attempts may take half of the time."""
    started = time.monotonic()
    first = attempt(limit_s / 2)
    if not isinstance(first, Failure):
        return Probe(True, seconds=time.monotonic() - started)
    time.sleep(min(_PAUSE_S, limit_s / 20))
    second = attempt(limit_s - (time.monotonic() - started))
    seconds = time.monotonic() - started
    if isinstance(second, Failure):
        return Probe(False, second.reason, seconds, retried=True)
    return Probe(True, seconds=seconds, retried=True)
