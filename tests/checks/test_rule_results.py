"""A rule against its measured number: met, failed or not measured, and how that reads."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from support.rule_samples import BELOW_FIVE, quality, rule
from support.rule_samples import one_result as _one

from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Failure
from floe_contracts.checks.rules.results import RuleResult, judge_rules


@pytest.mark.parametrize(
    ("value", "more", "status", "compared"),
    [
        pytest.param(0, {}, "pass", 0, id="none"),
        pytest.param(1, {}, "fail", 1, id="one"),
        pytest.param(4, {"thresholds": BELOW_FIVE}, "pass", 4, id="below a threshold in rows"),
        pytest.param(5, {"thresholds": BELOW_FIVE}, "fail", 5, id="at it"),
        pytest.param(
            49,
            {"thresholds": BELOW_FIVE, "unit": "percent", "of": m.RowCount(), "rows": 1000},
            "pass",
            "4.9",
            id="percent",
        ),
        pytest.param(
            50,
            {"thresholds": BELOW_FIVE, "unit": "percent", "of": m.RowCount(), "rows": 1000},
            "fail",
            5,
            id="at 5 percent",
        ),
        pytest.param(
            0,
            {"thresholds": BELOW_FIVE, "unit": "percent", "of": m.RowCount(), "rows": 0},
            "pass",
            0,
            id="nothing of nothing",
        ),
        pytest.param(Decimal("4.5"), {"thresholds": BELOW_FIVE}, "pass", "4.5", id="a decimal of a query"),
        pytest.param(None, {}, "error", None, id="a query without an answer"),
        pytest.param(float("nan"), {}, "error", None, id="an answer that is not a number"),
        pytest.param(Failure("division by zero"), {}, "error", None, id="a failed measurement"),
    ],
)
def test_a_rule_is_met_or_not(value: Any, more: dict[str, Any], status: str, compared: Any) -> None:
    found = _one(value, **more)
    assert (found.status, found.value) == (status, None if compared is None else Fraction(compared))


def test_a_measure_that_nobody_took_is_an_error() -> None:
    (found,) = judge_rules([rule()], {})
    assert (found.status, found.reason) == ("error", "it was not measured")


@pytest.mark.parametrize(
    ("result", "message", "expected", "actual"),
    [
        pytest.param(_one(12), "amount is not_null: 12 rows break it", "exactly 0 rows", "12 rows", id="a constraint"),
        pytest.param(_one(1), "amount is not_null: 1 row breaks it", "exactly 0 rows", "1 row", id="one row"),
        pytest.param(
            _one(7, source="quality", thresholds=BELOW_FIVE),
            "amount is not_null: 7 rows found, must be less than 5 rows",
            "less than 5 rows",
            "7 rows",
            id="a quality rule",
        ),
        pytest.param(
            _one(1, source="quality", unit="percent", of=m.RowCount(), rows=3),
            "amount is not_null: 33.3333 percent found, must be exactly 0 percent",
            "exactly 0 percent",
            "33.3333 percent",
            id="a percentage",
        ),
    ],
)
def test_a_broken_rule_tells_counts(result: RuleResult, message: str, expected: str, actual: str) -> None:
    (found,) = quality(result).findings
    assert found.message == message
    assert (found.expected, found.actual) == (expected, actual)
