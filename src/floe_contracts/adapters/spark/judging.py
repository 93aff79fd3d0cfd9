"""Judges on Spark for the length of one run: the engine or plugin of the settings, in a session of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from ...monitor.checking import by_engine
from ...monitor.plugin_judge import by_plugin
from ...monitor.settings import MonitoringConfig
from ...monitor.situation import Judge
from ...monitor.targets import Target
from ...results import CheckResult
from .engine import SparkEngine
from .session import spark_session
from .shown_rows import shown_rows

Sampler = Callable[[Target, CheckResult, int], tuple[str, ...]]


@contextmanager
def on_spark(config: MonitoringConfig, app: str) -> Iterator[tuple[Judge, Sampler]]:
    """Spark is ended again when it was started here, and left alone when it was somebody's."""
    ours = SparkSession.getActiveSession() is None
    spark = spark_session(app)
    try:
        yield _judge(spark, config), lambda target, result, each: shown_rows(spark, target, result, each)
    finally:
        if ours:
            spark.stop()


def _judge(spark: SparkSession, config: MonitoringConfig) -> Judge:
    name = config.data_contracts.plugin.type
    if name == "odcs":
        return by_engine(SparkEngine(spark))
    from ..plugins.choosing import plugin_named

    return by_plugin(plugin_named(name, config, spark))
