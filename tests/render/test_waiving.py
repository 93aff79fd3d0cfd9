"""Ready waivers: YAML that says what is waived, whatever the contract is called."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from support.hostile import reports
from support.samples import TODAY, green_report, sample_report

from floe_contracts.codes import E522
from floe_contracts.render.outline import waiver_lines
from floe_contracts.results import Bump, CheckResult, Finding, Outcome, Report

KEYS = ["fingerprint", "contract", "rule", "element", "reason", "approver", "expires"]


def waivers(report: Report) -> list[dict[str, object]]:
    lines = waiver_lines(report, TODAY)
    return yaml.safe_load("\n".join(lines))["waivers"] if lines else []


def test_every_breaking_change_has_one_in_one_block() -> None:
    assert [(each["rule"], each["element"]) for each in waivers(sample_report())] == [
        ("property-removed", "orders.customer_id"),
        ("enum-value-removed", "orders.state"),
    ]


def test_nothing_blocks_nothing_to_waive() -> None:
    assert waiver_lines(green_report(), TODAY) == ()


@pytest.mark.parametrize(
    ("bump", "offered"),
    [
        pytest.param(Bump.PATCH, 0, id="a patch"),
        pytest.param(Bump.MINOR, 0, id="a minor change"),
        pytest.param(Bump.MAJOR, 1, id="a break"),
        pytest.param(Bump.BLOCK, 1, id="what no version covers"),
    ],
)
def test_what_a_smaller_version_cures_is_offered_no_waiver(bump: Bump, offered: int) -> None:
    change = Finding.of(E522, "rule", "changed", contract="a", element="b", bump=bump, fingerprint="a" * 16)
    result = CheckResult("gate", "a", Outcome.VIOLATED, "a.yaml", (change,))
    assert len(waivers(Report("gate", "1", (result,)))) == offered


@settings(max_examples=60)
@given(reports())
def test_no_name_adds_a_line(report: Report) -> None:
    _, *lines = waiver_lines(report, TODAY) or ("",)
    keys = [line.lstrip(" -").split(":", 1)[0] for line in lines]
    assert keys == KEYS * (len(lines) // len(KEYS))
