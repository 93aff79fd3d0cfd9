"""What an engine can be asked about one table; engines answer with values, and with a Failure where they cannot.

An engine never raises for what is wrong with a table, its rights or its content. Reasons are one line, without values
from the data and without credentials. `limit_s` is the time after which an engine must have given up and answered.
A past moment is asked for by `binding.as_of_us`, only where `travels` said that the source can be read as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Protocol

from ...checks.drift.type_match import Reading
from ...checks.measure import Measure
from ...checks.measured import ActualColumn, Arrival, Clock, DayRows, Failure, Latency, Number, Probe
from ...checks.promises.promise import ClockChoice
from ..source.binding import Binding
from ..store.states import TableState
from .plan import TablePlan


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time: from `since_us` up to but not including `until_us`."""

    since_us: int
    until_us: int


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What measuring one table may need beside it."""

    others: Mapping[str, Binding] = field(default_factory=dict)  # tables of the same contract, for foreign keys
    kept: Callable[[str], TableState | None] = lambda _: None  # a state by plan hash, for incremental re-checks
    as_of_us: int = 0
    skew_us: int = 0
    limit_s: float = 600.0


class Engine(Protocol):
    """Measures; judging is done elsewhere."""

    def probe(self, binding: Binding, *, limit_s: float) -> Probe:
        """Open the table, read its schema and a row; try once more before saying that it is down."""

    def schema(self, binding: Binding, *, limit_s: float) -> tuple[ActualColumn, ...] | Failure: ...

    def reading(self, binding: Binding) -> Reading:
        """What the source keeps of a type, so that nobody is blamed for what files cannot say."""

    def clock(
        self, binding: Binding, choice: ClockChoice, *, as_of_us: int, skew_us: int, group_by: str, limit_s: float
    ) -> Clock | Failure:
        """The newest time; without a column that of the newest commit or file."""

    def arrival(self, binding: Binding, choice: ClockChoice, *, since_us: int, limit_s: float) -> Arrival | Failure:
        """When data with a time at or after `since_us` first came, where the table keeps a history of commits.

        A table without one answers whether such data is there, and leaves the time of its arrival open.
        """

    def latency(
        self,
        binding: Binding,
        event: ClockChoice,
        arrival: ClockChoice | None,
        *,
        quantile: Decimal,
        window: Window,
        limit_s: float,
    ) -> Latency | Failure:
        """A quantile of arrival minus event over the rows that arrived in the window.

        Without a column of arrival the source must keep the time itself.
        """

    def rows_of_day(self, binding: Binding, choice: ClockChoice, day: date, *, limit_s: float) -> DayRows | Failure: ...

    def measure(self, binding: Binding, plan: TablePlan, around: Surroundings) -> Measurements | Failure: ...

    def travels(self, binding: Binding) -> bool:
        """Whether the source can be read as it was at an earlier moment."""


@dataclass(frozen=True, slots=True)
class Measurements:
    """All answers about one table."""

    values: Mapping[Measure, Number | Failure] = field(default_factory=dict)
    how: str = ""  # `1 pass over 10,000,000 rows; 2 keys by 1 scan, sorted on the driver`
    rows: int | None = None
    clock: Clock | Failure | None = None  # None: the plan asks for none
    state: TableState | None = None  # to keep, where the table was measured by parts
    scans: int = 0  # how often data was read, joins and queries included
    seconds: float = 0.0
    unreadable: int = 0  # rows that the source could not tell apart into columns, in none of the values
    contradictions: tuple[tuple[str, int], ...] = ()  # by column, rows whose folder says another value than the file
