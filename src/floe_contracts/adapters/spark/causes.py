"""What Java's exceptions mean for people: the first cause in a chain that has words of ours, never its own message.

Messages of files and databases quote addresses and values, so only the class, Spark's condition and the SQLSTATE are
looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from py4j.protocol import Py4JError, Py4JJavaError

_CLASSES = {
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
    "FAILED_READ_FILE": "a file cannot be read",
    "FAILED_JDBC": "the database refused it",
}
_STATES = {  # SQLSTATE: a whole one, or the two characters of its class
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
_CONDITION = re.compile(r"\[([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_]+)?)\]")
_MISSING_CLASS = re.compile(r"(?:Class )?([\w.$]+)(?: not found)?")


def cause_of(error: Exception) -> str:
    """The cause in our words; empty when we have none."""
    said = ""
    try:
        for one in _chain(error):
            said = _words(one) or said
    except Py4JError:  # the JVM is gone, or this is no exception of Java's
        return said
    return said


def sql_state_of(error: Exception) -> str:
    """The SQLSTATE that a database gave; empty when it was no database, or said none."""
    try:
        states = [str(one.getSQLState() or "") for one in _chain(error) if _is_of_database(one)]
    except Py4JError:
        return ""
    return states[-1] if states else ""


def _is_of_database(one: Any) -> bool:
    return str(one.getClass().getName()).endswith(("SQLException", "PSQLException"))


def _chain(error: Exception) -> Iterator[Any]:
    """From the outermost to the innermost, which says most."""
    one = error.java_exception if isinstance(error, Py4JJavaError) else getattr(error, "_origin", None)
    while one is not None:
        yield one
        one = one.getCause()


def _words(one: Any) -> str:
    name, message = str(one.getClass().getName()), str(one.getMessage() or "")
    if name == "java.io.FileNotFoundException" and message.endswith("(Permission denied)"):
        return "permission to read it is denied"
    if name == "java.lang.ClassNotFoundException":
        missing = _MISSING_CLASS.fullmatch(message)
        return f"Spark lacks a jar, there is no class {missing[1]}" if missing else "Spark lacks a jar"
    if _is_of_database(one):
        return _of_database(one, message)
    condition = _CONDITION.match(message)
    return _CLASSES.get(name, "") or (_of_condition(condition[1]) if condition else "")


def _of_condition(condition: str) -> str:
    words = _CONDITIONS.get(condition) or _CONDITIONS.get(condition.partition(".")[0], "")
    return f"{words} ({condition})" if words else ""


def _of_database(one: Any, message: str) -> str:
    """Drivers agree on SQLSTATE and on nothing else."""
    if message == "No suitable driver":
        return "Spark lacks the jar with the driver of this database"
    state = str(one.getSQLState() or "")
    words = _STATES.get(state) or _STATES.get(state[:2], "the database refused it")
    return f"{words} (SQLSTATE {state})" if state else words
