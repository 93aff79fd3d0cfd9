"""Runs work in Spark within a time limit; what is still running then is cancelled and left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

from py4j.protocol import Py4JError
from pyspark import InheritableThread
from pyspark.sql import SparkSession

from ....checks.measured import Failure
from ....errors import FloeError, NothingThere
from .failures import SPARK_ERRORS, failure_of

T = TypeVar("T")
_numbers = count(1)


def run_within(spark: SparkSession, limit_s: float, work: Callable[[], T]) -> T | Failure:
    """What `work` gives, or why it gave nothing: its error in one line, or the time that it took too long.

    The work has a thread and a job group of its own, so that cancelling it cancels nobody else's jobs. A thread that
    hangs outside of Spark's jobs, in a driver that waits for a server, cannot be ended; it holds nothing that others
    need, and does not keep the program from ending.
    """
    group = f"floe-{next(_numbers)}"
    pool = f"floe-{threading.get_ident()}"
    done: list[T | Failure | Exception] = []

    def run() -> None:
        try:
            spark.sparkContext.setJobGroup(group, "floe", interruptOnCancel=True)
            spark.sparkContext.setLocalProperty("spark.scheduler.pool", pool)
            done.append(work())
        except SPARK_ERRORS as error:
            done.append(failure_of(error))
        except FloeError as error:
            done.append(Failure(" ".join(error.message.split()), missing=isinstance(error, NothingThere)))
        except Exception as error:  # a mistake of ours is raised where the question was asked
            done.append(error)

    thread = InheritableThread(target=run, name=group, daemon=True)
    thread.start()
    thread.join(max(limit_s, 0.0))
    if not done:
        _cancel(spark, group)
        return Failure(f"it gave no answer within {limit_s:g} seconds")
    if isinstance(done[0], Exception):
        raise done[0]
    return done[0]


def _cancel(spark: SparkSession, group: str) -> None:
    """Cancels in a thread of its own: a Spark that no longer answers must not make this call wait either."""

    def cancel() -> None:
        try:
            _cancel_all(spark, group)
        except SPARK_ERRORS:  # nothing is left that could be cancelled
            return

    InheritableThread(target=cancel, daemon=True).start()


def _cancel_all(spark: SparkSession, group: str) -> None:
    """Cancels jobs, and those to come: what was given up must not go on. Spark 3.5 can cancel only those that run."""
    context: Any = spark.sparkContext._jsc.sc()
    try:
        context.cancelJobGroupAndFutureJobs(group)
    except (Py4JError, OSError):
        spark.sparkContext.cancelJobGroup(group)
