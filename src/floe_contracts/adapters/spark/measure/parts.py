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
from ....monitor.store.states import PartState, StateComparison, TableState, compare, total
from ..clock.newest import CLOCK, ClockColumn, clock_column
from ..duplicates.duplicate_hashes import fits
from ..duplicates.uniqueness import Uniqueness, repeats_after, uniqueness
from .aggregate import ALL, aggregate
from .tables import MeasureOptions, PlanCounts, finished, measure, questions, read_clock

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
    compared = compare(state, parts.files)
    measured = _fresh_parts(frame, plan, parts, compared.fresh, options)
    if measured is None:
        return measure(frame, plan, options=options)
    now = TableState((*compared.kept, *measured.parts))
    counted = _summed(frame, plan, now, measured, options)
    repeated = _repeats(frame, plan, parts, state, compared, counted, options)
    kept = tuple(None if isinstance(one, Failure) else one for one in repeated.repeats)
    done = finished(frame, plan, options, counted, repeated, started)
    return replace(done, state=replace(now, repeats=kept))


@dataclass(frozen=True, slots=True)
class _Measured:
    parts: tuple[PartState, ...]
    failures: Mapping[object, Failure]
    column: ClockColumn | Failure | None
    scans: int


def _fresh_parts(
    frame: DataFrame, plan: TablePlan, parts: Parts, fresh: Sequence[str], options: MeasureOptions
) -> _Measured | None:
    """The states of parts that are new; None when rows call themselves parts that nobody listed."""
    column = clock_column(frame.schema, plan.clock) if plan.clock else None
    failures: dict[object, Failure] = {}
    found: dict[str, dict[object, tuple[int | None, ...]]] = {name: {} for name in fresh}
    rows, scans = (parts.only(fresh) if fresh else frame), 0
    for number, group in enumerate(plan.passes if fresh else ()):
        asked, refused = questions(rows, group)
        if number == 0 and isinstance(column, ClockColumn):
            asked = [*asked, column.asked(options.as_of_us + options.skew_us)]
        answers = aggregate(rows, asked, parts.name if len(fresh) > 1 else None)
        by_part = answers.parts if len(fresh) > 1 else {fresh[0]: answers.parts.get(ALL, {})}
        if not by_part.keys() <= found.keys():
            return None
        for name, values in by_part.items():
            found[name] |= values
        failures.update([*refused.items(), *answers.failures.items()])
        scans += answers.scans
    states = tuple(_state(name, parts.files[name], plan, found[name], failures) for name in fresh)
    return _Measured(states, failures, column, scans)


def _state(
    name: str,
    files: str,
    plan: TablePlan,
    values: Mapping[object, tuple[int | None, ...]],
    failures: Mapping[object, Failure],
) -> PartState:
    """A part without rows gives no group, and all of its counts are 0."""
    counts = tuple(None if one in failures else int(values.get(one, (0,))[0] or 0) for one in plan.counts)
    newest, _, _, nulls = values.get(CLOCK, (None, None, 0, 0))
    return PartState(name, files, counts, newest, nulls)


def _summed(
    frame: DataFrame, plan: TablePlan, now: TableState, measured: _Measured, options: MeasureOptions
) -> PlanCounts:
    values: dict[Measure, Number | Failure] = {}
    for one, number in zip(plan.counts, total(now.parts, len(plan.counts)), strict=True):
        values[one] = number if number is not None else measured.failures[one]
    known = len(now.parts) - len(measured.parts)
    how = f"{known} of {len(now.parts)} parts known from the last run" if known else ""
    counted = PlanCounts(values, None, measured.scans, how)
    return _with_clock(frame, now, measured, counted, options)


def _with_clock(
    frame: DataFrame, now: TableState, measured: _Measured, counted: PlanCounts, options: MeasureOptions
) -> PlanCounts:
    """The newest time of all parts; rows in the future must be told apart, so then the column is read anew."""
    column = measured.column
    if not isinstance(column, ClockColumn) or CLOCK in measured.failures:
        return replace(counted, clock=column if isinstance(column, Failure) else measured.failures.get(CLOCK))
    until_us = options.as_of_us + options.skew_us
    newest = max((one.newest for one in now.parts if one.newest is not None), default=None)
    if newest is not None and newest > column.from_us(until_us):
        answers = aggregate(frame, [column.asked(until_us)])
        clock = read_clock(column, answers, counted.rows, options.as_of_us)
        return replace(counted, clock=clock, scans=counted.scans + answers.scans)
    nulls = sum(one.nulls or 0 for one in now.parts)
    return replace(counted, clock=column.clock((newest, newest, 0, nulls), counted.rows, options.as_of_us))


def _repeats(  # noqa: PLR0913  all that decides how to look
    frame: DataFrame,
    plan: TablePlan,
    parts: Parts,
    state: TableState | None,
    compared: StateComparison,
    counted: PlanCounts,
    options: MeasureOptions,
) -> Uniqueness:
    """Known repeats stand while nothing is taken away; few fresh rows are looked up; else all keys are hashed anew."""
    known = tuple(one for one in state.repeats if one is not None) if state else ()
    if compared.only_added and len(known) == len(plan.key_sets):
        if not compared.fresh:
            return Uniqueness(known)
        fresh, history = parts.only(compared.fresh), parts.only([one.part for one in compared.kept])
        few = _few(plan, compared, counted)
        if few is not None and fits(frame, few, len(plan.key_sets), options.driver_bytes) and plan.key_sets:
            return repeats_after(history, fresh, plan.key_sets, known)
    return uniqueness(frame, plan.key_sets, counted.rows, options.driver_bytes)


def _few(plan: TablePlan, compared: StateComparison, counted: PlanCounts) -> int | None:
    """How many rows are fresh, when they are few enough."""
    before = total(compared.kept, len(plan.counts))[0]
    if counted.rows is None or before is None or counted.rows - before > counted.rows * FEW:
        return None
    return counted.rows - before
