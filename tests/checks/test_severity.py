"""How bad a broken promise is: the table of overruns, and what staying broken does."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts import codes
from floe_contracts.checks.verdict import count_streaks, escalate, rate_overrun, read_severity
from floe_contracts.codes import Severity
from floe_contracts.results import Finding

HOURS = 3_600_000_000


@pytest.mark.parametrize(
    ("hours", "severity"),
    [
        pytest.param(0, None, id="nothing used"),
        pytest.param(6, None, id="exactly the promise"),
        pytest.param(Fraction(60001, 10000), Severity.WARNING, id="a breath over"),
        pytest.param(8, Severity.WARNING, id="the seeds' 8 hours against 6"),
        pytest.param(9, Severity.WARNING, id="exactly one and a half times"),
        pytest.param(Fraction(90001, 10000), Severity.ERROR, id="over one and a half times"),
        pytest.param(18, Severity.ERROR, id="exactly three times"),
        pytest.param(Fraction(180001, 10000), Severity.CRITICAL, id="over three times"),
        pytest.param(1000, Severity.CRITICAL, id="far beyond"),
    ],
)
def test_severity_follows_the_overrun_of_six_hours(hours: int | Fraction, severity: Severity | None) -> None:
    assert rate_overrun(hours * HOURS, 6 * HOURS) is severity


def test_a_promise_of_nothing_is_broken_critically_by_anything() -> None:
    assert rate_overrun(1, 0) is Severity.CRITICAL


@pytest.mark.parametrize(
    ("before", "severity"),
    [
        pytest.param(0, Severity.WARNING, id="the first violated slot"),
        pytest.param(1, Severity.WARNING, id="the second in a row"),
        pytest.param(2, Severity.CRITICAL, id="the third in a row"),
        pytest.param(9, Severity.CRITICAL, id="the tenth in a row"),
    ],
)
def test_the_third_violated_slot_in_a_row_is_critical(before: int, severity: Severity) -> None:
    assert escalate(Severity.WARNING, before) is severity


def _found(element: str, severity: Severity = Severity.WARNING) -> Finding:
    return Finding.of(codes.E550, "too-old", "old", element=element, severity=severity)


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        pytest.param([], {}, id="no history"),
        pytest.param([["a"], ["a"]], {"a": 2}, id="two slots in a row"),
        pytest.param([["a"], [], ["a"]], {"a": 1}, id="a good slot between them ends the row"),
        pytest.param([[], ["a"], ["a"]], {}, id="the newest slot was good"),
        pytest.param([["a", "b"], ["b"]], {"a": 1, "b": 2}, id="each element has a row of its own"),
    ],
)
def test_slots_in_a_row_are_counted_from_the_newest(history: list[list[str]], expected: dict[str, int]) -> None:
    found = count_streaks([[_found(element) for element in slot] for slot in history])
    assert found == {("FLOE-E550", element): count for element, count in expected.items()}


def test_what_only_informs_makes_no_row() -> None:
    assert count_streaks([[_found("a", Severity.INFO)]]) == {}


@pytest.mark.parametrize(
    ("word", "severity"),
    [
        pytest.param(None, Severity.ERROR, id="none said"),
        pytest.param("info", Severity.INFO, id="info"),
        pytest.param("Warning", Severity.WARNING, id="any case"),
        pytest.param("major", Severity.ERROR, id="major"),
        pytest.param("BLOCKER", Severity.CRITICAL, id="blocker"),
        pytest.param("sev-2", Severity.ERROR, id="a word nobody knows"),
    ],
)
def test_rules_name_their_severity_in_many_words(word: str | None, severity: Severity) -> None:
    assert read_severity(word) is severity


@given(st.integers(0, 10**18), st.integers(0, 10**18), st.integers(0, 10**17))
def test_more_overrun_is_never_less_severe(one: int, more: int, allowed: int) -> None:
    low, high = rate_overrun(one, allowed), rate_overrun(one + more, allowed)
    assert (high.rank if high else -1) >= (low.rank if low else -1)
