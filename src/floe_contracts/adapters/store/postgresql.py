"""PostgreSQL by psycopg: advisory locks keep those apart whom row locks cannot, and end with their connection."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import URL, Connection, Engine, create_engine, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError

from .database import Database

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
    return Database(engine, _PostgresLocking(engine), insert)


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
            held = _take_lock(connection, _number(f"name {name}"), wait_s)
            if not held:
                connection.rollback()
            yield held


def _take_lock(connection: Connection, key: int, wait_s: float) -> bool:
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
