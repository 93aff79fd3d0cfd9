"""The terminal report: the verdict first, every problem on one line, nothing from a file obeyed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hostile import reports
from support.runner_model import obeyed
from support.samples import HOSTILE, TODAY, lint_report, sample_report
from support.snapshots import assert_matches

from floe_contracts import codes
from floe_contracts.render.text import terminal
from floe_contracts.results import Bump, CheckResult, Finding, Location, Outcome, Report, VersionStep


def shown(report: Report, *, colour: bool = False, width: int = 100, verbose: bool = False) -> str:
    return terminal.render(report, colour=colour, width=width, verbose=verbose, today=TODAY)


@pytest.mark.parametrize(
    ("name", "report", "options"),
    [
        pytest.param("terminal-gate.txt", sample_report(), {}, id="gate"),
        pytest.param("terminal-gate-colour.txt", sample_report(), {"colour": True, "width": 80}, id="gate in colour"),
        pytest.param("terminal-lint-verbose.txt", lint_report(), {"verbose": True}, id="lint with everything shown"),
    ],
)
def test_report_looks_as_reviewed(name: str, report: Report, options: dict[str, bool]) -> None:
    assert_matches(name, shown(report, **options))


def result(contract: str, outcome: Outcome = Outcome.VIOLATED, *found: object, **more: object) -> CheckResult:
    return CheckResult("lint", contract, outcome, f"{contract}.yaml", tuple(found), **more)  # type: ignore[arg-type]


MISSPELT = Finding.of(
    codes.E501, "unknown-key", "unknown", location=Location("a.yaml", 3), suggestions=("Did you mean x?",)
)
ABSENT = Finding.of(codes.E500, "file-not-found", "no such file", suggestions=("Check the spelling.",))
STEP = VersionStep("1.0.0", "1.1.0", Bump.MINOR, Bump.MAJOR, next="2.0.0")
BREAK = Finding.of(codes.E520, "column-removed", "gone", bump=Bump.MAJOR)


@pytest.mark.parametrize(
    ("report", "first_line"),
    [
        pytest.param(
            Report("lint", "1", (result("a", Outcome.PASSED),)), "PASS: 1 contract checked, no errors.", id="pass"
        ),
        pytest.param(
            Report("lint", "1", allow_empty=False),
            "NOTHING CHECKED: 0 contracts checked (FLOE-E593). "
            "Check the paths and globs, or say --allow-empty if no contract is right.",
            id="nothing checked is loud",
        ),
        pytest.param(
            Report("lint", "1"), "PASS: 0 contracts checked, there is nothing to check here.", id="empty allowed"
        ),
        pytest.param(
            Report("lint", "1", (result("a", Outcome.VIOLATED, MISSPELT),)),
            "BLOCKED: 1 error in a.yaml:3. Did you mean x?",
            id="a single error brings its own cure",
        ),
        pytest.param(
            Report("lint", "1", (result("a", Outcome.VIOLATED, MISSPELT, BREAK), result("b", Outcome.PASSED))),
            "BLOCKED: 2 errors in 1 of 2 contracts. Correct the lines below.",
            id="several errors are counted",
        ),
        pytest.param(
            Report("gate", "1", (result("a", Outcome.VIOLATED, BREAK, version=STEP),)),
            "BLOCKED: a needs version 2.0.0, 1.1.0 is declared. Run `floe bump`.",
            id="a missing bump names the version to write",
        ),
        pytest.param(
            Report("gate", "1", tuple(result(name, Outcome.VIOLATED, BREAK, version=STEP) for name in "abcd")),
            "BLOCKED: 4 contracts need a higher version: a 2.0.0, b 2.0.0, c 2.0.0 and 1 more. Run `floe bump`.",
            id="several missing bumps are named",
        ),
        pytest.param(
            Report("lint", "1", (result("a", Outcome.ERRORED, ABSENT),)),
            "COULD NOT CHECK: 1 file could not be checked. Check the spelling.",
            id="an unreadable file is not a pass",
        ),
        pytest.param(
            Report("lint", "1", (result("a", Outcome.ERRORED, ABSENT), result("b", Outcome.VIOLATED, MISSPELT))),
            "COULD NOT CHECK: 1 file could not be checked. 1 error in the others. See the lines below.",
            id="an unreadable file beside an error",
        ),
        pytest.param(
            Report("gate", "1", (result("a", Outcome.VIOLATED, BREAK),), fail_on="never"),
            "PASS: 1 contract checked, 1 error reported (fail_on is never).",
            id="errors that may not fail are still said",
        ),
    ],
)
def test_first_line_is_verdict_and_cure(report: Report, first_line: str) -> None:
    assert shown(report).splitlines()[0] == first_line


def test_hostile_text_is_harmless_in_every_line() -> None:
    output = shown(sample_report())
    assert "##[" not in output
    assert not [line for line in output.splitlines() if line.lstrip().startswith("::")]
    assert output.replace("\n", "").isprintable()
    assert HOSTILE not in output


@pytest.mark.parametrize(("verbose", "waivers"), [(False, 10), (True, 12)])
def test_ready_waivers_do_not_push_the_findings_away(verbose: bool, waivers: int) -> None:
    many = tuple(replace(BREAK, element=f"e{index}", fingerprint=f"{index:016x}") for index in range(12))
    output = shown(Report("gate", "1", (result("a", Outcome.VIOLATED, *many),)), verbose=verbose)
    assert (output.count("waivers:\n"), output.count("  - fingerprint: ")) == (1, waivers)
    assert ("(-v shows all 12)" in output) is not verbose


def test_without_colour_the_words_are_the_same() -> None:
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown(sample_report(), colour=True))
    assert plain == shown(sample_report())


def test_advice_is_wrapped_to_the_width() -> None:
    indented = [line for line in shown(sample_report(), width=60).splitlines() if line.startswith(" ")]
    assert max(len(line) for line in indented if len(line.split()) > 3) <= 75
    assert len(indented) > len([line for line in shown(sample_report(), width=0).splitlines() if line.startswith(" ")])


@settings(max_examples=60)
@given(reports(), st.sampled_from((0, 40, 100)), st.booleans())
def test_a_runner_obeys_nothing_in_any_report(report: Report, width: int, verbose: bool) -> None:
    output = shown(report, width=width, verbose=verbose)
    assert obeyed(output) == []
    assert output.replace("\n", "").isprintable()


@given(st.text(min_size=1), st.text(), st.text(min_size=1))
def test_any_text_in_any_place_stays_in_its_line(path: str, message: str, name: str) -> None:
    place = Location(path, 1, 1)
    item = Finding.of(codes.E501, "rule", message or "m", location=place, expected=message, contract=name)
    report = Report("lint", "1", (CheckResult("lint", name, Outcome.VIOLATED, path, (item,)),))
    lines = shown(report, width=0).split("\n")
    assert "##[" not in "".join(lines)
    assert all(line.isprintable() and not line.lstrip().startswith("::") for line in lines)
    assert len(lines) <= 10
