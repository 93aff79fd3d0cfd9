"""What `floe monitor plan` says about a table."""

from __future__ import annotations

import pytest
from support.builders import column, contract, table

from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.contract.model import EnumValue, QualityRule, Relationship, Threshold
from floe_contracts.monitor.run.plan import count_scans, describe, plan_table

ORDERS = table(
    column("id", primary_key=True),
    column("status", required=True, enum=(EnumValue("new"), EnumValue("paid"))),
    column("person", relationships=(Relationship(("people.id",)),)),
    column("tags", "array", items=column("", required=True)),
    quality=(
        QualityRule(type="sql", name="few", query="SELECT 1", thresholds=((Threshold.LESS_THAN, 5),)),
        QualityRule(type="text", name="kind"),
    ),
)
SHOP = contract(ORDERS, table(column("id"), name="people"))
PLAN = plan_table(SHOP, ORDERS, clock=ClockChoice(("updated_at",), ""))


def test_the_whole_text() -> None:
    assert describe(PLAN) == (
        "orders: 7 rules, 4 scans, one more if keys repeat",
        "  pass 1: 5 counts and the clock updated_at in one aggregation",
        "    orders.id.not_null: orders.id is never null",
        "    orders.status.not_null: orders.status is never null",
        "    orders.status.enum: orders.status is one of 2 values",
        "    orders.tags.[].not_null: orders.tags[] is never null",
        "    metadata may answer the number of rows, nulls of 2 columns, the clock",
        "  keys: 1 set of columns hashed in one scan, repeats confirmed by value",
        "    orders.id.primary_key: orders.id is unique",
        "  anti-join with people",
        "    orders.person.foreign_key: every orders.person exists in people.id",
        "  query",
        "    orders.quality_1: few",
        "  not measured: orders.quality_2, because it is written for people, and nothing can run it",
    )


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        pytest.param([column()], (1, 1), id="rows only"),
        pytest.param([column("a", unique=True), column("b", unique=True)], (2, 3), id="two keys are hashed together"),
    ],
)
def test_scans_are_foreseen(columns: list[object], expected: tuple[int, int]) -> None:
    whole = contract(*columns)  # type: ignore[arg-type]
    assert count_scans(plan_table(whole, whole.objects[0])) == expected
