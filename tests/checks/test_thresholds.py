"""The eight comparisons, exactly at their limits."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from floe_contracts.checks.rules.thresholds import is_comparable, passes, spell_thresholds, to_fraction
from floe_contracts.contract.model import Threshold

T = Threshold


@pytest.mark.parametrize(
    ("operator", "operand", "passing", "failing"),
    [
        pytest.param(T.MUST_BE, 5, ["5"], ["4.9", "5.1"], id="mustBe"),
        pytest.param(T.MUST_NOT_BE, 5, ["4.9", "5.1"], ["5"], id="mustNotBe"),
        pytest.param(T.GREATER_THAN, 5, ["5.1"], ["5", "4.9"], id="mustBeGreaterThan"),
        pytest.param(T.GREATER_OR_EQUAL, 5, ["5", "5.1"], ["4.9"], id="mustBeGreaterOrEqualTo"),
        pytest.param(T.LESS_THAN, 5, ["4.9"], ["5", "5.1"], id="mustBeLessThan"),
        pytest.param(T.LESS_OR_EQUAL, 5, ["4.9", "5"], ["5.1"], id="mustBeLessOrEqualTo"),
        pytest.param(T.BETWEEN, [2, 5], ["2", "3", "5"], ["1.9", "5.1"], id="mustBeBetween"),
        pytest.param(T.NOT_BETWEEN, [2, 5], ["1.9", "5.1"], ["2", "3", "5"], id="mustNotBeBetween"),
        pytest.param(T.MUST_BE, True, ["1"], ["0", "2"], id="true is one"),
        pytest.param(T.LESS_THAN, "0.1", ["0.0999"], ["0.1"], id="a number as text"),
        pytest.param(T.MUST_BE, 0.1, ["0.1"], ["0.1000000000000000055511151231257827"], id="a float by its spelling"),
    ],
)
def test_an_operator_at_its_limit(operator: T, operand: Any, passing: list[str], failing: list[str]) -> None:
    assert all(passes(Fraction(value), ((operator, operand),)) for value in passing)
    assert not any(passes(Fraction(value), ((operator, operand),)) for value in failing)


def test_every_operator_is_covered() -> None:
    assert all(is_comparable(one, [1, 2] if "Between" in one.value else 1) for one in T)
    assert len(T) == 8


def test_several_comparisons_must_all_hold() -> None:
    both = ((T.GREATER_THAN, 1), (T.LESS_THAN, 5))
    assert passes(Fraction(3), both)
    assert not passes(Fraction(5), both)


def test_no_comparison_demands_nothing_at_all() -> None:
    assert passes(Fraction(0), ())
    assert not passes(Fraction(1), ())


@pytest.mark.parametrize(
    ("thresholds", "unit", "words"),
    [
        pytest.param((), "rows", "exactly 0 rows", id="none"),
        pytest.param(((T.LESS_THAN, 1),), "percent", "less than 1 percent", id="less"),
        pytest.param(((T.BETWEEN, [100, 120]),), "rows", "between 100 and 120 rows", id="between"),
        pytest.param(((T.GREATER_THAN, 1), (T.LESS_OR_EQUAL, 5)), "", "more than 1 and at most 5", id="both"),
    ],
)
def test_comparisons_in_words(thresholds: Any, unit: str, words: str) -> None:
    assert spell_thresholds(thresholds, unit) == words


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(3, Fraction(3), id="an int"),
        pytest.param(Decimal("0.10"), Fraction(1, 10), id="a decimal"),
        pytest.param(0.1, Fraction(1, 10), id="a float by its shortest spelling"),
        pytest.param(True, Fraction(1), id="a truth value"),
        pytest.param(None, None, id="nothing"),
        pytest.param(float("nan"), None, id="not a number"),
        pytest.param(float("inf"), None, id="infinity"),
        pytest.param(Decimal("NaN"), None, id="a decimal that is not a number"),
    ],
)
def test_measured_numbers_are_exact(value: Any, expected: Fraction | None) -> None:
    assert to_fraction(value) == expected
