"""What datacontract-cli measured, as verdicts of ours."""

from __future__ import annotations

from typing import Any

import pytest
from support.builders import column, contract, table
from support.monitored import FRESH, codes

from floe_contracts.adapters.datacontract.answers import drift_result, freshness_result, quality_result
from floe_contracts.adapters.datacontract.runs import Status, ToolCheck
from floe_contracts.adapters.datacontract.share import ages_only, row_floors, without_ages
from floe_contracts.checks import gauges
from floe_contracts.contract.model import Sla
from floe_contracts.results import Outcome

ORDERS = contract(column("order_id"), column("amount", "integer"), column("placed_at", "timestamp"))
TWO = contract(table(column("id"), name="orders"), table(column("id"), name="lines"))


def one(kind: str, status: Status, column_name: str = "", category: str = "schema", **numbers: Any) -> ToolCheck:
    severity = numbers.pop("severity", "")
    return ToolCheck(kind, category, status, "orders", column_name, "", numbers.pop("rule", ""), "", severity, numbers)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param([one("field_type", "pass", "amount")], [], id="types fit"),
        pytest.param([one("field_is_present", "fail", "amount", present=False)], ["E531 error"], id="missing"),
        pytest.param(
            [one("field_is_present", "fail", "amount"), one("field_type", "fail", "amount", expected="integer")],
            ["E531 error"],
            id="a missing column has no type",
        ),
        pytest.param([one("field_type", "fail", "amount", actual="string")], ["E530 error"], id="another type"),
        pytest.param([one("field_type", "error", "amount")], ["E560 warning"], id="could not look"),
    ],
)
def test_drift(found: list[ToolCheck], expected: list[str]) -> None:
    assert codes(drift_result(ORDERS, found)) == expected


@pytest.mark.parametrize(
    ("found", "outcome", "score", "said"),
    [
        pytest.param([one("field_required", "pass", "amount", value=0)], Outcome.PASSED, "100.00", "", id="kept"),
        pytest.param(
            [one("field_required", "fail", "amount", value=2, metric="missing_count", threshold="= 0")],
            Outcome.VIOLATED,
            "0.00",
            "amount: not_null: 2 rows break it",
            id="a constraint",
        ),
        pytest.param(
            [one("row_count", "fail", category="quality", value=3, threshold="> 5", severity="warning", rule="enough")],
            Outcome.VIOLATED,
            "0.00",
            "orders: enough: 3 rows found, must be more than 5 rows",
            id="a rule of its own with a severity",
        ),
        pytest.param(
            [
                one("model_quality_sql", "error", category="quality", rule="bad"),
                one("field_required", "pass", "amount"),
            ],
            Outcome.ERRORED,
            "100.00",
            "orders could not be measured: bad: datacontract-cli could not run it",
            id="could not run",
        ),
        pytest.param([one("model_quality_sql", "skip", category="quality")], Outcome.SKIPPED, "", "", id="skipped"),
        pytest.param([one("field_type", "fail", "amount")], Outcome.SKIPPED, "", "", id="types are not quality"),
    ],
)
def test_quality(found: list[ToolCheck], outcome: Outcome, score: str, said: str) -> None:
    result = quality_result(ORDERS, found)
    assert (result.outcome, dict(result.context).get(gauges.SCORE, "")) == (outcome, score)
    assert said in "; ".join(item.message for item in result.findings)


@pytest.mark.parametrize(
    ("age_s", "status", "expected"),
    [
        pytest.param(3_600, "pass", [], id="fresh"),
        pytest.param(30_000, "fail", ["E550 warning"], id="up to half over"),
        pytest.param(60_000, "fail", ["E550 error"], id="up to three times"),
        pytest.param(90_000, "fail", ["E550 critical"], id="beyond"),
        pytest.param(None, "fail", ["E550 error"], id="no time at all"),
    ],
)
def test_freshness(age_s: int | None, status: Status, expected: list[str]) -> None:
    numbers = {"threshold_seconds": 21_600} | ({"age_seconds": age_s} if age_s is not None else {})
    found = one("servicelevel_freshness", status, "placed_at", category="servicelevel", **numbers)
    assert codes(freshness_result(ORDERS, [found])) == expected


def test_a_row_kept_for_too_long_is_a_violation_of_quality() -> None:
    numbers = {"age_seconds": 90, "threshold_seconds": 60}
    found = one("servicelevel_retention", "fail", "placed_at", category="servicelevel", **numbers)
    assert codes(freshness_result(ORDERS, [found])) == ["E553 warning"]


def test_tables_are_told_apart_by_the_names_of_their_views() -> None:
    assert codes(drift_result(TWO, [one("field_is_present", "fail", "id")])) == ["E531 error"]
    (item,) = drift_result(TWO, [one("field_is_present", "fail", "id")]).findings
    assert item.element == "orders.id"


@pytest.mark.parametrize(
    ("sla", "by_it"),
    [
        pytest.param(FRESH, True, id="age of a column"),
        pytest.param(Sla("freshness", "6", unit="h", element="orders.placed_at"), True, id="number and unit"),
        pytest.param(Sla("freshness", "PT6H"), True, id="the only timestamp column"),
        pytest.param(Sla("freshness", "P1M", element="placed_at"), False, id="months have no fixed length"),
        pytest.param(Sla("latency", "PT1M", element="placed_at"), False, id="latency"),
        pytest.param(Sla("timeOfAvailability", "06:00", element="placed_at"), False, id="deadline"),
        pytest.param(Sla("frequency", "1", unit="d", element="placed_at"), False, id="frequency"),
    ],
)
def test_promises_are_shared_out(sla: Sla, by_it: bool) -> None:
    promised = contract(column("order_id"), column("placed_at", "timestamp"), slas=(sla,))
    assert (bool(ages_only(promised, None).slas), bool(without_ages(promised, None).slas)) == (by_it, not by_it)


def test_a_floor_of_rows_is_left_to_us_with_nothing_beside_it() -> None:
    promised = contract(column("id", required=True), slas=(Sla("minRowsPerDay", 5), FRESH))
    left = row_floors(promised)
    assert [one.property for one in left.slas] == ["minRowsPerDay"]
    assert not left.objects[0].properties[0].required
