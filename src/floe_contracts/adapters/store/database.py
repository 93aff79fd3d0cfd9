"""One database behind a store: transactions that read or write, row locks, and locks by name, in either dialect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeAlias

from sqlalchemy import Connection, Engine, Table
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ...errors import FloeError

WRITES = "floe_writes"  # the execution option by which SQLite learns to begin with its lock


class Locking(Protocol):
    """What only the dialect can do: hold transactions apart, and names."""

    def lock_shared(self, connection: Connection) -> None:
        """Until the end of the transaction: nobody prunes or migrates."""

    def lock_alone(self, connection: Connection) -> None:
        """Until the end of the transaction: nobody claims, commits, prunes or migrates."""

    def lock_table(self, connection: Connection, name: str) -> None:
        """Until the end of the transaction: nobody else writes the states of this table."""

    def lock_name(self, name: str, wait_s: float) -> AbstractContextManager[bool]:
        """Held across processes until the block ends or the process dies; False when it was not free."""


Insert: TypeAlias = "Callable[[Table], Any]"  # of the dialect, which has ON CONFLICT


@dataclass(frozen=True, slots=True)
class Database:
    """Whatever the libraries raise leaves here as a FloeError."""

    engine: Engine
    locking: Locking
    insert: Insert

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with translate_errors(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction, committed when the block ends and undone when it fails."""
        with translate_errors(), self.engine.connect() as connection:
            options: Mapping[str, bool] = {WRITES: True}
            with connection.execution_options(**options).begin():
                yield connection

    @contextmanager
    def lock(self, name: str, wait_s: float) -> Iterator[bool]:
        with translate_errors(), self.locking.lock_name(name, wait_s) as held:
            yield held

    def insert_new(self, connection: Connection, table: Table, row: Mapping[str, object]) -> bool:
        """Whether the row was new; one that stands already stays as it is."""
        return bool(connection.execute(_insert_statement(self.insert, table), [dict(row)]).rowcount)


@cache
def _insert_statement(insert: Insert, table: Table) -> Any:
    return insert(table).on_conflict_do_nothing()


@contextmanager
def translate_errors() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as error:
        raise store_failure(error) from None


_FIX = "Check that the database runs and that this job may reach and write it; a re-run takes up where this one ended."

# The first that is found in the SQLSTATE or the words of the driver says what happened.
_REASONS = (
    (r"28P01|28000|authentication failed|no password supplied", "it refused the user or the password"),
    (r"role .* does not exist", "it refused the user or the password"),
    (r"3D000|database .* does not exist", "the database named in the address does not exist"),
    (r"resolve host|name or service not known|nodename nor servname", "its host is not known"),
    (r"connection refused", "nothing listens at its address"),
    (r"53300|too many (connections|clients)", "it has no connection left"),
    (r"42501|3F000|permission denied", "the user may not do this there"),
    (r"25006|read-?only", "it can only be read"),
    (r"55P03|57014|database is locked", "somebody else held it for too long"),
    (r"53100|no space left|disk is full", "its disk is full"),
    (r"not a database|malformed|disk image", "the file is damaged or no database of SQLite"),
    (r"unable to open", "the file cannot be opened"),
    (r"disk i/o error", "its disk has failed"),
    (r"42P01|42703|no such (table|column)", "its tables are not those of floe"),
    (r"time(d )?out", "it did not answer in time"),
    (r"57P0\d|closed|terminat|connection .*lost", "it went away"),
    (r"ssl|certificate", "no safe connection to it could be made"),
)


class StoreFailed(FloeError):
    """The store of results cannot be worked with."""


def store_failure(error: SQLAlchemyError) -> StoreFailed:
    """The error to raise instead of what the library raised."""
    return StoreFailed(f"the store of results cannot be used: {_reason(error)}", fix=_FIX)


def _reason(error: SQLAlchemyError) -> str:
    if isinstance(error, PoolTimeout):
        return "too much is going on at once"
    cause = error.orig if isinstance(error, DBAPIError) else error
    text = f"{getattr(cause, 'sqlstate', '') or ''} {cause}"
    reasons = (reason for pattern, reason in _REASONS if re.search(pattern, text, re.IGNORECASE))
    return next(reasons, f"it answered with {type(cause).__name__}")
