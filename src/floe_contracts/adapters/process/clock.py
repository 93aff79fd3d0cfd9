"""The clock: whoever starts a run reads it once and passes it down, so that all of the run has the same day."""

from __future__ import annotations

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from datetime import date, datetime


def utc_now() -> datetime:
    """The moment, in UTC."""
    from datetime import datetime, timezone

    return datetime.now(timezone.utc)


def utc_today() -> date:
    """The day in UTC, whatever zone the machine is set to."""
    return utc_now().date()
