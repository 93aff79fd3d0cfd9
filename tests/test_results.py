"""What a report says and which exit code it deserves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from floe_contracts import codes
from floe_contracts.codes import Severity
from floe_contracts.results import (
    Bump,
    CheckResult,
    Disposition,
    ExitCode,
    FailOn,
    Finding,
    Location,
    Outcome,
    Report,
    decide,
    outcome_of,
    raise_warnings,
)
from floe_contracts.results.facts import RunScope, read_result

WRONG = Finding.of(codes.E501, "unknown-key", "no such key")
WARNING = replace(WRONG, severity=Severity.WARNING)
BREAK = Finding.of(codes.E520, "column-removed", "gone", bump=Bump.MAJOR)
ADDED = Finding.of(codes.E522, "column-added", "new", bump=Bump.MINOR)
DELETED = Finding.of(codes.E525, "contract-deleted", "gone", bump=Bump.BLOCK)


def checked(*found: Finding, outcome: Outcome | None = None) -> CheckResult:
    return CheckResult("check", "orders", outcome or outcome_of(found), "orders.yaml", tuple(found))


@pytest.mark.parametrize(
    ("results", "own", "code"),
    [
        pytest.param((checked(),), (), ExitCode.PASS, id="nothing wrong"),
        pytest.param((checked(WARNING),), (), ExitCode.PASS, id="a warning"),
        pytest.param((checked(WRONG),), (), ExitCode.BLOCKED, id="an error"),
        pytest.param((checked(replace(WRONG, severity=Severity.CRITICAL)),), (), ExitCode.BLOCKED, id="a critical one"),
        pytest.param((checked(),), (WRONG,), ExitCode.BLOCKED, id="an error outside any contract"),
        pytest.param(
            (checked(replace(BREAK, standing=Disposition.ALLOWED)),), (), ExitCode.PASS, id="an allowed break"
        ),
        pytest.param((checked(replace(BREAK, standing=Disposition.WAIVED)),), (), ExitCode.PASS, id="a waived break"),
        pytest.param(
            (checked(replace(BREAK, standing=Disposition.REPORTED)),), (), ExitCode.PASS, id="a break in a draft"
        ),
        pytest.param((checked(outcome=Outcome.SKIPPED),), (), ExitCode.PASS, id="a skipped check"),
        pytest.param(
            (checked(outcome=Outcome.ERRORED),), (), ExitCode.COULD_NOT_CHECK, id="a check that failed to run"
        ),
        pytest.param(
            (checked(WRONG), checked(outcome=Outcome.ERRORED)),
            (),
            ExitCode.COULD_NOT_CHECK,
            id="could not check beats blocked",
        ),
        pytest.param((), (), ExitCode.COULD_NOT_CHECK, id="nothing checked"),
    ],
)
def test_exit_code_of_a_report(results: tuple[CheckResult, ...], own: tuple[Finding, ...], code: ExitCode) -> None:
    assert decide(Report("lint", "1", results, own, allow_empty=False)) is code


@pytest.mark.parametrize(
    ("item", "fail_on", "code"),
    [
        pytest.param(BREAK, "breaking", ExitCode.BLOCKED, id="a break under breaking"),
        pytest.param(ADDED, "breaking", ExitCode.PASS, id="an addition under breaking"),
        pytest.param(DELETED, "breaking", ExitCode.BLOCKED, id="a deletion under breaking"),
        pytest.param(WRONG, "breaking", ExitCode.BLOCKED, id="an invalid contract under breaking"),
        pytest.param(ADDED, "any", ExitCode.BLOCKED, id="an addition under any"),
        pytest.param(BREAK, "never", ExitCode.PASS, id="a break under never"),
    ],
)
def test_fail_on_decides_what_blocks(item: Finding, fail_on: FailOn, code: ExitCode) -> None:
    assert decide(Report("gate", "1", (checked(item),), fail_on=fail_on)) is code


def test_fail_on_never_does_not_hide_that_nothing_could_be_checked() -> None:
    report = Report("gate", "1", (checked(outcome=Outcome.ERRORED),), fail_on="never")
    assert decide(report) is ExitCode.COULD_NOT_CHECK


UNKNOWN = Finding.of(codes.E560, "not-measured", "items could not be measured: no such table")
OLD = Finding.of(codes.E550, "too-old", "Data is 8 hours old, SLA is 6 hours")


def run(outcome: str, *found: Finding, **said: str) -> CheckResult:
    return read_result(CheckResult("freshness", "orders", Outcome(outcome), "orders.yaml", found), said.items())


GOOD = run("passed", enforcement="block")


@pytest.mark.parametrize(
    ("results", "demanded", "code"),
    [
        pytest.param((run("violated", OLD, UNKNOWN),), "", ExitCode.PASS, id="partly unmeasured alerts"),
        pytest.param(
            (run("violated", OLD, UNKNOWN),), "true", ExitCode.COULD_NOT_CHECK, id="unless errors are to fail the run"
        ),
        pytest.param(
            (run("violated", OLD, UNKNOWN, enforcement="block"),), "", ExitCode.COULD_NOT_CHECK, id="or under block"
        ),
        *(
            pytest.param(
                (GOOD, run("skipped", status=status, enforcement="block")),
                "",
                ExitCode.COULD_NOT_CHECK,
                id=f"{status} under block",
            )
            for status in ("busy", "expired", "past_slot")
        ),
        pytest.param(
            (run("passed", status="met, past_slot", enforcement="block"),),
            "",
            ExitCode.COULD_NOT_CHECK,
            id="one promise of a past slot under block",
        ),
        pytest.param((GOOD, run("skipped", status="no_promise", enforcement="block")), "", ExitCode.PASS, id="nothing"),
        pytest.param((run("skipped", status="busy"),), "", ExitCode.PASS, id="busy without block"),
        pytest.param((run("skipped", status="expired"),), "true", ExitCode.PASS, id="expired without block"),
        pytest.param((GOOD, run("skipped", status="past_slot")), "", ExitCode.PASS, id="one past slot of two"),
        pytest.param(
            (run("skipped", status="past_slot"), run("skipped", status="no_promise")),
            "",
            ExitCode.COULD_NOT_CHECK,
            id="past slots and nothing else",
        ),
    ],
)
def test_exit_code_of_a_run(results: tuple[CheckResult, ...], demanded: str, code: ExitCode) -> None:
    report = Report("monitor run all", "1", results, scope=RunScope(fail_on_error=bool(demanded)), fail_on="enforced")
    assert decide(report) is code


def test_an_empty_run_may_be_allowed() -> None:
    assert decide(Report("lint", "1", allow_empty=True)) is ExitCode.PASS


@pytest.mark.parametrize(
    ("results", "verdict"),
    [((checked(),), "pass"), ((checked(WRONG),), "blocked"), ((checked(outcome=Outcome.ERRORED),), "error")],
    ids=["pass", "blocked", "error"],
)
def test_verdict_in_one_word(results: tuple[CheckResult, ...], verdict: str) -> None:
    assert Report("lint", "1", results).verdict == verdict


def test_findings_are_ordered_by_place_then_badness_and_listed_once() -> None:
    late = replace(WRONG, location=Location("a.yaml", 9, 1))
    early = replace(WRONG, location=Location("a.yaml", 2, 7))
    early_warning = replace(early, severity=Severity.WARNING)
    result = checked(late, early_warning, early, late)
    assert result.findings == (early, early_warning, late)


def test_results_are_ordered_by_path() -> None:
    report = Report("lint", "1", tuple(replace(checked(), path=path) for path in ("b.yaml", "a.yaml", "c.yaml")))
    assert [result.path for result in report.results] == ["a.yaml", "b.yaml", "c.yaml"]


def test_all_findings_starts_with_the_reports_own() -> None:
    report = Report("gate", "1", (checked(BREAK),), (WRONG,))
    assert list(report.all_findings()) == [WRONG, BREAK]


def test_strict_raises_warnings_and_nothing_else() -> None:
    info = replace(WRONG, severity=Severity.INFO)
    assert raise_warnings([WARNING, info, WRONG]) == (WRONG, info, WRONG)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        pytest.param(Location("a.yaml"), "a.yaml", id="a file"),
        pytest.param(Location("a.yaml", 3), "a.yaml:3", id="a line"),
        pytest.param(Location("a.yaml", 3, 5), "a.yaml:3:5", id="a column"),
    ],
)
def test_a_location_prints_as_editors_read_it(place: Location, text: str) -> None:
    assert str(place) == text


def test_a_finding_takes_severity_and_violation_type_from_its_code() -> None:
    assert (BREAK.severity, BREAK.violation_type) == (Severity.ERROR, codes.ViolationType.BREAKING_CHANGE)
    assert BREAK.docs_url == codes.E520.docs_url
