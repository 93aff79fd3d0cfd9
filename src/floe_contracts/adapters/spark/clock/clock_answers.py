"""What an opened table says about time: by its metadata where that is exact, else by a scan."""

from __future__ import annotations

import time
from dataclasses import replace
from decimal import Decimal

from ....checks.measured import Arrival, Clock, Failure, Latency
from ....checks.promises.promise import ClockChoice
from ....monitor.run.engine import Window
from .. import metadata
from ..read.messages import ARRIVED
from ..read.open import Opened
from .scans import scan_clock, scan_latency

STAMPS = ClockChoice((ARRIVED,), "Kafka stamps every message")
_AT_THE_BROKER = "newest arrival at the broker"


def newest_time(table: Opened, choice: ClockChoice, *, as_of_us: int, skew_us: int, group_by: str) -> Clock | Failure:
    """The newest time of the column that was chosen; without one that of the newest message, commit or file."""
    if choice.path is None:
        return _came(table, choice, as_of_us, skew_us) or metadata.commit_clock(table, as_of_us)
    known = None if group_by else metadata.metadata_clock(table, choice, as_of_us=as_of_us, skew_us=skew_us)
    return known or scan_clock(table.frame, choice, as_of_us=as_of_us, skew_us=skew_us, group_by=group_by)


def _came(table: Opened, choice: ClockChoice, as_of_us: int, skew_us: int) -> Clock | Failure | None:
    """Kafka stamps every message; None for everything else."""
    if table.stamped is None:
        return None
    found = scan_clock(table.stamped, replace(choice, path=(ARRIVED,)), as_of_us=as_of_us, skew_us=skew_us)
    return found if isinstance(found, Failure) else replace(found, how=_AT_THE_BROKER)


def first_arrival(table: Opened, choice: ClockChoice, since_us: int) -> Arrival | Failure:
    """When data of that time came; without a history only whether it is there."""
    known = metadata.arrival(table, choice, since_us)
    if known is not None:
        return known
    as_of_us = table.binding.as_of_us or time.time_ns() // 1000
    found = newest_time(table, choice, as_of_us=as_of_us, skew_us=0, group_by="")
    if isinstance(found, Failure):
        return found
    return Arrival(found.last_us is not None and found.last_us >= since_us, found.how)


def time_to_arrival(
    table: Opened, event: ClockChoice, arrival: ClockChoice | None, *, quantile: Decimal, window: Window
) -> Latency | Failure:
    """Of the rows that came in a window, by their own column or by the stamps of Kafka."""
    rows, came = (table.frame, arrival) if arrival else (table.stamped, STAMPS)
    if rows is None:
        return Failure("nothing tells when its rows came")
    return scan_latency(rows, event, came, quantile=quantile, since_us=window.since_us, until_us=window.until_us)
