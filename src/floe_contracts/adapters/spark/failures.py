"""Spark's errors as one line that names the cause and repeats no value from the data."""

from __future__ import annotations

import re

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException

from .causes import cause_of

SPARK_ERRORS = (PySparkException, Py4JError)  # what any call into Spark may raise

# Messages of run-time errors quote the value at fault, so only these words are said.
_SAID = {
    "ARITHMETIC_OVERFLOW": "a number is too large for its type",
    "BINARY_ARITHMETIC_OVERFLOW": "a number is too large for its type",
    "CANNOT_PARSE_TIMESTAMP": "a text cannot be read as a time",
    "CAST_INVALID_INPUT": "a text cannot be read as the type it is cast to",
    "CAST_OVERFLOW": "a number is too large for the type it is cast to",
    "DIVIDE_BY_ZERO": "something is divided by zero",
    "FAILED_EXECUTE_UDF": "a function written in Python or Scala failed",
    "INVALID_ARRAY_INDEX": "an array has no item at the index asked for",
    "INVALID_ARRAY_INDEX_IN_ELEMENT_AT": "an array has no item at the index asked for",
    "INVALID_PARAMETER_VALUE.PATTERN": "the pattern cannot be read",
    "NUMERIC_VALUE_OUT_OF_RANGE": "a number has more digits than its type",
    "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION": "a number has more digits than its type",
    "REMAINDER_BY_ZERO": "something is divided by zero",
    "SCALAR_SUBQUERY_TOO_MANY_ROWS": "a subquery that must give one row gives more",
    "SPARK_JOB_CANCELLED": "it was cancelled",
}
_OF_THE_EXPRESSION = (
    "21",
    "22",
    "39",
    "42",
)  # classes of SQLSTATE: cardinality, data, external routine, names and syntax


def reason_of(error: Exception) -> str:
    """Why Spark gave up, for people."""
    known = condition_of(error)
    if known in _SAID:
        return f"{_SAID[known]} ({known})"
    if isinstance(error, AnalysisException):  # about names and types, never about values
        return _first_line(str(error))
    cause = cause_of(error)
    if cause:
        return cause
    if known:
        return f"Spark stopped with {known}"
    return f"Spark stopped with {_innermost(error)}"


def condition_of(error: Exception) -> str:
    """Spark's own name of the error, such as CAST_INVALID_INPUT; empty when it has none."""
    if not isinstance(error, PySparkException):
        return ""
    named = error.getCondition() if hasattr(error, "getCondition") else error.getErrorClass()
    return named or ""


def is_about_one_expression(error: Exception) -> bool:
    """Whether the cause may lie in one of many expressions, so that the others can be measured without it."""
    state = error.getSqlState() if isinstance(error, PySparkException) and hasattr(error, "getSqlState") else None
    return isinstance(error, AnalysisException) or (state or "").startswith(_OF_THE_EXPRESSION)


def costs_nothing(error: Exception) -> bool:
    """Whether Spark refused before it read any data."""
    return isinstance(error, AnalysisException)


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    line = re.sub(r"^\[[A-Z0-9_.]+\]\s*", "", line)
    line = re.sub(r"\s*SQLSTATE:.*$", "", line)
    return line.rstrip(".; ") or "Spark could not resolve it"


def _innermost(error: Exception) -> str:
    """The class of the first cause: java.io.FileNotFoundException says more than `Job aborted`."""
    if not isinstance(error, Py4JJavaError):
        return type(error).__name__
    cause = error.java_exception
    while cause.getCause() is not None:
        cause = cause.getCause()
    return str(cause.getClass().getName())
