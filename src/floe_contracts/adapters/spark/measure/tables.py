"""Measures a whole plan on one table, in as few scans as the plan allows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pyspark.sql import DataFrame

from ....checks.measure import DuplicateCount, Measure, RowCount
from ....checks.measured import Clock, Failure, Number
from ....monitor.run.engine import Measurements
from ....monitor.run.plan import Count, KeySet, TablePlan, key_set
from ....monitor.store.states import Repeats
from ..clock.newest import CLOCK, ClockColumn, clock_column
from ..duplicates.uniqueness import Uniqueness, uniqueness
from .aggregate import ALL, AggregateQuestion, Answers, aggregate, asked_of, counting
from .orphans import Opener, count_orphans
from .sql_rules import answer_queries
from .validity import unreadable

DRIVER_BYTES = 256 << 20  # hashes that may come to the driver: 16 million rows with two keys


def _nothing_else(name: str) -> Failure:
    return Failure(f"nobody said where {name} is")


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """Everything about one measurement that the plan does not know."""

    as_of_us: int = 0
    skew_us: int = 0
    names: tuple[str, ...] = ()  # further names of the table in queries; the contract's own is always known
    others: Mapping[str, str] = field(default_factory=dict)  # names of other tables in queries -> name in the contract
    open_table: Opener = _nothing_else
    known: Mapping[Measure, Number] = field(default_factory=dict)  # answered by metadata already
    known_how: str = ""
    driver_bytes: int = DRIVER_BYTES


def measure(frame: DataFrame, plan: TablePlan, *, options: MeasureOptions = MeasureOptions()) -> Measurements:  # noqa: B008  frozen
    """Every answer of the plan; what cannot be measured is a Failure and spoils nothing else."""
    started = time.monotonic()
    counted = count_passes(frame, plan, options)
    repeated = uniqueness(frame, plan.key_sets, counted.rows, options.driver_bytes)
    return finished(frame, plan, options, counted, repeated, started)


def finished(
    frame: DataFrame,
    plan: TablePlan,
    options: MeasureOptions,
    counted: PlanCounts,
    repeated: Uniqueness,
    started: float,
) -> Measurements:
    """All of it together, with the anti-joins and queries that read the whole table in any case."""
    values: dict[Measure, Number | Failure] = {
        **counted.values,
        **duplicates(plan, repeated.repeats),
        **{one: count_orphans(frame, one, options.open_table) for one in plan.orphans},
        **answer_queries(frame, (plan.table, *options.names), plan.queries, options.others, options.open_table),
    }
    return Measurements(
        values=values,
        how=how(plan, counted, repeated),
        rows=counted.rows,
        clock=counted.clock,
        scans=counted.scans + repeated.scans + len(plan.orphans) + len(plan.queries),
        seconds=time.monotonic() - started,
    )


@dataclass(frozen=True, slots=True)
class PlanCounts:
    """What the passes of a plan gave."""

    values: Mapping[Measure, Number | Failure]
    clock: Clock | Failure | None
    scans: int
    how: str = ""  # what was known without a scan

    @property
    def rows(self) -> int | None:
        number = self.values.get(RowCount())
        return number if isinstance(number, int) else None


def count_passes(frame: DataFrame, plan: TablePlan, options: MeasureOptions) -> PlanCounts:
    """Run the passes for everything that is not known yet; the clock is read in the first."""
    known: dict[Measure, Number] = {one: options.known[one] for one in plan.counts if one in options.known}
    values: dict[Measure, Number | Failure] = {**known}
    column = clock_column(frame.schema, plan.clock) if plan.clock else None
    reading, scans = Answers(), 0
    for number, group in enumerate(plan.passes):
        asked, failures = questions(frame, [one for one in group if one not in known])
        values.update(failures.items())
        if number == 0 and isinstance(column, ClockColumn):
            asked = [*asked, column.asked(options.as_of_us + options.skew_us)]
        answers = aggregate(frame, asked)
        values |= {one: answers.count(one) for one in group if one not in values}
        reading, scans = (answers if number == 0 else reading), scans + answers.scans
    rows = values.get(RowCount())
    clock = read_clock(column, reading, rows if isinstance(rows, int) else None, options.as_of_us)
    return PlanCounts(values, clock, scans, options.known_how if known else "")


def questions(frame: DataFrame, measures: Sequence[Count]) -> tuple[list[AggregateQuestion], dict[Count, Failure]]:
    """What can be asked of this table, and why the rest cannot."""
    asked: list[AggregateQuestion] = []
    failures: dict[Count, Failure] = {}
    for one in measures:
        found = unreadable(frame.sparkSession, one) or counting(one, frame.schema)
        if isinstance(found, Failure):
            failures[one] = found
        else:
            asked.append(asked_of(found))
    return asked, failures


def read_clock(
    column: ClockColumn | Failure | None, answers: Answers, rows: int | None, as_of_us: int
) -> Clock | Failure | None:
    """The clock from the answers of a pass over the whole table."""
    if not isinstance(column, ClockColumn):
        return column
    if CLOCK in answers.failures:
        return answers.failures[CLOCK]
    return column.clock(answers.parts[ALL][CLOCK], rows, as_of_us)


def duplicates(plan: TablePlan, repeats: Sequence[Repeats | Failure]) -> dict[Measure, Number | Failure]:
    """Every duplicate count of the plan from the repeats of its key sets."""
    by_set: dict[KeySet, Repeats | Failure] = dict(zip(plan.key_sets, repeats, strict=True))
    values: dict[Measure, Number | Failure] = {}
    for one in (measure for rule in plan.rules for measure in rule.measures):
        if isinstance(one, DuplicateCount):
            found = by_set[key_set(one)]
            values[one] = found if isinstance(found, Failure) else found[1 if one.count_rows else 0]
    return values


def how(plan: TablePlan, counted: PlanCounts, repeated: Uniqueness) -> str:
    """In words, for the report."""
    said = [counted.how, f"{counted.scans} {'pass' if counted.scans == 1 else 'passes'} over the rows"]
    if repeated.how:
        keys = f"{len(plan.key_sets)} key{'' if len(plan.key_sets) == 1 else 's'}"
        said.append(f"{keys} by hashes {repeated.how}")
    said += [f"{len(plan.orphans)} by anti-join"] if plan.orphans else []
    said += [f"{len(plan.queries)} by SQL"] if plan.queries else []
    return "; ".join(word for word in said if word and not word.startswith("0 "))
