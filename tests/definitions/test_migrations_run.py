"""Random migrations run on real engines: what is replayed from the text is what their own catalog says."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator

import pytest
from support.postgres_server import PostgresServer

from floe_contracts.adapters.sql.process import SqlProcess, SqlText
from floe_contracts.adapters.sql.step_values import steps_from
from floe_contracts.definitions.definition import Definition, Gap
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
    "T-SQL inline index": ("tsql", "create table t (a int, index ix (a))", "a"),
    "Oracle slashes": ("oracle", "begin null; end;\n/\ncreate table t (a int);\n/\nalter table t add (b int)", "a b"),
    "MySQL runs some comments": (
        "mysql",
        "/*!50001 create table t (a int) */; /*!40000 alter table t add b int */",
        "a b",
    ),
    "Spark change": ("databricks", "create table t (a int); alter table t change column a b int", "b"),
    "a column called begin": ("postgres", "create table t (begin date); alter table t add more date", "begin more"),
    "a trigger of several statements": (
        "sqlite",
        (
            "create table t (a int); create trigger g after insert on t begin update t set a = 1; delete from t; end;"
            "alter table t add b int"
        ),
        "a b",
    ),
    "what changes no columns": (
        "postgres",
        (
            "create table t (a int); alter table t owner to me; alter table t enable row level security;"
            "alter table t rename constraint a to b; create policy p on t using (true); alter type u add value 't';"
            "alter table t replica identity full; alter table t set (fillfactor = 70); refresh materialized view t;"
            "create function f() returns trigger as $$ begin insert into t values (1); return new; end $$;"
            "do $$ begin perform f(); end $$; select setval('t', 1)"
        ),
        "a",
    ),
    "another schema's table": ("postgres", "create table t (a int); create table old.t (b int); drop table old.t", "a"),
    "the schema that is meant": ("postgres", "create table public.t (a int); alter table t add b int", "a b"),
    "a temporary table in its way": (
        "postgres",
        "create table t (a int); create temp table t (z int); drop table t; alter table t add b int",
        "a b",
    ),
    "a routine that nobody calls": (
        "postgres",
        "create table t (a int); create function f() returns void as $$ begin drop table t; end $$ language plpgsql",
        "a",
    ),
    "two acts in BigQuery": (
        "bigquery",
        "create table t (a int64); alter table t add column b int64, drop column a",
        "b",
    ),
    "acts that only some can be parsed": (
        "mysql",
        (
            "create table t (a int); alter table t engine=InnoDB, add b decimal(3,1), lock = shared,"
            " convert to character set utf8mb4 collate utf8mb4_bin, drop column a"
        ),
        "b",
    ),
    "a check beside a column": (
        "postgres",
        "create table t (a int); alter table t add b int, add check (a > 1)",
        "a b",
    ),
    "SQLite's options": ("sqlite", "create table t (a text, b text, primary key (a, b)) without rowid", "a b"),
    "options that sqlglot does not know": (
        "clickhouse",
        "create table t (a Int8) ENGINE = X SETTINGS b.c = 1 odd",
        "a",
    ),
    "columns of partitions": (
        "hive",
        "create table t (a int) partitioned by (b string); alter table t add partition (b='1')",
        "a b",
    ),
    "partitions by columns of a query": (
        "hive",
        "create table t partitioned by (b) as select 1 as a, 2 as b",
        "a b",
    ),
    "partitions by columns of the list": (
        "spark",
        "create table t (a int, b date) using delta partitioned by (b)",
        "a b",
    ),
    "new names of other things": (
        "postgres",
        (
            "create table t (a int); alter index t rename to i; alter trigger g on t rename to h;"
            "alter sequence t_seq rename to s; alter type t rename to k"
        ),
        "a",
    ),
    "made anew": ("postgres", "create table t (a int); drop table t; create table t (b int)", "b"),
}


@pytest.mark.parametrize("name", TRAPS)
def test_traps_of_dialects(process: SqlProcess, name: str) -> None:
    dialect, text, expected = TRAPS[name]
    assert sorted(read(process, [text.rstrip().removesuffix(";")], dialect)) == expected.split()


UNCLEAR: dict[str, tuple[str, str]] = {
    "dynamic SQL": ("postgres", "create table t (a int); do $$ begin execute 'alter table t drop column a'; end $$"),
    "a drop without the word column": ("duckdb", "create table t (a int); alter table t drop a"),
    "a rename of tables": ("mysql", "create table t (a int); rename table t to t, x to y"),
    "a swap": ("snowflake", "create table t (a int); alter table t swap with u"),
    "a copy of another": ("postgres", "create table t (like u including all)"),
    "an inherited table": ("postgres", "create table t (a int) inherits (u)"),
    "a clone": ("snowflake", "create table t clone u"),
    "columns beside a query": ("mysql", "create table s (b int); create table t (a int) select b from s"),
    "a block with two acts": ("tsql", "create table t (a int); if 1 = 1 begin print 'x'; drop table t; end"),
    "a block that a batch holds": (
        "tsql",
        "create table t (a int)\ngo\nset nocount on; begin try drop table t; end try",
    ),
    "no semicolon": ("tsql", "create table t (a int); insert into u values (1) drop table t"),
    "an index, then no semicolon": (
        "tsql",
        "create table t (a int); create index i on u (a) alter table t drop column a",
    ),
    "a statement in a variable": ("mysql", "create table t (a int); set @s = 'alter table t add b int'"),
    "a computed name in a variable": ("mysql", "create table t (a int); set @s = concat('drop table ', @t)"),
    "a computed name in double quotes": (
        "mysql",
        'create table t (a int); set @n = "t"; set @s = (select concat("ALTER TABLE ", @n, " ADD b int"))',
    ),
    "a computed end of a name": (
        "postgres",
        "create table ab (a int); create table t (a int); do $$ begin execute 'drop table a' || x; end $$",
    ),
    "a computed name in a schema": (
        "tsql",
        "create table t (a int); exec('alter table dbo.' + @n + ' drop column a')",
    ),
    "an act that goes on without a word": (
        "snowflake",
        "create table t (a int); alter table t add b odd odd odd, comment text",
    ),
    "options that bring in columns": ("postgres", "create table t (a int) odd odd inherits (u)"),
    "a loop over tables": (
        "postgres",
        "create table t (a int); do $$ begin execute format('alter table %I add b int', 'x'); end $$",
    ),
    "a routine that is called": (
        "postgres",
        (
            "create table t (a int); create procedure p() language plpgsql as $$ begin alter table t add b int; end $$;"
            "call p()"
        ),
    ),
    "a routine called in a block": (
        "postgres",
        (
            "create table t (a int); create function f() returns int language sql as $$ drop table t $$;"
            "do $$ begin perform f(); end $$"
        ),
    ),
    "a function that nobody knows": ("postgres", "create table t (a int); select addgeometrycolumn('t', 'geom')"),
    "a dropped schema": ("postgres", "create table app.t (a int); drop schema if exists app cascade"),
    "a dropped type": ("postgres", "create table t (a kind); drop type kind cascade"),
    "a dropped table made by a select": ("tsql", "create table t (a int); drop table t; select * into t from u"),
    "a table renamed from one that is not known": ("sqlite", "alter table u rename to t"),
    "a file in the wrong order": ("sqlite", "alter table t rename a to b; create table t (a int)"),
    "a column that is not there": ("sqlite", "create table t (a int); alter table t rename b to c"),
    "two schemas": ("postgres", "create table a.t (x int); create table b.t (y int)"),
}
NULLABLE: dict[str, tuple[str, str, bool | None]] = {
    "a plain column": ("postgres", "a int", True),
    "a type of the user's own, which may forbid it": ("postgres", "a email", None),
    "such a type with the words": ("postgres", "a email not null", False),
    "a serial": ("postgres", "a bigserial", False),
    "an identity": ("postgres", "a int generated always as identity", False),
    "an identity elsewhere": ("databricks", "a bigint generated always as identity", None),
    "a computed column": ("tsql", "z int, a as (z + 1)", None),
    "SQLite's row number": ("sqlite", "a integer primary key", False),
    "SQLite's other keys": ("sqlite", "a text primary key", True),
    "SQLite's keys in a line of their own": ("sqlite", "a text, b int, primary key (a, b)", True),
    "ClickHouse": ("clickhouse", "a Int32", False),
    "ClickHouse with the word": ("clickhouse", "a LowCardinality(Nullable(String))", True),
    "ClickHouse, null inside": ("clickhouse", "a Array(Nullable(String))", False),
}


@pytest.mark.parametrize("name", NULLABLE)
def test_whether_a_column_may_be_null(process: SqlProcess, name: str) -> None:
    dialect, columns, expected = NULLABLE[name]
    definition = replayed(process, f"create table t ({columns})", dialect)
    assert isinstance(definition, Definition)
    assert [column.nullable for column in definition.columns if column.name == "a"] == [expected]


KEYS: dict[str, tuple[str, str, bool]] = {
    "a changed type in MySQL": (
        "mysql",
        "create table t (a int, primary key (a)); alter table t modify a bigint",
        False,
    ),
    "a changed name in MySQL": ("mysql", "create table t (b int primary key); alter table t change b a bigint", False),
    "a key that comes later": (
        "mysql",
        "create table t (a int); alter table t add primary key (a); alter table t modify a bigint",
        False,
    ),
    "no key": ("mysql", "create table t (a int not null); alter table t modify a bigint", True),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_stays_not_null(process: SqlProcess, name: str) -> None:
    dialect, text, expected = KEYS[name]
    definition = replayed(process, text, dialect)
    assert isinstance(definition, Definition)
    assert [column.nullable for column in definition.columns] == [expected]


def replayed(process: SqlProcess, text: str, dialect: str) -> Definition | Gap | None:
    answer = process.read_statements(SqlText(text, dialect))
    assert isinstance(answer, list)
    return replay(steps_from(answer, "m.sql"), "t", dialect)


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_cannot_be_taken_apart_is_no_answer(process: SqlProcess, name: str) -> None:
    dialect, text = UNCLEAR[name]
    definition = replayed(process, text, dialect)
    assert definition is not None, "it cannot be told, which is not the same as deleted"
    assert isinstance(definition, Gap) or not definition.complete


def test_what_was_known_before_an_unclear_statement_counts_no_more(process: SqlProcess) -> None:
    definition = replayed(process, "create table t (a int); exec sp_rename 't.a', 'b'; alter table t add c int", "tsql")
    assert isinstance(definition, Definition)
    assert [column.name for column in definition.columns] == ["c"]
