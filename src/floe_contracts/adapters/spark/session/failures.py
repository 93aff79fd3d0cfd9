"""Spark's errors, and those of Java and databases behind them, as one line that names the cause and repeats no data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException

from ....checks.measured import Failure

SPARK_ERRORS = (PySparkException, Py4JError)  # what any call into Spark may raise

# Messages of run-time errors quote the value at fault, so only these words are said.
_RUN_TIME_WORDS = {
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
    "NUMERIC_VALUE_OUT_OF_RANGE.WITHOUT_SUGGESTION": "a number has more digits than its type",
    "REMAINDER_BY_ZERO": "something is divided by zero",
    "SCALAR_SUBQUERY_TOO_MANY_ROWS": "a subquery that must give one row gives more",
    "SPARK_JOB_CANCELLED": "it was cancelled",
}
_CLASSES = {
    "java.lang.ArithmeticException": "a number or a time is too large for its type, as infinity is",
    "java.lang.NumberFormatException": "a text cannot be read as a number",
    "java.lang.StackOverflowError": "a pattern or expression is too deep for the stack of Spark's threads",
    "java.time.DateTimeException": "a time is not in the calendar that it is read with",
    "java.io.FileNotFoundException": "a file is not there",
    "java.nio.file.AccessDeniedException": "permission to read it is denied",
    "org.apache.hadoop.security.AccessControlException": "permission to read it is denied",
    "org.apache.hadoop.fs.ChecksumException": "a file is damaged, its checksum is wrong",
    "org.apache.hadoop.fs.UnsupportedFileSystemException": "Spark lacks the jar for addresses of this kind",
    "org.apache.orc.FileFormatException": "a file cannot be read, it is no ORC file",
    "org.apache.avro.InvalidAvroMagicException": "a file cannot be read, it is no Avro file",
    "java.net.UnknownHostException": "its host is not known",
    "java.net.ConnectException": "nobody listens at its address",
    "java.net.SocketTimeoutException": "its server does not answer",
    "org.apache.kafka.common.errors.TimeoutException": "the Kafka broker does not answer",
    "org.apache.kafka.common.errors.UnknownTopicOrPartitionException": "the Kafka broker has no such topic",
    "org.apache.kafka.common.errors.TopicAuthorizationException": "permission to read the topic is denied",
    "org.apache.kafka.common.errors.SaslAuthenticationException": "the Kafka broker refused the login",
}
_CONDITIONS = {
    "DATA_SOURCE_NOT_FOUND": "Spark lacks the jar for this format",
    "FAILED_READ_FILE.FILE_NOT_EXIST": "a file is not there",
    "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH": "a file keeps the column in another type than others do",
    "FAILED_READ_FILE": "a file cannot be read",
    "FAILED_JDBC": "the database refused it",
}
_STATES = {  # SQLSTATE: a whole one, or the two characters of its class
    "22": "a value cannot be read as the type of its column, as NaN and infinity cannot",
    "3D": "the database does not exist",
    "08": "the database cannot be reached",
    "28": "the database refused the login",
    "42501": "permission to read it is denied",
    "42P01": "the table does not exist in the database",
    "42S02": "the table does not exist in the database",
    "57014": "the database cancelled the query because it took too long",
    "57": "the database is shutting down or not ready",
    "53": "the database is out of connections or memory",
}
_MISSING = (
    "PATH_NOT_FOUND",
    "TABLE_OR_VIEW_NOT_FOUND",
    "SCHEMA_NOT_FOUND",
    "DELTA_PATH_DOES_NOT_EXIST",
    "DELTA_TABLE_NOT_FOUND",
)
_MISSING_STATES = ("42P01", "42S02", "3D000")
_MISSING_CLASSES = (
    "java.io.FileNotFoundException",
    "org.apache.kafka.common.errors.UnknownTopicOrPartitionException",
    "org.apache.iceberg.exceptions.NoSuchTableException",
)
_OF_THE_EXPRESSION = ("21", "22", "39", "42")  # classes of SQLSTATE: cardinality, data, external routine, syntax
_MISMATCH = "PARQUET_COLUMN_DATA_TYPE_MISMATCH"
_OF_VALUES = ("java.lang.", "java.math.", "java.time.")
_OF_THE_PROGRAM = ("java.lang.OutOfMemoryError", "java.lang.InterruptedException", "java.lang.NoClassDefFoundError")
_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)?)\]")
_READING = re.compile(r"while reading file (\S+?)\.?(?:\s|$)")
_LOGIN = re.compile(r"//[^/@\s]*@")
_MISSING_CLASS = re.compile(r"(?:Class )?([\w.$]+)(?: not found)?")


def reason_of(error: Exception) -> str:
    """Why Spark gave up, in one line for people."""
    known = condition_of(error)
    if known in _RUN_TIME_WORDS:
        return f"{_RUN_TIME_WORDS[known]} ({known})"
    if isinstance(error, AnalysisException):  # about names and types, never about values
        return _first_line(str(error))
    cause = cause_of(error)
    if cause:
        return cause
    if known:
        return f"Spark stopped with {known}"
    return f"Spark stopped with {_innermost_class(error)}"


def failure_of(error: Exception) -> Failure:
    """The failure that an error of Spark's is, and whether it says that there is nothing to read."""
    return Failure(reason_of(error), missing=_is_missing(error))


def _is_missing(error: Exception) -> bool:
    known = condition_of(error)
    if known.startswith(_MISSING) or sql_state_of(error) in _MISSING_STATES:
        return True
    try:
        return any(str(cause.getClass().getName()) in _MISSING_CLASSES for cause in _causes(error))
    except Py4JError:
        return False


def cause_of(error: Exception) -> str:
    """The cause in our words; empty when we have none."""
    words = ""
    try:
        for cause in _causes(error):
            words = _describe(cause) or words
    except Py4JError:  # the JVM is gone, or this is no exception of Java's
        return words
    return words


def sql_state_of(error: Exception) -> str:
    """The SQLSTATE that a database gave; empty when it was no database, or said none."""
    try:
        states = [str(cause.getSQLState() or "") for cause in _causes(error) if _is_database_error(cause)]
    except Py4JError:
        return ""
    return states[-1] if states else ""


def condition_of(error: Exception) -> str:
    """Spark's own name of the error, such as CAST_INVALID_INPUT; empty when it has none."""
    if not isinstance(error, PySparkException):
        return ""
    named = error.getCondition() if hasattr(error, "getCondition") else error.getErrorClass()
    return named or ""


def is_about_one_expression(error: Exception) -> bool:
    """Whether the cause may lie in one expression or column of many, so that the others can be measured without it."""
    state = error.getSqlState() if isinstance(error, PySparkException) and hasattr(error, "getSqlState") else None
    if isinstance(error, AnalysisException) or (state or "").startswith(_OF_THE_EXPRESSION):
        return True
    return sql_state_of(error).startswith(_OF_THE_EXPRESSION) or _is_of_a_value(error)


def _is_of_a_value(error: Exception) -> bool:
    """Whether Java stopped at a value that it could not convert or compute with, whoever asked it to."""
    try:
        names = [str(cause.getClass().getName()) for cause in _causes(error)]
        messages = [str(cause.getMessage() or "") for cause in _causes(error)]
    except Py4JError:
        return False
    if any(_MISMATCH in message[:200] for message in messages):
        return True
    return bool(names) and names[-1].startswith(_OF_VALUES) and names[-1] not in _OF_THE_PROGRAM


def spell_file(name: str) -> str:
    """A file that cannot be read, without the login that an address may hold, and what to do about it."""
    return f"{spell_address(name)}; write it anew, or move it away if it is no part of the table"


def spell_address(name: str) -> str:
    """The address of a file without the login that it may hold."""
    return _LOGIN.sub("//", name)


def costs_nothing(error: Exception) -> bool:
    """Whether Spark refused before it read any data."""
    return isinstance(error, AnalysisException)


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    line = re.sub(r"^\[[A-Z0-9_.]+\]\s*", "", line)
    line = re.sub(r"\s*SQLSTATE:.*$", "", line)
    return line.rstrip(".; ") or "Spark could not resolve it"


def _innermost_class(error: Exception) -> str:
    """The class of the first cause: java.io.FileNotFoundException says more than `Job aborted`."""
    if not isinstance(error, Py4JJavaError):
        return type(error).__name__
    cause = error.java_exception
    while cause.getCause() is not None:
        cause = cause.getCause()
    return str(cause.getClass().getName())


def _causes(error: Exception) -> Iterator[Any]:
    """The exceptions of Java behind an error, from the outermost to the innermost, which says most."""
    cause = error.java_exception if isinstance(error, Py4JJavaError) else getattr(error, "_origin", None)
    while cause is not None:
        yield cause
        cause = cause.getCause()


def _describe(cause: Any) -> str:
    """The words for one exception of Java; empty when there are none."""
    name, message = str(cause.getClass().getName()), str(cause.getMessage() or "")
    if name == "java.io.FileNotFoundException" and message.endswith("(Permission denied)"):
        return "permission to read it is denied"
    if name == "java.lang.ClassNotFoundException":
        missing = _MISSING_CLASS.fullmatch(message)
        return f"Spark lacks a jar, there is no class {missing[1]}" if missing else "Spark lacks a jar"
    if _is_database_error(cause):
        return _describe_database_error(cause, message)
    condition = _CONDITION.match(message)
    if condition is None:
        return _CLASSES.get(name, "")
    words, file = _describe_condition(condition[1]), _READING.search(message)
    return f"{words}: {spell_file(file[1])}" if words and file else words or _CLASSES.get(name, "")


def _is_database_error(cause: Any) -> bool:
    return str(cause.getClass().getName()).endswith(("SQLException", "PSQLException"))


def _describe_condition(condition: str) -> str:
    words = _CONDITIONS.get(condition) or _CONDITIONS.get(condition.partition(".")[0], "")
    return f"{words} ({condition})" if words else ""


def _describe_database_error(cause: Any, message: str) -> str:
    """The words for an exception of a database; drivers agree on SQLSTATE and on nothing else."""
    if message == "No suitable driver":
        return "this address needs the driver's class name: add options: {driver: …}, and bring the jar by --packages"
    state = str(cause.getSQLState() or "")
    words = _STATES.get(state) or _STATES.get(state[:2], "the database refused it")
    return f"{words} (SQLSTATE {state})" if state else words
