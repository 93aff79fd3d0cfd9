"""Contracts from the ports of a product, and what becomes of them beside one that somebody wrote."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from support.builders import column, contract, server, table
from support.strategies import contracts

from floe_contracts.contract.generate import INPUTS, generate_contract_from_ports
from floe_contracts.contract.lint import remarks
from floe_contracts.contract.merge import merge_contracts
from floe_contracts.contract.model import Contract, Sla

PRODUCT = {"name": "customer-360", "version": "3.2.1", "owner": "crm@acme.com", "domain": "sales"}
CUSTOMERS = {
    "name": "customers",
    "description": "One row per customer.",
    "table": "gold.customers",
    "schema": [
        {"name": "customer_id", "type": "string", "required": True, "primaryKey": True},
        {"name": "lifetime_value", "type": "decimal(12,2)"},
        {"name": "updated_at", "type": "timestamp"},
    ],
    "sla": {"freshness": {"value": "PT6H", "element": "updated_at"}, "availability": "99.9%"},
    "tags": ["gold"],
}
ORDERS = {
    "name": "orders",
    "schema": {"order_id": {"type": "string"}},
    "sla": [{"property": "freshness", "value": "1d"}],
}


def generated(*ports: dict[str, Any], inputs: tuple[dict[str, Any], ...] = ()) -> Contract:
    return generate_contract_from_ports(ports, inputs, PRODUCT)


def test_one_port_becomes_a_contract_of_its_own() -> None:
    found = generated(CUSTOMERS)
    assert (found.name, found.version, found.owner, found.domain, found.product) == (
        "sales-customer-360-customers",
        "3.2.1",
        "crm@acme.com",
        "sales",
        "customer-360",
    )
    (only,) = found.objects
    assert (only.name, only.physical_name, [one.name for one in only.properties]) == (
        "customers",
        "gold.customers",
        ["customer_id", "lifetime_value", "updated_at"],
    )
    assert [(one.property, one.value, one.element) for one in found.slas] == [
        ("freshness", "PT6H", "updated_at"),
        ("availability", "99.9%", None),
    ]


def test_types_are_read_like_any_contracts() -> None:
    value = generated(CUSTOMERS).objects[0].properties[1]
    assert (value.logical_type, value.physical_type, value.required) == ("number", "decimal(12,2)", False)


def test_several_ports_become_the_tables_of_one_contract() -> None:
    found = generated(CUSTOMERS, ORDERS)
    assert (found.name, [one.name for one in found.objects]) == ("sales-customer-360", ["customers", "orders"])
    assert [one.element for one in found.slas] == ["customers.updated_at", "customers", "orders"]


def test_what_the_product_reads_is_kept() -> None:
    found = generated(CUSTOMERS, inputs=({"name": "crm", "ref": "sales.crm.accounts"}, {"name": "web"}))
    assert [(one.property, one.value) for one in found.custom] == [(INPUTS, ["sales.crm.accounts", "web"])]


def test_a_generated_contract_needs_no_mending() -> None:
    assert [one.rule for one in remarks(generated(CUSTOMERS), "datacontract.yaml")] == []


def test_the_same_ports_give_the_same_contract() -> None:
    assert generated(CUSTOMERS, ORDERS) == generated(CUSTOMERS, ORDERS)


def test_a_port_without_a_schema_has_a_table_without_columns() -> None:
    assert generated({"name": "raw"}).objects[0].properties == ()


WRITTEN = contract(
    table(column("id", required=True), column("note", None), name="orders"),
    version="2.0.0",
    slas=(Sla("freshness", "1h"),),
)
FROM_PORTS = contract(
    table(column("id", "integer", classification="internal"), column("note"), column("extra"), name="orders"),
    table(name="items"),
    version="1.0.0",
    owner="shop",
    slas=(Sla("freshness", "6h"), Sla("availability", "99%")),
    servers=(server("prod"),),
    tags=("gold",),
)


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        pytest.param(lambda one: one.version, "2.0.0", id="the version that was written"),
        pytest.param(lambda one: one.owner, "shop", id="an owner that was not"),
        pytest.param(lambda one: [each.name for each in one.objects], ["orders", "items"], id="tables of both"),
        pytest.param(
            lambda one: [each.name for each in one.objects[0].properties], ["id", "note", "extra"], id="columns of both"
        ),
        pytest.param(lambda one: one.objects[0].properties[0].logical_type, "string", id="the type that was written"),
        pytest.param(lambda one: one.objects[0].properties[1].logical_type, "string", id="a type that was not"),
        pytest.param(lambda one: one.objects[0].properties[0].classification, "internal", id="a classification"),
        pytest.param(lambda one: one.objects[0].properties[0].required, True, id="a truth value"),
        pytest.param(
            lambda one: [(each.property, each.value) for each in one.slas],
            [("freshness", "1h"), ("availability", "99%")],
            id="promises by their meaning",
        ),
        pytest.param(lambda one: [each.name for each in one.servers], ["prod"], id="servers"),
        pytest.param(lambda one: one.tags, ("gold",), id="tags"),
    ],
)
def test_what_was_written_wins_and_the_rest_is_filled_in(what: Any, expected: object) -> None:
    assert what(merge_contracts(FROM_PORTS, WRITTEN)) == expected


FEW = settings(max_examples=20)  # drawing whole contracts is slow, and the laws are simple


@FEW
@given(contracts())
def test_a_contract_merged_with_itself_is_itself(one: Contract) -> None:
    assert merge_contracts(one, one) == one


@FEW
@given(contracts(), contracts())
def test_merging_again_changes_nothing(one: Contract, other: Contract) -> None:
    merged = merge_contracts(one, other)
    assert merge_contracts(one, merged) == merged


@FEW
@given(contracts())
def test_an_empty_generated_contract_adds_nothing(one: Contract) -> None:
    assert merge_contracts(replace(Contract("", ""), dialect=one.dialect), one) == one
