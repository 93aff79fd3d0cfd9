"""Starts Spark, or joins the one that runs: spark-submit's settings win, then ours, and nobody's session is changed."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from weakref import WeakKeyDictionary

from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from ....errors import FloeError
from .death import stop_quietly
from .failures import condition_of, reason_of
from .java import java_problem
from .stack import give_executors_large_stack, large_stack_at_launch

_NONE: Mapping[str, str] = MappingProxyType({})

# Only where nobody said otherwise. Spark's log would repeat values from the data whenever a task fails; what went wrong
# is in the results, and `--conf spark.log.level=WARN` brings the log back.
_OURS = {
    "spark.ui.showConsoleProgress": "false",
    "spark.scheduler.mode": "FAIR",
    "spark.log.level": "OFF",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",  # as in Spark 4; 3.5 stops at text that 2.4 took for a time
}
# On a cluster people look at the UI, and executors must find the driver.
_LOCAL = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}
_ZONE = "spark.sql.session.timeZone"
_joined: WeakKeyDictionary[SparkSession, SparkSession] = WeakKeyDictionary()
_SAME_AS_UTC = ("UTC", "Etc/UTC", "GMT", "Z")


def spark_session(app: str, *, settings: Mapping[str, str] = _NONE) -> SparkSession:
    """A session of our own in UTC; a FloeError with one clear line when Spark cannot start.

    `settings` win over everything when Spark is started here; a running Spark keeps what it has.
    """
    running = SparkSession.getActiveSession()
    if running is not None:
        own = own_session(running)
        _joined[own] = running
        return own
    problem = java_problem()
    if problem:
        raise FloeError(problem)
    keep_quiet()
    try:
        return _start(app, settings)
    except (PySparkException, Py4JError, RuntimeError, OSError) as error:
        raise FloeError(
            f"Spark could not start: {_explain(error)}",
            fix="Run `spark-submit --version` in the same environment; it shows what Java and Spark say themselves.",
        ) from None


def joined_session(spark: SparkSession) -> SparkSession:
    """The session of somebody that ours was made beside, where their temporary views are; else the session itself."""
    return _joined.get(spark, spark)


@contextmanager
def session_for_run(app: str) -> Iterator[SparkSession]:
    """A session for the length of one run: stopped again when it was started here, left alone when it was joined."""
    ours = SparkSession.getActiveSession() is None
    spark = spark_session(app)
    try:
        yield spark
    finally:
        if ours:
            stop_quietly(spark)


def _explain(error: Exception) -> str:
    if condition_of(error) == "JAVA_GATEWAY_EXITED":
        return "its Java ended at once, and what it said stands above"
    ours = isinstance(error, RuntimeError) and not isinstance(error, PySparkException)  # of pyspark's own Python
    return _one_line(str(error)) if ours else reason_of(error)


def _start(app: str, settings: Mapping[str, str]) -> SparkSession:
    """A session in a new JVM, started with the settings that only its start can take; `conf` then knows its files."""
    launch = SparkConf(loadDefaults=False)
    # Without it the JVM takes itself for a shell and draws bars of progress across the report.
    launch.setAll([("spark.ui.showConsoleProgress", "false"), *settings.items()])
    with large_stack_at_launch():
        SparkContext._ensure_initialized(conf=launch)
    conf = SparkConf()
    conf.setAll(list(settings.items()))
    give_executors_large_stack(conf)
    local = (conf.get("spark.master", None) or "local[*]").startswith("local")
    for key, value in {"spark.master": "local[*]", **_OURS, **(_LOCAL if local else {})}.items():
        conf.setIfMissing(key, value)
    if local:  # workers would take whatever python3 is first on PATH
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf.setAppName(app)
    session = SparkSession.builder.config(conf=conf).getOrCreate()
    session.conf.set(_ZONE, "UTC")
    return session


def keep_quiet() -> None:
    """Silences logs of Python's side of Spark: values from the data, passwords, and traces when Java has ended."""
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # traces with values from the data
    logging.getLogger("py4j").setLevel(logging.CRITICAL)  # every argument of every call, passwords too
    logging.getLogger().addFilter(_is_not_py4j)  # some of its traces go to the root


def _is_not_py4j(record: logging.LogRecord) -> bool:
    return os.path.basename(os.path.dirname(record.pathname)) != "py4j"


def own_session(spark: SparkSession) -> SparkSession:
    """A session beside somebody's, with their settings and catalogs, and UTC as its zone."""
    own = spark.newSession()
    for key, value in spark.sql("SET").collect():
        if key.startswith("spark.sql.") and "redacted" not in value:
            _copy_setting(own, key, value)
    own.conf.set(_ZONE, "UTC")
    _use_same_database(spark, own)
    return own


def utc_session(spark: SparkSession) -> SparkSession:
    """A session in UTC: the session itself where its zone is UTC already."""
    return spark if spark.conf.get(_ZONE) in _SAME_AS_UTC else own_session(spark)


def _copy_setting(own: SparkSession, key: str, value: str) -> None:
    try:
        if own.conf.isModifiable(key):
            own.conf.set(key, value)
    except PySparkException:  # a setting that a running Spark no longer takes is shared by all sessions
        return


def _use_same_database(spark: SparkSession, own: SparkSession) -> None:
    """Lets names without a catalog or database mean the same tables."""
    own.catalog.setCurrentCatalog(spark.catalog.currentCatalog())
    own.catalog.setCurrentDatabase(spark.catalog.currentDatabase())


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]
