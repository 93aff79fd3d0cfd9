"""Which table a check looks at: the connection from the settings, then the chosen server, then the only one there is.

Relative paths of a contract's own server start at the folder of the contract's file, those of a connection at the root
of the project (the folder that holds `.floe`), so that the folder in which a job starts never matters.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ...contract.model import Contract, SchemaObject, Server
from ...contract.source.scalars import text_of
from ...product.secret import Options, OptionValue, embedded_problem
from .connection import Connection, TableConnection
from .credentials import forged_part, why_not_sent
from .server_types import Coordinates, Reach, reach

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_MODEL = re.compile(r"\{(?:model|object|table|schema)\}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Binding:
    """One table of one contract, as an engine needs it; options hold references to secrets, never secrets."""

    contract: str  # key
    table: SchemaObject
    reach: Reach
    type: str  # as the server or connection says: postgres, s3, local, kafka …
    format: str = ""  # parquet, csv, json, orc, avro, delta, iceberg; empty for tables and JDBC
    location: str = ""  # path or URL of files, JDBC URL, bootstrap servers of Kafka
    name: str = ""  # table with its catalog and schema, topic, or registered data frame
    options: Options = ()
    timestamp_column: str = ""
    filter: str = ""
    server: str = ""  # the server of the contract that was chosen, empty where the connection stands alone
    as_of_us: int | None = None  # a moment to travel back to, where the source can

    @property
    def source(self) -> str:
        """One text for this source in messages, histories and lineage; it holds no credentials."""
        return f"{self.type}:{self.location}{'#' if self.location and self.name else ''}{self.name}"


@dataclass(frozen=True, slots=True)
class Unbound:
    """Why no table is known, and what to write; `silent` when neither contract nor settings say anything at all."""

    reason: str
    silent: bool = False


@dataclass(frozen=True, slots=True)
class SourceHints:
    """Everything that says where tables are, beside the contract itself."""

    connection: Connection | None = None
    server: str = ""  # --server
    folder: str = ""  # of the contract's file
    root: str = ""  # of the project

    @property
    def stands_alone(self) -> bool:
        return self.connection is not None and bool(self.connection.type)


def bind(contract: Contract, table: SchemaObject, where: SourceHints) -> Binding | Unbound:
    """The binding of one table, or why there is none."""
    server: Server | None = None
    if not where.stands_alone:
        chosen = choose_server(contract, where)
        if isinstance(chosen, Unbound):
            return chosen
        server = chosen
    kind = (where.connection.type if where.connection else "") or (server.type if server else "")
    problem = _trust_problem(contract, table, server, where)
    if problem:
        return Unbound(problem)
    fields = _coordinates(contract, table, server, where)
    if isinstance(fields, Unbound):
        return fields
    reached = reach(kind.strip().casefold(), fields, table, _custom(server))
    if isinstance(reached, str):
        return Unbound(reached)
    if len(contract.objects) > 1 and reached.reach is Reach.FILES and not _has_own_place(server, table, where):
        return Unbound(
            f"one location is given for {len(contract.objects)} tables; write {{model}} in it, "
            f"or a location for each under connections.{contract.key}.tables"
        )
    return _make_binding(contract, table, kind, reached, server, where)


def _trust_problem(contract: Contract, table: SchemaObject, server: Server | None, where: SourceHints) -> str:
    """Why the contract's own words about its server are not followed; empty when they are."""
    if server is None:
        return ""
    kind = server.type.strip().casefold()
    kind = _custom(server).get("customType", "").casefold() if kind == "custom" else kind
    words = {key: text_of(value) for key, value in _scalars(server)}
    forged = forged_part(kind, words)
    if forged:
        return (
            f"{forged} of the server {server.name} of {contract.label} holds more than a {forged}; "
            f"parameters are for the settings to say: write type: and url: under connections.{contract.key}"
        )
    return why_not_sent(contract.key, kind, words, where.connection, table.name) if where.connection else ""


def choose_server(contract: Contract, where: SourceHints) -> Server | Unbound:
    """The server that is named, else the only one."""
    named = (where.connection.server if where.connection else "") or where.server
    names = [server.name for server in contract.servers]
    if named:
        matches = [server for server in contract.servers if server.name == named]
        known = f"it has {', '.join(names)}" if names else "it has none"
        return matches[0] if matches else Unbound(f"{contract.label} has no server called {named!r}; {known}")
    if len(contract.servers) == 1:
        return contract.servers[0]
    if names:
        return Unbound(f"{contract.label} has {len(names)} servers; choose one with --server: {', '.join(names)}")
    return Unbound(
        f"{contract.label} says nothing about where its data is; "
        f"add servers: to the contract, or connections: {{{contract.key}: …}} to the settings",
        silent=where.connection is None,
    )


def _coordinates(
    contract: Contract, table: SchemaObject, server: Server | None, where: SourceHints
) -> dict[str, str] | Unbound:
    """All that is said, the connection's word before the server's, the table's own before that of all."""
    fields = {key: text_of(value) for key, value in _scalars(server)}
    for key in ("location", "path"):
        if fields.get(key):
            fields[key] = _resolve_location(fields[key], table, where.folder)
    if where.connection is not None:
        own = where.connection.tables.get(table.name, TableConnection())
        more = {**where.connection.coordinates(), "name": own.table or _table_name(where, contract)}
        more |= {key: text for key, text in (("location", own.location), ("format", own.format)) if text}
        if "location" in more:
            more["location"] = _resolve_location(more["location"], table, where.root)
            fields.pop("path", None)
        fields |= {key: text for key, text in more.items() if text}
    for key, text in fields.items():
        problem = embedded_problem(text)
        if problem:
            return Unbound(f"{key} of {contract.label}: {problem}")
    return fields


def _scalars(server: Server | None) -> list[tuple[str, str | int | float | bool]]:
    items = server.coordinates.items() if server else ()
    return [(key, value) for key, value in items if isinstance(value, (str, int, float, bool))]


def _table_name(where: SourceHints, contract: Contract) -> str:
    """The connection's table, where it can only mean the one that the contract has."""
    return where.connection.table if where.connection and len(contract.objects) == 1 else ""


def _resolve_location(location: str, table: SchemaObject, folder: str) -> str:
    """The table's name filled in, and a relative path made to start where it was meant to."""
    filled = _MODEL.sub(lambda _: table.physical_name or table.name, location.strip())
    if _SCHEME.match(filled) or filled.startswith("/") or not folder:
        return filled
    return posixpath.normpath(posixpath.join(folder, filled))


def _has_own_place(server: Server | None, table: SchemaObject, where: SourceHints) -> bool:
    """Whether the location is this table's alone: it was given for it, or the table's name is put into it."""
    connection = where.connection or Connection()
    if connection.tables.get(table.name, TableConnection()).location:
        return True
    fields = dict(_scalars(server))
    location = connection.location or text_of(fields.get("location", fields.get("path", "")))
    return _MODEL.search(location) is not None


def _custom(server: Server | None) -> Mapping[str, str]:
    return (
        {entry.property: text_of(entry.value) for entry in server.custom if entry.value is not None} if server else {}
    )


def _make_binding(
    contract: Contract, table: SchemaObject, kind: str, reached: Coordinates, server: Server | None, where: SourceHints
) -> Binding:
    common = where.connection or TableConnection()
    own = where.connection.tables.get(table.name, TableConnection()) if where.connection else TableConnection()
    options: dict[str, OptionValue] = {**dict(reached.options), **dict(common.option_pairs())}
    options |= dict(own.option_pairs())
    return Binding(
        contract=contract.key,
        table=table,
        reach=reached.reach,
        type=kind,
        format=reached.format,
        location=reached.location,
        name=reached.name,
        options=tuple(sorted(options.items())),
        timestamp_column=own.timestamp_column or common.timestamp_column,
        filter=own.filter or common.filter,
        server=server.name if server else "",
    )


def filters_of(contract: Contract, where: SourceHints) -> dict[str, str]:
    """By table, the condition that rows must meet to be looked at."""
    connection = where.connection or Connection()
    own = {table.name: connection.tables.get(table.name, connection).filter for table in contract.objects}
    return {name: text or connection.filter for name, text in own.items() if text or connection.filter}


def as_of(binding: Binding, moment_us: int) -> Binding:
    """The same table as it was."""
    return replace(binding, as_of_us=moment_us)
