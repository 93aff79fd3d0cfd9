"""Types of servers, and how Spark reaches a table on each: by files, a table of its catalog, JDBC, Kafka, or not."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ...contract.meaning.phrase import closest
from ...contract.meaning.systems import USUAL_PORTS
from ...contract.model import SchemaObject


class Reach(str, Enum):
    """The way to the rows."""

    FILES = "files"  # a path or URL with a format; Delta and Iceberg by path too
    TABLE = "table"  # a name in Spark's catalogs
    JDBC = "jdbc"
    KAFKA = "kafka"
    DATAFRAME = "dataframe"  # a data frame or view that the caller registered


_REACHED = {
    Reach.FILES: "local file s3 azure adls abfss gcs hdfs",
    Reach.TABLE: "spark databricks hive impala iceberg delta glue unity",
    Reach.JDBC: "jdbc postgres postgresql mysql mariadb sqlserver synapse oracle db2 redshift clickhouse trino presto "
    "vertica snowflake duckdb exasol hana teradata informix denodo dremio",
    Reach.KAFKA: "kafka",
    Reach.DATAFRAME: "dataframe custom",
}
TYPES: dict[str, Reach] = {word: reach for reach, words in _REACHED.items() for word in words.split()}

FORMATS = ("parquet", "csv", "json", "orc", "avro", "delta", "iceberg")
# Formats that Spark reads from a path, by the ending of a file.
ENDINGS = {
    ".parquet": "parquet",
    ".csv": "csv",
    ".tsv": "csv",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
    ".orc": "orc",
    ".avro": "avro",
}


def type_problem(word: str) -> str:
    """Why a type cannot be read, with what may have been meant."""
    meant = closest(word.casefold(), tuple(TYPES))
    hint = f"; did you mean {meant}" if meant else ""
    return f"no way is known to read a source of type {word!r} through Spark{hint}"


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
            "local" if _path(fields) else "jdbc" if fields.get("url", "").startswith("jdbc:") else "dataframe"
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


# How a JDBC URL is written; every name in braces must be known.
_URLS = {
    "postgres": "jdbc:postgresql://{host}:{port}/{database}",
    "mysql": "jdbc:mysql://{host}:{port}/{database}",
    "mariadb": "jdbc:mariadb://{host}:{port}/{database}",
    "sqlserver": "jdbc:sqlserver://{host}:{port};databaseName={database}",
    "oracle": "jdbc:oracle:thin:@//{host}:{port}/{serviceName}",
    "db2": "jdbc:db2://{host}:{port}/{database}",
    "redshift": "jdbc:redshift://{host}:{port}/{database}",
    "clickhouse": "jdbc:clickhouse://{host}:{port}/{database}",
    "trino": "jdbc:trino://{host}:{port}/{catalog}",
    "presto": "jdbc:presto://{host}:{port}/{catalog}",
    "vertica": "jdbc:vertica://{host}:{port}/{database}",
    "snowflake": "jdbc:snowflake://{account}.snowflakecomputing.com/?db={database}&warehouse={warehouse}",
    "duckdb": "jdbc:duckdb:{database}",
    "exasol": "jdbc:exa:{host}:{port}",
    "hana": "jdbc:sap://{host}:{port}/",
    "teradata": "jdbc:teradata://{host}/DATABASE={database}",
    "dremio": "jdbc:dremio:direct={host}:{port}",
    "denodo": "jdbc:denodo://{host}:{port}/{database}",
    "informix": "jdbc:informix-sqli://{host}:{port}/{database}",
}
_SAME = {"postgresql": "postgres", "synapse": "sqlserver"}


def jdbc_url(kind: str, fields: Mapping[str, str]) -> tuple[str, str]:
    """The URL and an empty reason, or nothing and what is missing."""
    if fields.get("url"):
        return fields["url"], ""
    system = _SAME.get(kind, kind)
    url = _URLS.get(system)
    if url is None:
        return "", f"a source of type {kind} needs a url"
    known = {"port": USUAL_PORTS.get(system, ""), **{key: text for key, text in fields.items() if text}}
    missing = [name for name in _names(url) if not known.get(name)]
    if missing:
        return "", f"a source of type {kind} needs {' and '.join(missing)}"
    return url.format_map(known), ""


def jdbc_places(kind: str) -> tuple[str, ...]:
    """The parts of a JDBC URL that say who is asked, by their names."""
    url = _URLS.get(_SAME.get(kind, kind), "")
    places = [name for name in _names(url) if name in ("host", "account", "database")]
    return tuple(places) or ("url",)


def _names(pattern: str) -> list[str]:
    return [part.partition("}")[0] for part in pattern.split("{")[1:]]
