"""Availability: probes in a row, the window with its budget, and when it says nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builders import column, contract, table
from support.judgements import said, sla, told

from floe_contracts.checks.availability import Budget, TableProbe, judge_availability
from floe_contracts.checks.measured import Probe, ProbeHistory
from floe_contracts.contract.model import Sla
from floe_contracts.results import CheckResult, Outcome

THREE_NINES = sla("availability", "99.9%", element=None)
UP, DOWN = Probe(True, seconds=0.4), Probe(False, "connection refused", 10.0, retried=True)
GONE = Probe(False, "Path does not exist: file:/t", 1.0, retried=True, missing=True)


def available(probe: Probe, *slas: Sla, **history: Any) -> CheckResult:
    one = contract(table(column()), slas=slas)
    return judge_availability(one, [TableProbe(one.objects[0], probe)], ProbeHistory(**history))


@pytest.mark.parametrize(
    ("probe", "history", "expected", "up"),
    [
        pytest.param(UP, {}, [], "1", id="up"),
        pytest.param(DOWN, {}, ["E552 warning"], "0", id="the first failure warns"),
        pytest.param(
            DOWN, {"failed_in_a_row": {"orders": 1}}, ["E552 error"], "0", id="the second in a row is an error"
        ),
        pytest.param(DOWN, {"failed_in_a_row": {"orders": 5}}, ["E552 error"], "0", id="and stays one"),
        pytest.param(DOWN, {"failed_in_a_row": {"items": 5}}, ["E552 warning"], "0", id="another table failed before"),
        pytest.param(UP, {"failed_in_a_row": {"orders": 5}}, [], "1", id="back again"),
    ],
)
def test_a_probe_is_judged_without_any_promise(
    probe: Probe, history: dict[str, Any], expected: list[str], up: str
) -> None:
    result = available(probe, **history)
    assert (told(result), said(result, "up")) == (expected, up)


@pytest.mark.parametrize(
    ("probe", "good", "was_there", "expected"),
    [
        pytest.param(GONE, 0, False, "E552 warning", id="nobody ever saw it"),
        pytest.param(GONE, 3, False, "E552 error", id="it answered earlier probes"),
        pytest.param(GONE, 0, True, "E552 error", id="another check has read it"),
        pytest.param(DOWN, 3, True, "E552 warning", id="it may be there still"),
    ],
)
def test_a_table_that_was_there_and_is_gone_is_an_error(
    probe: Probe, good: int, was_there: bool, expected: str
) -> None:
    one = contract(table(column()))
    result = judge_availability(one, [TableProbe(one.objects[0], probe, was_there)], ProbeHistory(good=good))
    assert told(result) == [expected]
    assert result.findings[0].message.endswith("; it was there before") is (expected == "E552 error")


def test_the_message_gives_the_reason() -> None:
    (found,) = available(DOWN, failed_in_a_row={"orders": 1}).findings
    assert found.message == "orders is not available, for the 2nd time in a row: connection refused"
    assert (found.expected, found.actual, found.violation_type) == ("up", "down", "availability_violation")


# 30 days of a probe every 5 minutes are 8,640 probes, of which 8 may fail.
@pytest.mark.parametrize(
    ("probe", "good", "bad", "expected"),
    [
        pytest.param(UP, 8631, 8, [], id="8 of 8,640 failed"),
        pytest.param(UP, 8630, 9, ["E552 critical"], id="9 failed, and the source is up again"),
        pytest.param(UP, 8607, 32, ["E552 critical"], id="32 failed"),
        pytest.param(DOWN, 8632, 7, ["E552 warning"], id="the eighth failure is within the budget"),
        pytest.param(DOWN, 8631, 8, ["E552 critical"], id="the ninth overspends it"),
    ],
)
def test_the_budget_of_a_window(probe: Probe, good: int, bad: int, expected: list[str]) -> None:
    assert told(available(probe, THREE_NINES, good=good, bad=bad, expected=8640)) == expected


@pytest.mark.parametrize(
    ("promised", "probes", "allowed"),
    [
        pytest.param("0.999", 8640, 8, id="30 days of 5 minutes"),
        pytest.param("0.999", 1000, 1, id="exactly one, where floats say 1.0000000000000009"),
        pytest.param("0.999", 999, 0, id="not yet one"),
        pytest.param("0.995", 8640, 43, id="99.5 percent"),
        pytest.param("1", 8640, 0, id="100 percent allows none"),
    ],
)
def test_the_budget_is_counted_in_whole_probes(promised: str, probes: int, allowed: int) -> None:
    assert Budget(Fraction(promised), probes, 0).allowed == allowed


@pytest.mark.parametrize(
    ("good", "bad", "expected_probes", "status"),
    [
        pytest.param(997, 1, 999, "insufficient_history", id="999 probes: one failure would overspend it"),
        pytest.param(998, 1, 1000, "", id="1,000 probes are enough"),
        pytest.param(8207, 0, 8640, "", id="exactly 95 percent of the probes were made"),
        pytest.param(8206, 0, 8640, "sparse", id="fewer were made"),
        pytest.param(8206, 0, None, "", id="nobody knows how many should have been"),
    ],
)
def test_a_window_that_says_nothing_is_not_judged(
    good: int, bad: int, expected_probes: int | None, status: str
) -> None:
    result = available(UP, THREE_NINES, good=good, bad=bad, expected=expected_probes)
    assert (said(result, "status") or "", result.findings) == (status, ())


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        pytest.param({"good": 10, "bad": 5}, ["E552 warning"], id="too short a history"),
        pytest.param({"good": 4000, "bad": 50, "expected": 8640}, ["E552 warning"], id="too sparse a history"),
    ],
)
def test_then_a_failed_probe_is_judged_on_its_own(history: dict[str, Any], expected: list[str]) -> None:
    assert told(available(DOWN, THREE_NINES, **history)) == expected


def test_outages_are_counted_when_single_failures_are_not() -> None:
    result = available(UP, THREE_NINES, good=100, bad=5, outages=2)
    assert (said(result, "outages"), said(result, "status")) == ("2", "insufficient_history")


def test_a_promise_of_100_percent_is_broken_by_one_failure() -> None:
    promised = sla("availability", 100, element=None)
    assert told(available(UP, promised, good=20, bad=1)) == ["E552 critical"]
    assert told(available(UP, promised, good=20)) == []


def test_the_context_carries_ratio_budget_and_burn_rate() -> None:
    result = available(UP, THREE_NINES, good=8634, bad=5, expected=8640)
    assert dict(result.context) == {
        "key": "orders",
        "version": "1.0.0",
        "up": "1",
        "probe_seconds": "0.400",
        "threshold": "99.9000",
        "value": "99.9421",
        "availability": "99.9421",
        "probe_coverage": "100.00",
        "error_budget": "8",
        "error_budget_left": "3",
        "burn_rate": "0.57",
    }


def test_a_promise_that_cannot_be_read_is_said() -> None:
    result = available(UP, sla("availability", "always", element=None))
    assert (result.outcome, told(result), said(result, "up")) == (Outcome.ERRORED, ["E560 warning"], "1")


def test_the_contract_is_up_when_every_table_is() -> None:
    one = contract(table(column(), name="orders"), table(column(), name="lines"))
    probes = [TableProbe(one.objects[0], UP), TableProbe(one.objects[1], DOWN)]
    result = judge_availability(one, probes)
    assert (said(result, "up"), [item.element for item in result.findings]) == ("0", ["lines"])


def test_without_a_table_there_is_nothing_to_probe() -> None:
    assert judge_availability(contract(), []).outcome is Outcome.SKIPPED


@given(st.integers(0, 10**6), st.integers(0, 10**4), st.fractions(0, 1))
def test_the_budget_is_never_negative_and_grows_with_the_probes(good: int, bad: int, promised: Fraction) -> None:
    budget, longer = Budget(promised, good, bad), Budget(promised, good + 1, bad)
    assert 0 <= budget.allowed <= longer.allowed <= budget.probes + 1
