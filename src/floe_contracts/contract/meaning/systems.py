"""Servers by meaning: `postgresql` is `postgres`, and of some files the order of columns is a promise."""

from __future__ import annotations

import re

from ..model import Json, Server
from ..source.scalars import text_of
from .texts import fold

_ALIASES = {
    "cloudstorage": "gcs",
    "gs": "gcs",
    "mssql": "sqlserver",
    "oracledb": "oracle",
    "pg": "postgres",
    "pgsql": "postgres",
    "postgresql": "postgres",
    "s3a": "s3",
    "s3n": "s3",
}
_MAKERS = ("amazon", "apache", "aws", "azure", "google", "microsoft")  # whose names stand before those of systems


def system_of(name: str | None) -> str:
    """The system that a server's `type` means, in any case and spelling."""
    word = re.sub(r"[\s_/-]+", "", (name or "").casefold())
    for maker in _MAKERS:
        word = word.removeprefix(maker) or word
    return _ALIASES.get(word, word)


def coordinate_of(key: str, value: Json) -> Json:
    """A coordinate as what it leads to: a port may be a text, a host is in any case, `s3a` is Hadoop's word for s3."""
    if value is None or isinstance(value, (list, dict)):
        return value
    text = text_of(value).strip()
    if key in _HOSTS or key in _WORDS:
        return text.casefold()
    if key == "location":
        return re.sub(r"^s3[an](?=://)", "s3", text).rstrip("/") or text
    return text


def hide_login(text: str) -> str:
    """A coordinate with `…` for the user, password or signature in it, as in `user:password@host` and `?sig=…`."""
    if "@" in text:
        *heads, rest = text.split("@")
        hidden = [_ORACLE_LOGIN.sub(r"\1…", head) for head in heads]
        text = "@".join((*hidden, rest)) if hidden != heads else _LOGIN.sub(r"\1…@", text)
    return _PARAMETER.sub(r"\1…", text) if "=" in text else text


_LOGIN = re.compile(r"(^|//)[^/?#@:\s]*:[^/?#\s]*@")
_ORACLE_LOGIN = re.compile(r"(jdbc:oracle:\w*:)\S*", re.IGNORECASE)  # before the @
_PARAMETER = re.compile(
    r"((?:^|[?&;,\s])[\w.]*(?:password|passwd|pwd|secret|token|(?:access|account|api|shared)_?key|sig|signature)=)[^\s&;]+",
    re.IGNORECASE,
)


def coordinates_of(server: Server) -> dict[str, Json]:
    """The coordinates by meaning; one that says what holds without it, as the usual port does, is none."""
    meant = written_coordinates(server)
    usual = _usual(system_of(server.type), format_of(server))
    return {key: value for key, value in meant.items() if value is None or usual.get(key) != value}


def written_coordinates(server: Server) -> dict[str, Json]:
    """All coordinates by meaning, as two systems of different kinds compare."""
    return {key: coordinate_of(key, value) for key, value in server.coordinates.items()}


def _usual(system: str, file_format: str) -> dict[str, str]:
    usual = {"port": USUAL_PORTS.get(system, ""), "encoding": "utf-8"}
    if system == "athena":
        usual["catalog"] = "awsdatacatalog"
    if file_format == "csv":
        usual["delimiter"] = ","
    return usual


# Where a database listens when nobody says.
USUAL_PORTS = {
    "clickhouse": "8123",
    "db2": "50000",
    "denodo": "9999",
    "dremio": "31010",
    "exasol": "8563",
    "hana": "30015",
    "informix": "9088",
    "mariadb": "3306",
    "mysql": "3306",
    "oracle": "1521",
    "postgres": "5432",
    "presto": "8080",
    "redshift": "5439",
    "sqlserver": "1433",
    "teradata": "1025",
    "trino": "8080",
    "vertica": "5433",
}
_HOSTS = frozenset({"host", "hostname"})
_WORDS = frozenset({"compression", "encoding", "format"})

POSITIONAL = frozenset({"csv", "tsv", "psv", "txt", "text", "fixed", "fixedwidth", "fixed-width", "fwf"})


def is_positional(servers: tuple[Server, ...]) -> bool:
    """Whether some reader finds columns by their place."""
    return any(format_of(server) in POSITIONAL for server in servers)


def format_of(server: Server) -> str:
    """The format of a server's files, without case; empty when it names none."""
    value = server.coordinates.get("format")
    return fold(value) if isinstance(value, str) else ""
