"""Types of statements held to promises in the engine's own words, as its catalog or its manual has them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from floe_contracts.adapters.sql.process import SqlProcess, SqlText
from floe_contracts.adapters.sql.step_values import steps_from
from floe_contracts.contract.load import load
from floe_contracts.definitions.comparison import compare_definition
from floe_contracts.definitions.definition import Definition
from floe_contracts.definitions.migration import replay
from floe_contracts.definitions.query import Query, resolve_query

CONTRACT = """apiVersion: v3.1.0
kind: DataContract
id: t
name: t
version: 1.0.0
status: active
schema:
  - {{name: t, properties: [{{name: a, physicalType: "{promised}"}}]}}
"""
# dialect, the type in the statement, and the words of promises that it keeps
KEPT = {
    "SQLite keeps any word": ("sqlite", "boolean", "boolean"),
    "SQLite's padded text": ("sqlite", "char(36)", "char(36)"),
    "SQLite's decimals": ("sqlite", "decimal(10,2)", "decimal(10,2)"),
    "SQLite has one whole number": ("sqlite", "tinyint", "tinyint|integer|bigint"),
    "SQLite has one float": ("sqlite", "real", "real|double"),
    "Snowflake has one float": ("snowflake", "float", "float|double|real|float8"),
    "Snowflake has one whole number": ("snowflake", "int", "int|byteint|number(38,0)"),
    "BigQuery has one whole number": ("bigquery", "int", "int|integer|int64"),
    "BigQuery's decimals": ("bigquery", "numeric", "numeric|numeric(38,9)"),
    "MySQL's boolean": ("mysql", "bool", "boolean|tinyint(1)"),
    "MySQL's real": ("mysql", "real", "real|double"),
    "MySQL's plain decimals": ("mysql", "decimal", "decimal|decimal(10,0)"),
    "MySQL's serial": ("mysql", "serial", "bigint unsigned"),
    "PostgreSQL's float": ("postgres", "float", "float|double precision"),
    "PostgreSQL's serial": ("postgres", "bigserial", "bigint|bigserial"),
    "Redshift's float": ("redshift", "float", "float|double precision"),
    "T-SQL's plain decimals": ("tsql", "decimal", "decimal(18,0)"),
    "Oracle's whole numbers": ("oracle", "integer", "integer|number(38,0)|number"),
    "DuckDB counts no letters": ("duckdb", "char(3)", "char(3)|varchar|varchar(10)"),
    "Teradata's byte": ("teradata", "byteint", "byteint"),
}
BROKEN = {
    "SQLite, text for a number": ("sqlite", "text", "integer"),
    "SQLite, other digits": ("sqlite", "decimal(10,3)", "decimal(10,2)"),
    "PostgreSQL's real is half as wide": ("postgres", "real", "double precision"),
    "PostgreSQL, a narrower number": ("postgres", "int", "bigint"),
    "Redshift's real": ("redshift", "double precision", "real"),
    "Snowflake, digits after the point": ("snowflake", "number(38,2)", "int"),
    "MySQL, a number for a boolean": ("mysql", "int", "boolean"),
    "MySQL, signed": ("mysql", "bigint", "bigint unsigned"),
    "DuckDB, a number for text": ("duckdb", "int", "char(3)"),
}
# dialect, the type in the statement, the logical type that is promised, and whether it blocks
LOGICAL = {
    "Oracle's date has a time of day": ("oracle", "date", "timestamp", False),
    "and is a date": ("oracle", "date", "date", False),
    "but no text": ("oracle", "date", "string", True),
    "PostgreSQL's date has none": ("postgres", "date", "timestamp", True),
    "JSON may hold a list": ("postgres", "jsonb", "array", False),
    "so may a variant": ("snowflake", "variant", "array", False),
    "and Redshift's": ("redshift", "super", "array", False),
    "JSON may be an object": ("mysql", "json", "object", False),
    "JSON is no number": ("postgres", "jsonb", "integer", True),
}


@pytest.fixture(scope="module")
def process() -> Iterator[SqlProcess]:
    with SqlProcess() as running:
        yield running


def judge(definition: Definition, promised: str, key: str = "physicalType") -> list[str]:
    text = CONTRACT.format(promised=promised).replace("physicalType", key)
    contract = load(text.encode(), "t.odcs.yaml").contract
    assert contract is not None
    return [item.message for item in compare_definition(contract, contract.objects[0], definition) if item.blocks]


def created(process: SqlProcess, dialect: str, kind: str) -> Definition:
    answer = process.read_statements(SqlText(f"create table t (a {kind})", dialect))
    assert isinstance(answer, list)
    definition = replay(steps_from(answer, "m.sql"), "t", dialect)
    assert isinstance(definition, Definition)
    return definition


@pytest.mark.parametrize("name", KEPT)
def test_words_of_an_engine_that_mean_one_type(process: SqlProcess, name: str) -> None:
    dialect, kind, promises = KEPT[name]
    definition = created(process, dialect, kind)
    assert [item for promised in promises.split("|") for item in judge(definition, promised)] == []


@pytest.mark.parametrize("name", BROKEN)
def test_types_that_an_engine_tells_apart(process: SqlProcess, name: str) -> None:
    dialect, kind, promised = BROKEN[name]
    assert len(judge(created(process, dialect, kind), promised)) == 1


@pytest.mark.parametrize("name", LOGICAL)
def test_a_logical_type_is_held_to_what_the_engine_keeps_in_its_own(process: SqlProcess, name: str) -> None:
    dialect, kind, promised, blocks = LOGICAL[name]
    assert bool(judge(created(process, dialect, kind), promised, "logicalType")) is blocks


@pytest.mark.parametrize("dialect", ["snowflake", "redshift", "sqlite", "bigquery"])
def test_a_cast_in_a_query_keeps_the_promise_of_its_word(process: SqlProcess, dialect: str) -> None:
    word = {"bigquery": "integer", "sqlite": "boolean"}.get(dialect, "float")
    query = process.read_query(SqlText(f"select cast(x as {word}) as a from t", dialect))
    assert isinstance(query, Query)
    definition = resolve_query(query, lambda _: None, "m.sql")
    assert judge(Definition(definition.path, definition.columns, dialect=dialect), word) == []
