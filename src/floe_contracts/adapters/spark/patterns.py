"""Asks Java whether it can read a pattern, before a scan of a large table finds out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark.sql import SparkSession

from ...checks.measure import AllOf, InvalidCount, Matches, Measure, ValidTest
from ...checks.measured import Failure
from .failures import SPARK_ERRORS
from .validity import whole


def unreadable(spark: SparkSession, measure: Measure) -> Failure | None:
    """Why the measure's pattern cannot be used; None when it can, or when there is nobody to ask."""
    if not isinstance(measure, InvalidCount) or not hasattr(spark, "_jvm"):  # Spark Connect has no Java at hand
        return None
    refusals = (_refusal(spark, pattern) for pattern in _patterns(measure.test))
    said = next((one for one in refusals if one), "")
    return Failure(f"Java cannot read the pattern: {said}") if said else None


def _refusal(spark: SparkSession, pattern: str) -> str:
    java: Any = spark._jvm
    try:
        java.java.util.regex.Pattern.compile(whole(pattern))
    except SPARK_ERRORS as error:  # pyspark takes the exception for one of its own
        return str(error).partition("\n")[0].partition(" near index")[0]
    return ""


def _patterns(test: ValidTest) -> Iterator[str]:
    if isinstance(test, Matches):
        yield test.pattern
    elif isinstance(test, AllOf):
        for one in test.tests:
            yield from _patterns(one)
