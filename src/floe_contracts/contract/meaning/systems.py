"""Servers by meaning: `postgresql` is `postgres`, and of some files the order of columns is a promise."""

from __future__ import annotations

from ..model import Server
from .texts import fold

_ALIASES = {
    "postgresql": "postgres",
    "pgsql": "postgres",
    "pg": "postgres",
    "mssql": "sqlserver",
    "sql server": "sqlserver",
    "sql-server": "sqlserver",
    "google bigquery": "bigquery",
    "amazon redshift": "redshift",
    "apache kafka": "kafka",
    "apache hive": "hive",
    "oracledb": "oracle",
}


def system_of(name: str | None) -> str:
    """The system that a server's `type` means, in any case and spelling."""
    word = " ".join((name or "").split()).casefold()
    return _ALIASES.get(word, word)


POSITIONAL = frozenset({"csv", "tsv", "psv", "txt", "text", "fixed", "fixedwidth", "fixed-width", "fwf"})


def is_positional(servers: tuple[Server, ...]) -> bool:
    """Whether some reader finds columns by their place."""
    return any(format_of(server) in POSITIONAL for server in servers)


def format_of(server: Server) -> str:
    """The format of a server's files, without case; empty when it names none."""
    value = server.coordinates.get("format")
    return fold(value) if isinstance(value, str) else ""
