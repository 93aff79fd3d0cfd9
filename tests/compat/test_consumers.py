"""Who reads a contract, whom a change reaches, and who has said goodbye to a MAJOR version."""

from __future__ import annotations

import pytest
from support.builders import column, contract, table

from floe_contracts.compat.consumers import Acknowledgement, Register, Subscription
from floe_contracts.compat.facts import facts_between
from floe_contracts.contract.model import Consumer, Contract
from floe_contracts.results import Reader

BASE = contract(column("id"), column("address", "object"), column("total"), id="shop-orders", domain="shop")


def subscribed(
    *columns: str, to: str = "orders", major: int | None = None, owner: str = "bi@example.com"
) -> Subscription:
    return Subscription("dashboard", owner, to, major, columns)


@pytest.mark.parametrize(
    ("name", "major", "reads"),
    [
        pytest.param("shop-orders", None, True, id="by id"),
        pytest.param("orders", None, True, id="by name"),
        pytest.param("shop/orders", None, True, id="by domain and name"),
        pytest.param("orders", 1, True, id="this major"),
        pytest.param("orders", 2, False, id="another major"),
        pytest.param("order", None, False, id="a part of the name"),
        pytest.param("other/orders", None, False, id="another domain"),
    ],
)
def test_a_subscription_names_a_contract(name: str, major: int | None, reads: bool) -> None:
    readers = Register((subscribed(to=name, major=major),)).readers(BASE)
    assert [one.name for one in readers] == (["dashboard"] if reads else [])


@pytest.mark.parametrize(
    ("listed", "own", "expected"),
    [
        pytest.param((Consumer("dashboard", "a@x"),), (), Reader("dashboard", "a@x"), id="the contract's list alone"),
        pytest.param((), (subscribed("id"),), Reader("dashboard", "bi@example.com", ("id",)), id="its own file alone"),
        pytest.param(
            (Consumer("dashboard", "a@x", ("total",)),),
            (subscribed("id", owner=""),),
            Reader("dashboard", "a@x", ("id",)),
            id="its own word about columns, the list's about the owner",
        ),
        pytest.param(
            (),
            (subscribed("id"), subscribed("total", "id")),
            Reader("dashboard", "bi@example.com", ("id", "total")),
            id="two lines add up",
        ),
        pytest.param(
            (),
            (subscribed("id"), subscribed()),
            Reader("dashboard", "bi@example.com"),
            id="a line without columns is all",
        ),
    ],
)
def test_a_reader_is_told_once(listed: tuple[Consumer, ...], own: tuple[Subscription, ...], expected: Reader) -> None:
    assert Register(own).readers(contract(consumers=listed)) == (expected,)


def test_readers_come_in_the_order_of_their_names() -> None:
    listed = contract(consumers=(Consumer("b"), Consumer("a"), Consumer("c")))
    assert [one.name for one in Register().readers(listed)] == ["a", "b", "c"]


def without(name: str) -> Contract:
    return contract(*(one for one in BASE.objects[0].properties if one.name != name), id="shop-orders", domain="shop")


@pytest.mark.parametrize(
    ("used", "affected"),
    [
        pytest.param((), True, id="all columns"),
        pytest.param(("address",), True, id="the column"),
        pytest.param(("orders.address",), True, id="the column with its table"),
        pytest.param(("address.city",), True, id="a part of the column"),
        pytest.param(("orders.address.city",), True, id="a part of the column with its table"),
        pytest.param(("Orders.ADDRESS",), True, id="other case"),
        pytest.param(("orders",), True, id="the whole table"),
        pytest.param(("id", "total"), False, id="other columns"),
        pytest.param(("address_2", "my_address"), False, id="columns alike"),
        pytest.param(("customers.address",), False, id="another table"),
    ],
)
def test_whom_a_removed_column_reaches(used: tuple[str, ...], affected: bool) -> None:
    facts = facts_between(BASE, without("address"))
    (reader,) = Register((subscribed(*used),)).mark_affected(BASE, facts)
    assert reader.affected is affected


def test_a_change_of_the_whole_contract_reaches_everybody() -> None:
    facts = facts_between(BASE, contract(*BASE.objects[0].properties, id="shop-orders", domain="sales"))
    (reader,) = Register((subscribed("total"),)).mark_affected(BASE, facts)
    assert reader.affected


def test_a_renamed_table_reaches_readers_of_its_columns() -> None:
    facts = facts_between(
        BASE, contract(table(*BASE.objects[0].properties, name="sales"), id="shop-orders", domain="shop")
    )
    (reader,) = Register((subscribed("orders.total"),)).mark_affected(BASE, facts)
    assert reader.affected


@pytest.mark.parametrize(
    ("ack", "silent"),
    [
        pytest.param(Acknowledgement("orders", 1, "dashboard"), [], id="said so"),
        pytest.param(Acknowledgement("shop/orders", 1, "dashboard"), [], id="said so by another name of the contract"),
        pytest.param(Acknowledgement("orders", 2, "dashboard"), ["dashboard"], id="about another major"),
        pytest.param(Acknowledgement("customers", 1, "dashboard"), ["dashboard"], id="about another contract"),
        pytest.param(Acknowledgement("orders", 1, "dashbord"), ["dashboard"], id="somebody else"),
    ],
)
def test_who_has_not_acknowledged(ack: Acknowledgement, silent: list[str]) -> None:
    register = Register((subscribed(),), (ack,))
    assert [one.name for one in register.silent(BASE)] == silent
