"""From a server's coordinates to what Spark is told: a path with a format, a table's full name, a URL, a topic."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

from ...contract.model import SchemaObject
from .server_types import ENDINGS, TYPES, Reach, jdbc_url, type_problem

FORMATS = ("parquet", "csv", "json", "orc", "avro", "delta", "iceberg")


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The technical half of a binding."""

    reach: Reach
    location: str = ""
    name: str = ""
    format: str = ""
    options: tuple[tuple[str, str], ...] = ()


def reach(kind: str, fields: Mapping[str, str], table: SchemaObject, custom: Mapping[str, str]) -> Coordinates | str:
    """How a table on a server of this type is read, or why it cannot be."""
    if kind == "custom":
        kind = custom.get("customType", custom.get("type", "")).casefold() or (
            "local" if _path(fields) else "dataframe"
        )
    way = TYPES.get(kind)
    if way is None:
        return type_problem(kind)
    if way is Reach.TABLE and _path(fields) and kind in ("delta", "iceberg", "glue"):
        way = Reach.FILES
    if way is Reach.FILES:
        return _reach_files(kind, fields)
    if way is Reach.TABLE:
        catalog = tuple((key, fields[key]) for key in ("catalogUrl", "warehouse") if fields.get(key))
        name = _qualify_name(fields, table, ("catalog", "database", "schema", "namespace"))
        return Coordinates(way, name=name, options=catalog)
    if way is Reach.JDBC:
        return _reach_jdbc(kind, fields, table)
    name = fields.get("name") or table.physical_name or table.name
    if way is Reach.KAFKA:
        hosts = fields.get("host") or fields.get("location", "")
        return Coordinates(way, hosts, name, fields.get("format", "")) if hosts else "a source of type kafka needs host"
    return Coordinates(way, name=name)


def _path(fields: Mapping[str, str]) -> str:
    return fields.get("location") or fields.get("path", "")


def _reach_files(kind: str, fields: Mapping[str, str]) -> Coordinates | str:
    location = _path(fields)
    if not location:
        return f"a source of type {kind} needs {'path' if kind == 'local' else 'location'}"
    format_ = _format(fields, location) or (kind if kind in ("delta", "iceberg") else "")
    if not format_:
        return f"the format of {posixpath.basename(location.rstrip('/')) or location} is not known; write format:"
    if format_ not in FORMATS:
        return f"no way is known to read files of format {format_!r}; write one of {', '.join(FORMATS)}"
    return Coordinates(Reach.FILES, location, "", format_, tuple(_reader_options(format_, fields, location)))


def _format(fields: Mapping[str, str], location: str) -> str:
    word = fields.get("format", "").strip().casefold()
    if word:
        return {"jsonl": "json", "ndjson": "json", "tsv": "csv"}.get(word, word)
    bare = location.casefold().rstrip("/*")
    for packed in (".gz", ".bz2", ".zst", ".snappy"):
        bare = bare.removesuffix(packed)
    return ENDINGS.get(posixpath.splitext(bare)[1], "")


def _reader_options(format_: str, fields: Mapping[str, str], location: str) -> list[tuple[str, str]]:
    """What the standard says about files, in the words of Spark's readers; a connection's options win over these."""
    delimiter = fields.get("delimiter", "")
    options = [("encoding", fields["encoding"])] if fields.get("encoding") and format_ in ("csv", "json") else []
    if format_ == "csv":
        tabs = fields.get("format", "").casefold() == "tsv" or location.casefold().rstrip("/*").endswith(".tsv")
        options += [("header", "true"), ("sep", delimiter or ("\t" if tabs else ","))]
    if format_ == "json" and delimiter == "array":
        options.append(("multiLine", "true"))
    if fields.get("endpointUrl"):
        options.append(("endpointUrl", fields["endpointUrl"]))
    return options


def _reach_jdbc(kind: str, fields: Mapping[str, str], table: SchemaObject) -> Coordinates | str:
    url, problem = jdbc_url(kind, fields)
    if problem:
        return problem
    return Coordinates(Reach.JDBC, url, _qualify_name(fields, table, ("schema",)))


def _qualify_name(fields: Mapping[str, str], table: SchemaObject, parents: tuple[str, ...]) -> str:
    """The name with everything in front of it; a name that has dots already is complete."""
    name = fields.get("name") or table.physical_name or table.name
    if "." in name:
        return name
    return ".".join(part for part in (*(fields.get(parent, "") for parent in parents), name) if part)
