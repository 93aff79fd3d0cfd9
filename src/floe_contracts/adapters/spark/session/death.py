"""Notices that Spark's Java has ended: killed, out of memory, or told to exit by what it ran."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from pyspark import SparkContext
from pyspark.sql import SparkSession

from ....errors import EngineGone
from .failures import SPARK_ERRORS

T = TypeVar("T")
GONE_ERRORS = (*SPARK_ERRORS, OSError, EOFError)  # what a call into a Java that is no more may raise
_PATIENCE_S = 20.0  # a Java that answers later is slow, and not gone


def is_gone(spark: SparkSession) -> bool:
    """Whether Spark has ended or is about to; one that merely does not answer has not."""
    process = getattr(SparkContext._gateway, "proc", None)
    if process is not None and process.poll() is not None:
        return True
    answers: list[bool] = []

    def ask() -> None:
        java: Any = spark.sparkContext._jsc
        try:
            answers.append(java is None or bool(java.sc().isStopped()))
        except GONE_ERRORS:
            answers.append(True)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(_PATIENCE_S)
    return bool(answers and answers[0])


def call_while_alive(spark: SparkSession, work: Callable[[], T], is_sure: Callable[[T], bool]) -> T:
    """What `work` gives; EngineGone when Spark ended meanwhile, unless the answer is one that only a Spark can give."""
    try:
        answer = work()
    except Exception as error:
        if isinstance(error, EngineGone) or is_gone(spark):
            raise EngineGone from None
        raise
    if not is_sure(answer) and is_gone(spark):
        raise EngineGone
    return answer


def stop_quietly(spark: SparkSession) -> None:
    """Stops Spark; one that has ended already is left alone."""
    with suppress(*GONE_ERRORS):
        spark.stop()
