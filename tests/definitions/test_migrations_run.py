"""Random migrations run on real engines: what is replayed from the text is what their own catalog says."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator

import pytest
from support.postgres_server import PostgresServer
from support.replayed import Columns, read_columns

from floe_contracts.adapters.sql.process import SqlProcess

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
    assert read_columns(process, lines, "sqlite") == in_sqlite(lines)


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
    assert read_columns(process, lines, "duckdb") == in_duckdb(lines)


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
        assert read_columns(process, lines, "postgres") == {name.casefold(): word == "YES" for name, word in rows}, (
            lines
        )
