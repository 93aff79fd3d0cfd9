"""Every question is asked once, and as many as possible in one pass."""

from __future__ import annotations

from decimal import Decimal

import pytest
from support.builders import column, contract, table

from floe_contracts.checks.measure import (
    DuplicateCount,
    InvalidCount,
    NullCount,
    OneOf,
    OrphanCount,
    RowCount,
    SqlNumber,
)
from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.checks.rules.check import QualityCheck, TableRules
from floe_contracts.contract.model import EnumValue, QualityRule, Relationship, Threshold
from floe_contracts.monitor.run.plan import WIDTH, TablePlan, key_set, plan_rules, plan_table

CLOCK = ClockChoice(("updated_at",), "the SLA names it")
NONE = ((Threshold.MUST_BE, 0),)


def planned(*columns: object, **more: object) -> TablePlan:
    whole = contract(table(*columns, **more))  # type: ignore[arg-type]
    return plan_table(whole, whole.objects[0])


def rule(name: str, measure: object, **more: object) -> QualityCheck:
    return QualityCheck(name, name, name, measure, **more)  # type: ignore[arg-type]


def numbered(count: int) -> TableRules:
    return TableRules("orders", tuple(rule(f"r{number}", NullCount((f"c{number}",))) for number in range(count)))


def test_a_table_without_promises_still_counts_its_rows() -> None:
    plan = planned()
    assert plan.passes == ((RowCount(),),)


def test_every_kind_of_measure_finds_its_place() -> None:
    plan = planned(
        column("id", primary_key=True, required=True),
        column("status", enum=(EnumValue("new"), EnumValue("paid"))),
        column("customer", relationships=(Relationship(("id",)),)),
        quality=(QualityRule(type="sql", query="SELECT count(*) FROM {object}", thresholds=NONE),),
    )
    assert plan.passes == ((RowCount(), NullCount(("id",)), InvalidCount(("status",), OneOf(("new", "paid")))),)
    assert plan.key_sets == ((("id",),),)
    assert plan.orphans == (OrphanCount((("customer",),), "orders", (("id",),)),)
    assert plan.queries == (SqlNumber("SELECT count(*) FROM {object}"),)


def test_two_rules_about_the_same_number_measure_it_once() -> None:
    twice = tuple(rule(name, NullCount(("id",)), of=RowCount()) for name in ("one", "two"))
    plan = plan_rules(TableRules("orders", twice))
    assert plan.counts == (RowCount(), NullCount(("id",)))
    assert len(plan.rules) == 2


def test_keys_in_another_order_are_the_same_key() -> None:
    rules = (
        rule("one", DuplicateCount((("a",), ("b",)))),
        rule("two", DuplicateCount((("b",), ("a",)), count_rows=True)),
    )
    assert plan_rules(TableRules("orders", rules)).key_sets == ((("a",), ("b",)),)
    assert key_set(DuplicateCount((("b",), ("a",)))) == (("a",), ("b",))


@pytest.mark.parametrize(
    ("rules", "clock", "widths"),
    [
        pytest.param(20, None, [21], id="twenty rules are one pass"),
        pytest.param(WIDTH - 1, None, [WIDTH], id="a full pass"),
        pytest.param(WIDTH, None, [41, 40], id="one more makes two equal passes"),
        pytest.param(WIDTH - 1, CLOCK, [38, 42], id="the clock takes its room in the first pass"),
        pytest.param(320, None, [65, 64, 64, 64, 64], id="three hundred and twenty rules"),
    ],
)
def test_passes_are_narrow_and_equal(rules: int, clock: ClockChoice | None, widths: list[int]) -> None:
    plan = plan_rules(numbered(rules), clock=clock)
    assert [len(one) for one in plan.passes] == widths
    assert len(set(plan.counts)) == rules + 1
    assert plan.passes[0][0] == RowCount()


def test_a_clock_that_is_no_column_needs_no_pass() -> None:
    assert plan_rules(numbered(1), clock=ClockChoice(None, "the time of commits")).clock is None
    assert plan_rules(numbered(1), clock=CLOCK).clock == CLOCK


class TestPlanHash:
    plain = plan_rules(TableRules("orders", (rule("one", NullCount(("id",))),)))

    @pytest.mark.parametrize(
        "same",
        [
            pytest.param(rule("other", NullCount(("id",))), id="another name"),
            pytest.param(rule("one", NullCount(("id",)), weight=Decimal(5)), id="another weight"),
            pytest.param(rule("one", NullCount(("id",)), thresholds=NONE), id="a threshold"),
        ],
    )
    def test_stays_when_only_the_judging_changes(self, same: QualityCheck) -> None:
        assert plan_rules(TableRules("orders", (same,))).plan_hash == self.plain.plan_hash

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param(plan_rules(TableRules("orders", (rule("one", NullCount(("no",))),))), id="another column"),
            pytest.param(plan_rules(TableRules("other", plain.rules)), id="another table"),
            pytest.param(plan_rules(TableRules("orders", plain.rules), clock=CLOCK), id="a clock"),
            pytest.param(plan_rules(TableRules("orders", (rule("k", DuplicateCount((("id",),))),))), id="a key"),
        ],
    )
    def test_changes_with_what_is_measured(self, other: TablePlan) -> None:
        assert other.plan_hash != self.plain.plan_hash

    def test_is_the_same_on_every_machine(self) -> None:
        assert self.plain.plan_hash == "sha256:9f9b12493ac7b8f8e1ceb119c75b426bc44c7021fa85ddc0c8a4899c2f1aaa11"
