"""Measures a whole plan on one table, in as few scans as the plan allows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pyspark.sql import DataFrame

from ....checks.measure import DuplicateCount, InvalidCount, Measure, RowCount
from ....checks.measured import Clock, Failure, Number
from ....contract.meaning.phrase import plural
from ....monitor.run.engine import Measurements
from ....monitor.run.plan import Count, KeySet, TablePlan, key_set
from ....monitor.store.states import Repeats
from ..clock.newest import CLOCK, ClockColumn, clock_column
from ..duplicates.uniqueness import Uniqueness, count_repeats
from .aggregate import ALL, AggregateQuestion, Answers, aggregate, build_count, question_of
from .orphans import Opener, count_orphans
from .sql_rules import answer_queries
from .validity import check_patterns

DRIVER_BYTES = 256 << 20  # hashes that may come to the driver: 16 million rows with two keys


def _refuse_others(name: str) -> Failure:
    return Failure(f"nobody said where {name} is")


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """Everything about one measurement that the plan does not know."""

    as_of_us: int = 0
    skew_us: int = 0
    names: tuple[str, ...] = ()  # further names of the table in queries; the contract's own is always known
    others: Mapping[str, str] = field(default_factory=dict)  # names of other tables in queries -> name in the contract
    open_table: Opener = _refuse_others  # another table as queries see it
    open_target: Opener = _refuse_others  # another table with all of its keys, whatever a filter leaves out
    unfiltered: DataFrame | None = None  # every row of the table, where a filter leaves some out
    known: Mapping[Measure, Number] = field(default_factory=dict)  # answered by metadata already
    known_how: str = ""
    driver_bytes: int = DRIVER_BYTES
    trusts_sql: bool = False  # sql_trust: full


def measure(frame: DataFrame, plan: TablePlan, *, options: MeasureOptions = MeasureOptions()) -> Measurements:  # noqa: B008  frozen
    """Every answer of the plan; what cannot be measured is a Failure and spoils nothing else."""
    started = time.monotonic()
    counted = run_passes(frame, plan, options)
    keys = plan.key_sets
    if options.unfiltered is None or not keys:
        repeated = count_repeats(frame, keys, counted.rows, options.driver_bytes) if keys else Uniqueness(())
        return finish(frame, plan, options, counted, repeated, started)
    repeated = count_repeats(options.unfiltered, keys, None, options.driver_bytes)
    repeated = replace(repeated, how=f"{repeated.how}, among all rows")
    return finish(frame, plan, options, _count_all_rows(plan, options.unfiltered, counted), repeated, started)


def _count_all_rows(plan: TablePlan, every: DataFrame, counted: PlanCounts) -> PlanCounts:
    """The counts, with what percentages of repeated keys are of: a filter does not narrow them."""
    whole = RowCount(whole=True)
    if whole not in plan.counts:
        return counted
    questions, _ = build_questions(every, [whole])
    answers = aggregate(every, questions)
    return replace(counted, values={**counted.values, whole: answers.count(whole)}, scans=counted.scans + answers.scans)


def finish(
    frame: DataFrame,
    plan: TablePlan,
    options: MeasureOptions,
    counted: PlanCounts,
    repeated: Uniqueness,
    started: float,
) -> Measurements:
    """The measurements: counts and repeats, with the anti-joins and queries that read the whole table in any case."""
    values: dict[Measure, Number | Failure] = {
        **counted.values,
        **read_duplicates(plan, repeated.repeats),
        **{orphan: count_orphans(frame, orphan, options.open_target) for orphan in plan.orphans},
    }
    if plan.queries:
        names = (plan.table, *options.names)
        values |= answer_queries(
            frame, names, plan.queries, options.others, options.open_table, trusted=options.trusts_sql
        )
    return Measurements(
        values=values,
        how=describe_passes(plan, counted, repeated),
        rows=counted.rows,
        clock=counted.clock,
        scans=counted.scans + repeated.scans + len(plan.orphans) + len(plan.queries),
        seconds=time.monotonic() - started,
    )


@dataclass(frozen=True, slots=True)
class PlanCounts:
    """The counts and the clock that the passes of a plan gave."""

    values: Mapping[Measure, Number | Failure]
    clock: Clock | Failure | None
    scans: int
    how: str = ""  # what was known without a scan

    @property
    def rows(self) -> int | None:
        number = self.values.get(RowCount())
        return number if isinstance(number, int) else None


def run_passes(frame: DataFrame, plan: TablePlan, options: MeasureOptions) -> PlanCounts:
    """Run the passes for everything that is not known yet; the clock is read in the first."""
    known: dict[Measure, Number] = {count: options.known[count] for count in plan.counts if count in options.known}
    values: dict[Measure, Number | Failure] = {**known}
    column = clock_column(frame.schema, plan.clock) if plan.clock else None
    reading, scans = Answers(), 0
    for number, group in enumerate(plan.passes):
        questions, failures = build_questions(frame, [count for count in group if count not in known])
        values.update(failures.items())
        if number == 0 and isinstance(column, ClockColumn):
            questions = [*questions, column.question(options.as_of_us + options.skew_us)]
        answers = aggregate(frame, questions)
        values |= {count: answers.count(count) for count in group if count not in values}
        reading, scans = (answers if number == 0 else reading), scans + answers.scans
    rows = values.get(RowCount())
    clock = read_clock(column, reading, rows if isinstance(rows, int) else None, options.as_of_us)
    return PlanCounts(values, clock, scans, options.known_how if known else "")


def build_questions(
    frame: DataFrame, measures: Sequence[Count]
) -> tuple[list[AggregateQuestion], dict[Count, Failure]]:
    """The questions for measures that this table can answer, and why it cannot answer the rest."""
    questions: list[AggregateQuestion] = []
    failures: dict[Count, Failure] = {}
    for count in measures:
        refusal = check_patterns(frame.sparkSession, count.test) if isinstance(count, InvalidCount) else None
        columns = refusal or build_count(count, frame.schema)
        if isinstance(columns, Failure):
            failures[count] = columns
        else:
            questions.append(question_of(columns))
    return questions, failures


def read_clock(
    column: ClockColumn | Failure | None, answers: Answers, rows: int | None, as_of_us: int
) -> Clock | Failure | None:
    """The clock from the answers of a pass over the whole table."""
    if not isinstance(column, ClockColumn):
        return column
    if CLOCK in answers.failures:
        return answers.failures[CLOCK]
    return column.clock(answers.parts[ALL][CLOCK], rows, as_of_us)


def read_duplicates(plan: TablePlan, repeats: Sequence[Repeats | Failure]) -> dict[Measure, Number | Failure]:
    """Every duplicate count of the plan from the repeats of its key sets."""
    by_set: dict[KeySet, Repeats | Failure] = dict(zip(plan.key_sets, repeats, strict=True))
    values: dict[Measure, Number | Failure] = {}
    for count in (measure for rule in plan.rules for measure in rule.measures):
        if isinstance(count, DuplicateCount):
            number = by_set[key_set(count)]
            values[count] = number if isinstance(number, Failure) else number[1 if count.count_rows else 0]
    return values


def describe_passes(plan: TablePlan, counted: PlanCounts, repeated: Uniqueness) -> str:
    """How the plan was measured, in words for the report."""
    phrases = [counted.how, f"{plural(counted.scans, 'pass', 'passes')} over the rows"]
    if repeated.how:
        phrases.append(f"{plural(len(plan.key_sets), 'key')} by hashes {repeated.how}")
    phrases += [f"{len(plan.orphans)} by anti-join"] if plan.orphans else []
    phrases += [f"{len(plan.queries)} by SQL"] if plan.queries else []
    return "; ".join(word for word in phrases if word and not word.startswith("0 "))
