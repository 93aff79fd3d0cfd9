"""Servers, roles, foreign keys, people and life: keyed by name, compared by what they mean."""

from __future__ import annotations

from typing import Any

import pytest
from support.builders import column, contract, server, table, told

from floe_contracts.compat.facts import facts_between
from floe_contracts.contract.model import (
    Consumer,
    Contract,
    CustomProperty,
    Deprecation,
    Json,
    Property,
    Relationship,
    Role,
    Server,
    Terms,
)

# what, old fields, new fields, facts
Row = tuple[str, dict[str, Any], dict[str, Any], list[str]]


def servers(*items: Server) -> dict[str, Any]:
    return {"servers": items}


def _at(kind: str, key: str, value: Json) -> Server:
    return Server("p", kind, coordinates={key: value})


def roles(*items: Role) -> dict[str, Any]:
    return {"roles": items}


WITH_ROLE = Server("prod", "postgres", coordinates=server().coordinates, roles=({"role": "r", "access": "read"},))
SERVERS: tuple[Row, ...] = (
    ("other order", servers(server("a"), server("b")), servers(server("b"), server("a")), []),
    ("port as text", servers(server(port=5432)), servers(server(port="5432")), []),
    *(
        (f"{old} is {new}", servers(server(kind=old)), servers(server(kind=new)), [])
        for old, new in (
            *(("postgres", "PostgreSQL"), ("postgres", "pg"), ("sqlserver", "Microsoft SQL Server"), ("s3", "AWS S3")),
            *(
                ("gcs", "Google Cloud Storage"),
                ("kafka", "apache-kafka"),
                ("azure", "Azure"),
                ("synapse", "azure_synapse"),
            ),
        )
    ),
    *(
        (f"{kind} with {key}: {value}, as without it", servers(Server("p", kind)), servers(_at(kind, key, value)), [])
        for kind, key, value in (
            ("sqlserver", "port", 1433),
            ("PostgreSQL", "port", "5432"),
            ("athena", "catalog", "awsdatacatalog"),
            ("s3", "encoding", "UTF-8"),
        )
    ),
    (
        "a comma between values, as without it",
        servers(server(kind="s3", format="csv")),
        servers(server(kind="s3", format="csv", delimiter=",")),
        [],
    ),
    (
        "another port than the usual",
        servers(Server("p", "sqlserver")),
        servers(_at("sqlserver", "port", 1444)),
        ["server-location-changed server:p"],
    ),
    (
        "another delimiter than the usual",
        servers(server(kind="s3", format="csv")),
        servers(server(kind="s3", format="csv", delimiter=";")),
        ["server-format-changed server:prod"],
    ),
    ("case of a host", servers(server(host="db.shop")), servers(server(host="DB.Shop")), []),
    ("case of a format", servers(server(format="parquet")), servers(server(format="Parquet")), []),
    ("s3a", servers(server(location="s3://a/b")), servers(server(location="s3a://a/b")), []),
    ("a slash at the end", servers(server(location="s3://a/b/")), servers(server(location="s3://a/b")), []),
    (
        "case of a path",
        servers(server(location="s3://a/b")),
        servers(server(location="s3://a/B")),
        ["server-location-changed server:prod"],
    ),
    (
        "case of a database",
        servers(server(database="shop")),
        servers(server(database="Shop")),
        ["server-location-changed server:prod"],
    ),
    ("case of a type", servers(server(kind="Postgres")), servers(server(kind="postgres")), []),
    (
        "several coordinates are one move",
        servers(server(host="a", port=1)),
        servers(server(host="b", port=2)),
        ["server-location-changed server:prod"],
    ),
    (
        "place and format",
        servers(server(path="a", format="csv")),
        servers(server(path="b", format="tsv")),
        ["server-location-changed server:prod", "server-format-changed server:prod"],
    ),
    (
        "renamed and moved is another",
        servers(server("a", host="x")),
        servers(server("b", host="y")),
        ["server-removed server:a", "server-added server:b"],
    ),
    (
        "one name in two environments",
        servers(Server("a", "s3", "dev"), Server("a", "s3", "prod")),
        servers(Server("a", "s3", "prod")),
        ["server-removed server:a"],
    ),
    ("role of a server", servers(server()), servers(WITH_ROLE), ["role-added role:server:prod#r"]),
)
ROLES: tuple[Row, ...] = (
    ("other order", roles(Role("a"), Role("b")), roles(Role("b"), Role("a")), []),
    ("other word for the same right", roles(Role("a", "read-only")), roles(Role("a", "read")), []),
    (
        "another name is another role",
        roles(Role("a", id="1")),
        roles(Role("b", id="1")),
        ["role-removed role:a", "role-added role:b"],
    ),
    (
        "write is not more than read",
        roles(Role("a", "read")),
        roles(Role("a", "write")),
        ["role-access-changed role:a"],
    ),
    ("access no longer said", roles(Role("a", "read")), roles(Role("a")), ["role-access-changed role:a"]),
)
LIFE: tuple[Row, ...] = (
    ("active unless said", {}, {"status": "Active"}, []),
    (
        "draft straight to deprecated",
        {"status": "draft"},
        {"status": "deprecated"},
        ["status-deprecated contract:status"],
    ),
    ("retired and back", {"status": "retired"}, {"status": "deprecated"}, ["status-reactivated contract:status"]),
    ("deprecated to draft", {"status": "deprecated"}, {"status": "proposed"}, ["status-demoted contract:status"]),
    ("a word without a rank", {"status": "active"}, {"status": "shiny"}, ["status-changed contract:status"]),
    (
        "sunset date first said",
        {"deprecation": Deprecation()},
        {"deprecation": Deprecation(sunset_date="2026-02-03")},
        ["deprecation-changed contract:deprecation"],
    ),
    (
        "sunset date that is none",
        {"deprecation": Deprecation(sunset_date="soon")},
        {"deprecation": Deprecation(sunset_date="2026-02-03")},
        ["deprecation-changed contract:deprecation"],
    ),
)
PEOPLE: tuple[Row, ...] = (
    ("tags are a set", {"tags": ("a", "b")}, {"tags": ("b", "a", "a")}, []),
    (
        "team list of 3.0 and team of 3.1",
        {"team": [{"username": "ann"}]},
        {"team": {"members": [{"username": "ann"}]}},
        [],
    ),
    (
        "members in other order",
        {"team": {"members": [{"username": "a"}, {"username": "b"}]}},
        {"team": {"members": [{"username": "b"}, {"username": "a"}]}},
        [],
    ),
    (
        "columns of a consumer are a set",
        {"consumers": (Consumer("x", columns=("a", "b")),)},
        {"consumers": (Consumer("x", columns=("b", "a")),)},
        [],
    ),
    (
        "two terms",
        {"terms": Terms("a", "b")},
        {"terms": Terms("c", "d")},
        ["terms-changed contract:terms", "terms-changed contract:terms"],
    ),
    (
        "retention in the terms is a text",
        {"terms": Terms(retention="7 years")},
        {"terms": Terms(retention="1 year")},
        ["terms-changed contract:terms"],
    ),
    (
        "description",
        {"docs": {"description": {"purpose": "a"}}},
        {"docs": {"description": {"purpose": "b"}}},
        ["docs-changed contract:description"],
    ),
    (
        "extension with a value of another type",
        {"custom": (CustomProperty("x", 1),)},
        {"custom": (CustomProperty("x", True),)},
        ["custom-property-changed custom:x"],
    ),
    (
        "extension in other order",
        {"custom": (CustomProperty("x", 1), CustomProperty("y"))},
        {"custom": (CustomProperty("y"), CustomProperty("x", 1))},
        [],
    ),
    ("version", {"version": "1.0.0"}, {"version": "2.0.0"}, []),
)
# An id that repeats the name is read as no id.
IDENTITY: tuple[Row, ...] = (
    (
        "id kept while the name changes",
        {"name": "orders"},
        {"name": "sales", "id": "orders"},
        ["contract-name-changed contract:name"],
    ),
    ("id gained", {}, {"id": "o-1"}, ["contract-id-changed contract:id"]),
    ("id lost", {"id": "o-1"}, {}, ["contract-id-changed contract:id"]),
    ("another name without ids", {"name": "orders"}, {"name": "sales"}, ["contract-name-changed contract:name"]),
)
ALL = (*SERVERS, *ROLES, *LIFE, *PEOPLE, *IDENTITY)


@pytest.mark.parametrize(("old", "new", "facts"), [row[1:] for row in ALL], ids=[row[0] for row in ALL])
def test_what_surrounds_the_data_is_compared_by_meaning(
    old: dict[str, Any], new: dict[str, Any], facts: list[str]
) -> None:
    assert told(contract(**old), contract(**new)) == facts


def linked(*relationships: Relationship, columns: tuple[Property, ...] = (), name: str = "orders") -> Contract:
    own = columns or (column("customer", id="c1"), column("region"))
    customers = table(column("id"), column("area", id="a1"), name="customers", id="t1")
    return contract(table(*own, name=name, relationships=relationships), customers)


def at_column(name: str, *relationships: Relationship) -> Contract:
    return linked(
        columns=tuple(
            column(item, relationships=relationships if item == name else ()) for item in ("customer", "region")
        )
    )


def link(source: str, to: str, **more: Any) -> Relationship:
    return Relationship(tuple(to.split()), tuple(source.split()), **more)


BOTH = "relationship:orders#customer, region"
# what, old, new, facts
LINKS: tuple[tuple[str, Contract, Contract, list[str]], ...] = (
    (
        "at the table and at the column",
        linked(link("orders.customer", "customers.id"), columns=(column("customer"), column("region"))),
        at_column("customer", Relationship(("customers.id",))),
        [],
    ),
    (
        "with and without the own table",
        linked(link("orders.customer", "customers.id")),
        linked(link("customer", "customers.id")),
        [],
    ),
    (
        "by names and by ids",
        linked(link("orders.customer", "customers.area")),
        linked(link("schema/orders/properties/c1", "schema/t1/properties/a1")),
        [],
    ),
    (
        "pairs in other order",
        linked(link("customer region", "customers.id customers.area")),
        linked(link("region customer", "customers.area customers.id")),
        [],
    ),
    (
        "own columns swapped",
        linked(link("customer region", "customers.id customers.area", id="fk")),
        linked(link("region customer", "customers.id customers.area", id="fk")),
        ["relationship-target-changed relationship:orders#fk"],
    ),
    (
        "targets swapped, without id",
        linked(link("customer region", "customers.id customers.area")),
        linked(link("customer region", "customers.area customers.id")),
        [f"relationship-target-changed {BOTH}"],
    ),
    (
        "case of the type",
        linked(link("customer", "customers.id", type="ForeignKey")),
        linked(link("customer", "customers.id")),
        [],
    ),
    (
        "another type",
        linked(link("customer", "customers.id")),
        linked(link("customer", "customers.id", type="soft")),
        ["relationship-target-changed relationship:orders#customer"],
    ),
    (
        "two of one column",
        at_column("customer", Relationship(("customers.id",)), Relationship(("a.b",))),
        at_column("customer", Relationship(("a.b",))),
        ["relationship-removed relationship:orders#customer"],
    ),
    (
        "renamed column",
        linked(link("user_id", "customers.id"), columns=(column("user_id"),)),
        linked(link("userId", "customers.id"), columns=(column("userId"),)),
        ["property-renamed orders.user_id"],
    ),
)


@pytest.mark.parametrize(("old", "new", "facts"), [row[1:] for row in LINKS], ids=[row[0] for row in LINKS])
def test_foreign_keys_are_pairs_of_columns(old: Contract, new: Contract, facts: list[str]) -> None:
    assert told(old, new) == facts


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("host", "ann:SECRET@db", "…@db"),
        ("host", "ann:SE@CRET@db:5432", "…@db:5432"),
        ("location", "s3://KEY:SECRET@bucket/p", "s3://…@bucket/p"),
        ("location", "https://shop.example/p?sig=SECRET&se=1", "https://shop.example/p?sig=…&se=1"),
        ("location", "abfss://box@shop.dfs.core.windows.net/key=5/x", "abfss://box@shop.dfs.core.windows.net/key=5/x"),
        ("location", "jdbc:oracle:thin:ann/SECRET@//db:1521/shop", "jdbc:oracle:thin:…@//db:1521/shop"),
        ("host", "AccountKey=SECRET;EntityPath=x", "AccountKey=…;EntityPath=x"),
        ("path", "data/ann@shop/x:y@z", "data/ann@shop/x:y@z"),
    ],
)
def test_a_login_of_a_place_is_not_repeated(key: str, value: str, shown: str) -> None:
    old, new = contract(servers=(_at("custom", key, value),)), contract(servers=(_at("custom", key, "elsewhere"),))
    (moved,) = facts_between(old, new)
    (gone,) = (fact for fact in facts_between(old, contract()) if fact.kind.value == "server-removed")
    assert (moved.old, gone.old) == (f"{key}: {shown}", f"custom {key}: {shown}")


def test_a_login_that_changes_is_a_change() -> None:
    old, new = (contract(servers=(_at("custom", "host", f"ann:{word}@db"),)) for word in ("one", "two"))
    assert [fact.kind.value for fact in facts_between(old, new)] == ["server-location-changed"]
