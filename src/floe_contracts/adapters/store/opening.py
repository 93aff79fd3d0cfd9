"""Opens the store that an address names, with its tables as this version of floe wants them."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from ...errors import SettingsError
from .database import Database
from .postgresql import open_postgresql
from .sql_store import SqlStore
from .sqlite import open_sqlite
from .tables import bring_up_to_date

_KINDS = {"postgres": "postgresql"}
_FIX = "Write sqlite:///path/to/file.db or postgresql://user@host/database."


def open_sql_store(address: str) -> SqlStore:
    """A store of the newest schema; no message repeats the address."""
    database = open_database(address)
    try:
        bring_up_to_date(database)
    except BaseException:
        database.engine.dispose()
        raise
    return SqlStore(database)


def open_database(address: str) -> Database:
    """The database as it is, whatever its tables."""
    url = _read(address)
    if url.get_backend_name() != "sqlite":
        return open_postgresql(url)
    path = url.database or ""
    if url.host or path in ("", ":memory:") or path.startswith("file:"):
        raise SettingsError("the address of the store names no file", fix=f"{_FIX} A store in memory is memory:.")
    return open_sqlite(Path(path).expanduser())


def _read(address: str) -> URL:
    scheme, _, rest = address.partition("://")
    kind = scheme.casefold().partition("+")[0]
    try:
        return make_url(f"{_KINDS.get(kind, kind)}://{rest}")
    except (ArgumentError, ValueError):  # their words hold the address
        raise SettingsError("the address of the store cannot be read", fix=_FIX) from None
