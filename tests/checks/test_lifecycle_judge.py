"""Lifecycle: what a deprecated contract says on each of its days."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from support.builders import contract
from support.judgements import said, told

from floe_contracts.checks.lifecycle import judge_lifecycle
from floe_contracts.contract.lifecycle import stage_of
from floe_contracts.contract.model import Deprecation
from floe_contracts.results import Outcome

LEAVING = contract(deprecation=Deprecation("2026-01-01", "2026-02-01", replacement="orders v3"))


@pytest.mark.parametrize(
    ("day", "stage", "expected"),
    [
        pytest.param("2025-12-31", "active", [], id="before the announcement"),
        pytest.param("2026-01-01", "deprecated", ["E558 warning"], id="on the day of it"),
        pytest.param("2026-01-31", "deprecated", ["E558 warning"], id="on the last day"),
        pytest.param("2026-02-01", "sunset", ["E559 error"], id="on the sunset date"),
        pytest.param("2026-02-07", "sunset", ["E559 error"], id="seven days long"),
        pytest.param("2026-02-08", "retired", ["E559 critical"], id="then it is retired"),
    ],
)
def test_the_days_of_a_contract(day: str, stage: str, expected: list[str]) -> None:
    result = judge_lifecycle(LEAVING, date.fromisoformat(day))
    assert (said(result, "stage"), told(result)) == (stage, expected)
    assert said(result, "stage") == stage_of(LEAVING, date.fromisoformat(day)).value, "the gate must agree"


@pytest.mark.parametrize(
    ("day", "message", "kind"),
    [
        pytest.param(
            "2026-01-31",
            "orders 1.0.0 is deprecated and ends on 2026-02-01, in 1 day",
            "deprecation_warning",
            id="deprecated",
        ),
        pytest.param(
            "2026-02-03",
            "orders 1.0.0 has reached its sunset and is retired on 2026-02-08",
            "deprecation_error",
            id="sunset",
        ),
        pytest.param("2026-03-01", "orders 1.0.0 is retired since 2026-02-08", "deprecation_error", id="retired"),
    ],
)
def test_the_message_says_until_when(day: str, message: str, kind: str) -> None:
    (found,) = judge_lifecycle(LEAVING, date.fromisoformat(day)).findings
    assert (found.message, found.violation_type) == (message, kind)
    assert found.suggestions == ("Read orders v3 instead.",)


@pytest.mark.parametrize(
    ("replacement", "guide", "advice"),
    [
        pytest.param(
            "orders v3", "https://wiki/x", "Read orders v3 instead. How to move on: https://wiki/x", id="both"
        ),
        pytest.param(None, "https://wiki/x", "How to move on: https://wiki/x", id="a guide alone"),
    ],
)
@pytest.mark.parametrize("day", ["2026-01-31", "2026-02-03"], ids=["deprecated", "sunset"])
def test_the_guide_to_move_on_is_named(replacement: str | None, guide: str, advice: str, day: str) -> None:
    assert LEAVING.deprecation is not None
    notice = replace(LEAVING.deprecation, replacement=replacement, migration_guide=guide)
    (found,) = judge_lifecycle(replace(LEAVING, deprecation=notice), date.fromisoformat(day)).findings
    assert found.suggestions == (advice,)


def test_a_status_alone_is_enough() -> None:
    result = judge_lifecycle(contract(status="deprecated"), date(2026, 1, 1))
    assert [item.message for item in result.findings] == ["orders 1.0.0 is deprecated"]


def test_an_active_contract_passes() -> None:
    assert judge_lifecycle(contract(), date(2026, 1, 1)).outcome is Outcome.PASSED
