"""JUnit XML: well-formed whatever a contract holds, and counted as test servers count."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hostile import reports
from support.runner_model import obeyed
from support.samples import REPORTS, sample_report
from support.snapshots import assert_matches

from floe_contracts import codes
from floe_contracts.render.machine import junit
from floe_contracts.results import CheckResult, Finding, Outcome, Report


@pytest.mark.parametrize("name", ["blocked", "unsure"])
def test_report_looks_as_reviewed(name: str) -> None:
    assert_matches(f"junit-{name}.xml", junit.render(REPORTS[name]))


def suite(contract: str) -> ElementTree.Element:
    (found,) = ElementTree.fromstring(junit.render(sample_report())).findall(f"testsuite[@name='{contract}']")
    return found


def test_the_verdict_is_the_name_of_the_whole() -> None:
    assert ElementTree.fromstring(junit.render(sample_report())).get("name", "").startswith("BLOCKED: orders needs")


@pytest.mark.parametrize(
    ("contract", "inside"),
    [
        pytest.param(
            "orders", ["failure", "failure", "system-out"], id="blocking findings fail, allowed ones are told"
        ),
        pytest.param("stock", ["skipped"], id="a waived finding is skipped"),
        pytest.param("forecasts", ["skipped"], id="a draft's break is skipped"),
        pytest.param("users", ["failure", "system-out"], id="a warning is told"),
        pytest.param("warehouses", [], id="a clean contract passes"),
    ],
)
def test_case_holds(contract: str, inside: list[str]) -> None:
    assert [child.tag for case in suite(contract).iter("testcase") for child in case] == inside


@pytest.mark.parametrize(
    ("outcome", "tags"),
    [
        (Outcome.PASSED, []),
        (Outcome.SKIPPED, ["skipped"]),
        (Outcome.ERRORED, ["error"]),
        (Outcome.VIOLATED, ["failure"]),
    ],
)
def test_a_result_without_findings_is_one_case(outcome: Outcome, tags: list[str]) -> None:
    root = ElementTree.fromstring(junit.render(Report("gate", "1", (CheckResult("gate", "a", outcome),))))
    (case,) = root.iter("testcase")
    assert [child.tag for child in case] == tags


def test_a_file_that_could_not_be_checked_is_an_error() -> None:
    root = ElementTree.fromstring(junit.render(REPORTS["unsure"]))
    assert (root.get("errors"), root.get("failures")) == ("1", "1")


@settings(max_examples=80)
@given(reports())
def test_any_report_is_well_formed_and_counts_right(report: Report) -> None:
    text = junit.render(report)
    root = ElementTree.fromstring(text)
    cases = list(root.iter("testcase"))
    assert int(root.get("tests", "")) == len(cases)
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        assert int(root.get(name, "")) == len(list(root.iter(tag)))
        assert sum(int(each.get(name, "")) for each in root.findall("testsuite")) == int(root.get(name, ""))
    assert obeyed(text) == []


@given(st.text(st.characters(), min_size=1))
def test_any_character_can_be_told(message: str) -> None:
    ElementTree.fromstring(junit.render(Report("lint", "1", findings=(Finding.of(codes.E501, "r", message),))).encode())
