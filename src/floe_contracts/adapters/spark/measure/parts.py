"""Measures a table part by part and keeps the counts, so that the next run reads only what is new."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from pyspark.sql import Column, DataFrame

from ....checks.measure import Measure
from ....checks.measured import Failure, Number
from ....monitor.run.engine import Measurements
from ....monitor.run.plan import TablePlan
from ....monitor.store.states import PartState, StateComparison, TableState, add_counts, compare_state
from ..clock.newest import CLOCK, ClockColumn, clock_column
from ..duplicates.duplicate_hashes import fits_on_driver
from ..duplicates.uniqueness import Uniqueness, count_repeats, update_repeats
from .aggregate import ALL, aggregate
from .tables import MeasureOptions, PlanCounts, build_questions, finish, measure, read_clock

FEW = 0.05  # share of fresh rows up to which looking them up is cheaper than sorting all hashes again


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that a table has today: files, partitions, additions of snapshots."""

    files: Mapping[str, str]  # each part with a word that changes when its content may have changed
    name: Column  # the part that a row belongs to
    only: Callable[[Collection[str]], DataFrame]  # the rows of some parts, without reading the others


def measure_parts(
    frame: DataFrame, plan: TablePlan, parts: Parts, state: TableState | None, *, options: MeasureOptions
) -> Measurements:
    """Like `measure`, but parts that have not changed since `state` are not read again for anything that adds up."""
    started = time.monotonic()
    compared = compare_state(state, parts.files)
    measured = _measure_fresh(frame, plan, parts, compared.fresh, options)
    if measured is None:
        return measure(frame, plan, options=options)
    now = TableState((*compared.kept, *measured.parts))
    counted = _sum_parts(frame, plan, now, measured, options)
    keys = plan.key_sets
    repeated = _count_repeats(frame, plan, parts, state, compared, counted, options) if keys else Uniqueness(())
    kept = tuple(None if isinstance(repeats, Failure) else repeats for repeats in repeated.repeats)
    done = finish(frame, plan, options, counted, repeated, started)
    return replace(done, state=replace(now, repeats=kept))


@dataclass(frozen=True, slots=True)
class _FreshParts:
    """The counts of new parts, what could not be counted, and the clock."""

    parts: tuple[PartState, ...]
    failures: Mapping[object, Failure]
    column: ClockColumn | Failure | None
    scans: int


def _measure_fresh(
    frame: DataFrame, plan: TablePlan, parts: Parts, fresh: Sequence[str], options: MeasureOptions
) -> _FreshParts | None:
    """The states of new parts; None when rows name parts that nobody listed."""
    column = clock_column(frame.schema, plan.clock) if plan.clock else None
    failures: dict[object, Failure] = {}
    answered: dict[str, dict[object, tuple[int | None, ...]]] = {name: {} for name in fresh}
    rows, scans = (parts.only(fresh) if fresh else frame), 0
    for number, group in enumerate(plan.passes if fresh else ()):
        questions, refused = build_questions(rows, group)
        if number == 0 and isinstance(column, ClockColumn):
            questions = [*questions, column.question(options.as_of_us + options.skew_us)]
        answers = aggregate(rows, questions, parts.name if len(fresh) > 1 else None)
        by_part = answers.parts if len(fresh) > 1 else {fresh[0]: answers.parts.get(ALL, {})}
        if not by_part.keys() <= answered.keys():
            return None
        for name, values in by_part.items():
            answered[name] |= values
        failures.update([*refused.items(), *answers.failures.items()])
        scans += answers.scans
    states = tuple(_build_state(name, parts.files[name], plan, answered[name], failures) for name in fresh)
    return _FreshParts(states, failures, column, scans)


def _build_state(
    name: str,
    files: str,
    plan: TablePlan,
    values: Mapping[object, tuple[int | None, ...]],
    failures: Mapping[object, Failure],
) -> PartState:
    """The state of one part; one without rows gives no group, and all of its counts are 0."""
    counts = tuple(None if count in failures else int(values.get(count, (0,))[0] or 0) for count in plan.counts)
    newest, _, _, nulls = values.get(CLOCK, (None, None, 0, 0))
    return PartState(name, files, counts, newest, nulls)


def _sum_parts(
    frame: DataFrame, plan: TablePlan, now: TableState, measured: _FreshParts, options: MeasureOptions
) -> PlanCounts:
    values: dict[Measure, Number | Failure] = {}
    for count, number in zip(plan.counts, add_counts(now.parts, len(plan.counts)), strict=True):
        values[count] = number if number is not None else measured.failures[count]
    known = len(now.parts) - len(measured.parts)
    how = f"{known} of {len(now.parts)} parts known from the last run" if known else ""
    counted = PlanCounts(values, None, measured.scans, how)
    return _add_clock(frame, now, measured, counted, options)


def _add_clock(
    frame: DataFrame, now: TableState, measured: _FreshParts, counted: PlanCounts, options: MeasureOptions
) -> PlanCounts:
    """The counts with the newest time of all parts; rows in the future are told apart by reading the column anew."""
    column = measured.column
    if not isinstance(column, ClockColumn) or CLOCK in measured.failures:
        return replace(counted, clock=column if isinstance(column, Failure) else measured.failures.get(CLOCK))
    until_us = options.as_of_us + options.skew_us
    newest = max((part.newest for part in now.parts if part.newest is not None), default=None)
    if newest is not None and newest > column.from_us(until_us):
        answers = aggregate(frame, [column.question(until_us)])
        clock = read_clock(column, answers, counted.rows, options.as_of_us)
        return replace(counted, clock=clock, scans=counted.scans + answers.scans)
    nulls = sum(part.nulls or 0 for part in now.parts)
    return replace(counted, clock=column.clock((newest, newest, 0, nulls), counted.rows, options.as_of_us))


def _count_repeats(  # noqa: PLR0913  all that decides how to look
    frame: DataFrame,
    plan: TablePlan,
    parts: Parts,
    state: TableState | None,
    compared: StateComparison,
    counted: PlanCounts,
    options: MeasureOptions,
) -> Uniqueness:
    """Repeats: known ones while nothing is taken away, with few fresh rows looked up; else all keys are hashed anew."""
    known = tuple(repeats for repeats in state.repeats if repeats is not None) if state else ()
    if compared.only_added and len(known) == len(plan.key_sets):
        if not compared.fresh:
            return Uniqueness(known)
        fresh, history = parts.only(compared.fresh), parts.only([part.part for part in compared.kept])
        few = _count_few_fresh(plan, compared, counted)
        if few is not None and fits_on_driver(frame, few, len(plan.key_sets), options.driver_bytes) and plan.key_sets:
            return update_repeats(history, fresh, plan.key_sets, known)
    return count_repeats(frame, plan.key_sets, counted.rows, options.driver_bytes)


def _count_few_fresh(plan: TablePlan, compared: StateComparison, counted: PlanCounts) -> int | None:
    """How many rows are fresh, when they are few enough."""
    before = add_counts(compared.kept, len(plan.counts))[0]
    if counted.rows is None or before is None or counted.rows - before > counted.rows * FEW:
        return None
    return counted.rows - before
