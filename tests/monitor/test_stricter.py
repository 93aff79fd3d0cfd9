"""Thresholds of the settings: stricter takes effect, weaker is refused."""

from __future__ import annotations

import pytest
from support.builders import contract

from floe_contracts.contract.meaning.sla import meanings
from floe_contracts.contract.model import Sla
from floe_contracts.monitor.settings.model import apply_thresholds

SIX_HOURS = Sla("freshness", "PT6H", element="placed_at")


def promised(*slas: Sla, **thresholds: str) -> list[str]:
    found, problem = apply_thresholds(contract(slas=slas), thresholds)
    assert problem == ""
    return [f"{one.name} {one.quantity.text if one.quantity else ''}" for one in meanings(found)]


@pytest.mark.parametrize(
    ("slas", "thresholds", "expected"),
    [
        pytest.param((SIX_HOURS,), {"freshness": "3h"}, ["freshness PT3H"], id="a shorter age"),
        pytest.param((SIX_HOURS,), {"freshness": "360m"}, ["freshness PT6H"], id="the same in another unit"),
        pytest.param(
            (Sla("freshness_minutes", 30),), {"freshness": "PT10M"}, ["freshness PT10M"], id="another name of the same"
        ),
        pytest.param(
            (Sla("availability", "99.9%"),), {"availability": "99.95%"}, ["availability 99.95%"], id="more availability"
        ),
        pytest.param(
            (), {"min_rows_per_day": "10"}, ["min_rows_per_day 10 row/day"], id="a promise that was not there"
        ),
        pytest.param(
            (SIX_HOURS, Sla("retention", "P1Y")),
            {"freshness": "1h"},
            ["freshness PT1H", "retention P1Y"],
            id="others stay",
        ),
    ],
)
def test_stricter_thresholds_take_effect(
    slas: tuple[Sla, ...], thresholds: dict[str, str], expected: list[str]
) -> None:
    assert promised(*slas, **thresholds) == expected


@pytest.mark.parametrize(
    ("sla", "thresholds", "reason"),
    [
        pytest.param(SIX_HOURS, {"freshness": "12h"}, "weaker than the contract's PT6H", id="an older age"),
        pytest.param(
            Sla("availability", "99.9%"),
            {"availability": "99%"},
            "weaker than the contract's 99.9%",
            id="less availability",
        ),
        pytest.param(SIX_HOURS, {"retention": "P1Y"}, "which no check measures", id="what no check measures"),
    ],
)
def test_anything_else_is_refused(sla: Sla, thresholds: dict[str, str], reason: str) -> None:
    one = contract(slas=(sla,))
    found, problem = apply_thresholds(one, thresholds)
    assert (found, reason in problem) == (one, True)


def test_the_element_of_the_promise_stays() -> None:
    found, _ = apply_thresholds(contract(slas=(SIX_HOURS,)), {"freshness": "1h"})
    assert found.slas[0].element == "placed_at"
