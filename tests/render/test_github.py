"""Workflow commands: the right ones, few enough to be kept, and never one that a contract wrote."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hostile import reports
from support.runner_model import obeyed
from support.samples import REPORTS, sample_report
from support.snapshots import assert_matches

from floe_contracts import codes
from floe_contracts.codes import Severity
from floe_contracts.render.machine import github
from floe_contracts.render.outline import scope_line
from floe_contracts.render.safe import log_safe
from floe_contracts.results import Disposition, Finding, Location, Report


@pytest.mark.parametrize("name", REPORTS)
def test_report_looks_as_reviewed(name: str) -> None:
    assert_matches(f"github-{name}.txt", github.render(REPORTS[name]))


def found(severity: Severity, number: int, **more: Any) -> tuple[Finding, ...]:
    return tuple(
        Finding.of(
            codes.E501, "some-rule", f"message {index}", severity=severity, location=Location("a.yaml", index), **more
        )
        for index in range(1, number + 1)
    )


def levels(report: Report) -> list[str]:
    return [command.name for command in obeyed(github.render(report))]


@pytest.mark.parametrize(
    ("severity", "level"),
    [
        (Severity.CRITICAL, "error"),
        (Severity.ERROR, "error"),
        (Severity.WARNING, "warning"),
        (Severity.INFO, "notice"),
    ],
)
def test_level_follows_severity(severity: Severity, level: str) -> None:
    blocking = Finding.of(codes.E501, "other", "so that the run is blocked")
    assert level in levels(Report("lint", "1", findings=(*found(severity, 1), blocking)))


@pytest.mark.parametrize(
    ("items", "fail_on", "expected"),
    [
        pytest.param(found(Severity.ERROR, 1), "never", ["warning"], id="an error in a run that passes is a warning"),
        pytest.param(
            found(Severity.ERROR, 1, standing=Disposition.WAIVED), "any", ["warning"], id="a waived error is a warning"
        ),
        pytest.param(
            found(Severity.INFO, 1, standing=Disposition.ALLOWED), "any", [], id="an allowed change is silent"
        ),
        pytest.param(found(Severity.ERROR, 10), "any", ["error"] * 10, id="ten errors are shown"),
        pytest.param(
            found(Severity.ERROR, 11), "any", ["error"] * 10 + ["notice"], id="the eleventh error is only counted"
        ),
        pytest.param(found(Severity.INFO, 30), "any", ["notice"] * 10, id="the count is one of ten notices"),
    ],
)
def test_annotations(items: tuple[Finding, ...], fail_on: str, expected: list[str]) -> None:
    assert levels(Report("gate", "1", findings=items, fail_on=fail_on)) == expected  # type: ignore[arg-type]


def test_the_worst_are_kept_and_the_rest_is_counted() -> None:
    items = (*found(Severity.WARNING, 12), *found(Severity.ERROR, 13), *found(Severity.INFO, 3))
    commands = obeyed(github.render(Report("gate", "1", findings=items)))
    assert commands[-1].data == (
        "5 more findings have no annotation (3 errors, 2 warnings); the report lists them all."
    )
    assert len(commands) == 10 + 10 + 3 + 1


def test_place_and_title_survive_the_escapes() -> None:
    item = Finding.of(codes.E501, "unknown-key", "100% wrong: a,b", location=Location("a,b:c%2C.yaml", 3, 7))
    (command,) = obeyed(github.render(Report("lint", "1", findings=(item,))))
    assert command.properties == {"file": "a,b:c%2C.yaml", "line": "3", "col": "7", "title": "FLOE-E501 unknown-key"}
    assert command.data.startswith("100% wrong: a,b\nfix: ")


def test_a_deleted_contract_is_anchored_without_a_line() -> None:
    commands = obeyed(github.render(sample_report()))
    (gone,) = [each for each in commands if each.properties.get("title") == "FLOE-E525 contract-deleted"]
    assert set(gone.properties) == {"file", "title"}


def test_a_long_message_is_cut() -> None:
    item = Finding.of(codes.E501, "r", "m", suggestions=tuple(f"{index}: " + "x" * 590 for index in range(20)))
    (command,) = obeyed(github.render(Report("lint", "1", findings=(item,))))
    assert len(command.data) == github.LONGEST_MESSAGE
    assert command.data.endswith("…")


@settings(max_examples=80)
@given(reports())
def test_only_our_own_commands_are_obeyed(report: Report) -> None:
    output = github.render(report)
    commands = obeyed(output)
    log = 1 + bool(scope_line(report))
    assert len(commands) == output.count("\n") - log, "one command per line after the verdict and what was compared"
    assert all(command.name in ("error", "warning", "notice") for command in commands)
    titles = {f"{item.code.id} {log_safe(item.rule, 100)}" for item in report.all_findings()} | {"More findings"}
    places = {log_safe(item.location.path, 1_000) if item.location else None for item in report.all_findings()}
    # Breaking a forged command puts blanks into a line, so blanks are left out of the comparison.
    shown = {command.properties.pop("title").replace(" ", "") for command in commands}
    assert shown <= {title.replace(" ", "") for title in titles}
    assert {command.properties.pop("file", None) for command in commands} <= places | {None}
    assert all(set(command.properties) <= {"line", "col"} for command in commands)
    assert all(command.data.replace("\n", "").isprintable() for command in commands)
    assert all(len(command.data) <= github.LONGEST_MESSAGE for command in commands)
    assert max((levels(report).count(level) for level in ("error", "warning", "notice")), default=0) <= 10


@given(st.text(min_size=1))
def test_any_path_comes_out_as_one_property(path: str) -> None:
    item = Finding.of(codes.E501, "r", "m", location=Location(path, 1))
    (command,) = obeyed(github.render(Report("lint", "1", findings=(item,))))
    assert command.properties["line"] == "1"
    assert command.properties["file"].isprintable()
