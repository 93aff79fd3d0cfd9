"""Reads in code find the contract and the column they mean, whatever the code calls the table."""

from __future__ import annotations

import pytest

from floe_contracts.contract.model import Contract, Property, SchemaObject
from floe_contracts.definitions.query import ColumnRead
from floe_contracts.definitions.readers import CodeRead, ReadingCode, match_reads, unread_columns


def contract(
    name: str, *columns: str, version: str = "1.0.0", physical: str | None = None, domain: str = ""
) -> Contract:
    table = SchemaObject(name, physical_name=physical, properties=tuple(Property(column) for column in columns))
    return Contract(name, version, domain=domain or None, id=f"{domain}:{name}" if domain else None, objects=(table,))


ORDERS = contract("orders", "id", "Coupon", "total", physical="shop.orders")


def matched(key: str, column: str | None, *contracts: Contract) -> list[str]:
    code = ReadingCode("model", "m.sql", (ColumnRead((key,), column, 7),))
    return [str(read) for read in match_reads([code], contracts or (ORDERS,))]


@pytest.mark.parametrize(
    ("key", "column", "lines"),
    [
        pytest.param("ref:orders", "id", ["model reads orders.id at m.sql:7"], id="a model"),
        pytest.param("ref:shop.orders", "id", ["model reads orders.id at m.sql:7"], id="a model of a package"),
        pytest.param("source:raw.orders", "ID", ["model reads orders.id at m.sql:7"], id="a source, in any case"),
        pytest.param("orders", "coupon", ["model reads orders.Coupon at m.sql:7"], id="the name alone"),
        pytest.param("db.shop.orders", "total", ["model reads orders.total at m.sql:7"], id="more parts than promised"),
        pytest.param("other.orders", "id", [], id="a table of another schema"),
        pytest.param("orders", None, ["model reads orders.* at m.sql:7"], id="every column"),
        pytest.param("orders", "unpromised", [], id="a column that nobody promised"),
        pytest.param("customers", "id", [], id="a table without a contract"),
        pytest.param("this", "id", [], id="an incremental model reading itself"),
    ],
)
def test_a_read_means(key: str, column: str | None, lines: list[str]) -> None:
    assert matched(key, column) == lines


@pytest.mark.parametrize(
    ("key", "major"), [("ref:events.v1", 1), ("ref:events.v2", 2), ("ref:events", 2)], ids=["v1", "v2", "the latest"]
)
def test_versions_of_a_model_are_majors(key: str, major: int) -> None:
    versions = (contract("events", "id", version="1.4.0"), contract("events", "id", version="2.0.0"))
    code = ReadingCode("model", "m.sql", (ColumnRead((key,), "id", 1),))
    assert [read.major for read in match_reads([code], versions)] == [major]


def test_contracts_of_one_name_are_told_apart() -> None:
    two = (contract("orders", "id", domain="shop"), contract("orders", "id", domain="hr"))
    assert {line.split(" ")[2] for line in matched("orders", "id", *two)} == {"shop:orders.id", "hr:orders.id"}


@pytest.mark.parametrize(
    ("columns", "registered", "unused"),
    [
        pytest.param(["id"], [], ("Coupon", "total"), id="what no code reads"),
        pytest.param(["id"], ["TOTAL"], ("Coupon",), id="a registered reader counts"),
        pytest.param(["id"], ["orders.total"], ("Coupon",), id="with the table before it"),
        pytest.param([None], [], (), id="one that takes all"),
        pytest.param(["id"], None, (), id="a registered one that takes all"),
        pytest.param([], [], ("id", "Coupon", "total"), id="nobody at all"),
    ],
)
def test_unused_columns(columns: list[str | None], registered: list[str] | None, unused: tuple[str, ...]) -> None:
    reads = [CodeRead("m", "orders", column, "m.sql", 1, major=1, key=ORDERS.key) for column in columns]
    assert unread_columns(ORDERS, reads, registered) == unused
