"""Opens tables of databases by JDBC; the login is looked up at the moment of connecting and is written down nowhere."""

from __future__ import annotations

import math
import re

from pyspark.sql import DataFrame, SparkSession

from ....monitor.source.binding import Binding
from ....product.secret import reveal_options
from ...files.secrets import look_up
from ..session.failures import SPARK_ERRORS, sql_state_of
from .tables import split_name

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_NO_TABLE = ("42P01", "42S02", "42704", "42000")  # PostgreSQL and others by the standard, DB2, Oracle
_DRIVERS = {  # Spark finds a driver that came by --packages only when its class is named
    "postgresql": "org.postgresql.Driver",
    "mysql": "com.mysql.cj.jdbc.Driver",
    "mariadb": "org.mariadb.jdbc.Driver",
    "sqlserver": "com.microsoft.sqlserver.jdbc.SQLServerDriver",
    "oracle": "oracle.jdbc.OracleDriver",
    "db2": "com.ibm.db2.jcc.DB2Driver",
    "redshift": "com.amazon.redshift.Driver",
    "clickhouse": "com.clickhouse.jdbc.ClickHouseDriver",
    "trino": "io.trino.jdbc.TrinoDriver",
    "snowflake": "net.snowflake.client.jdbc.SnowflakeDriver",
    "duckdb": "org.duckdb.DuckDBDriver",
    "sqlite": "org.sqlite.JDBC",
    "h2": "org.h2.Driver",
}
_BACKTICKS = ("mysql", "mariadb")
_PATIENCE = {  # how each driver is told to give up: options that count seconds, options that count milliseconds
    "postgresql": (("connectTimeout", "loginTimeout", "socketTimeout"), ()),
    "redshift": (("connectTimeout", "loginTimeout", "socketTimeout"), ()),
    "mysql": ((), ("connectTimeout", "socketTimeout")),
    "mariadb": ((), ("connectTimeout", "socketTimeout")),
    "sqlserver": (("loginTimeout",), ("socketTimeout",)),
}


def open_jdbc(spark: SparkSession, binding: Binding, limit_s: float) -> tuple[DataFrame, str]:
    """The rows, and the name as the database knows it.

    A name is first taken as it is written. Databases fold names without quotes each in their own way, so a name that
    is not there is tried once more without.
    """
    options = jdbc_options(binding, limit_s)
    exact, folded = table_name(binding)
    try:
        return spark.read.format("jdbc").options(**options, dbtable=exact).load(), exact
    except SPARK_ERRORS as error:
        if not folded or sql_state_of(error) not in _NO_TABLE:
            raise
    return spark.read.format("jdbc").options(**options, dbtable=folded).load(), folded


def jdbc_options(binding: Binding, limit_s: float) -> dict[str, str]:
    """What Spark and the driver are told; the connection's own options win. It may hold secrets: never print it."""
    kind = _database_kind(binding)
    seconds = str(max(1, math.ceil(limit_s)))
    in_seconds, in_millis = _PATIENCE.get(kind, ((), ()))
    usual = {
        "preferTimestampNTZ": "true",  # else a time without a zone is read in the zone of the machine
        "fetchsize": "10000",
        "queryTimeout": seconds,
        **dict.fromkeys(in_seconds, seconds),
        **dict.fromkeys(in_millis, seconds + "000"),
    }
    if kind in _DRIVERS:
        usual["driver"] = _DRIVERS[kind]
    own = reveal_options(binding.options, look_up)
    taken = {name.casefold() for name in own}
    return {
        **{name: text for name, text in usual.items() if name.casefold() not in taken},
        **own,
        "url": binding.location,
    }


def table_name(binding: Binding) -> tuple[str, str]:
    """The name in quotes, and without where it needs none; the second is empty when only quotes will do."""
    parts = split_name(binding.name)
    mark = "`" if _database_kind(binding) in _BACKTICKS else '"'
    exact = ".".join(mark + part.replace(mark, mark * 2) + mark for part in parts)
    return exact, ".".join(parts) if all(_PLAIN.fullmatch(part) for part in parts) else ""


def _database_kind(binding: Binding) -> str:
    """`postgresql` of jdbc:postgresql://…"""
    return binding.location.removeprefix("jdbc:").partition(":")[0].casefold()
