"""What is counted in one micro-batch beside the rules: rows, bad ones, late ones, and when the newest arrived."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from ....checks.measure import NullCount
from ....checks.measured import Failure
from ....checks.promises.promise import ClockChoice
from ....monitor.run.plan import TablePlan
from ..clock.newest import clock_column
from ..measure.expressions import fails
from ..read.messages import ARRIVED, UNREADABLE
from ..session.failures import SPARK_ERRORS, reason_of


@dataclass(frozen=True, slots=True)
class Facts:
    """Numbers of one batch; `unreadable` is None where the source cannot tell."""

    rows: int
    unreadable: int | None
    bad: int
    arrived_us: int | None  # when its newest row came


def facts_of(frame: DataFrame, plan: TablePlan) -> Facts | Failure:
    """One pass; a row is bad when it is unreadable or lacks a value that the contract requires."""
    unreadable = sf.col(UNREADABLE) if UNREADABLE in frame.columns else None
    asked = [
        sf.count(sf.lit(1)),
        sf.count(sf.when(unreadable, sf.lit(1))) if unreadable is not None else sf.lit(None).cast("bigint"),
        sf.count(sf.when(_bad(frame, plan, unreadable), sf.lit(1))),
        sf.unix_micros(sf.max(ARRIVED)) if ARRIVED in frame.columns else sf.lit(None).cast("bigint"),
    ]
    try:
        row = frame.agg(*asked).first()
    except SPARK_ERRORS as error:
        return Failure(reason_of(error))
    return Facts(*row) if row is not None else Failure("Spark gave no answer")


def readable(frame: DataFrame) -> DataFrame:
    """The rows that rules can be judged by."""
    return frame.where(~sf.col(UNREADABLE)) if UNREADABLE in frame.columns else frame


def _bad(frame: DataFrame, plan: TablePlan, unreadable: Column | None) -> Column:
    required = [one.measure for one in plan.rules if one.name == "not_null" and isinstance(one.measure, NullCount)]
    lacking = [found for one in required if not isinstance(found := fails(one, frame.schema), Failure)]
    return reduce(or_, [*lacking, *([unreadable] if unreadable is not None else [])], sf.lit(False))


def late_rows(frame: DataFrame, choice: ClockChoice, allowed_us: int, newest_us: int | None) -> int | None:
    """Rows that came longer after their time than allowed; None where nobody can tell.

    Where the source keeps no time of arrival, rows are late that are so much older than the newest before this batch.
    """
    column = clock_column(frame.schema, choice)
    if isinstance(column, Failure):
        return None
    if ARRIVED in frame.columns:
        late = sf.unix_micros(ARRIVED) - column.utc_us > sf.lit(allowed_us).cast("bigint")
    elif newest_us is not None:
        late = column.value <= column.literal(column.from_us(newest_us - allowed_us - 1))
    else:
        return None
    try:
        row = frame.agg(sf.count(sf.when(late, sf.lit(1)))).first()
    except SPARK_ERRORS:
        return None
    return int(row[0]) if row is not None else None
