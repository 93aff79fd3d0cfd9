"""The judge of a run: floe's own engine on Spark, or the plugin that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from ...checks.verdict import Check
from ...errors import EngineGone, MissingExtra
from ...monitor.plugin.judge import plugin_judge
from ...monitor.run.check import check_lifecycle, engine_judge
from ...monitor.run.context import CheckContext, Checked, Judge
from ...monitor.run.quarantine import Quarantine, RowsOf
from ...monitor.run.targets import Target
from ...monitor.settings.model import MonitoringConfig
from ...results import CheckResult

Sampler = Callable[[Target, CheckResult, int], tuple[str, ...]]
RowKeeper = Callable[[Quarantine, CheckContext, CheckResult, RowsOf, bool], str]  # why rows are not there, or nothing


def _no_samples(_: Target, __: CheckResult, ___: int) -> tuple[str, ...]:
    return ()


def _no_rows(*_: object) -> str:
    return "the plugin that judges does not tell rows apart"


@dataclass(frozen=True, slots=True)
class RunJudge:
    """A judge, and where there is a table to look at, the rows that break its rules: as lines, or kept in a table."""

    judge: Judge
    samples: Sampler = _no_samples
    keep_rows: RowKeeper = _no_rows


@contextmanager
def open_judge(config: MonitoringConfig, checks: Sequence[Check]) -> Iterator[RunJudge]:
    """The judge with its Spark session, ended afterwards; the lifecycle needs no data and so no Spark."""
    if set(checks) <= {"lifecycle"}:
        yield RunJudge(check_lifecycle)
        return
    if find_spec("pyspark") is None:
        raise MissingExtra("checking data", "spark")
    from ...adapters.spark.session.start import session_for_run

    with session_for_run(f"floe {' '.join(checks)}") as spark:
        own = config.data_contracts.plugin.type == "odcs"
        yield RunJudge(_watch(spark, config), _sampler(spark), _row_keeper(spark) if own else _no_rows)


def _watch(spark: Any, config: MonitoringConfig) -> Judge:
    """The judge, whose word on data counts only as long as there is a Spark behind it."""
    from ...adapters.spark.session.death import call_while_alive

    try:
        judge = call_while_alive(spark, lambda: _judge(spark, config), lambda _: True)
    except EngineGone:
        judge = refuse

    def watched(now: CheckContext) -> Checked:
        if now.check == "lifecycle":
            return check_lifecycle(now)
        return call_while_alive(spark, lambda: judge(now), lambda checked: not checked.result.findings)

    return watched


def refuse(_: CheckContext) -> Checked:
    """The judge behind which there is no engine."""
    raise EngineGone


def _sampler(spark: Any) -> Sampler:
    from ...adapters.spark.measure.samples import show_rows
    from ...adapters.spark.session.death import call_while_alive

    def sample(target: Target, result: CheckResult, each: int) -> tuple[str, ...]:
        try:
            return call_while_alive(spark, lambda: show_rows(spark, target, result, each), bool)
        except EngineGone as gone:
            return (f"{target.name}: no rows, {gone.message}",)

    return sample


def _row_keeper(spark: Any) -> RowKeeper:
    from ...adapters.spark.engine import SparkEngine
    from ...adapters.spark.quarantine.keep import keep_rows
    from ...adapters.spark.session.death import call_while_alive

    def keep(place: Quarantine, now: CheckContext, result: CheckResult, rows_of: RowsOf, again: bool) -> str:
        engine = SparkEngine(spark)
        failure = call_while_alive(
            spark, lambda: keep_rows(engine, place, now, result, rows_of, again=again), lambda failure: failure is None
        )
        return failure.reason if failure else ""

    return keep


def _judge(spark: Any, config: MonitoringConfig) -> Judge:
    name = config.data_contracts.plugin.type
    if name == "odcs":
        from ...adapters.spark.engine import SparkEngine

        return engine_judge(SparkEngine(spark, trusts_sql=config.trusts_sql))
    from .plugins import load_plugin

    return plugin_judge(load_plugin(name, config, spark))
