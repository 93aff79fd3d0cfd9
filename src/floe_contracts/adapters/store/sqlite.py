"""SQLite in a file: readable by its owner alone, in WAL mode, with every commit on disk before it is told of.

A writer takes the lock when its transaction begins (BEGIN IMMEDIATE): one that took it later could be refused in the
middle. Locks by name are transactions on small files beside the database, so they work wherever SQLite does and end
with the process.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, create_engine, event
from sqlalchemy.dialects.sqlite import insert

from .database import WRITES, Database, StoreFailed

BUSY_S = 30.0
_PAUSE_S = 0.02


def open_sqlite(path: Path) -> Database:
    """The database in a file, which is made with its folder."""
    path = path.absolute()
    _create(path)
    engine = create_engine(
        URL.create("sqlite+pysqlite", database=str(path)),
        connect_args={"timeout": BUSY_S, "check_same_thread": False},
        pool_size=5,
        max_overflow=-1,
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return Database(engine, _SqliteLocking(path), insert)


def _create(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreFailed(
            f"the store of results cannot be used: {path.name} cannot be opened: {error.strerror}",
            fix="Write the address of a file that this job may write, or of a PostgreSQL database.",
        ) from None


def _prepare(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None  # transactions begin where `_begin` says, not where Python guesses
    _turn_on_wal(connection)
    # FULL: a result that was told of must survive a power failure, or its slot would be told of twice.
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA journal_size_limit=16777216")


def _turn_on_wal(connection: sqlite3.Connection) -> None:
    """SQLite does not wait here for others who do the same to a new file."""
    until = time.monotonic() + BUSY_S
    while not _try_wal(connection, last=time.monotonic() > until):
        time.sleep(_PAUSE_S)


def _try_wal(connection: sqlite3.Connection, last: bool) -> bool:
    try:
        connection.execute("PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError as error:
        if last or "locked" not in str(error):
            raise
        return False
    return True


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@dataclass(frozen=True, slots=True)
class _SqliteLocking:
    """Writers are apart already; only names need a lock of their own."""

    path: Path

    def lock_shared(self, _: Connection) -> None: ...

    def lock_alone(self, _: Connection) -> None: ...

    def lock_table(self, _: Connection, __: str) -> None: ...

    @contextmanager
    def lock_name(self, name: str, wait_s: float) -> Iterator[bool]:
        file = Path(f"{self.path}-locks", hashlib.sha256(name.encode()).hexdigest()[:32])
        _create(file)
        with closing(sqlite3.connect(file, timeout=max(0.0, wait_s), isolation_level=None)) as connection:
            yield _take_lock(connection)


def _take_lock(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        code: Any = getattr(error, "sqlite_errorname", "")  # from Python 3.11 on
        if code == "SQLITE_BUSY" or "locked" in str(error):
            return False
        raise StoreFailed("the store of results cannot be used: a lock beside it cannot be taken") from None
    return True
