"""Whether a column may be null, in the words of many dialects."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.replayed import replayed

from floe_contracts.adapters.sql.process import SqlProcess
from floe_contracts.definitions.definition import Definition

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
    "SQLite's keys that only look like the row number": ("sqlite", "a int primary key", True),
    "such a key in a line of its own": ("sqlite", "a int, b text, primary key (a)", True),
    "SQLite's row number in a line of its own": ("sqlite", "a integer, b text, primary key (a)", False),
    "SQLite's row number that counts": ("sqlite", '"a" INTEGER PRIMARY KEY AUTOINCREMENT', False),
    "SQLite's row number, the wrong way round": ("sqlite", "a integer primary key desc", True),
    "ClickHouse": ("clickhouse", "a Int32", False),
    "ClickHouse with the word": ("clickhouse", "a LowCardinality(Nullable(String))", True),
    "ClickHouse, null inside": ("clickhouse", "a Array(Nullable(String))", False),
}


@pytest.fixture(scope="module")
def process() -> Iterator[SqlProcess]:
    with SqlProcess() as running:
        yield running


@pytest.mark.parametrize("name", NULLABLE)
def test_whether_a_column_may_be_null(process: SqlProcess, name: str) -> None:
    dialect, columns, expected = NULLABLE[name]
    definition = replayed(process, f"create table t ({columns})", dialect)
    assert isinstance(definition, Definition)
    assert [column.nullable for column in definition.columns if column.name == "a"] == [expected]


KEYS: dict[str, tuple[str, str, bool]] = {
    "SQLite without row numbers": ("sqlite", "create table t (a text primary key, b int) without rowid", False),
    "a key of two columns there": ("sqlite", "create table t (a int, b int, primary key (a, b)) WITHOUT ROWID", False),
    "SQLite's strict tables": ("sqlite", "create table t (a text primary key, b int) strict", False),
    "strict ones without row numbers": (
        "sqlite",
        "create table t (a text primary key, b int) strict, without rowid",
        False,
    ),
    "a column beside the key there": ("sqlite", "create table t (a int, b text primary key) strict", True),
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
    "a key that is gone": (
        "mysql",
        "create table t (a int primary key); alter table t drop primary key; alter table t modify a bigint",
        True,
    ),
    "Oracle keeps what MODIFY does not say": (
        "oracle",
        "create table t (a number not null); alter table t modify (a number(12) default null)",
        False,
    ),
    "Oracle's NULL": ("oracle", "create table t (a number not null); alter table t modify a null", True),
    "Oracle's NULL with a type": (
        "oracle",
        "create table t (a number not null); alter table t modify a number null",
        True,
    ),
    "Oracle's NOT NULL": ("oracle", "create table t (a number); alter table t modify (a not null)", False),
    "no key": ("mysql", "create table t (a int not null); alter table t modify a bigint", True),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_stays_not_null(process: SqlProcess, name: str) -> None:
    dialect, text, expected = KEYS[name]
    definition = replayed(process, text, dialect)
    assert isinstance(definition, Definition)
    assert [column.nullable for column in definition.columns if column.name == "a"] == [expected]


def test_null_alone_is_no_type(process: SqlProcess) -> None:
    text = "create table t (a number(19) not null); alter table t modify (\n  a null\n)"
    definition = replayed(process, text, "oracle")
    assert isinstance(definition, Definition)
    assert [(column.type, column.nullable, column.line) for column in definition.columns] == [("NUMBER(19)", True, 2)]
