"""Ready waivers: YAML that says what is waived, whatever the contract is called."""

from __future__ import annotations

import yaml
from hypothesis import given, settings
from support.hostile import reports
from support.samples import TODAY, green_report, sample_report

from floe_contracts.render.outline import waiver_blocks
from floe_contracts.results import Report

KEYS = ["fingerprint", "contract", "rule", "element", "reason", "approver", "expires"]


def waivers(report: Report) -> list[dict[str, object]]:
    blocks = waiver_blocks(report, TODAY)
    return yaml.safe_load("\n".join(["waivers:", *blocks]))["waivers"] or [] if blocks else []


def test_every_blocking_change_has_one() -> None:
    assert [(each["rule"], each["element"]) for each in waivers(sample_report())] == [
        ("property-removed", "orders.customer_id"),
        ("enum-value-removed", "orders.state"),
    ]


def test_nothing_blocks_nothing_to_waive() -> None:
    assert waiver_blocks(green_report(), TODAY) == ()


@settings(max_examples=60)
@given(reports())
def test_no_name_adds_a_line(report: Report) -> None:
    for block in waiver_blocks(report, TODAY):
        keys = [line.lstrip(" -").split(":", 1)[0] for line in block.split("\n")]
        assert keys == KEYS
