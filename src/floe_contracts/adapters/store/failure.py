"""What a database said, as one calm sentence that repeats neither its words nor its address."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ...errors import FloeError

_FIX = "Check that the database runs and that this job may reach and write it; a re-run takes up where this one ended."

# The first that occurs in the error's text or SQLSTATE says what happened.
_REASONS = (
    (("28P01", "28000", "authentication failed", "no password supplied"), "it refused the user or the password"),
    (("3D000",), "the database named in the address does not exist"),
    (("does not exist", "role"), "it knows no such user"),
    (("resolve host", "name or service not known", "nodename nor servname"), "its host is not known"),
    (("connection refused",), "nothing listens at its address"),
    (("timeout expired", "timed out", "timeout"), "it did not answer in time"),
    (("53300", "too many connections", "too many clients"), "it has no connection left"),
    (("42501", "permission denied"), "the user may not do this there"),
    (("readonly", "read-only", "25006"), "it can only be read"),
    (("database is locked", "55P03", "57014"), "somebody else held it for too long"),
    (("disk is full", "53100", "no space left"), "its disk is full"),
    (("not a database", "malformed", "disk image"), "the file is damaged or no database of SQLite"),
    (("unable to open",), "the file cannot be opened"),
    (("disk i/o error",), "its disk has failed"),
    (("57P01", "57P02", "57P03", "closed", "terminat", "lost"), "it went away"),
    (("ssl", "certificate"), "no safe connection to it could be made"),
)


class StoreFailed(FloeError):
    """The store of results cannot be worked with."""


def failed(error: SQLAlchemyError) -> StoreFailed:
    """The error to raise instead of what the library raised."""
    return StoreFailed(f"the store of results cannot be used: {_reason(error)}", fix=_FIX)


def _reason(error: SQLAlchemyError) -> str:
    if isinstance(error, PoolTimeout):
        return "too much is going on at once"
    said = error.orig if isinstance(error, DBAPIError) else error
    text = f"{getattr(said, 'sqlstate', '') or ''} {said}".casefold()
    for words, reason in _REASONS:
        if any(word.casefold() in text for word in words):
            return reason
    return f"it answered with {type(said).__name__}"
