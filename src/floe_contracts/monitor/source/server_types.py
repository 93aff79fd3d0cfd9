"""Types of servers and how Spark reaches each: by files, by a table of its catalog, by JDBC, by Kafka, or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ...contract.meaning.phrase import closest


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
class _Driver:
    """How a JDBC URL is written; every name in braces must be known."""

    url: str
    port: str = ""


_DRIVERS = {
    "postgres": _Driver("jdbc:postgresql://{host}:{port}/{database}", "5432"),
    "mysql": _Driver("jdbc:mysql://{host}:{port}/{database}", "3306"),
    "mariadb": _Driver("jdbc:mariadb://{host}:{port}/{database}", "3306"),
    "sqlserver": _Driver("jdbc:sqlserver://{host}:{port};databaseName={database}", "1433"),
    "oracle": _Driver("jdbc:oracle:thin:@//{host}:{port}/{serviceName}", "1521"),
    "db2": _Driver("jdbc:db2://{host}:{port}/{database}", "50000"),
    "redshift": _Driver("jdbc:redshift://{host}:{port}/{database}", "5439"),
    "clickhouse": _Driver("jdbc:clickhouse://{host}:{port}/{database}", "8123"),
    "trino": _Driver("jdbc:trino://{host}:{port}/{catalog}", "8080"),
    "presto": _Driver("jdbc:presto://{host}:{port}/{catalog}", "8080"),
    "vertica": _Driver("jdbc:vertica://{host}:{port}/{database}", "5433"),
    "snowflake": _Driver("jdbc:snowflake://{account}.snowflakecomputing.com/?db={database}&warehouse={warehouse}"),
    "duckdb": _Driver("jdbc:duckdb:{database}"),
    "exasol": _Driver("jdbc:exa:{host}:{port}", "8563"),
    "hana": _Driver("jdbc:sap://{host}:{port}/", "30015"),
    "teradata": _Driver("jdbc:teradata://{host}/DATABASE={database}"),
    "dremio": _Driver("jdbc:dremio:direct={host}:{port}", "31010"),
    "denodo": _Driver("jdbc:denodo://{host}:{port}/{database}", "9999"),
    "informix": _Driver("jdbc:informix-sqli://{host}:{port}/{database}", "9088"),
}
_SAME = {"postgresql": "postgres", "synapse": "sqlserver"}


def jdbc_url(kind: str, fields: Mapping[str, str]) -> tuple[str, str]:
    """The URL and an empty reason, or nothing and what is missing."""
    if fields.get("url"):
        return fields["url"], ""
    driver = _DRIVERS.get(_SAME.get(kind, kind))
    if driver is None:
        return "", f"a source of type {kind} needs a url"
    known = {"port": driver.port, **{key: text for key, text in fields.items() if text}}
    missing = [name for name in _names(driver.url) if not known.get(name)]
    if missing:
        return "", f"a source of type {kind} needs {' and '.join(missing)}"
    return driver.url.format_map(known), ""


def _names(pattern: str) -> list[str]:
    return [part.partition("}")[0] for part in pattern.split("{")[1:]]
