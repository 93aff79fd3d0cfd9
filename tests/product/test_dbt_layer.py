"""What dbt adds to a contract, and what it may not replace."""

from __future__ import annotations

from typing import Any

import pytest
from support.builders import column, contract, table

from floe_contracts.contract.attributes import Layer, Origin
from floe_contracts.contract.merge import Merged, merge_layers
from floe_contracts.contract.model import Contract, Property
from floe_contracts.contract.read.floe import read
from floe_contracts.product.dbt import DbtColumn, DbtNode, NodeTest, primary_key
from floe_contracts.product.dbt_layer import compare_with_dbt, enrich

NODE = DbtNode(
    "silver_customers",
    (
        DbtColumn("id", "integer", "Key."),
        DbtColumn("email", "varchar", "Mail.", {"classification": "pii"}),
        DbtColumn("country", "varchar(2)"),
        DbtColumn("secret", "varchar"),
    ),
    tests=(
        NodeTest("not_null", "id"),
        NodeTest("unique", "id"),
        NodeTest("not_null", "email", binding=False),
        NodeTest("accepted_values", "country", {"values": ["DE", "FR"]}),
        NodeTest("relationships", "id", {"to": "ref('crm', 'accounts')", "field": "key"}),
    ),
    description="One row per customer.",
)
BARE = contract(table(column("id", None), column("email", None), column("country", None), name="customers"))


def merged(upper: Contract = BARE, node: DbtNode = NODE) -> Merged:
    return merge_layers((Layer(Origin.PORT, upper), enrich(upper, node)))


def first(upper: Contract, name: str) -> Property:
    return next(prop for prop in merged(upper).contract.objects[0].properties if prop.name == name)


@pytest.mark.parametrize(
    ("name", "attribute", "expected"),
    [
        pytest.param("id", "physical_type", "integer", id="data_type"),
        pytest.param("id", "logical_type", "integer", id="the kind of value"),
        pytest.param("id", "required", True, id="not_null"),
        pytest.param("id", "unique", True, id="unique"),
        pytest.param("email", "required", False, id="a test that only warns"),
        pytest.param("email", "classification", "pii", id="meta.classification"),
        pytest.param("email", "docs", {"description": "Mail."}, id="description"),
    ],
)
def test_dbt_fills_in(name: str, attribute: str, expected: object) -> None:
    assert getattr(first(BARE, name), attribute) == expected


def test_accepted_values_become_the_enum() -> None:
    assert [value.value for value in first(BARE, "country").enum or ()] == ["DE", "FR"]


@pytest.mark.parametrize(
    ("to", "target"),
    [
        ("ref('accounts')", ("accounts.key",)),
        ("ref('crm', 'accounts')", ("accounts.key",)),
        ('source("crm", "accounts")', ("accounts.key",)),
        ("ref('accounts', v=2)", ("accounts.key",)),
        ("var('x')", ()),
    ],
)
def test_relationships_name_the_table(to: str, target: tuple[str, ...]) -> None:
    node = DbtNode("x", (DbtColumn("id"),), tests=(NodeTest("relationships", "id", {"to": to, "field": "key"}),))
    (only,) = enrich(contract(column("id")), node).contract.objects[0].properties
    assert [relation.to for relation in only.relationships] == [target][: len(target)]


def test_the_table_is_described() -> None:
    assert merged().contract.objects[0].docs == {"description": "One row per customer."}


def test_columns_that_the_port_does_not_list_are_not_promised() -> None:
    assert [prop.name for prop in merged().contract.objects[0].properties] == ["id", "email", "country"]


def test_a_port_without_columns_takes_them_from_dbt() -> None:
    upper = read({"name": "c", "version": "1.0.0", "models": {"customers": {"elements": {}}}})
    assert [prop.name for prop in merged(upper).contract.objects[0].properties] == ["id", "email", "country", "secret"]


@pytest.mark.parametrize(
    ("written", "attribute", "expected"),
    [
        pytest.param({"classification": "public"}, "classification", "public", id="classification"),
        pytest.param({"description": "Ours."}, "docs", {"description": "Ours."}, id="description"),
        pytest.param({"type": "bigint"}, "physical_type", "bigint", id="type"),
        pytest.param({"required": False}, "required", False, id="required that is denied"),
        pytest.param({"unique": False}, "unique", False, id="unique that is denied"),
    ],
)
def test_dbt_replaces_nothing(written: dict[str, Any], attribute: str, expected: object) -> None:
    upper = read({"name": "c", "version": "1.0.0", "models": {"customers": {"elements": {"id": written}}}})
    node = DbtNode("x", (DbtColumn("id", "integer", "Theirs.", {"classification": "pii"}),), tests=NODE.tests)
    (only,) = merged(upper, node).contract.objects[0].properties
    assert getattr(only, attribute) == expected


def test_names_in_another_case_are_the_contracts() -> None:
    upper = contract(table(column("ID", None), name="customers"))
    (only,) = merged(upper).contract.objects[0].properties
    assert (only.name, only.required) == ("ID", True)


def test_provenance_says_dbt() -> None:
    provenance = merged().provenance
    assert provenance["schema.customers.id.required"] is Origin.DBT
    assert provenance["schema.customers.description"] is Origin.DBT
    assert provenance["schema.customers.id"] is Origin.PORT


@pytest.mark.parametrize(
    ("word", "gaps"),
    [
        pytest.param("public", [("FLOE-E511", "error")], id="below dbt's"),
        pytest.param("sensitive", [("FLOE-E511", "error")], id="a weaker category"),
        pytest.param("restricted", [], id="the same level"),
        pytest.param(None, [], id="nothing written, so dbt's is taken"),
        pytest.param("secret", [], id="a word without a rank is the policy's business"),
    ],
)
def test_a_classification_below_dbts(word: str | None, gaps: list[tuple[str, str]]) -> None:
    upper = contract(table(column("email", classification=word), name="customers"))
    assert [(gap.code.id, gap.severity.value) for gap in compare_with_dbt(upper, NODE)] == gaps


def test_a_classification_above_dbts_is_noted() -> None:
    node = DbtNode("x", (DbtColumn("email", meta={"classification": "internal"}),))
    upper = contract(table(column("email", classification="pii"), name="customers"))
    (gap,) = compare_with_dbt(upper, node)
    assert (gap.code.id, gap.severity.value, gap.element) == ("FLOE-E529", "info", "customers.email")


@pytest.mark.parametrize(
    ("meta", "key"),
    [({}, ()), ({"primary_key": "id"}, ("id",)), ({"primary_key": ["a", "b"]}, ("a", "b")), ({"primary_key": 1}, ())],
)
def test_the_key_that_meta_names(meta: dict[str, Any], key: tuple[str, ...]) -> None:
    assert primary_key(meta) == key
