"""Which table a check looks at, for every type of server, and why none where there is none."""

from __future__ import annotations

from typing import Any

import pytest
from support.builders import contract, server, table

from floe_contracts.contract.model import Contract, CustomProperty, Server
from floe_contracts.monitor.source.binding import Binding, SourceHints, Unbound, bind
from floe_contracts.monitor.source.connection import Connection
from floe_contracts.monitor.source.server_types import Reach


def bound(one: Contract, **where: Any) -> Binding:
    found = bind(one, one.objects[0], SourceHints(**where))
    assert isinstance(found, Binding), found
    return found


def unbound(one: Contract, **where: Any) -> str:
    found = bind(one, one.objects[0], SourceHints(**where))
    assert isinstance(found, Unbound), found
    return found.reason


def on(kind: str, **coordinates: Any) -> Contract:
    return contract(servers=(Server("prod", kind, coordinates=coordinates),))


def told(binding: Binding) -> tuple[str, str, str, str]:
    return binding.reach.value, binding.format, binding.location, binding.name


@pytest.mark.parametrize(
    ("kind", "coordinates", "expected"),
    [
        pytest.param(
            "local", {"path": "/d/o.parquet", "format": "parquet"}, ("files", "parquet", "/d/o.parquet", ""), id="local"
        ),
        pytest.param("local", {"path": "/d/o.csv.gz"}, ("files", "csv", "/d/o.csv.gz", ""), id="format by its ending"),
        pytest.param(
            "s3", {"location": "s3://b/orders/*.json"}, ("files", "json", "s3://b/orders/*.json", ""), id="s3"
        ),
        pytest.param(
            "s3",
            {"location": "s3://b/{model}/", "format": "delta"},
            ("files", "delta", "s3://b/orders/", ""),
            id="delta",
        ),
        pytest.param(
            "azure",
            {"location": "abfss://c@a.dfs.core.windows.net/o", "format": "parquet"},
            ("files", "parquet", "abfss://c@a.dfs.core.windows.net/o", ""),
            id="azure",
        ),
        pytest.param(
            "glue",
            {"account": "1", "database": "shop", "location": "s3://b/o", "format": "orc"},
            ("files", "orc", "s3://b/o", ""),
            id="glue with a location",
        ),
        pytest.param("glue", {"account": "1", "database": "shop"}, ("table", "", "", "shop.orders"), id="glue"),
        pytest.param(
            "databricks",
            {"catalog": "main", "schema": "shop", "host": "h"},
            ("table", "", "", "main.shop.orders"),
            id="databricks",
        ),
        pytest.param("hive", {"host": "h", "database": "shop"}, ("table", "", "", "shop.orders"), id="hive"),
        pytest.param(
            "iceberg",
            {"catalog": "lake", "catalogUrl": "http://c", "namespace": "gold"},
            ("table", "", "", "lake.gold.orders"),
            id="iceberg",
        ),
        pytest.param(
            "postgres",
            {"host": "db", "port": 5433, "database": "shop", "schema": "public"},
            ("jdbc", "", "jdbc:postgresql://db:5433/shop", "public.orders"),
            id="postgres",
        ),
        pytest.param(
            "postgresql",
            {"host": "db", "database": "shop", "schema": "public"},
            ("jdbc", "", "jdbc:postgresql://db:5432/shop", "public.orders"),
            id="the usual port",
        ),
        pytest.param(
            "mysql", {"host": "db", "database": "shop"}, ("jdbc", "", "jdbc:mysql://db:3306/shop", "orders"), id="mysql"
        ),
        pytest.param(
            "sqlserver",
            {"host": "db", "database": "shop", "schema": "dbo"},
            ("jdbc", "", "jdbc:sqlserver://db:1433;databaseName=shop", "dbo.orders"),
            id="sqlserver",
        ),
        pytest.param(
            "oracle",
            {"host": "db", "port": 1521, "serviceName": "XE"},
            ("jdbc", "", "jdbc:oracle:thin:@//db:1521/XE", "orders"),
            id="oracle",
        ),
        pytest.param(
            "snowflake",
            {"account": "ab1", "database": "SHOP", "schema": "PUBLIC", "warehouse": "WH"},
            ("jdbc", "", "jdbc:snowflake://ab1.snowflakecomputing.com/?db=SHOP&warehouse=WH", "PUBLIC.orders"),
            id="snowflake",
        ),
        pytest.param("kafka", {"host": "b:9092", "format": "json"}, ("kafka", "json", "b:9092", "orders"), id="kafka"),
        pytest.param("custom", {}, ("dataframe", "", "", "orders"), id="custom: a registered data frame"),
        pytest.param(
            "custom", {"url": "jdbc:h2:/d"}, ("jdbc", "", "jdbc:h2:/d", "orders"), id="custom with an address: JDBC"
        ),
        pytest.param("custom", {"path": "/d/o.orc"}, ("files", "orc", "/d/o.orc", ""), id="custom with a path: files"),
    ],
)
def test_every_type_of_server(kind: str, coordinates: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert told(bound(on(kind, **coordinates))) == expected


def test_a_custom_server_may_say_its_type() -> None:
    custom = (CustomProperty("customType", "dataframe"),)
    assert bound(contract(servers=(Server("x", "custom", custom=custom),))).reach is Reach.DATAFRAME


def test_the_physical_name_is_the_name_in_the_source() -> None:
    one = contract(table(physical_name="tbl_orders"), servers=(server(host="h", database="d", schema="s"),))
    assert bound(one).name == "s.tbl_orders"


def test_a_name_with_dots_is_complete() -> None:
    one = contract(table(physical_name="sales.orders"), servers=(server(host="h", database="d", schema="s"),))
    assert bound(one).name == "sales.orders"


@pytest.mark.parametrize(
    ("servers", "where", "reason"),
    [
        pytest.param((), {}, "says nothing about where its data is", id="no server at all"),
        pytest.param(
            (server("dev"), server("prod")), {}, "2 servers; choose one with --server: dev, prod", id="several servers"
        ),
        pytest.param(
            (server("dev"),),
            {"server": "prod"},
            "has no server called 'prod'; it has dev",
            id="a server that is not there",
        ),
        pytest.param((Server("x", "bigquery"),), {}, "no way is known to read", id="a type that Spark cannot read"),
        pytest.param((Server("x", "postgres", coordinates={"host": "h"}),), {}, "needs database", id="half an address"),
        pytest.param((Server("x", "local", coordinates={"path": "data"}),), {}, "write format:", id="no format"),
        pytest.param(
            (Server("x", "s3", coordinates={"location": "s3://b", "format": "xlsx"}),),
            {},
            "'xlsx'",
            id="a strange format",
        ),
        pytest.param(
            (Server("x", "s3", coordinates={"location": "s3://k:hunter2@b/o.csv"}),),
            {},
            "its address holds a password",
            id="a password in the contract",
        ),
    ],
)
def test_why_a_table_is_not_bound(servers: tuple[Server, ...], where: dict[str, Any], reason: str) -> None:
    said = unbound(contract(servers=servers), **where)
    assert reason in said
    assert "hunter2" not in said


def test_only_a_contract_that_says_nothing_at_all_is_silent() -> None:
    def silent(*servers: Server) -> bool:
        found = bind(contract(servers=servers), table(), SourceHints())
        return isinstance(found, Unbound) and found.silent

    assert [silent(), silent(server("a"), server("b"))] == [True, False]


def test_one_of_several_servers_is_chosen_by_name() -> None:
    one = contract(servers=(server("dev", host="d", database="x"), server("prod", host="p", database="x")))
    assert bound(one, server="prod").location == "jdbc:postgresql://p:5432/x"
    assert bound(one, connection=Connection(server="dev"), server="prod").server == "dev"


def test_a_connection_with_a_type_stands_alone() -> None:
    one = contract(servers=(server("a"), server("b")))
    found = bound(one, connection=Connection(type="local", location="/d/o.parquet"))
    assert (told(found), found.server) == (("files", "parquet", "/d/o.parquet", ""), "")


def test_a_connection_without_a_type_refines_the_server() -> None:
    connection = Connection(host="replica", options={"fetchsize": "1000"}, timestamp_column="placed_at")
    found = bound(on("postgres", host="db", database="shop", schema="public"), connection=connection)
    assert found.location == "jdbc:postgresql://replica:5432/shop"
    assert found.options == (("fetchsize", "1000"),)
    assert found.timestamp_column == "placed_at"


def test_what_is_said_for_one_table_wins() -> None:
    own = {"orders": {"table": "o", "timestamp_column": "t", "filter": "x > 1", "options": {"a": "2"}}}
    connection = Connection.model_validate(
        {"type": "spark", "timestamp_column": "s", "options": {"a": "1", "b": "1"}, "tables": own}
    )
    found = bound(contract(), connection=connection)
    assert (found.name, found.timestamp_column, found.filter) == ("o", "t", "x > 1")
    assert found.options == (("a", "2"), ("b", "1"))


@pytest.mark.parametrize(
    ("coordinates", "options"),
    [
        pytest.param({"path": "/o.csv"}, {"header": "true", "sep": ","}, id="csv has a header and commas"),
        pytest.param({"path": "/o.csv", "delimiter": ";"}, {"header": "true", "sep": ";"}, id="csv with semicolons"),
        pytest.param({"path": "/o.tsv"}, {"header": "true", "sep": "\t"}, id="tabs by the ending"),
        pytest.param({"path": "/o.json", "delimiter": "array"}, {"multiLine": "true"}, id="a JSON array"),
        pytest.param({"path": "/o.json", "delimiter": "new_line"}, {}, id="JSON lines"),
        pytest.param(
            {"path": "/o.csv", "encoding": "latin1"},
            {"header": "true", "sep": ",", "encoding": "latin1"},
            id="encoding",
        ),
    ],
)
def test_what_the_standard_says_about_files_becomes_options(
    coordinates: dict[str, Any], options: dict[str, str]
) -> None:
    assert dict(bound(on("local", **coordinates)).options) == options


@pytest.mark.parametrize(
    ("path", "folder", "location"),
    [
        pytest.param("data/o.csv", "contracts/sales", "contracts/sales/data/o.csv", id="below the contract's folder"),
        pytest.param("../data/o.csv", "contracts", "data/o.csv", id="beside it"),
        pytest.param("/data/o.csv", "contracts", "/data/o.csv", id="absolute"),
        pytest.param("hdfs://n/o.csv", "contracts", "hdfs://n/o.csv", id="a URL"),
        pytest.param("data/*.csv", "", "data/*.csv", id="a contract in the current folder"),
    ],
)
def test_where_relative_paths_of_a_contract_start(path: str, folder: str, location: str) -> None:
    assert bound(on("local", path=path), folder=folder).location == location


def test_relative_paths_of_a_connection_start_at_the_root() -> None:
    connection = Connection(type="local", location="data/o.csv")
    assert (
        bound(contract(), connection=connection, folder="contracts", root="/project").location == "/project/data/o.csv"
    )


def test_one_location_for_two_tables_is_not_guessed() -> None:
    servers = (Server("x", "s3", coordinates={"location": "s3://b/orders_and_items", "format": "parquet"}),)
    one = contract(table(name="orders"), table(name="items"), servers=servers)
    assert "write {model} in it" in unbound(one)


def test_a_placeholder_gives_each_table_its_place() -> None:
    servers = (Server("x", "s3", coordinates={"location": "s3://b/{model}/*.parquet"}),)
    one = contract(table(name="orders"), table(name="items", physical_name="order_items"), servers=servers)
    found = [bind(one, each, SourceHints()) for each in one.objects]
    assert [isinstance(each, Binding) and each.location for each in found] == [
        "s3://b/orders/*.parquet",
        "s3://b/order_items/*.parquet",
    ]


def test_the_source_is_named_without_credentials() -> None:
    connection = Connection(host="db", database="shop", options={"user": "env:PGUSER", "password": "env:PGPASSWORD"})
    found = bound(on("postgres", host="db", database="shop", schema="public"), connection=connection)
    assert found.source == "postgres:jdbc:postgresql://db:5432/shop#public.orders"
