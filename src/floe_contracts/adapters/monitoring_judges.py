"""Who measures and judges in a run: floe's own engine on Spark, or the plugin that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from ..checks.verdict import Check
from ..errors import MissingExtra
from ..monitor.checking import check_lifecycle
from ..monitor.settings import MonitoringConfig
from ..monitor.situation import Judge
from ..monitor.targets import Target
from ..results import CheckResult

Sampler = Callable[[Target, CheckResult, int], tuple[str, ...]]


def _no_samples(_: Target, __: CheckResult, ___: int) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Judging:
    """A judge, and where there is a table to look at, the rows that break its rules as lines for a terminal."""

    judge: Judge
    samples: Sampler = _no_samples


@contextmanager
def judging(config: MonitoringConfig, checks: Sequence[Check]) -> Iterator[Judging]:
    """Started when it is needed, ended afterwards; the lifecycle needs no data and so no Spark."""
    if set(checks) <= {"lifecycle"}:
        yield Judging(check_lifecycle)
        return
    if find_spec("pyspark") is None:
        raise MissingExtra("checking data", "spark")
    # By name: this module is type-checked where there is no pyspark.
    on_spark: Callable[[MonitoringConfig, str], AbstractContextManager[tuple[Judge, Sampler]]]
    on_spark = import_module(".spark.judging", __package__).on_spark
    with on_spark(config, f"floe {' '.join(checks)}") as (judge, samples):
        yield Judging(judge, samples)
