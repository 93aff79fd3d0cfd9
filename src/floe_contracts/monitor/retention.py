"""What a store must go on remembering: slots that may still be run, because a forgotten slot is refused for ever."""

from __future__ import annotations

from ..checks.moments import iso, length
from ..errors import UsageError
from .settings import CHECKS, MonitoringConfig
from .store import Store


def refuse_recent(before_us: int, store: Store, config: MonitoringConfig, now_us: int) -> None:
    """Two of the longest interval are kept: the slot of now, and the one before, which a scheduler may run late."""
    asked = [config.interval_us(check, key) for check in CHECKS for key in ("", *config.contracts)]
    known = [total.interval_us for name in store.namespaces() for total in store.totals(name).values()]
    longest_us = max(*asked, *known)
    if before_us > now_us - 2 * longest_us:
        raise UsageError(
            f"slots since {iso(now_us - 2 * longest_us)} may still be run, and would be refused after this",
            fix=f"Keep at least {length(2 * longest_us).human}: two of the longest interval of a check.",
        )
