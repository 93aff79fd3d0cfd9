"""The totals of a run over streams: the worst result of each contract and check, and rows by stream."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from threading import Lock

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

from .... import __version__
from ....checks import gauges
from ....checks.measure import NullCount
from ....checks.measured import Failure
from ....checks.promises.promise import ClockChoice
from ....contract.meaning.phrase import plural
from ....monitor.run.plan import TablePlan
from ....results import CheckResult, Outcome, Report
from ....results.facts import RunScope, number_of
from ..clock.newest import clock_column
from ..measure.aggregate import fails
from ..read.messages import ARRIVED, UNREADABLE
from ..session.failures import SPARK_ERRORS, reason_of

_BADNESS = (Outcome.SKIPPED, Outcome.PASSED, Outcome.ERRORED, Outcome.VIOLATED)
_COUNTED = {gauges.ROWS: "rows", gauges.UNREADABLE_ROWS: "unreadable", gauges.BAD_ROWS: "bad", gauges.LATE_ROWS: "late"}


@dataclass
class _Counts:
    batches: int = 0
    repeated: int = 0
    newest: int = -1  # the batch that was counted last; a stream's batches come in their order
    newest_repeated: int = -1
    numbers: dict[str, int] = field(default_factory=dict)


@dataclass
class StreamTotals:
    """The worst results and the counts of all streams, which report from threads of their own."""

    changed: bool = False
    _worst: dict[tuple[str, str], CheckResult] = field(default_factory=dict)
    _counts: dict[str, _Counts] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, stream: str, batch: int | None, result: CheckResult) -> None:
        """One result of one batch; one that was counted by an earlier process is shown and not counted."""
        with self._lock:
            self.changed = True
            key = (result.contract, result.check)
            if key not in self._worst or _badness(result) >= _badness(self._worst[key]):
                self._worst[key] = result
            elif result.run and result.run.engine_gone:  # what was found before stands, and does not excuse the rest
                worst = self._worst[key]
                self._worst[key] = replace(worst, run=replace(worst.run or result.run, engine_gone=True))
            if batch is None:
                return
            counts = self._counts.setdefault(stream, _Counts())
            if result.run and result.run.repeated:
                counts.repeated += batch > counts.newest_repeated
                counts.newest_repeated = max(batch, counts.newest_repeated)
                return
            counts.batches += batch > counts.newest
            counts.newest = max(batch, counts.newest)
            for name in _COUNTED:
                number = number_of(result.facts, name)
                if number is not None and (name != gauges.ROWS or result.check == "quality"):
                    counts.numbers[name] = counts.numbers.get(name, 0) + int(number)

    def notes(self) -> tuple[str, ...]:
        """One line for each stream."""
        return tuple(f"{name}: {_describe(counts)}" for name, counts in sorted(self._counts.items()))

    def report(self, namespace: str, notes: tuple[str, ...], *, fail_on_error: bool) -> Report:
        return Report(
            command="monitor run stream",
            tool_version=__version__,
            results=tuple(self._worst.values()),
            scope=RunScope("stream", namespace, fail_on_error=fail_on_error),
            notes=notes if self._worst else (*notes, "There was no new data."),
            fail_on="enforced",
        )


def _badness(result: CheckResult) -> tuple[int, int]:
    return _BADNESS.index(result.outcome), max((item.severity.rank for item in result.findings), default=0)


def _describe(counts: _Counts) -> str:
    parts = [plural(counts.batches, "batch", "batches", digits=",")]
    parts += [f"{counts.numbers[name]:,} {word}" for name, word in _COUNTED.items() if name in counts.numbers]
    if counts.repeated:
        parts.append(f"{counts.repeated:,} counted before")
    return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class BatchCounts:
    """Numbers of one batch; `unreadable` is None where the source cannot tell."""

    rows: int
    unreadable: int | None
    bad: int
    arrived_us: int | None  # when its newest row came


def facts_of(frame: DataFrame, plan: TablePlan) -> BatchCounts | Failure:
    """One pass; a row is bad when it is unreadable or lacks a value that the contract requires."""
    unreadable = sf.col(UNREADABLE) if UNREADABLE in frame.columns else None
    counts = [
        sf.count(sf.lit(1)),
        sf.count(sf.when(unreadable, sf.lit(1))) if unreadable is not None else sf.lit(None).cast("bigint"),
        sf.count(sf.when(_bad(frame, plan, unreadable), sf.lit(1))),
        sf.unix_micros(sf.max(ARRIVED)) if ARRIVED in frame.columns else sf.lit(None).cast("bigint"),
    ]
    try:
        row = frame.agg(*counts).first()
    except SPARK_ERRORS as error:
        return Failure(reason_of(error))
    return BatchCounts(*row) if row is not None else Failure("Spark gave no answer")


def readable(frame: DataFrame) -> DataFrame:
    """The rows that rules can be judged by."""
    return frame.where(~sf.col(UNREADABLE)) if UNREADABLE in frame.columns else frame


def _bad(frame: DataFrame, plan: TablePlan, unreadable: Column | None) -> Column:
    required = [rule.measure for rule in plan.rules if rule.name == "not_null" and isinstance(rule.measure, NullCount)]
    lacking = [condition for measure in required if not isinstance(condition := fails(measure, frame.schema), Failure)]
    return reduce(or_, [*lacking, *([unreadable] if unreadable is not None else [])], sf.lit(False))


def late_rows(frame: DataFrame, choice: ClockChoice, allowed_us: int, newest_us: int | None) -> int | None:
    """Rows that came longer after their time than allowed; None where it is not known.

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
