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


def reach(kind: str, said: Mapping[str, str], table: SchemaObject, custom: Mapping[str, str]) -> Coordinates | str:
    """How a table on a server of this type is read, or why it cannot be."""
    if kind == "custom":
        kind = custom.get("customType", custom.get("type", "")).casefold() or ("local" if _path(said) else "dataframe")
    way = TYPES.get(kind)
    if way is None:
        return type_problem(kind)
    if way is Reach.TABLE and _path(said) and kind in ("delta", "iceberg", "glue"):
        way = Reach.FILES
    if way is Reach.FILES:
        return _files(kind, said)
    if way is Reach.TABLE:
        catalog = tuple((key, said[key]) for key in ("catalogUrl", "warehouse") if said.get(key))
        name = _qualified(said, table, ("catalog", "database", "schema", "namespace"))
        return Coordinates(way, name=name, options=catalog)
    if way is Reach.JDBC:
        return _jdbc(kind, said, table)
    name = said.get("name") or table.physical_name or table.name
    if way is Reach.KAFKA:
        hosts = said.get("host") or said.get("location", "")
        return Coordinates(way, hosts, name, said.get("format", "")) if hosts else "a source of type kafka needs host"
    return Coordinates(way, name=name)


def _path(said: Mapping[str, str]) -> str:
    return said.get("location") or said.get("path", "")


def _files(kind: str, said: Mapping[str, str]) -> Coordinates | str:
    location = _path(said)
    if not location:
        return f"a source of type {kind} needs {'path' if kind == 'local' else 'location'}"
    format_ = _format(said, location) or (kind if kind in ("delta", "iceberg") else "")
    if not format_:
        return f"the format of {posixpath.basename(location.rstrip('/')) or location} is not known; write format:"
    if format_ not in FORMATS:
        return f"no way is known to read files of format {format_!r}; write one of {', '.join(FORMATS)}"
    return Coordinates(Reach.FILES, location, "", format_, tuple(_reader_options(format_, said, location)))


def _format(said: Mapping[str, str], location: str) -> str:
    word = said.get("format", "").strip().casefold()
    if word:
        return {"jsonl": "json", "ndjson": "json", "tsv": "csv"}.get(word, word)
    bare = location.casefold().rstrip("/*")
    for packed in (".gz", ".bz2", ".zst", ".snappy"):
        bare = bare.removesuffix(packed)
    return ENDINGS.get(posixpath.splitext(bare)[1], "")


def _reader_options(format_: str, said: Mapping[str, str], location: str) -> list[tuple[str, str]]:
    """What the standard says about files, in the words of Spark's readers; a connection's options win over these."""
    delimiter = said.get("delimiter", "")
    found = [("encoding", said["encoding"])] if said.get("encoding") and format_ in ("csv", "json") else []
    if format_ == "csv":
        tabs = said.get("format", "").casefold() == "tsv" or location.casefold().rstrip("/*").endswith(".tsv")
        found += [("header", "true"), ("sep", delimiter or ("\t" if tabs else ","))]
    if format_ == "json" and delimiter == "array":
        found.append(("multiLine", "true"))
    if said.get("endpointUrl"):
        found.append(("endpointUrl", said["endpointUrl"]))
    return found


def _jdbc(kind: str, said: Mapping[str, str], table: SchemaObject) -> Coordinates | str:
    url, problem = jdbc_url(kind, said)
    if problem:
        return problem
    return Coordinates(Reach.JDBC, url, _qualified(said, table, ("schema",)))


def _qualified(said: Mapping[str, str], table: SchemaObject, parents: tuple[str, ...]) -> str:
    """The name with everything in front of it; a name that has dots already is complete."""
    name = said.get("name") or table.physical_name or table.name
    if "." in name:
        return name
    return ".".join(part for part in (*(said.get(parent, "") for parent in parents), name) if part)
