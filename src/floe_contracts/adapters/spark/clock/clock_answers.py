"""Questions about time: the newest row, first arrival, rows of a day, latency; by exact metadata, else by a scan."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date, datetime, timezone
from decimal import Decimal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from ....checks.measured import Arrival, Clock, DayRows, Failure, Latency
from ....checks.moments import DAY, micros
from ....checks.promises.promise import ClockChoice
from ....monitor.run.engine import Window
from .. import metadata
from ..columns.paths import CannotAsk, find
from ..measure.aggregate import ALL, AggregateQuestion, Answers, aggregate
from ..read.messages import ARRIVED
from ..read.open import OpenTable
from .newest import CLOCK, ClockColumn, clock_column

STAMPS = ClockChoice((ARRIVED,), "Kafka stamps every message")
_AT_THE_BROKER = "newest arrival at the broker"
_ROWS, _WAITS = "rows", "waits"
_ACCURACY = 10_000  # of percentile_approx: the rank is right to one in ten thousand
_ALL_ROWS = 1  # the literal that count() takes for every row


def read_newest_time(
    table: OpenTable, choice: ClockChoice, *, as_of_us: int, skew_us: int, group_by: str
) -> Clock | Failure:
    """The newest time of the column that was chosen; without one that of the newest message, commit or file."""
    if choice.path is None:
        return _read_newest_message(table, choice, as_of_us, skew_us) or metadata.read_commit_clock(table, as_of_us)
    known = None if group_by else metadata.read_column_clock(table, choice, as_of_us=as_of_us, skew_us=skew_us)
    return known or scan_clock(table.frame, choice, as_of_us=as_of_us, skew_us=skew_us, group_by=group_by)


def find_first_arrival(table: OpenTable, choice: ClockChoice, since_us: int) -> Arrival | Failure:
    """When data at or after a moment first came; without a history only whether it is there."""
    known = metadata.find_arrival(table, choice, since_us)
    if known is not None:
        return known
    as_of_us = table.binding.as_of_us or time.time_ns() // 1000
    newest = read_newest_time(table, choice, as_of_us=as_of_us, skew_us=0, group_by="")
    if isinstance(newest, Failure):
        return newest
    return Arrival(newest.last_us is not None and newest.last_us >= since_us, newest.how)


def measure_latency(
    table: OpenTable, event: ClockChoice, arrival: ClockChoice | None, *, quantile: Decimal, window: Window
) -> Latency | Failure:
    """The latency of rows that came in a window, by their own column or by the stamps of Kafka."""
    rows, came = (table.frame, arrival) if arrival else (table.stamped, STAMPS)
    if rows is None:
        return Failure("nothing tells when its rows came")
    return scan_latency(rows, event, came, quantile=quantile, since_us=window.since_us, until_us=window.until_us)


def scan_clock(
    frame: DataFrame, choice: ClockChoice, *, as_of_us: int, skew_us: int, group_by: str = ""
) -> Clock | Failure:
    """The newest time of a column, and of every group where a column to group by is named."""
    column = clock_column(frame.schema, choice)
    if isinstance(column, Failure):
        return column
    try:
        group = _group_column(frame, group_by) if group_by else None
    except CannotAsk as no:
        return no.failure()
    questions = [column.question(as_of_us + skew_us), AggregateQuestion(_ROWS, (sf.count(sf.lit(_ALL_ROWS)),))]
    answers = aggregate(frame, questions, group)
    failure = next(iter(answers.failures.values()), None)
    return failure or _combine(column, answers, as_of_us, grouped=group is not None)


def scan_rows_of_day(frame: DataFrame, choice: ClockChoice, day: date) -> DayRows | Failure:
    """The number of rows whose time lies in a day of UTC."""
    column = clock_column(frame.schema, choice)
    if isinstance(column, Failure):
        return column
    start = micros(datetime(day.year, day.month, day.day, tzinfo=timezone.utc))
    answers = aggregate(
        frame, [AggregateQuestion(_ROWS, (sf.count(sf.when(_is_during(column, start, start + DAY), sf.lit(1))),))]
    )
    number = answers.count(_ROWS)
    return number if isinstance(number, Failure) else DayRows(day, number, f"column {column.name} by scan")


def scan_latency(
    frame: DataFrame, event: ClockChoice, arrival: ClockChoice, *, quantile: Decimal, since_us: int, until_us: int
) -> Latency | Failure:
    """A quantile of arrival minus event over the rows that arrived in a stretch of time."""
    happened, came = (clock_column(frame.schema, choice) for choice in (event, arrival))
    if isinstance(happened, Failure):
        return happened
    if isinstance(came, Failure):
        return came
    rows = frame.where(_is_during(came, since_us, until_us))
    wait = came.utc_us - happened.utc_us
    clipped = sf.greatest(wait, sf.lit(0).cast("bigint"))
    question = AggregateQuestion(
        _WAITS,
        (
            sf.count(wait),
            sf.percentile_approx(clipped, float(quantile), _ACCURACY),
            sf.count(sf.when(wait < sf.lit(0), sf.lit(1))),
        ),
    )
    answers = aggregate(rows, [question])
    if answers.failures:
        return answers.failures[_WAITS]
    number, value, negatives = answers.parts[ALL][_WAITS]
    how = f"{came.name} minus {happened.name} by scan"
    return Latency(int(number), quantile, None if value is None else int(value), int(negatives), how)


def _read_newest_message(table: OpenTable, choice: ClockChoice, as_of_us: int, skew_us: int) -> Clock | Failure | None:
    """The stamp of the newest message of a Kafka topic; None for everything else."""
    if table.stamped is None:
        return None
    clock = scan_clock(table.stamped, replace(choice, path=(ARRIVED,)), as_of_us=as_of_us, skew_us=skew_us)
    return clock if isinstance(clock, Failure) else replace(clock, how=_AT_THE_BROKER)


def _group_column(frame: DataFrame, name: str) -> Column:
    """A column to group by, under the name that the SLA gives it; rows without a value are a group too."""
    path = (name,) if name in frame.columns else tuple(name.split("."))
    return sf.coalesce(find(frame.schema, path).value.cast("string"), sf.lit("null"))


def _combine(column: ClockColumn, answers: Answers, as_of_us: int, *, grouped: bool) -> Clock:
    lasts: dict[str, int | None] = {}
    rows = future = nulls = 0
    for name, values in answers.parts.items():
        _, last, later, empty = values[CLOCK]
        lasts[name] = None if last is None else column.to_us(last)
        rows, future, nulls = rows + values[_ROWS][0], future + later, nulls + empty
    newest = max((last for last in lasts.values() if last is not None), default=None)
    groups = tuple(sorted(lasts.items())) if grouped else ()
    return Clock(newest, f"column {column.name} by scan", as_of_us, rows, nulls, future, groups)


def _is_during(column: ClockColumn, since_us: int, until_us: int) -> Column:
    after = column.value > column.literal(column.from_us(since_us - 1))
    return after & (column.value <= column.literal(column.from_us(until_us - 1)))
