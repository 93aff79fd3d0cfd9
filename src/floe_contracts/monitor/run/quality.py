"""The quality check: plans every table, has it measured, and judges the rules and the floor of rows per day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...checks.measured import DayRows, Failure
from ...checks.moments import last_complete_day
from ...checks.promises.promise import Promise, clock_of, promises
from ...checks.quality import TableQuality, judge_quality
from ...checks.rules.readable import judge_folder_values, judge_readable
from ...checks.rules.results import judge_rules
from ...contract.meaning.sla_kinds import Kind
from ...contract.model import SchemaObject
from ..source.binding import Binding, Unbound
from ..store.protocol import PartitionState
from ..store.states import TableState, decode_state, encode_state
from .context import CheckContext, Checked
from .engine import Engine, Measurements, Surroundings
from .plan import TablePlan, plan_table


def check_quality(now: CheckContext, engine: Engine) -> Checked:
    """Every rule of every table in as few looks as the engine can do it in."""
    tables = tuple(now.tables(engine))
    bound = {table.name: where for table, where in tables if isinstance(where, Binding)}
    qualities: list[TableQuality] = []
    states: list[PartitionState] = []
    for table, where in tables:
        plan, floor = plan_table(now.contract, table), _row_floor(now, table)
        if not plan.rules and floor is None and not _is_text(now, where):
            qualities.append(TableQuality(table, skipped=plan.skipped))
        elif isinstance(where, Unbound):
            qualities.append(TableQuality(table, skipped=plan.skipped, failure=Failure(where.reason)))
        elif now.is_gone(where):
            return Checked(now.skip("past_slot"))
        else:
            rows = _rows_of_day(now, engine, where, floor) if floor is not None else None
            quality, kept = _measure(now, engine, where, plan, bound)
            quality = replace(quality, rows_of_day=rows)
            qualities.append(quality)
            states += kept
    return Checked(judge_quality(now.contract, qualities), states=tuple(states) or None)


def _measure(
    now: CheckContext, engine: Engine, binding: Binding, plan: TablePlan, bound: Mapping[str, Binding]
) -> tuple[TableQuality, tuple[PartitionState, ...]]:
    if not plan.rules and not _is_text(now, binding):
        return TableQuality(binding.table, skipped=plan.skipped), ()
    key = now.table_key(binding)
    measured = engine.measure(binding, plan, _surroundings(now, key, bound))
    if isinstance(measured, Failure):  # where no rule waits for it, the other checks say why
        return TableQuality(binding.table, skipped=plan.skipped, failure=measured if plan.rules else None), ()
    results = judge_rules(plan.rules, measured.values)
    if measured.unreadable:
        results = (judge_readable(binding.table, measured.unreadable), *results)
    odd_folders = (judge_folder_values(binding.table, column, rows) for column, rows in measured.contradictions if rows)
    results = (*odd_folders, *results)
    how = measured.how if results else ""
    return TableQuality(binding.table, results, plan.skipped, how=how), _encode_kept(measured, key, plan)


def _is_text(now: CheckContext, where: Binding | Unbound) -> bool:
    """Whether records may be unreadable, which breaks the promise of the columns without any rule."""
    return isinstance(where, Binding) and where.format in ("csv", "json") and not now.is_gone(where)


def _encode_kept(measured: Measurements, key: str, plan: TablePlan) -> tuple[PartitionState, ...]:
    return encode_state(measured.state, key, plan.plan_hash) if measured.state is not None else ()


def _surroundings(now: CheckContext, key: str, bound: Mapping[str, Binding]) -> Surroundings:
    def kept(plan_hash: str) -> TableState | None:
        return decode_state(now.states(key, plan_hash))

    return Surroundings(others=bound, kept=kept, as_of_us=now.as_of_us, limit_s=now.limit_s)


def _row_floor(now: CheckContext, table: SchemaObject) -> Promise | None:
    return next((promise for promise in promises(now.contract, table) if promise.kind is Kind.MIN_ROWS_PER_DAY), None)


def _rows_of_day(now: CheckContext, engine: Engine, binding: Binding, floor: Promise) -> DayRows | Failure:
    choice = clock_of(now.contract, floor, binding.timestamp_column or None)
    if choice.path is None:
        fix = f"name a column: element: of the SLA, or timestamp_column: under connections.{now.contract.key}"
        return Failure(f"rows per day need a column with a time, and {choice.why}; {fix}")
    return engine.rows_of_day(binding, choice, last_complete_day(now.as_of_us), limit_s=now.limit_s)
