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


_HOSTS = frozenset({"host", "hostname"})
_WORDS = frozenset({"compression", "format"})

POSITIONAL = frozenset({"csv", "tsv", "psv", "txt", "text", "fixed", "fixedwidth", "fixed-width", "fwf"})


def is_positional(servers: tuple[Server, ...]) -> bool:
    """Whether some reader finds columns by their place."""
    return any(format_of(server) in POSITIONAL for server in servers)


def format_of(server: Server) -> str:
    """The format of a server's files, without case; empty when it names none."""
    value = server.coordinates.get("format")
    return fold(value) if isinstance(value, str) else ""
