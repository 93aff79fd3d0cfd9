"""The store that an address means: SQLite in a file, PostgreSQL, or the memory of this process."""

from __future__ import annotations

from importlib.util import find_spec

from ...errors import MissingExtra, SettingsError
from ...monitor.store.memory_store import MemoryStore
from ...monitor.store.protocol import Store
from ..files.secrets import read_setting

DEFAULT_URL = "sqlite:///.floe/monitoring.db"
_MEMORY = ("memory:", "memory://")
_FIX = "Write sqlite:///path/to/file.db, postgresql://user@host/database, memory:, or env:NAME that holds the address."
_PACKAGES = {"sqlite": ("sqlalchemy", "spark"), "postgresql": ("psycopg", "postgres")}


def open_store(url: str = "") -> Store:
    """An open store of the newest schema. Nothing written is the file `.floe/monitoring.db` below the current folder.

    The address may be `env:NAME` or `file:PATH`; no message repeats it, because it may hold a password.
    """
    address = read_setting(url.strip()) or DEFAULT_URL
    if address in _MEMORY:
        return MemoryStore()
    kind = _kind(address)
    for package, extra in (_PACKAGES["sqlite"], _PACKAGES[kind]):
        if find_spec(package) is None:
            raise MissingExtra(f"a store in {'PostgreSQL' if kind == 'postgresql' else 'SQLite'}", extra)
    from .opening import open_sql_store

    return open_sql_store(address)


def _kind(address: str) -> str:
    """The word before `://`; a driver behind a plus is ours to choose."""
    scheme, separator, _ = address.partition("://")
    word = scheme.casefold().partition("+")[0] if separator else ""
    kind = {"postgres": "postgresql"}.get(word, word)
    if kind not in _PACKAGES:
        reason = f"it begins with {word}:" if word.isalnum() else "it has no known beginning"
        raise SettingsError(f"the address of the store cannot be used: {reason}", fix=_FIX)
    return kind
