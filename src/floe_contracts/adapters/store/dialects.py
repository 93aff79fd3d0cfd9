"""The two databases of a store: SQLite in a file, and PostgreSQL by psycopg; each opened, and locked in its own way.

SQLite: readable by its owner alone, in WAL mode, every commit on disk before it is told of. A writer takes the lock
when its transaction begins (BEGIN IMMEDIATE): one that took it later could be refused in the middle. Locks by name are
transactions on small files beside the database, so they work wherever SQLite does and end with the process.
PostgreSQL: advisory locks keep those apart whom row locks cannot, and end with their connection.
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

from sqlalchemy import URL, Connection, Engine, create_engine, event, text
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import QueuePool

from .database import WRITES, Database, StoreFailed

BUSY_S = 30.0
_PAUSE_S = 0.02


def open_sqlite(path: Path, *, writes: bool = True) -> Database:
    """The database in a file, which is made with its folder; one that is only read stays as it is."""
    path = path.absolute()
    if writes:
        _create(path)
    engine = create_engine(
        "sqlite+pysqlite://",
        creator=lambda: _connect(path, writes),
        poolclass=QueuePool,
        pool_size=5,
        max_overflow=-1,
    )
    event.listen(engine, "connect", _prepare if writes else _prepare_to_read)
    event.listen(engine, "begin", _begin)
    return Database(engine, _SqliteLocking(path), sqlite_insert)


def _connect(path: Path, writes: bool) -> sqlite3.Connection:
    mode = "rw" if writes else "ro"
    return sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=BUSY_S, check_same_thread=False)


def _prepare_to_read(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None


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
            yield _lock_file(connection)


def _lock_file(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        code: Any = getattr(error, "sqlite_errorname", "")  # from Python 3.11 on
        if code == "SQLITE_BUSY" or "locked" in str(error):
            return False
        raise StoreFailed("the store of results cannot be used: a lock beside it cannot be taken") from None
    return True


# What the address does not say itself: a database that is gone must not hold a job for long.
_DEFAULTS = {
    "connect_timeout": "5",
    "application_name": "floe-contracts",
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
_LOCK_NOT_AVAILABLE = "55P03"


def open_postgresql(url: URL) -> Database:
    """The database at an address; the driver is ours to choose."""
    missing = {name: value for name, value in _DEFAULTS.items() if name not in url.query}
    engine = create_engine(
        url.set(drivername="postgresql+psycopg").update_query_dict(missing),
        isolation_level="READ COMMITTED",  # rows are locked where it matters; see sql_store
        pool_pre_ping=True,
        pool_size=5,
        max_overflow=-1,
        hide_parameters=True,
    )
    return Database(engine, _PostgresLocking(engine), postgresql_insert)


@dataclass(frozen=True, slots=True)
class _PostgresLocking:
    """Advisory locks of transactions, which also hold behind a pooler that hands connections around."""

    engine: Engine

    def lock_shared(self, connection: Connection) -> None:
        connection.execute(_SHARE, {"key": _number("store")})

    def lock_alone(self, connection: Connection) -> None:
        connection.execute(_ALONE, {"key": _number("store")})

    def lock_table(self, connection: Connection, name: str) -> None:
        connection.execute(_ALONE, {"key": _number(f"states {name}")})

    @contextmanager
    def lock_name(self, name: str, wait_s: float) -> Iterator[bool]:
        with self.engine.connect() as connection:
            held = _lock_number(connection, _number(f"name {name}"), wait_s)
            if not held:
                connection.rollback()
            yield held


def _lock_number(connection: Connection, key: int, wait_s: float) -> bool:
    connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
    if wait_s <= 0:
        return bool(connection.execute(_TRY, {"key": key}).scalar_one())
    connection.execute(text(f"SET LOCAL lock_timeout = {max(1, int(wait_s * 1000))}"))
    try:
        connection.execute(_ALONE, {"key": key})
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") == _LOCK_NOT_AVAILABLE:
            return False
        raise
    return True


_SHARE = text("SELECT pg_advisory_xact_lock_shared(:key)")
_ALONE = text("SELECT pg_advisory_xact_lock(:key)")
_TRY = text("SELECT pg_try_advisory_xact_lock(:key)")


def _number(name: str) -> int:
    """Advisory locks are numbers of 64 bits, shared by everybody in the database."""
    return int.from_bytes(hashlib.sha256(f"floe-contracts {name}".encode()).digest()[:8], "big", signed=True)
