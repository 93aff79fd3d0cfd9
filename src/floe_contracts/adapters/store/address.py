"""The address of a store, and the store that it means: SQLite in a file, PostgreSQL, or the memory of this process."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import MissingExtra, SettingsError
from ...monitor.store.memory_store import MemoryStore
from ...monitor.store.protocol import Store
from ..files.secrets import read_setting

if TYPE_CHECKING:  # SQLAlchemy is loaded when a database is opened
    from .database import Database
    from .sql_store import SqlStore

DEFAULT_URL = "sqlite:///.floe/monitoring.db"
_MEMORY = ("memory:", "memory://")
_SQL_FIX = "Write sqlite:///path/to/file.db or postgresql://user@host/database."
_FIX = "Write sqlite:///path/to/file.db, postgresql://user@host/database, memory:, or env:NAME that holds the address."
_EXTRAS = {"sqlite": "store", "postgresql": "postgres"}  # each brings all that the database needs
_PACKAGES = {"sqlite": ("sqlalchemy",), "postgresql": ("sqlalchemy", "psycopg")}


def open_store(url: str = "", *, writes: bool = True) -> Store:
    """An open store of the newest schema. Nothing written is the file `.floe/monitoring.db` below the current folder.

    A file that is only looked at is opened for reading.
    The address may be `env:NAME` or `file:PATH`; no message repeats it, because it may hold a password.
    """
    address = read_setting(url.strip()) or DEFAULT_URL
    if address in _MEMORY:
        return MemoryStore()
    require_packages(address)
    return open_sql_store(address, writes=writes)


def require_packages(url: str = "") -> None:
    """Name the extra of a store whose packages are not installed."""
    address = read_setting(url.strip()) or DEFAULT_URL
    kind = "" if address in _MEMORY else split_address(address)[0]
    if any(find_spec(package) is None for package in _PACKAGES.get(kind, ())):
        raise MissingExtra(f"a store in {'PostgreSQL' if kind == 'postgresql' else 'SQLite'}", _EXTRAS[kind])


def split_address(address: str) -> tuple[str, str]:
    """The kind of database, sqlite or postgresql, and what follows `://`; a driver behind a plus is ours to choose."""
    scheme, separator, rest = address.partition("://")
    word = scheme.casefold().partition("+")[0] if separator else ""
    kind = {"postgres": "postgresql"}.get(word, word)
    if kind not in _PACKAGES:
        reason = f"it begins with {word}:" if word.isalnum() else "it has no known beginning"
        raise SettingsError(f"the address of the store cannot be used: {reason}", fix=_FIX)
    return kind, rest


def open_sql_store(address: str, *, writes: bool = True) -> SqlStore:
    """A store in a database, its tables as this version of floe wants them."""
    from .sql_store import SqlStore
    from .tables import bring_up_to_date, is_current

    database = open_database(address, writes=writes)
    try:
        if not writes and not is_current(database):  # made by an older floe, or not yet one at all
            database.engine.dispose()
            database = open_database(address)
        bring_up_to_date(database)
    except BaseException:
        database.engine.dispose()
        raise
    return SqlStore(database)


def open_database(address: str, *, writes: bool = True) -> Database:
    """The database as it is, whatever its tables."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    from .dialects import open_postgresql, open_sqlite

    kind, rest = split_address(address)
    try:
        url = make_url(f"{kind}://{rest}")
    except (ArgumentError, ValueError):  # their words hold the address
        raise SettingsError("the address of the store cannot be read", fix=_SQL_FIX) from None
    if kind == "postgresql":
        return open_postgresql(url)
    path = url.database or ""
    if url.host or path in ("", ":memory:") or path.startswith("file:"):
        raise SettingsError("the address of the store names no file", fix=f"{_SQL_FIX} A store in memory is memory:.")
    return open_sqlite(Path(path).expanduser(), writes=writes)
