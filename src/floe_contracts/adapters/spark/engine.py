"""Spark as an engine: opens what a binding names, measures it within a time limit, and answers with values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import TypeVar

from pyspark.sql import DataFrame, SparkSession

from ...checks.drift.type_match import Reading
from ...checks.measured import ActualColumn, Arrival, Clock, DayRows, Failure, Latency, Probe
from ...checks.promises.promise import ClockChoice
from ...monitor.run.engine import Measurements, Surroundings, Window
from ...monitor.run.plan import TablePlan
from ...monitor.source.binding import Binding
from ...monitor.source.server_types import Reach
from . import metadata
from .clock.clock_answers import find_first_arrival, measure_latency, read_newest_time, scan_rows_of_day
from .columns.actual import columns_of, reading_of
from .measure.orphans import Opener
from .measure.parts import measure_parts
from .measure.tables import MeasureOptions, measure
from .read.open import OpenTable, open_binding, probe, read_row
from .read.tables import provider_of, sql_name
from .session.failures import SPARK_ERRORS
from .session.start import joined_session, keep_quiet, utc_session
from .session.time_limit import run_within

T = TypeVar("T")
_LOOK_S = 60.0  # to look up what kind of table a name stands for


@dataclass
class SparkEngine:
    """Spark as `monitor.run.engine.Engine`; threads may share one, each question has its own thread and job group.

    `frames` are data frames of the caller by the names that contracts give them. They are read in their own session,
    everything else in one whose zone is UTC.
    """

    spark: SparkSession
    frames: Mapping[str, DataFrame] = field(default_factory=dict)
    trusts_sql: bool = False  # sql_trust: full

    def __post_init__(self) -> None:
        keep_quiet()
        self._given, self.spark = joined_session(self.spark), utc_session(self.spark)

    def probe(self, binding: Binding, *, limit_s: float) -> Probe:
        return probe(lambda left_s: self._ask(binding, left_s, read_row), limit_s)

    def schema(self, binding: Binding, *, limit_s: float) -> tuple[ActualColumn, ...] | Failure:
        return self._ask(
            binding,
            limit_s,
            lambda table: columns_of(table.frame.schema, ((other.file, other.field) for other in table.variants)),
        )

    def reading(self, binding: Binding) -> Reading:
        return reading_of(self.spark, binding, self._kind(binding))

    def clock(
        self, binding: Binding, choice: ClockChoice, *, as_of_us: int, skew_us: int, group_by: str, limit_s: float
    ) -> Clock | Failure:
        return self._ask(
            binding,
            limit_s,
            lambda table: read_newest_time(table, choice, as_of_us=as_of_us, skew_us=skew_us, group_by=group_by),
        )

    def arrival(self, binding: Binding, choice: ClockChoice, *, since_us: int, limit_s: float) -> Arrival | Failure:
        return self._ask(binding, limit_s, lambda table: find_first_arrival(table, choice, since_us))

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
        return self._ask(
            binding, limit_s, lambda table: measure_latency(table, event, arrival, quantile=quantile, window=window)
        )

    def rows_of_day(self, binding: Binding, choice: ClockChoice, day: date, *, limit_s: float) -> DayRows | Failure:
        return self._ask(binding, limit_s, lambda table: scan_rows_of_day(table.frame, choice, day))

    def measure(self, binding: Binding, plan: TablePlan, around: Surroundings) -> Measurements | Failure:
        options = self._options(binding, around)
        return self._ask(binding, around.limit_s, lambda table: measure_table(table, plan, around, options))

    def travels(self, binding: Binding) -> bool:
        return self._kind(binding) in ("iceberg", "delta")

    def _kind(self, binding: Binding) -> str:
        """The kind of table, as in `OpenTable.kind`; empty when nobody answers."""
        if binding.reach is not Reach.TABLE:
            return binding.format or binding.reach.value
        kind = run_within(self.spark, _LOOK_S, lambda: provider_of(self.spark, sql_name(binding.name)))
        return "" if isinstance(kind, Failure) else kind

    def _ask(self, binding: Binding, limit_s: float, question: Callable[[OpenTable], T | Failure]) -> T | Failure:
        """The answer of the table to a question; opening it counts towards the limit."""

        def work() -> T | Failure:
            table = self._open(binding, limit_s)
            return table if isinstance(table, Failure) else question(table)

        return run_within(self.spark, limit_s, work)

    def _open(self, binding: Binding, limit_s: float) -> OpenTable | Failure:
        """The table in the right session: views belong to the one that made them."""
        spark = self._given if binding.reach is Reach.DATAFRAME else self.spark
        return open_binding(spark, binding, limit_s=limit_s, frames=self.frames)

    def _options(self, binding: Binding, around: Surroundings) -> MeasureOptions:
        def open_other(name: str) -> OpenTable | Failure:
            if name not in around.others:
                return Failure(f"nobody said where {name} is")
            return self._open(around.others[name], around.limit_s)

        others = {name: other for name, other in around.others.items() if name != binding.table.name}
        names = {alias: name for name, other in others.items() for alias in _names(other)}
        return MeasureOptions(
            as_of_us=around.as_of_us,
            skew_us=around.skew_us,
            names=_names(binding),
            others=names,
            open_table=_opener(open_other, lambda table: table.frame),
            open_target=_opener(open_other, lambda table: table.all_rows),
            trusts_sql=self.trusts_sql,
        )


def _opener(open_other: Callable[[str], OpenTable | Failure], rows: Callable[[OpenTable], DataFrame]) -> Opener:
    def open_rows(name: str) -> DataFrame | Failure:
        table = open_other(name)
        return table if isinstance(table, Failure) else rows(table)

    return open_rows


def _names(binding: Binding) -> tuple[str, ...]:
    """The names that a query may use for the table."""
    return tuple(dict.fromkeys(name for name in (binding.table.name, binding.table.physical_name) if name))


def measure_table(table: OpenTable, plan: TablePlan, around: Surroundings, options: MeasureOptions) -> Measurements:
    """The answers to a plan; `how` says where they come from.

    What metadata answers is never mixed with a scan of some files. Repeated keys need the rows in any case, so a table
    with keys is measured by parts where it has any, and the next run reads only the parts that are new.
    """
    known, how = metadata.answer_counts(table, plan)
    options = replace(options, known=known, known_how=how, unfiltered=table.unfiltered)
    parts = None if _needs_no_rows(plan, options) else metadata.parts_of(table)
    if parts is None:
        measured = measure(table.frame, plan, options=options)
    else:
        listed = parts.only(parts.files)  # exactly these, whatever is written meanwhile
        measured = measure_parts(listed, plan, parts, around.kept(plan.plan_hash), options=options)
    empty = "0 rows" if measured.rows == 0 else ""
    how = "; ".join(filter(None, (measured.how, empty, table.remark)))
    return replace(measured, how=how, unreadable=table.unreadable, contradictions=_count_contradictions(table))


def _count_contradictions(table: OpenTable) -> tuple[tuple[str, int], ...]:
    """By column, the rows whose folder says another value than the file; none where files cannot be read so."""
    if table.contradictions is None:
        return ()
    try:
        row = table.contradictions.first()
    except SPARK_ERRORS:  # files keep the column in several types, which drift tells
        return ()
    return tuple(row.asDict().items()) if row is not None else ()


def _needs_no_rows(plan: TablePlan, options: MeasureOptions) -> bool:
    return not plan.key_sets and all(count in options.known for count in plan.counts)
