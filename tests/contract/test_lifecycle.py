"""Stages of a contract's life on a given day, and what is wrong with the notice."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.contract.lifecycle import (
    Shortfall,
    Stage,
    lifecycle,
    notice_problems,
    notice_shortfall,
    stage_of,
    sunset_of,
)
from floe_contracts.contract.model import Contract, Deprecation


def _contract(status: str | None = None, announced: str | None = None, sunset: str | None = None) -> Contract:
    notice = Deprecation(announced, sunset, replacement="orders-v4") if announced or sunset else None
    return Contract("orders", "3.0.0", status=status, deprecation=notice)


@pytest.mark.parametrize(
    ("today", "stage"),
    [
        pytest.param("2026-01-02", Stage.ACTIVE, id="the day before the announcement"),
        pytest.param("2026-01-03", Stage.DEPRECATED, id="the day of the announcement"),
        pytest.param("2026-02-02", Stage.DEPRECATED, id="the day before sunset"),
        pytest.param("2026-02-03", Stage.SUNSET, id="the sunset date"),
        pytest.param("2026-02-09", Stage.SUNSET, id="the seventh day of sunset"),
        pytest.param("2026-02-10", Stage.RETIRED, id="the day after"),
    ],
)
@pytest.mark.parametrize("status", [None, "active", "deprecated", "retired", "draft"])
def test_dates_decide_whatever_the_status_says(today: str, stage: Stage, status: str | None) -> None:
    contract = _contract(status, "2026-01-03", "2026-02-03")
    assert stage_of(contract, date.fromisoformat(today)) is stage
    assert lifecycle(contract, date.fromisoformat(today)).stage is stage


@pytest.mark.parametrize(
    ("status", "stage"),
    [
        pytest.param(None, Stage.ACTIVE, id="none"),
        pytest.param("active", Stage.ACTIVE, id="active"),
        pytest.param("draft", Stage.ACTIVE, id="draft"),
        pytest.param("Deprecated ", Stage.DEPRECATED, id="deprecated in any spelling"),
        pytest.param("sunset", Stage.SUNSET, id="sunset"),
        pytest.param("retired", Stage.RETIRED, id="retired"),
        pytest.param("in review", Stage.ACTIVE, id="a word of one's own"),
    ],
)
def test_without_dates_the_status_decides(status: str | None, stage: Stage) -> None:
    assert stage_of(_contract(status), date(2026, 1, 1)) is stage


@pytest.mark.parametrize(
    ("announced", "sunset", "today", "stage"),
    [
        pytest.param("2026-01-03", None, "2026-05-01", Stage.DEPRECATED, id="never ends without a sunset date"),
        pytest.param(None, "2026-02-03", "2026-01-01", Stage.DEPRECATED, id="a sunset date alone is a notice"),
        pytest.param(None, "2026-02-03", "2026-02-10", Stage.RETIRED, id="a sunset date alone ends it"),
        pytest.param("soon", "later", "2026-02-10", Stage.ACTIVE, id="unreadable dates decide nothing"),
    ],
)
def test_incomplete_dates(announced: str | None, sunset: str | None, today: str, stage: Stage) -> None:
    assert stage_of(_contract("active", announced, sunset), date.fromisoformat(today)) is stage


@pytest.mark.parametrize(
    ("contract", "problems"),
    [
        pytest.param(_contract("active"), [], id="active"),
        pytest.param(_contract("deprecated", "2026-01-03", "2026-02-03"), [], id="complete"),
        pytest.param(_contract("deprecated"), [("deprecation-incomplete", "status", False)], id="only a status"),
        pytest.param(_contract(None, "2026-01-03"), [("deprecation-incomplete", "sunset_date", True)], id="no sunset"),
        pytest.param(
            _contract(None, None, "2026-02-03"), [("deprecation-incomplete", "announced", True)], id="no start"
        ),
        pytest.param(_contract(None, "soon", "2026-02-03"), [("deprecation-date", "announced", True)], id="no date"),
        pytest.param(
            _contract(None, "2026-01-03", "2026-01-23"),
            [("deprecation-window-short", "sunset_date", False)],
            id="20 days, which settings may allow",
        ),
        pytest.param(
            _contract(None, "2026-01-03", "2026-01-10"),
            [("deprecation-window-short", "sunset_date", True)],
            id="7 days, which nothing allows",
        ),
        pytest.param(
            _contract(None, "2026-02-03", "2026-01-03"),
            [("deprecation-window-short", "sunset_date", True)],
            id="sunset before announcement",
        ),
        pytest.param(
            Contract("orders", "3.0.0", deprecation=Deprecation("2026-01-03", "2026-02-03")),
            [("deprecation-incomplete", "replacement", False)],
            id="no replacement",
        ),
        pytest.param(
            Contract("orders", "3.0.0", deprecation=Deprecation("2026-01-03", "2026-02-03", reason="source shut down")),
            [],
            id="a reason instead of a replacement",
        ),
    ],
)
def test_problems_of_the_notice(contract: Contract, problems: list[tuple[str, str, bool]]) -> None:
    assert [(one.rule, one.key, one.certain) for one in notice_problems(contract)] == problems


def test_shorter_notice_by_settings() -> None:
    contract = _contract("deprecated", "2026-01-03", "2026-01-17")
    assert notice_shortfall(contract, 14) is None
    assert notice_shortfall(contract) == Shortfall(14, date(2026, 2, 2))


def test_retired_before_the_sunset_week_is_over() -> None:
    early = lifecycle(_contract("retired", "2026-01-03", "2026-02-03"), date(2026, 2, 5))
    due = lifecycle(_contract("retired", "2026-01-03", "2026-02-03"), date(2026, 2, 10))
    assert [one.rule for one in early.problems] == ["retired-before-sunset"]
    assert (due.problems, due.retires) == ((), date(2026, 2, 10))


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.integers(0, 60), st.integers(-40, 100))
def test_life_only_moves_forward(announced: date, notice: int, offset: int) -> None:
    sunset = announced + timedelta(days=notice)
    contract = _contract("active", str(announced), str(sunset))
    today = announced + timedelta(days=offset)
    assert stage_of(contract, today).rank <= stage_of(contract, today + timedelta(days=1)).rank
    assert sunset_of(contract) == sunset
