"""A test double: an engine over plain Python rows, so that runs and monitors are tested without Spark.

It answers exactly what the protocol asks, for the measures that the tests use; anything else is a Failure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from floe_contracts.checks.drift.type_match import Reading
from floe_contracts.checks.measure import (
    DuplicateCount,
    Format,
    InvalidCount,
    LengthBetween,
    Matches,
    Measure,
    NullCount,
    OneOf,
    OrphanCount,
    Path,
    RowCount,
    ValidTest,
    Within,
)
from floe_contracts.checks.measured import ActualColumn, Arrival, Clock, DayRows, Failure, Latency, Number, Probe
from floe_contracts.checks.moments import micros, moment, utc_day, zone_of
from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.contract.meaning.typenames import parse_type
from floe_contracts.monitor.run.engine import Measurements, Surroundings, Window
from floe_contracts.monitor.run.plan import TablePlan
from floe_contracts.monitor.source.binding import Binding
from floe_contracts.monitor.store.states import PartState, TableState

Row = Mapping[str, Any]


def actual(**types: str) -> tuple[ActualColumn, ...]:
    """Columns by name and the engine's word for their type."""
    found = []
    for name, word in types.items():
        kind = parse_type(word)
        assert kind is not None, word
        found.append(ActualColumn(name, kind, spelling=word))
    return tuple(found)


@dataclass
class RowTable:
    """One table; times in rows are UTC microseconds."""

    rows: Sequence[Row] = ()
    columns: tuple[ActualColumn, ...] = ()
    committed_us: int | None = None
    down: str = ""  # why it cannot be opened
    crash: Exception | None = None  # raised by every question, as a bug in an engine would
    remembers: bool = False  # whether earlier states can be read


@dataclass
class RowEngine:
    """Tables by the name or location of their binding; `asked` tells which questions came."""

    tables: dict[str, RowTable] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    meanwhile: Callable[[], None] = lambda: None  # what happens elsewhere while a question is answered

    def _table(self, binding: Binding, question: str) -> RowTable | Failure:
        self.asked.append(f"{question} {binding.table.name}")
        self.meanwhile()
        table = self.tables.get(binding.name) or self.tables.get(binding.location)
        if table is None:
            return Failure("no such table")
        if table.crash is not None:
            raise table.crash
        return Failure(table.down) if table.down else table

    def probe(self, binding: Binding, *, limit_s: float) -> Probe:
        table = self._table(binding, "probe")
        return Probe(False, table.reason, 0.1, retried=True) if isinstance(table, Failure) else Probe(True, "", 0.1)

    def schema(self, binding: Binding, *, limit_s: float) -> tuple[ActualColumn, ...] | Failure:
        table = self._table(binding, "schema")
        return table if isinstance(table, Failure) else table.columns

    def reading(self, binding: Binding) -> Reading:
        return Reading()

    def clock(
        self, binding: Binding, choice: ClockChoice, *, as_of_us: int, skew_us: int, group_by: str, limit_s: float
    ) -> Clock | Failure:
        table = self._table(binding, "clock")
        if isinstance(table, Failure):
            return table
        if choice.path is None:
            how = "commit time of the newest snapshot"
            return Clock(table.committed_us, how, as_of_us) if table.committed_us else Failure("it keeps no history")
        times = [_at(row, choice.path) for row in table.rows]
        past = [one for one in times if one is not None and one <= as_of_us + skew_us]
        return Clock(
            last_us=max(past, default=None),
            how=f"column {'.'.join(choice.path)} by scan",
            as_of_us=as_of_us,
            rows=len(times),
            nulls=times.count(None),
            future=sum(one is not None and one > as_of_us + skew_us for one in times),
            groups=_groups(table.rows, choice.path, group_by) if group_by else (),
        )

    def arrival(self, binding: Binding, choice: ClockChoice, *, since_us: int, limit_s: float) -> Arrival | Failure:
        table = self._table(binding, "arrival")
        if isinstance(table, Failure):
            return table
        times = [_at(row, choice.path) for row in table.rows] if choice.path else [table.committed_us]
        present = any(one is not None and one >= since_us for one in times)
        return Arrival(present, "history of commits", table.committed_us if present else None)

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
        table = self._table(binding, "latency")
        if isinstance(table, Failure):
            return table
        if arrival is None:
            return Failure("nothing tells when its rows came")
        times = [(_utc_us(row, event), _utc_us(row, arrival)) for row in table.rows]
        waits = sorted(max(0, came - at) for at, came in times if window.since_us <= came < window.until_us)
        return Latency(len(waits), quantile, waits[int(quantile * (len(waits) - 1))] if waits else None)

    def rows_of_day(self, binding: Binding, choice: ClockChoice, day: date, *, limit_s: float) -> DayRows | Failure:
        table = self._table(binding, "rows_of_day")
        if isinstance(table, Failure):
            return table
        assert choice.path is not None
        return DayRows(day, sum(utc_day(_at(row, choice.path)) == day for row in table.rows))

    def measure(self, binding: Binding, plan: TablePlan, around: Surroundings) -> Measurements | Failure:
        table = self._table(binding, "measure")
        if isinstance(table, Failure):
            return table
        measures = {one for rule in plan.rules for one in rule.measures}
        values = {one: self._value(table.rows, one, around) for one in measures}
        kept = around.kept(plan.plan_hash)
        if kept is not None:
            self.asked.append(f"kept {sum(part.counts[0] or 0 for part in kept.parts)} rows")
        state = TableState((PartState("all", "1", (len(table.rows),)),))
        return Measurements(values, rows=len(table.rows), state=state)

    def _value(self, rows: Sequence[Row], measure: Measure, around: Surroundings) -> Number | Failure:
        if isinstance(measure, RowCount) and measure.where is None:
            return len(rows)
        if isinstance(measure, NullCount):
            return sum(_at(row, measure.path) is None for row in rows)
        if isinstance(measure, InvalidCount):
            found = [_at(row, measure.path) for row in rows]
            return sum(one is not None and not _passes(one, measure.test) for one in found)
        if isinstance(measure, DuplicateCount):
            keys = Counter(tuple(_at(row, path) for path in measure.keys) for row in rows)
            return sum(number > 1 for key, number in keys.items() if None not in key)
        if isinstance(measure, OrphanCount):
            return self._orphans(rows, measure, around)
        return Failure(f"the test double does not know {type(measure).__name__}")

    def _orphans(self, rows: Sequence[Row], measure: OrphanCount, around: Surroundings) -> Number | Failure:
        target = self._table(around.others[measure.target], "orphans")
        if isinstance(target, Failure):
            return target
        known = {tuple(_at(row, path) for path in measure.target_columns) for row in target.rows}
        keys = [tuple(_at(row, path) for path in measure.columns) for row in rows]
        return sum(None not in key and key not in known for key in keys)

    def travels(self, binding: Binding) -> bool:
        table = self.tables.get(binding.name) or self.tables.get(binding.location)
        return table is not None and table.remembers


def _at(row: Row, path: Path) -> Any:
    here: Any = row
    for step in path:
        here = here.get(step) if here is not None else None
    return here


def _utc_us(row: Row, choice: ClockChoice) -> int:
    """A time that was written as a clock on the wall of its zone shows it."""
    zone = zone_of(choice.zone)
    assert choice.path is not None
    assert zone is not None
    return micros(moment(_at(row, choice.path)).replace(tzinfo=zone))


def _groups(rows: Sequence[Row], path: Path, column: str) -> tuple[tuple[str, int | None], ...]:
    groups: dict[str, int] = {}
    for row in rows:
        groups[row[column]] = max(groups.get(row[column], 0), _at(row, path))
    return tuple(sorted(groups.items()))


def _passes(value: Any, test: ValidTest) -> bool:
    if isinstance(test, OneOf):
        return value in test.values
    if isinstance(test, Matches):
        return re.fullmatch(test.pattern, value) is not None
    if isinstance(test, Format) and test.name == "email":
        return "@" in value
    if isinstance(test, LengthBetween):
        return (test.least or 0) <= len(value) <= (test.most or 10**9)
    if isinstance(test, Within):
        least, most = test.least, test.most
        return (least is None or value >= Decimal(least)) and (most is None or value <= Decimal(most))
    raise AssertionError(f"the test double does not know {type(test).__name__}")
