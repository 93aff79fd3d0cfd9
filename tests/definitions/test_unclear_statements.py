"""Statements that floe cannot take apart: nothing is known of a table that they name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.replayed import replayed

from floe_contracts.adapters.sql.process import SqlProcess
from floe_contracts.definitions.definition import Definition, Gap

UNCLEAR: dict[str, tuple[str, str]] = {
    "dynamic SQL": ("postgres", "create table t (a int); do $$ begin execute 'alter table t drop column a'; end $$"),
    "a drop without the word column": ("duckdb", "create table t (a int); alter table t drop a"),
    "a rename of nobody knows what": ("tsql", "create table t (a int); exec sp_rename 't.a', 'b'"),
    "a table made under a computed name": (
        "postgres",
        "do $$ begin execute format('create table %I (a int)', 't'); end $$",
    ),
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
    "a computed statement of two acts": (
        "postgres",
        (
            "create table t (a int);"
            "do $$ begin execute format('alter table %I drop constraint k, drop column a', x); end $$"
        ),
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


@pytest.fixture(scope="module")
def process() -> Iterator[SqlProcess]:
    with SqlProcess() as running:
        yield running


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
