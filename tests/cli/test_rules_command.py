"""`floe rules` lists what every change costs, for people and for machines."""

from __future__ import annotations

import json

import pytest
from support.running import Floe

from floe_contracts.compat.kinds import FactKind


def test_every_rule_is_listed_with_its_bump_and_title(floe: Floe) -> None:
    lines = floe("rules").out.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(listed) == sorted(kind.value for kind in FactKind)
    assert [line.split(maxsplit=2)[1:] for line in lines if line.startswith("  property-removed ")] == [
        ["major", "A column was removed"]
    ]


def test_the_list_ends_with_the_profile_and_the_next_step(floe: Floe) -> None:
    out = floe("rules").out
    assert f"{len(FactKind)} rules, profile floe: the default" in out
    assert out.endswith("why and how: floe explain RULE\n")


@pytest.mark.parametrize(
    ("profile", "bump"),
    [
        pytest.param("floe", "minor", id="floe"),
        pytest.param("consumer", "major", id="consumer"),
        pytest.param("full", "major", id="full"),
        pytest.param("lakehouse", "minor", id="lakehouse"),
    ],
)
def test_prices_are_those_of_the_profile(floe: Floe, profile: str, bump: str) -> None:
    value = json.loads(floe("rules", "--profile", profile, "--format", "json").out)
    assert (value["schema"], value["profile"]) == ("floe/rules/v1", profile)
    prices = {rule["id"]: rule["bump"] for rule in value["rules"]}
    assert list(prices) == [kind.value for kind in FactKind]
    assert prices["enum-value-added"] == bump


def test_an_unknown_profile_is_a_usage_error(floe: Floe) -> None:
    ran = floe("rules", "--profile", "strict")
    assert ran.code == 2
    assert "'strict' is not one of 'floe', 'consumer', 'full', 'lakehouse'" in ran.err


def test_colour_marks_what_is_major(floe: Floe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[31mmajor\x1b[0m  A column was removed" in floe("rules").out
