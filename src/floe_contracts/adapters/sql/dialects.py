"""Names of SQL: dbt's adapters, and what people write, as the dialects of sqlglot."""

from __future__ import annotations

_SAME = (
    "athena", "bigquery", "clickhouse", "databricks", "doris", "dremio", "drill", "druid", "duckdb", "fabric", "hive",
    "materialize", "mysql", "oracle", "postgres", "presto", "redshift", "risingwave", "snowflake", "spark", "sqlite",
    "starrocks", "teradata", "trino", "tsql",
)  # fmt: skip
_OTHERS = {
    "postgresql": "postgres",
    "alloydb": "postgres",
    "greenplum": "postgres",
    "cratedb": "postgres",
    "sqlserver": "tsql",
    "mssql": "tsql",
    "synapse": "tsql",
    "azuresql": "tsql",
    "mariadb": "mysql",
    "mysql5": "mysql",
    "motherduck": "duckdb",
    "databricks_sql": "databricks",
    "spark2": "spark2",
    "glue": "spark",
    "vertica": "postgres",
    "singlestore": "singlestore",
    "ansi": "",
}
DIALECTS: dict[str, str] = {**{name: name for name in _SAME}, **_OTHERS}


def find_dialect(name: str) -> str | None:
    """sqlglot's name of a dialect or adapter; None for one that nobody here knows."""
    return DIALECTS.get(name.strip().lower())
