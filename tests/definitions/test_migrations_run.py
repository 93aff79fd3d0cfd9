"""Random migrations run on real engines: what is replayed from the text is what their own catalog says."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator

import pytest
from support.postgres_server import PostgresServer

from floe_contracts.adapters.sql.process import SqlProcess, SqlText
from floe_contracts.adapters.sql.step_values import steps_from
from floe_contracts.definitions.definition import Definition
from floe_contracts.definitions.migration import replay

Columns = dict[str, bool]  # name: whether it may be null
NAMES = ("id", "user_id", "event_ts", "kind", "amount", "note", "created", "State")
TYPES = ("int", "bigint", "text", "varchar(20)", "date", "timestamp")


@pytest.fixture(scope="module")
def process() -> Iterator[SqlProcess]:
    with SqlProcess() as running:
        yield running


def statements(seed: int, dialect: str) -> list[str]:
    """A table and what happens to it, each statement sound when run after those before it."""
    chance = random.Random(seed)
    first, *others = chance.sample(NAMES, 4)
    columns = [first, *others]
    made = ", ".join(f"{name} {chance.choice(TYPES)}{chance.choice(('', ' not null'))}" for name in columns)
    lines = [f"create table t ({made})"]
    for number in range(chance.randint(1, 6)):
        act = chance.choice(("add", "drop", "rename", "short", "nullable", "table"))
        column = chance.choice(columns)
        if act == "add":
            columns.append(f"new_{number}")
            lines.append(f"alter table t add column new_{number} {chance.choice(TYPES)}")
        elif act == "drop" and len(columns) > 1:
            columns.remove(column)
            lines.append(f"alter table t drop column {column}")
        elif act in ("rename", "short"):
            word = "column " if act == "rename" else ""
            columns[columns.index(column)] = f"was_{number}"
            lines.append(f"alter table t rename {word}{column} to was_{number}")
        elif act == "nullable" and dialect == "postgres":
            lines.append(f"alter table t alter column {column} {chance.choice(('set', 'drop'))} not null")
        elif act == "table":
            lines += ["alter table t rename to other", "create table t2 (x int)", "alter table other rename to t"]
            lines.append("drop table t2")
    return lines


def read(process: SqlProcess, lines: list[str], dialect: str) -> Columns:
    answer = process.read_statements(SqlText(";\n".join(lines) + ";\n", dialect))
    assert isinstance(answer, list), answer
    definition = replay(steps_from(answer, "m.sql"), "t", dialect)
    assert isinstance(definition, Definition), (definition, lines)
    assert definition.complete, (definition.unknown, lines)
    return {column.name.casefold(): bool(column.nullable) for column in definition.columns}


def in_sqlite(lines: list[str]) -> Columns:
    connection = sqlite3.connect(":memory:")
    for line in lines:
        connection.execute(line)
    rows = connection.execute("pragma table_info(t)").fetchall()
    connection.close()
    return {name.casefold(): not held for _, name, _, held, *_ in rows}


@pytest.mark.parametrize("seed", range(60))
def test_sqlite_has_the_columns_that_are_read(process: SqlProcess, seed: int) -> None:
    lines = statements(seed, "sqlite")
    assert read(process, lines, "sqlite") == in_sqlite(lines)


def in_duckdb(lines: list[str]) -> Columns:
    import duckdb

    connection = duckdb.connect(":memory:")
    for line in lines:
        connection.execute(line)
    asked = "select column_name, is_nullable from information_schema.columns where table_name = 't'"
    rows = connection.execute(asked).fetchall()
    connection.close()
    return {name.casefold(): word == "YES" for name, word in rows}


@pytest.mark.parametrize("seed", range(60))
def test_duckdb_has_the_columns_that_are_read(process: SqlProcess, seed: int) -> None:
    lines = statements(seed, "duckdb")
    assert read(process, lines, "duckdb") == in_duckdb(lines)


@pytest.mark.service
def test_postgres_has_the_columns_that_are_read(process: SqlProcess, postgres: PostgresServer) -> None:
    import psycopg

    for seed in range(60):
        lines = statements(seed, "postgres")
        with psycopg.connect(postgres.url(), autocommit=True) as connection:
            connection.execute("drop table if exists t, t2, other")
            for line in lines:
                connection.execute(line)
            rows = connection.execute(
                "select column_name, is_nullable from information_schema.columns where table_name = 't'"
            ).fetchall()
            connection.execute("drop table t")
        assert read(process, lines, "postgres") == {name.casefold(): word == "YES" for name, word in rows}, lines


TRAPS: dict[str, tuple[str, str, str]] = {
    "T-SQL batches": ("tsql", "create table t (a int not null)\nGO\nalter table t add b int\nGO\n", "a b"),
    "MySQL change": ("mysql", "create table t (a int); alter table t change column a b varchar(20)", "b"),
    "Spark add columns": ("spark", "create table t (a int); alter table t add columns (b int, c string)", "a b c"),
    "Oracle add": ("oracle", "create table t (a number(10)); alter table t add (b number(1))", "a b"),
    "a view of a table": ("postgres", "create table s (a int, b int); create view t as select b, a as c from s", "b c"),
    "a table as a query": ("snowflake", "create table s (a int); create table t as select * from s", "a"),
    "a temporary table": ("postgres", "create table t (a int); create temp table t (z int)", "a"),
    "another schema": ("postgres", "create table app.t (a int); alter table app.t drop column if exists z", "a"),
    "made anew": ("postgres", "create table t (a int); drop table t; create table t (b int)", "b"),
}


@pytest.mark.parametrize("name", TRAPS)
def test_traps_of_dialects(process: SqlProcess, name: str) -> None:
    dialect, text, expected = TRAPS[name]
    assert sorted(read(process, [text.rstrip().removesuffix(";")], dialect)) == expected.split()


UNCLEAR: dict[str, tuple[str, str]] = {
    "dynamic SQL": ("postgres", "create table t (a int); do $$ begin execute 'alter table t drop column a'; end $$"),
    "two acts in BigQuery": ("bigquery", "create table t (a int64); alter table t add column b int64, drop column a"),
    "a drop without the word column": ("duckdb", "create table t (a int); alter table t drop a"),
    "a rename of tables": ("mysql", "create table t (a int); rename table t to t, x to y"),
    "a swap": ("snowflake", "create table t (a int); alter table t swap with u"),
    "a copy of another": ("postgres", "create table t (like u including all)"),
    "an inherited table": ("postgres", "create table t (a int) inherits (u)"),
    "a clone": ("snowflake", "create table t clone u"),
}


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_cannot_be_taken_apart_is_no_answer(process: SqlProcess, name: str) -> None:
    dialect, text = UNCLEAR[name]
    answer = process.read_statements(SqlText(text, dialect))
    assert isinstance(answer, list)
    definition = replay(steps_from(answer, "m.sql"), "t", dialect)
    assert not isinstance(definition, Definition) or not definition.complete
