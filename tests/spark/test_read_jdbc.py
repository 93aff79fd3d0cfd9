"""Tables of a real PostgreSQL: names, types, logins by reference, rights, and a server that never answers."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from support.builders import column, contract, table
from support.hanging import hanging_server
from support.postgres_server import PostgresServer, postgres_server
from support.spark_bindings import ID, jdbc
from support.spark_plans import plan

from floe_contracts.adapters.spark.engine import SparkEngine
from floe_contracts.adapters.spark.read.jdbc import jdbc_options, table_name
from floe_contracts.checks import measure as m
from floe_contracts.checks.drift.judge import TableSchema, judge_schema_drift
from floe_contracts.checks.measured import Clock, Failure
from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.monitor.run.engine import Engine, Measurements, Surroundings
from floe_contracts.product.secret import SecretRef

LIMIT_S = 120.0
PASSWORD = "correct horse battery"
RULES = (
    "host all guarded 127.0.0.1/32 scram-sha-256",
    "host all all 127.0.0.1/32 trust",
)


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """Everybody may log in but `guarded`, who needs a password, and `stranger` may read nothing."""
    with postgres_server() as running:
        place = running.run_sql("SHOW hba_file")
        lines = ", ".join(f"('{one}')" for one in RULES)
        running.run_sql(f"COPY (VALUES {lines}) TO '{place}'")
        running.run_sql("SELECT pg_reload_conf()")
        running.run_sql(f"CREATE ROLE guarded LOGIN SUPERUSER PASSWORD '{PASSWORD}'")
        running.run_sql("CREATE ROLE stranger LOGIN")
        yield running


@pytest.fixture(scope="module")
def shop(server: PostgresServer) -> str:
    url = server.new_database()
    for name in ("orders", '"Order Lines"', '"with.dot"', '"quo""te"', '"select"', '"Mixed"'):
        server.run_sql(f"CREATE TABLE {name} AS SELECT id FROM generate_series(1, 5) AS id", url)
    server.run_sql("CREATE SCHEMA sales", url)
    server.run_sql("CREATE TABLE sales.orders AS SELECT id FROM generate_series(1, 7) AS id", url)
    return url


@pytest.fixture
def engine(lakehouse: SparkSession) -> Engine:
    return SparkEngine(lakehouse)


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        pytest.param("orders", 5, id="plain"),
        pytest.param("sales.orders", 7, id="with its schema"),
        pytest.param("ORDERS", 5, id="in the case that the database folds"),
        pytest.param("public.Mixed", 5, id="in a case of its own"),
        pytest.param("Order Lines", 5, id="a space"),
        pytest.param("`with.dot`", 5, id="a dot"),
        pytest.param('quo"te', 5, id="a quote"),
        pytest.param("select", 5, id="a reserved word"),
    ],
)
def test_names_reach_their_table(engine: Engine, shop: str, name: str, rows: int) -> None:
    found = engine.measure(jdbc(shop, name), plan(m.NullCount(("id",))), Surroundings(limit_s=LIMIT_S))
    assert isinstance(found, Measurements)
    assert found.rows == rows


def test_a_name_cannot_smuggle_a_query(engine: Engine, shop: str) -> None:
    found = engine.schema(jdbc(shop, "(SELECT 1 AS id) AS x"), limit_s=LIMIT_S)
    assert found == Failure("the table does not exist in the database (SQLSTATE 42P01)")


def test_the_password_comes_from_where_it_is_kept(engine: Engine, shop: str, tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD + "\n")
    binding = jdbc(shop, "orders", user="guarded", options=(("password", SecretRef("file", f"{tmp_path}/password")),))
    found = engine.measure(binding, plan(), Surroundings(limit_s=LIMIT_S))
    assert isinstance(found, Measurements)
    assert found.rows == 5


def test_a_wrong_password_is_told_without_it(
    engine: Engine, shop: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "hunter2 hunter2")
    caplog.set_level(logging.DEBUG)
    binding = jdbc(shop, "orders", user="guarded", options=(("password", SecretRef("env", "SHOP_PASSWORD")),))
    found = engine.schema(binding, limit_s=LIMIT_S)
    assert found == Failure("the database refused the login (SQLSTATE 28P01)")
    assert "hunter2" not in caplog.text
    assert "hunter2" not in repr(binding)


@pytest.mark.parametrize(
    ("name", "more", "reason"),
    [
        pytest.param("ghosts", {}, "the table does not exist in the database (SQLSTATE 42P01)", id="no table"),
        pytest.param(
            "orders", {"user": "stranger"}, "permission to read it is denied (SQLSTATE 42501)", id="no permission"
        ),
        pytest.param("orders", {"user": "nobody"}, "the database refused the login (SQLSTATE 28000)", id="no user"),
        pytest.param(
            "orders",
            {"options": (("password", SecretRef("env", "FLOE_NOT_SET")),)},
            "the settings refer to env:FLOE_NOT_SET, and this environment variable is not set",
            id="no secret",
        ),
    ],
)
def test_what_the_database_refuses(engine: Engine, shop: str, name: str, more: dict[str, str], reason: str) -> None:
    assert engine.schema(jdbc(shop, name, **more), limit_s=LIMIT_S) == Failure(reason)


def test_nobody_listens(engine: Engine) -> None:
    found = engine.schema(jdbc("x@127.0.0.1:1/shop", "orders"), limit_s=LIMIT_S)
    assert found == Failure("nothing listens at its address")


def test_no_such_database(engine: Engine, server: PostgresServer) -> None:
    found = engine.schema(jdbc(server.url("nowhere"), "orders"), limit_s=LIMIT_S)
    assert found == Failure("the database does not exist (SQLSTATE 3D000)")


def test_a_server_that_never_answers_is_given_up(engine: Engine) -> None:
    with hanging_server() as port:
        started = time.monotonic()
        found = engine.schema(jdbc(f"x@127.0.0.1:{port}/shop", "orders"), limit_s=2.0)
        seconds = time.monotonic() - started
    assert isinstance(found, Failure)
    assert seconds < 20


def test_times_without_a_zone_are_not_moved(engine: Engine, server: PostgresServer, shop: str) -> None:
    server.run_sql(
        "CREATE TABLE times AS SELECT timestamp '2026-01-03 12:00:00' AS wall, "
        "timestamptz '2026-01-03 12:00:00+00' AS moment",
        shop,
    )
    noon = 1_767_441_600_000_000
    for name in ("wall", "moment"):
        found = engine.clock(
            jdbc(shop, "times"), ClockChoice((name,), ""), as_of_us=noon, skew_us=0, group_by="", limit_s=LIMIT_S
        )
        assert isinstance(found, Clock)
        assert found.last_us == noon


def test_options_of_the_connection_win() -> None:
    binding = jdbc("x@db:5432/shop", "orders", options=(("fetchSize", "7"), ("socketTimeout", "3")))
    found = jdbc_options(binding, 9.2)
    assert (found["fetchSize"], found["socketTimeout"], found["queryTimeout"]) == ("7", "3", "10")
    assert "fetchsize" not in found


@pytest.mark.parametrize(
    ("url", "quoted"),
    [
        pytest.param("jdbc:postgresql://db/shop", '"sales"."Order Lines"', id="by the standard"),
        pytest.param("jdbc:mysql://db/shop", "`sales`.`Order Lines`", id="MySQL"),
    ],
)
def test_names_are_quoted_as_the_database_wants(url: str, quoted: str) -> None:
    assert table_name(replace(jdbc("x@db/shop", "sales.Order Lines"), location=url)) == (quoted, "")


def test_a_column_of_every_kind_has_the_type_that_postgres_says(
    engine: Engine, server: PostgresServer, shop: str
) -> None:
    kinds = {
        "a": ("integer", "int"),
        "b": ("bigint", "bigint"),
        "c": ("numeric(10,2)", "decimal(10,2)"),
        "d": ("double precision", "double"),
        "e": ("real", "float"),
        "f": ("boolean", "boolean"),
        "g": ("date", "date"),
        "h": ("timestamp", "timestamp_ntz"),
        "i": ("timestamptz", "timestamp"),
        "j": ("varchar(10)", "varchar(10)"),
        "k": ("char(3)", "char(3)"),
        "l": ("text", "string"),
        "m": ("uuid", "string"),
        "n": ("bytea", "binary"),
        "o": ("integer[]", "array<int>"),
        "p": ("smallint", "smallint"),
    }
    columns = ", ".join(f"{name} {kind}" for name, (kind, _) in kinds.items())
    server.run_sql(f"CREATE TABLE kinds ({columns})", shop)
    found = engine.schema(jdbc(shop, "kinds", ID, column("x")), limit_s=LIMIT_S)
    assert not isinstance(found, Failure)
    assert {one.name: one.shown for one in found} == {name: spark for name, (_, spark) in kinds.items()}


@pytest.fixture(scope="module")
def odd(server: PostgresServer) -> str:
    url = server.new_database()
    server.run_sql("CREATE TABLE odd (id int, nan numeric, late timestamp, big numeric)", url)
    server.run_sql("INSERT INTO odd VALUES (1, 'NaN', 'infinity', 1e25), (2, 1.5, '2026-01-01', 2)", url)
    return url


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        pytest.param("nan", "as NaN and infinity cannot (SQLSTATE 22003)", id="no number"),
        pytest.param("late", "too large for its type, as infinity is", id="infinity"),
        pytest.param("big", "a number has more digits than its type", id="more digits than Spark has"),
    ],
)
def test_a_column_that_cannot_be_read_spoils_no_other(engine: Engine, odd: str, name: str, cause: str) -> None:
    bad: list[m.Measure] = [m.NullCount((name,)), m.InvalidCount((name,), m.OneOf(("1",)))]
    good: list[m.Measure] = [m.NullCount(("id",)), m.InvalidCount(("id",), m.Within("0"))]
    found = engine.measure(jdbc(odd, "odd"), plan(*good, *bad), Surroundings(limit_s=LIMIT_S))
    assert isinstance(found, Measurements)
    assert [found.values[one] for one in good] == [0, 0]
    reasons = [answer.reason for one in bad if isinstance(answer := found.values[one], Failure)]
    assert reasons
    assert all(cause in reason for reason in reasons)
    assert found.scans <= 7


def test_a_value_that_cannot_be_read_is_no_outage(engine: Engine, odd: str) -> None:
    probe = engine.probe(jdbc(odd, "odd"), limit_s=LIMIT_S)
    assert (probe.ok, probe.retried) == (True, False)
    assert not engine.probe(jdbc(odd, "gone"), limit_s=LIMIT_S).ok


TYPES = (
    *("varchar", "varchar(20)", "char(3)", "text", "uuid", "json", "jsonb", "boolean", "smallint", "integer", "bigint"),
    *("real", "float", "float(20)", "double precision", "numeric", "numeric(10,2)", "numeric(50,10)", "bytea", "date"),
    *("time", "timetz", "timestamp", "timestamptz", "interval", "int[]"),
)


def test_a_table_made_from_its_contract_shows_no_drift(server: PostgresServer, engine: Engine) -> None:
    url = server.new_database()
    names = {f"c{number}": kind for number, kind in enumerate(TYPES)}
    server.run_sql("CREATE TYPE mood AS ENUM ('good', 'bad')", url)
    server.run_sql(f"CREATE TABLE kinds ({', '.join(f'{name} {kind}' for name, kind in names.items())}, m mood)", url)
    columns = [column(name, None, physical_type=kind) for name, kind in names.items()]
    where = jdbc(url, "kinds", *columns, column("m", "string"))
    actual = engine.schema(where, limit_s=LIMIT_S)
    drift = judge_schema_drift(contract(where.table), [TableSchema(where.table, actual, None, engine.reading(where))])
    assert [item.message for item in drift.findings] == []
    words = [column(f"c{TYPES.index('jsonb')}", "object"), column(f"c{TYPES.index('time')}", "time")]
    logical = table(*words)
    drift = judge_schema_drift(contract(logical), [TableSchema(logical, actual, None, engine.reading(where))])
    assert [item.message for item in drift.findings if item.code.id == "FLOE-E530"] == []


def test_an_address_of_an_unknown_kind_asks_for_the_driver(engine: Engine) -> None:
    where = replace(jdbc("postgresql://floe@127.0.0.1:1/x", "t"), location="jdbc:nobody:here")
    answer = engine.schema(where, limit_s=LIMIT_S)
    assert isinstance(answer, Failure)
    assert "needs the driver's class name: add options: {driver: …}" in answer.reason
