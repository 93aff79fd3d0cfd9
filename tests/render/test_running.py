"""Run-time checks in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from floe_contracts import codes
from floe_contracts.render.headline import headline
from floe_contracts.render.running import circumstances, describe_result, run_totals
from floe_contracts.render.text import terminal
from floe_contracts.results import CheckResult, Finding, Location, Outcome, Report
from floe_contracts.results.facts import RunScope, read_result

LATE = Finding.of(codes.E550, "too-old", "Data is 8 hours old, SLA is 6 hours", expected="PT6H", actual="PT8H")
ENUM = Finding.of(codes.E553, "enum", "status is one of 2 values: 1 row breaks it", expected="exactly 0 rows")
EXTRA = Finding.of(codes.E532, "column-extra", "note is a column that the contract does not name")
ABSENT = Finding.of(codes.E560, "not-measured", "orders could not be measured: no such table", actual="no such table")
BROKEN = Finding.of(codes.E501, "yaml", "a key stands twice", location=Location("orders.yaml", 3, 1))


def result(check: str, outcome: str, *found: Finding, name: str = "orders", **said: str) -> CheckResult:
    return read_result(CheckResult(check, name, Outcome(outcome), f"{name}.yaml", found), said.items())


def report(*results: CheckResult, notes: tuple[str, ...] = (), allow_empty: bool = False) -> Report:
    return Report(
        "monitor run all",
        "0",
        results,
        scope=RunScope(namespace="shop"),
        notes=notes,
        fail_on="enforced",
        allow_empty=allow_empty,
    )


@pytest.mark.parametrize(
    ("one", "words"),
    [
        pytest.param(
            result("freshness", "violated", LATE, value="8", threshold="6"), "8 hours old, 6 hours promised", id="age"
        ),
        pytest.param(
            result("freshness", "passed", value="0.0833", threshold="0.25", latency_seconds="300"),
            "4 minutes 59 seconds to arrival, 15 minutes promised",
            id="latency",
        ),
        pytest.param(
            result("freshness", "passed", deadline="met", occurrence="2026-01-03T06:00:00Z"),
            "deadline 2026-01-03T06:00:00Z met",
            id="deadline",
        ),
        pytest.param(
            result("freshness", "passed", value="1", threshold="6", future_rows="3"),
            "1 hour old, 6 hours promised, 3 rows of the future",
            id="rows of the future",
        ),
        pytest.param(result("availability", "passed", up="1"), "up, no availability is promised", id="up"),
        pytest.param(
            result("availability", "violated", up="0", availability="99.5000", threshold="99.9000"),
            "down, 99.5% of probes, 99.9% promised",
            id="down",
        ),
        pytest.param(
            result("availability", "passed", up="1", availability="100.0000", threshold="99.9000", status="sparse"),
            "up, 100% of probes, 99.9% promised (too many probes are missing to judge the promise)",
            id="sparse",
        ),
        pytest.param(result("schema_drift", "passed"), "columns as promised", id="no drift"),
        pytest.param(result("schema_drift", "passed", EXTRA), "1 difference", id="drift"),
        pytest.param(
            result("quality", "violated", ENUM, score="90.00", threshold="95.00", rules="10", rules_failed="1"),
            "score 90, 95 promised, 9 of 10 rules met",
            id="score",
        ),
        pytest.param(
            result(
                "quality", "passed", score="100.00", rules="1", rules_failed="0", rules_errored="2", rules_skipped="1"
            ),
            "score 100, 1 of 1 rule met, 2 not measured, 1 not measurable",
            id="rules that were not measured",
        ),
        pytest.param(
            result("quality", "passed", rows_of_day="500", day="2026-01-02", rules="0"),
            "500 rows on 2026-01-02",
            id="rows of a day",
        ),
        pytest.param(
            result("lifecycle", "violated", stage="deprecated", sunset_date="2026-03-01"),
            "deprecated, sunset on 2026-03-01",
            id="lifecycle",
        ),
        pytest.param(result("freshness", "skipped", status="no_promise"), "nothing is promised", id="no promise"),
        pytest.param(result("freshness", "skipped", status="busy"), "another run is checking this slot", id="busy"),
        pytest.param(result("freshness", "errored", ABSENT), "no such table", id="errored"),
        pytest.param(result("freshness", "errored", BROKEN), "the contract has errors", id="broken contract"),
    ],
)
def test_what_was_measured(one: CheckResult, words: str) -> None:
    assert describe_result(one) == words


@pytest.mark.parametrize(
    ("one", "parts"),
    [
        pytest.param(
            result("freshness", "passed", how="column placed_at by scan", slot="2026-01-03T10:15:00Z", attempt="1"),
            ("column placed_at by scan", "slot 2026-01-03T10:15:00Z"),
            id="first attempt",
        ),
        pytest.param(
            result("freshness", "passed", slot="run etl/42", attempt="2", repeated="true"),
            ("run etl/42", "attempt 2", "checked before"),
            id="seen before",
        ),
    ],
)
def test_circumstances(one: CheckResult, parts: tuple[str, ...]) -> None:
    assert circumstances(one) == parts


PASSED = result("freshness", "passed")
ERRORED = result("quality", "errored", ABSENT)
VIOLATED = result("freshness", "violated", LATE, name="late")
BLOCKED = result("quality", "violated", ENUM, name="bad", enforcement="block")
BUSY = result("quality", "skipped", status="busy")
LATER = result("quality", "skipped", status="past_slot")


@pytest.mark.parametrize(
    ("results", "line"),
    [
        pytest.param((PASSED,), "PASS: 1 contract checked, every promise kept.", id="kept"),
        pytest.param((result("quality", "skipped"),), "PASS: 1 contract checked, nothing to check.", id="skipped"),
        pytest.param(
            (PASSED, VIOLATED), "ALERT: late has broken promises. Exit 0: enforcement is alert_only.", id="violated"
        ),
        pytest.param(
            (VIOLATED, BLOCKED),
            "BLOCKED: 2 of 2 contracts have broken promises. Enforcement is block for bad.",
            id="blocked",
        ),
        pytest.param(
            (PASSED, ERRORED),
            "ALERT: orders could not be checked. Exit 0: enforcement is alert_only.",
            id="one errored",
        ),
        pytest.param(
            (ERRORED,), "COULD NOT CHECK: orders could not be checked. The lines below say why.", id="all errored"
        ),
        pytest.param(
            (BUSY,),
            "NOTHING CHECKED: 1 check was not made: another run is checking this slot. "
            "Wait for that run; if it was killed, its slot is free 1 hour after it began.",
            id="busy",
        ),
        pytest.param(
            (read_result(BUSY, (("status", "busy"), ("enforcement", "block"))),),
            "COULD NOT CHECK: 1 check was not made: another run is checking this slot. "
            "Wait for that run; if it was killed, its slot is free 1 hour after it began.",
            id="busy under block",
        ),
        pytest.param(
            (result("quality", "skipped", status="expired"),),
            "NOTHING CHECKED: 1 check was not made: the slot is older than what the store remembers. "
            "Name a later --slot.",
            id="expired",
        ),
        pytest.param(
            (LATER, replace(LATER, check="freshness")),
            "COULD NOT CHECK: 2 checks were not made: the slot is over, and its source keeps no history. "
            "Name a later --slot, or set a check_interval that fits the scheduler.",
            id="past slots",
        ),
        pytest.param(
            (PASSED, replace(LATER, contract="items", path="items.yaml")),
            "PASS: 1 contract checked, every promise kept. "
            "1 check was not made: the slot is over, and its source keeps no history. "
            "Name a later --slot, or set a check_interval that fits the scheduler.",
            id="one past slot of two",
        ),
        pytest.param(
            (read_result(BLOCKED, (*BLOCKED.context, ("repeated", "true"))),),
            "BLOCKED: bad has broken promises. Enforcement is block for bad. "
            "The slot was checked before; --recheck measures it again.",
            id="blocked again",
        ),
        pytest.param(
            (read_result(BLOCKED, (*BLOCKED.context, ("repeated", "true"), ("slot", "run nightly/7"))),),
            "BLOCKED: bad has broken promises. Enforcement is block for bad. "
            "The run was checked before; another --run-id measures it again.",
            id="blocked again in a run",
        ),
        pytest.param(
            (result("freshness", "violated", LATE, ABSENT),),
            "ALERT: orders has broken promises; orders could not be checked in full. "
            "Exit 0: enforcement is alert_only.",
            id="partly errored",
        ),
        pytest.param((), "NOTHING CHECKED: 0 contracts found. Check the paths and globs.", id="no contract"),
    ],
)
def test_headline(results: tuple[CheckResult, ...], line: str) -> None:
    assert str(headline(report(*results))) == line


def test_totals_count_checks_by_outcome_and_violations_by_severity() -> None:
    said = run_totals(report(PASSED, ERRORED, VIOLATED, BLOCKED))
    assert said == "3 contracts · 4 checks: 1 passed, 2 violated, 1 errored · 2 violations (1 error, 1 warning)"


def test_a_run_on_a_terminal() -> None:
    late = result("freshness", "violated", LATE, value="8", threshold="6", how="column placed_at by scan")
    text = terminal.render(
        report(late, result("lifecycle", "passed", stage="active"), ERRORED, notes=("a note",)),
        colour=False,
        width=0,
        verbose=False,
    )
    assert text.splitlines() == [
        "ALERT: orders has broken promises; orders could not be checked. Exit 0: enforcement is alert_only.",
        "",
        "orders  orders.yaml",
        "  freshness    violated  8 hours old, 6 hours promised · column placed_at by scan",
        "    FLOE-E550 warning Data is 8 hours old, SLA is 6 hours",
        "      expected  PT6H",
        "      actual    PT8H",
        f"      fix       {codes.E550.fix}",
        "  quality      errored   no such table",
        "  lifecycle    passed    active",
        "",
        "a note",
        "namespace shop",
        "1 contract · 3 checks: 1 passed, 1 violated, 1 errored · 1 violation (1 warning)",
        "why and how: floe explain FLOE-E550",
    ]


def test_the_fault_of_a_file_is_told_once() -> None:
    both = report(result("freshness", "errored", BROKEN), result("quality", "errored", BROKEN))
    text = terminal.render(both, colour=False, width=0, verbose=False)
    assert text.count("a key stands twice") == 1


def test_what_could_not_be_measured_beside_a_violation_is_told() -> None:
    both = report(result("freshness", "violated", LATE, ABSENT, value="8", threshold="6"))
    text = terminal.render(both, colour=False, width=0, verbose=False)
    assert "    FLOE-E560 warning orders could not be measured: no such table" in text.splitlines()
