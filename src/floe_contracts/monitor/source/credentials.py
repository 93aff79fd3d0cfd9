"""Who receives credentials: only places that the settings themselves name, whatever a contract says.

A contract may be written by anybody who can open a pull request. Its `servers:` may say where the data is, and must not
thereby choose who is shown the operator's user, password or key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...product.secret import SecretRef, embedded_problem, names_secret, value_of
from .connection import Connection, TableConnection
from .server_types import TYPES, Reach, jdbc_places

_USERS = frozenset({"user", "username", "login", "principal", "account"})
_WHO = frozenset({"url", "host", "account", "database"})  # files may lie elsewhere than the contract says
_HOST = re.compile(r"[\w.:,\[\]-]*")
_PART = re.compile(r"[\w./~$+-]*")  # no sign that ends a part of a JDBC URL and begins another, in any driver's grammar
_URL = re.compile(r"jdbc:[\w.:,/~$+\[\]-]*")  # nor `(host=…,parameter=…)`, which MySQL takes for a host
_SHAPES = {
    "url": _URL,
    **dict.fromkeys(("host", "account"), _HOST),
    **dict.fromkeys(("database", "catalog", "warehouse", "serviceName"), _PART),
}


def why_not_sent(key: str, kind: str, server: Mapping[str, str], connection: Connection, table: str) -> str:
    """Why a connection that refines a contract's server may not be used, with the lines to write; empty when it may."""
    if not has_credentials(connection, table):
        return ""
    own = {**connection.coordinates(), **_table_place(connection, table)}
    places = _places(TYPES.get(kind), kind, server, own)
    missing = [name for name in places if not own.get(name)]
    disputed = [name for name in places if name in _WHO and server.get(name) and own.get(name)]
    others = [name for name in disputed if not _same(server[name], own[name])]
    if not missing and not others:
        return ""
    lines = "; ".join(f"{name}: {_show(server.get(name, ''))}" for name in places)
    why = (
        f"it has credentials and does not say {' and '.join(missing)}"
        if missing
        else f"it has credentials for another {' and '.join(others)} than the contract's server"
    )
    return f"connections.{key} is not used, because {why}; write under connections.{key}, if it is right: {lines}"


def has_credentials(connection: Connection, table: str) -> bool:
    """Whether a user, password or secret is among the options for a table."""
    own = connection.tables.get(table, TableConnection())
    return any(
        isinstance(value_of(text), SecretRef) or names_secret(name) or _is_user(name)
        for name, text in (*connection.options.items(), *own.options.items())
    )


def forged_part(kind: str, server: Mapping[str, str]) -> str:
    """The coordinate of a contract's server that would put more than itself into a JDBC URL; empty when none does."""
    if TYPES.get(kind) is not Reach.JDBC:
        return ""
    for name, text in server.items():
        if name == "port" and not text.strip().isdecimal():
            return name
        shape = _SHAPES.get(name)
        if shape is not None and not shape.fullmatch(text):
            return name
    return ""


def _places(reach: Reach | None, kind: str, server: Mapping[str, str], own: Mapping[str, str]) -> tuple[str, ...]:
    """What a connection must say itself, so that the contract has no say in who is asked."""
    if reach is Reach.JDBC:
        return ("url",) if own.get("url") or server.get("url") else jdbc_places(kind)
    if reach is Reach.KAFKA:
        return ("host",)
    if reach is Reach.FILES:
        return ("location", "endpointUrl") if server.get("endpointUrl") else ("location",)
    return ()


def _table_place(connection: Connection, table: str) -> dict[str, str]:
    own = connection.tables.get(table, TableConnection())
    endpoint = own.options.get("endpointUrl") or connection.options.get("endpointUrl", "")
    given = {"location": own.location, "endpointUrl": endpoint}
    return {name: text for name, text in given.items() if text}


def _is_user(name: str) -> bool:
    return re.sub(r"[^a-z]", "", name.casefold().rpartition(".")[2]) in _USERS


def _show(text: str) -> str:
    """A place as a line can show it; one that may hold a secret is left to be written."""
    return "…" if not text or "@" in text or embedded_problem(text) else text


def _same(text: str, other: str) -> bool:
    return text.strip().rstrip("/").casefold() == other.strip().rstrip("/").casefold()
