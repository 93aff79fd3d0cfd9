"""How every check of every contract stands, as a store remembers it: its state, since when, and what was missed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from ...checks.moments import iso, length
from ...errors import UsageError
from ..settings.model import CHECKS, MonitoringConfig
from .protocol import Filled, SeriesTotals, Store
from .slots import Series, expected_slots


@dataclass(frozen=True, slots=True)
class SeriesStatus:
    """One check of one contract; `missed` of `expected` slots in the window have no result."""

    series: Series
    totals: SeriesTotals
    expected: int = 0
    missed: int = 0

    @property
    def name(self) -> str:
        return self.totals.label or self.series.contract


def standings(store: Store, *, since_us: int, now_us: int, only: Sequence[str] = ()) -> tuple[SeriesStatus, ...]:
    """By namespace, name and check; `only` chooses by name or key, with `*` and `?`."""
    statuses: list[SeriesStatus] = []
    for namespace in store.namespaces():
        filled = store.filled(namespace, since_us)
        for series, totals in store.totals(namespace).items():
            status = _standing(series, totals, filled.get((series, totals.interval_us)), (since_us, now_us))
            if fits((status.name, series.contract), only):
                statuses.append(status)
    return tuple(sorted(statuses, key=lambda status: (status.series.namespace, status.name, status.series.major)))


def fits(names: Sequence[str], only: Iterable[str]) -> bool:
    """Whether what has these names is among those that were asked for; all are when nobody asked."""
    patterns = tuple(only)
    return not patterns or any(fnmatchcase(name, pattern) for name in names for pattern in patterns)


def _standing(series: Series, totals: SeriesTotals, filled: Filled | None, window: tuple[int, int]) -> SeriesStatus:
    since_us, now_us = window
    if not totals.interval_us or totals.last_run_us is None:  # checks after a run have no slots to miss
        return SeriesStatus(series, totals)
    known_before = totals.since_us is not None and totals.since_us < since_us
    first_us = filled.first_us if filled is not None and not known_before else since_us
    # A slot counts as due when it is over, or when it was run already.
    until_us = max(now_us - totals.interval_us, totals.last_run_us + 1)
    expected = expected_slots(first_us, until_us, totals.interval_us)
    return SeriesStatus(series, totals, expected, max(0, expected - (filled.slots if filled is not None else 0)))


def refuse_recent(before_us: int, store: Store, config: MonitoringConfig, now_us: int) -> None:
    """Two of the longest interval are kept: the slot of now, and the one before, which a scheduler may run late."""
    intervals = [config.interval_us(check, key) for check in CHECKS for key in ("", *config.contracts)]
    known = [total.interval_us for name in store.namespaces() for total in store.totals(name).values()]
    longest_us = max(*intervals, *known)
    if before_us > now_us - 2 * longest_us:
        raise UsageError(
            f"slots since {iso(now_us - 2 * longest_us)} may still be run, and would be refused after this",
            fix=f"Keep at least {length(2 * longest_us).human}: two of the longest interval of a check.",
        )
