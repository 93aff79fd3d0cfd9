"""Statements of many dialects: what a table is after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.replayed import read_columns

from floe_contracts.adapters.sql.process import SqlProcess

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
    "a column renamed in T-SQL": (
        "tsql",
        "create table dbo.t (a int);\nGO\nexec sp_rename 'dbo.t.a', 'userId', 'COLUMN';\nGO\nexec sp_refreshview 't'",
        "userid",
    ),
    "a table renamed in T-SQL": ("tsql", "create table [dbo].[u] (a int); EXEC sp_rename N'[dbo].[u]', N't'", "a"),
    "names as Alembic writes them for T-SQL": (
        "tsql",
        "create table u (a int);\nGO\nEXEC sp_rename 'u.a', [userId], 'COLUMN';\nGO\nEXEC sp_rename 'u', t;\nGO",
        "userid",
    ),
    "an index renamed in T-SQL": ("tsql", "create table t (a int); exec sp_rename 't.i', 'j', 'INDEX'", "a"),
    "a constraint that is not checked": (
        "tsql",
        "create table t (a int); alter table t with nocheck add constraint k foreign key (a) references u (a)",
        "a",
    ),
    "tables renamed in MySQL": (
        "mysql",
        "create table t (a int); create table t2 (b int); rename table t to old_t, t2 to t",
        "b",
    ),
    "a table renamed in Oracle": ("oracle", "create table u (a number); rename u to t", "a"),
    "columns dropped in brackets": (
        "oracle",
        "create table t (a number, b number, c date); alter table t drop (a, b)",
        "c",
    ),
    "columns dropped in Databricks": (
        "databricks",
        "create table t (a int, b int, c date); alter table t drop columns (a, b)",
        "c",
    ),
    "partitions under computed names": (
        "postgres",
        (
            "create table t (a int); do $$ begin execute format('create table %I partition of x', 'y'); end $$;"
            "select make_partition('x')"
        ),
        "a",
    ),
    "computed statements that keep all columns": (
        "postgres",
        (
            "create table t (a int); do $$ begin execute format('ALTER TABLE %1$I ENABLE ROW LEVEL SECURITY', x);"
            "execute format('alter table %s attach partition %s for values in (1)', x, y); end $$"
        ),
        "a",
    ),
    "identities as pg_dump writes them": (
        "postgres",
        (
            "create table t (a int not null); alter table t alter column a add generated by default as identity (\n"
            "sequence name t_a_seq start with 1 cache 1\n)"
        ),
        "a",
    ),
    "mutations": ("clickhouse", "create table t (a Int8) engine=X; alter table t update a = 1 where a > 1", "a"),
    "made anew": ("postgres", "create table t (a int); drop table t; create table t (b int)", "b"),
}


@pytest.fixture(scope="module")
def process() -> Iterator[SqlProcess]:
    with SqlProcess() as running:
        yield running


@pytest.mark.parametrize("name", TRAPS)
def test_traps_of_dialects(process: SqlProcess, name: str) -> None:
    dialect, text, expected = TRAPS[name]
    assert sorted(read_columns(process, [text.rstrip().removesuffix(";")], dialect)) == expected.split()
