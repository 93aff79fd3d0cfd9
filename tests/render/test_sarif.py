"""SARIF: valid against the official schema, placed on real lines, within the limits of code scanning."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from random import Random
from string import ascii_letters, digits
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, given, settings
from support.hostile import reports
from support.runner_model import obeyed
from support.samples import REPORTS, lint_report, sample_report
from support.snapshots import assert_matches

from floe_contracts import codes
from floe_contracts.codes import Severity
from floe_contracts.compat.ruleset import find_rule
from floe_contracts.render.machine import sarif
from floe_contracts.results import Bump, CheckResult, Disposition, Finding, Location, Outcome, Report
from floe_contracts.results.facts import FindingFacts


def run(report: Report) -> Any:
    (only,) = json.loads(sarif.render(report))["runs"]
    return only


def errors(schema: Any, text: str) -> list[str]:
    validator = jsonschema_rs.validator_for(schema, validate_formats=True)
    return [f"{error.instance_path}: {error.message}" for error in validator.iter_errors(json.loads(text))]


def test_report_looks_as_reviewed() -> None:
    assert_matches("report-lint.sarif", sarif.render(lint_report()))


@pytest.mark.parametrize("name", REPORTS)
def test_valid_against_the_official_schema(sarif_schema: Any, name: str) -> None:
    assert errors(sarif_schema, sarif.render(REPORTS[name])) == []


def test_the_schema_would_notice_a_mistake(sarif_schema: Any) -> None:
    assert errors(sarif_schema, sarif.render(sample_report()).replace('"ruleIndex": 0', '"ruleIndex": -2'))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(reports())
def test_any_report_is_valid_and_obeyed_by_nobody(sarif_schema: Any, report: Report) -> None:
    text = sarif.render(report)
    assert errors(sarif_schema, text) == []
    assert obeyed(text) == []
    assert "](" not in json.dumps([each["message"]["text"] for each in run(report)["results"]]), "a link in a message"


PLAIN = Finding.of(codes.E501, "unknown-key", "m", location=Location("a.yaml", 3, 7), fingerprint="")
CHANGE = Finding.of(codes.E520, "property-removed", "m", bump=Bump.MAJOR, fingerprint="0123456789abcdef")


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        pytest.param(PLAIN, {"level": "error", "ruleId": "unknown-key"}, id="an error"),
        pytest.param(replace(PLAIN, severity=Severity.WARNING), {"level": "warning"}, id="a warning"),
        pytest.param(replace(PLAIN, severity=Severity.INFO), {"level": "note"}, id="a note"),
        pytest.param(
            replace(CHANGE, standing=Disposition.WAIVED, facts=FindingFacts(waiver="waived until May by dana: agreed")),
            {
                "suppressions": [
                    {"kind": "external", "status": "accepted", "justification": "waived: until May by dana: agreed"}
                ]
            },
            id="a waived finding is suppressed",
        ),
        pytest.param(
            replace(CHANGE, standing=Disposition.ALLOWED), {"kind": "informational", "level": "none"}, id="allowed"
        ),
        pytest.param(replace(CHANGE, standing=Disposition.REPORTED), {"level": "note"}, id="a draft's break is a note"),
        pytest.param(
            CHANGE, {"partialFingerprints": {"floeFinding/v1": "0123456789abcdef"}}, id="the waiver's fingerprint"
        ),
    ],
)
def test_result_says(item: Any, expected: dict[str, object]) -> None:
    (result,) = run(Report("gate", "1", findings=(item,)))["results"]
    assert result == result | expected


def test_a_finding_without_fingerprint_keeps_its_own_when_it_moves() -> None:
    moved = replace(PLAIN, location=Location("a.yaml", 90, 1))
    other = replace(PLAIN, element="other")
    prints = [
        result["partialFingerprints"]["floeFinding/v1"]
        for item in (PLAIN, moved, other)
        for result in run(Report("lint", "1", findings=(item,)))["results"]
    ]
    assert prints[0] == prints[1] != prints[2]


@pytest.mark.parametrize(
    ("place", "physical"),
    [
        pytest.param(
            Location("contracts/größe 1%.yaml", 3, 7),
            {
                "artifactLocation": {"uri": "contracts/gr%C3%B6%C3%9Fe%201%25.yaml", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 3, "startColumn": 7},
            },
            id="a line, with the path percent-encoded",
        ),
        pytest.param(
            Location("a.yaml"),
            {"artifactLocation": {"uri": "a.yaml", "uriBaseId": "%SRCROOT%"}},
            id="a deleted file has no region",
        ),
        pytest.param(
            Location("/data/a.yaml", 2),
            {"artifactLocation": {"uri": "file:///data/a.yaml"}, "region": {"startLine": 2}},
            id="a file outside the repository",
        ),
    ],
)
def test_location(place: Location, physical: dict[str, object]) -> None:
    (result,) = run(Report("lint", "1", findings=(replace(PLAIN, location=place),)))["results"]
    assert result["locations"][0]["physicalLocation"] == physical


def test_a_finding_without_a_place_is_put_on_its_contract() -> None:
    item = replace(PLAIN, location=None)
    (result,) = run(Report("gate", "1", (CheckResult("gate", "a", Outcome.VIOLATED, "a.yaml", (item,)),)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a.yaml"


def test_rules_are_described_by_the_gate_or_by_their_code() -> None:
    described = {rule["id"]: rule for rule in run(sample_report())["tool"]["driver"]["rules"]}
    removed = find_rule("property-removed")
    assert removed
    assert described["property-removed"]["shortDescription"]["text"] == removed.title
    assert described["property-removed"]["helpUri"] == removed.docs_url
    assert described["unknown-key"]["shortDescription"]["text"] == codes.E501.title
    assert described["unknown-key"]["helpUri"] == codes.E501.docs_url


def test_results_point_to_their_rules() -> None:
    only = run(sample_report())
    rules = [rule["id"] for rule in only["tool"]["driver"]["rules"]]
    assert [result["ruleId"] for result in only["results"]] == [rules[each["ruleIndex"]] for each in only["results"]]


def test_too_many_results_are_cut_worst_first_and_it_is_said() -> None:
    minor = [replace(PLAIN, severity=Severity.INFO, message=f"{index}") for index in range(sarif.MOST_RESULTS)]
    text = sarif.render(Report("lint", "1", findings=(*minor, PLAIN, replace(PLAIN, element="x"))))
    (only,) = json.loads(text)["runs"]
    assert len(only["results"]) == sarif.MOST_RESULTS
    assert [result["level"] for result in only["results"][:3]] == ["error", "error", "note"]
    said = only["invocations"][0]["toolExecutionNotifications"][-1]
    assert said["message"]["text"].startswith("2 more findings are left out")


def test_the_largest_report_stays_below_what_code_scanning_takes() -> None:
    noise = Random(1)  # packs badly
    huge = [
        replace(
            PLAIN, message=word, expected=word[::-1], actual=word[::2] * 2, suggestions=(word[::3] * 3,), element=word
        )
        for word in ("".join(noise.choices(ascii_letters + digits, k=700)) for _ in range(sarif.MOST_RESULTS))
    ]
    report = Report("lint", "1", findings=tuple(huge))
    assert len(gzip.compress(sarif.render(report).encode())) < 10_000_000
    assert 2_000 < len(run(report)["results"]) < sarif.MOST_RESULTS


@pytest.mark.parametrize(("name", "successful"), [("blocked", True), ("green", True), ("unsure", False)])
def test_could_not_check_is_no_successful_run(name: str, successful: bool) -> None:
    assert run(REPORTS[name])["invocations"][0]["executionSuccessful"] is successful
