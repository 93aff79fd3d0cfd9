"""Spark's errors, and those of Java and databases behind them, as one line that names the cause and repeats no data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext
from pyspark.errors import AnalysisException, PySparkException

from ....checks.measured import Failure
from .causes import CLASSES, CONDITIONS, MESSAGES, RUN_TIME_WORDS, WAYS_OUT, words_of

SPARK_ERRORS = (PySparkException, Py4JError)  # what any call into Spark may raise

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
_NO_PARQUET = re.compile(r"(.+) is not a Parquet file(?: \(length is too low: (\d+)\)|\.)")
_SAFE = re.compile("(?i)config|option|column|field|colname|type|function|parameter$|policy|feature|version")
_PLACE = re.compile(r"<(\w+)>")
_LONGEST = 400
_GONE = (Py4JError, OSError)  # what py4j raises when Java has ended, or the error was none of Java's
_LOGIN = re.compile(r"//[^/@\s]*@")
_MISSING_CLASS = re.compile(r"(?:Class )?([\w.$]+)(?: not found)?")


def reason_of(error: Exception) -> str:
    """Why Spark gave up, in one line for people."""
    known = condition_of(error)
    if words := words_of(RUN_TIME_WORDS, known):
        return f"{words} ({known})"
    if isinstance(error, AnalysisException) and (words := _known_message(str(error))):
        return words
    if isinstance(error, AnalysisException):  # about names and types, never about values
        return " ".join(filter(None, (_first_line(str(error)), words_of(WAYS_OUT, known))))
    cause = cause_of(error)
    if cause:
        return cause
    return _unknown_reason(error, known)


def _unknown_reason(error: Exception, known: str) -> str:
    """What can be said of an error that we have no words for: Spark's own words without data, or where Java was."""
    template = _template_of(error, known) if known else ""
    if template:
        return f"Spark stopped with {known}: {template}"
    name, where = known or type(error).__name__, ""
    try:
        for cause in _causes(error):
            frames = cause.getStackTrace()
            name = known or str(cause.getClass().getName())
            where = f" in {frames[0].getClassName()}" if len(frames) else ""
    except _GONE:
        pass
    return f"Spark stopped with {name}{where}; the log of Spark has the whole message, which may quote data"


def _template_of(error: Exception, known: str) -> str:
    """Spark's own words for a condition: names of columns, types and options are filled in, values are left out."""
    jvm = SparkContext._jvm
    try:
        template = str(jvm.org.apache.spark.SparkThrowableHelper.errorReader().getMessageTemplate(known)) if jvm else ""
        given = error.getMessageParameters() if isinstance(error, PySparkException) else None
    except (*_GONE, TypeError):  # a condition of a library's, or a Spark that keeps its words elsewhere
        return ""
    safe = {name: text for name, text in (given or {}).items() if _SAFE.search(name) and "alue" not in name}
    filled = _PLACE.sub(lambda place: safe.get(place[1], "…"), template)
    return " ".join(filled.split())[:_LONGEST].rstrip(".")


def failure_of(error: Exception) -> Failure:
    """The failure that an error of Spark's is, and whether it says that there is nothing to read."""
    return Failure(reason_of(error), missing=_is_missing(error))


def _is_missing(error: Exception) -> bool:
    known = condition_of(error)
    if known.startswith(_MISSING) or sql_state_of(error) in _MISSING_STATES:
        return True
    try:
        return any(str(cause.getClass().getName()) in _MISSING_CLASSES for cause in _causes(error))
    except _GONE:
        return False


def cause_of(error: Exception) -> str:
    """The cause in our words; empty when we have none."""
    words = ""
    try:
        for cause in _causes(error):
            words = _describe(cause) or words
    except _GONE:  # the JVM is gone, or this is not an exception of Java's
        return words
    return words


def sql_state_of(error: Exception) -> str:
    """The SQLSTATE that a database gave; empty when it was not a database, or said none."""
    try:
        states = [str(cause.getSQLState() or "") for cause in _causes(error) if _is_database_error(cause)]
    except _GONE:
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
    except _GONE:
        return False
    if any(_MISMATCH in message[:200] for message in messages):
        return True
    return bool(names) and names[-1].startswith(_OF_VALUES) and names[-1] not in _OF_THE_PROGRAM


def spell_file(name: str) -> str:
    """A file that cannot be read, without the login that an address may hold, and what to do about it."""
    return f"{spell_address(name)}; write it again, or move it away if it is not part of the table"


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
        lacks = f"Spark lacks a jar, there is no class {missing[1]}" if missing else "Spark lacks a jar"
        return f"{lacks}; bring it by --packages or --jars"
    if _is_database_error(cause):
        return _describe_database_error(cause, message)
    if damaged := _NO_PARQUET.match(message):  # what Java's Parquet says below any condition of Spark's
        flaw = "it is empty (0 bytes)" if damaged[2] == "0" else "its schema is missing or damaged"
        return f"a file cannot be read, {flaw}: {spell_file(damaged[1])}"
    condition = _CONDITION.match(message)
    if condition is None:
        return _known_message(message) or CLASSES.get(name, "")
    words, file = _describe_condition(condition[1]), _READING.search(message)
    return f"{words}: {spell_file(file[1])}" if words and file else words or CLASSES.get(name, "")


def _known_message(message: str) -> str:
    return next((words for pattern, words in MESSAGES if pattern.search(message)), "")


def _is_database_error(cause: Any) -> bool:
    return str(cause.getClass().getName()).endswith(("SQLException", "PSQLException"))


def _describe_condition(condition: str) -> str:
    words = words_of(CONDITIONS, condition) or words_of(RUN_TIME_WORDS, condition)
    return f"{words} ({condition})" if words else ""


def _describe_database_error(cause: Any, message: str) -> str:
    """The words for an exception of a database; drivers agree on SQLSTATE and on nothing else."""
    if message == "No suitable driver":
        return "this address needs the driver's class name: add options: {driver: …}, and bring the jar by --packages"
    state = str(cause.getSQLState() or "")
    words = _STATES.get(state) or _STATES.get(state[:2], "the database refused it")
    return f"{words} (SQLSTATE {state})" if state else words
