"""Questions that metadata may answer, asked of it and of a scan, for tests of any kind of table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pyspark.sql import SparkSession

from floe_contracts.adapters.spark.clock.clock_answers import scan_clock
from floe_contracts.adapters.spark.measure.parts import measure_parts
from floe_contracts.adapters.spark.measure.tables import MeasureOptions, measure
from floe_contracts.adapters.spark.metadata import answer_counts, parts_of, read_column_clock
from floe_contracts.adapters.spark.read.open import OpenTable, open_binding
from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Clock, Failure, Number
from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.checks.rules.check import QualityCheck, TableRules
from floe_contracts.monitor.run.engine import Measurements
from floe_contracts.monitor.run.plan import TablePlan, plan_rules
from floe_contracts.monitor.source.binding import Binding
from floe_contracts.monitor.store.states import TableState

AT = ClockChoice(("at",), "")
LATER = 4_000_000_000_000_000  # October 2096
COUNTS: tuple[m.Measure, ...] = (m.RowCount(), m.NullCount(("id",)), m.NullCount(("code",)), m.NullCount(("at",)))
WHOLE: tuple[m.Measure, ...] = (
    *COUNTS,
    m.InvalidCount(("id",), m.Within("10")),
    m.DuplicateCount((("id",),), count_rows=True),
)


def plan_of(*measures: m.Measure, clock: ClockChoice | None = None) -> TablePlan:
    rules = tuple(QualityCheck(str(number), "", "", one) for number, one in enumerate(measures))
    return plan_rules(TableRules("orders", rules), clock=clock)


def opened_as(spark: SparkSession, binding: Binding) -> OpenTable:
    table = open_binding(spark, binding)
    assert not isinstance(table, Failure), table.reason
    return table


def answers(table: OpenTable, *measures: m.Measure) -> Mapping[m.Measure, Number]:
    return answer_counts(table, plan_of(*measures))[0]


def scanned(table: OpenTable, *measures: m.Measure) -> Mapping[m.Measure, Number | Failure]:
    return measure(table.frame, plan_of(*measures)).values


def clock_of(table: OpenTable, choice: ClockChoice = AT, *, as_of_us: int = LATER, skew_us: int = 0) -> Clock | None:
    """By metadata, and the same as by a scan in everything but how."""
    found = read_column_clock(table, choice, as_of_us=as_of_us, skew_us=skew_us)
    if found is not None:
        by_scan = scan_clock(table.frame, choice, as_of_us=as_of_us, skew_us=skew_us)
        assert isinstance(by_scan, Clock)
        assert replace(found, how="") == replace(by_scan, how="")
    return found


def check(table: OpenTable, state: TableState | None = None, clock: ClockChoice | None = AT) -> Measurements:
    """Part by part, with what is known from before."""
    parts = parts_of(table)
    assert parts is not None, "it has no parts"
    plan, options = plan_of(*WHOLE, clock=clock), MeasureOptions(as_of_us=LATER)
    return measure_parts(parts.only(parts.files), plan, parts, state, options=options)


def check_all(table: OpenTable, clock: ClockChoice | None = AT) -> Measurements:
    return measure(table.frame, plan_of(*WHOLE, clock=clock), options=MeasureOptions(as_of_us=LATER))


def agree(found: Measurements, whole: Measurements) -> None:
    assert (found.values, found.rows, found.clock) == (whole.values, whole.rows, whole.clock)


@contextmanager
def without_data(place: Path, ending: str = ".parquet") -> Iterator[None]:
    """Whatever is answered meanwhile was not read from the rows: their files are elsewhere."""
    moved = [one for one in place.rglob(f"*{ending}") if "metadata" not in one.parts and "_delta_log" not in one.parts]
    assert moved, place
    for one in moved:
        one.rename(one.with_name(one.name + ".away"))
    try:
        yield
    finally:
        for one in moved:
            one.with_name(one.name + ".away").rename(one)
