"""Keys as rules: primary keys, unique columns, and foreign keys inside one contract."""

from __future__ import annotations

from typing import Any

import pytest
from support.builders import column, contract, table

from floe_contracts.checks import measure as m
from floe_contracts.checks.rules.check import TableRules
from floe_contracts.checks.rules.constraints import rules_of
from floe_contracts.contract.model import Relationship


def rules(*parts: Any) -> TableRules:
    one = contract(*parts)
    return rules_of(one, one.objects[0])


def test_a_primary_key_demands_values_and_no_duplicates() -> None:
    found = rules(column("id", primary_key=True))
    assert [(rule.name, rule.measure) for rule in found.rules] == [
        ("not_null", m.NullCount(("id",))),
        ("primary_key", m.DuplicateCount((("id",),))),
    ]


def test_a_key_of_several_columns_is_one_rule_in_their_order() -> None:
    found = rules(
        column("b", primary_key=True, primary_key_position=2), column("a", primary_key=True, primary_key_position=1)
    )
    key = found.rules[-1]
    assert (key.id, key.measure) == ("orders.primary_key", m.DuplicateCount((("a",), ("b",))))
    assert (key.element, key.column, key.columns) == ("orders", None, ("a", "b"))
    assert [rule.id for rule in found.rules[:-1]] == ["orders.b.not_null", "orders.a.not_null"]


def test_a_key_column_that_is_also_unique_and_required_is_not_counted_twice() -> None:
    found = rules(column("id", primary_key=True, unique=True, required=True))
    assert [rule.name for rule in found.rules] == ["not_null", "primary_key"]


CUSTOMERS = table(column("id"), column("code"), name="customers", physical_name="crm.customers", id="cust")


def _foreign(to: Any, **more: Any) -> TableRules:
    relationship = Relationship((to,) if isinstance(to, str) else to, **more)
    return rules(table(column("customer_id", relationships=(relationship,))), CUSTOMERS)


@pytest.mark.parametrize(
    "to",
    [
        pytest.param("customers.id", id="table and column"),
        pytest.param("crm.customers.id", id="the table's physical name"),
        pytest.param("schema/cust/properties/id", id="by ids"),
        pytest.param("/schema/customers/properties/id", id="by names in a path"),
    ],
)
def test_a_foreign_key_looks_for_orphans(to: str) -> None:
    (rule,) = _foreign(to).rules
    assert rule.measure == m.OrphanCount((("customer_id",),), "customers", (("id",),))
    assert (rule.dimension, rule.columns) == ("consistency", ("customer_id",))


@pytest.mark.parametrize(
    ("to", "more", "reason"),
    [
        pytest.param(
            "billing.yaml#/schema/x", {}, "the other table belongs to another contract", id="another contract"
        ),
        pytest.param("customers.nope", {}, "it names a column that this contract does not have", id="no such column"),
        pytest.param(
            "customers.id", {"type": "parentOf"}, "only foreign keys can be checked", id="another relationship"
        ),
        pytest.param(("customers.id", "customers.code"), {}, "1 columns point at 2", id="more targets than columns"),
    ],
)
def test_a_relationship_that_cannot_be_checked_is_skipped_with_a_reason(
    to: Any, more: dict[str, Any], reason: str
) -> None:
    found = _foreign(to, **more)
    assert found.rules == ()
    assert [one.reason[: len(reason)] for one in found.skipped] == [reason]


def test_a_composite_foreign_key_is_written_at_the_table() -> None:
    relationship = Relationship(("customers.id", "customers.code"), source=("customer_id", "orders.code"))
    one = table(column("customer_id"), column("code"), relationships=(relationship,))
    (rule,) = rules(one, CUSTOMERS).rules
    assert rule.measure == m.OrphanCount((("customer_id",), ("code",)), "customers", (("id",), ("code",)))
