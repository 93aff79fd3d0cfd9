"""`floe explain` answers offline for every code."""

from __future__ import annotations

import json

import pytest
from running import Floe

from floe_contracts.codes import CODES


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained(floe: Floe, code: str) -> None:
    ran = floe("explain", code)
    assert ran.code == 0
    assert ran.out.startswith(f"{code}  {CODES[code].title}\n")
    assert CODES[code].docs_url in ran.out


def test_several_codes_are_explained_in_the_order_asked(floe: Floe) -> None:
    out = floe("explain", "520", "e501").out
    assert out.index("FLOE-E520") < out.index("FLOE-E501")


def test_without_a_code_all_are_listed(floe: Floe) -> None:
    assert [line.split()[0] for line in floe("explain").out.splitlines()] == list(CODES)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        pytest.param("E52", "Did you mean E520 or E521 or E522?", id="the beginning of a code"),
        pytest.param("E5200", "Did you mean E520", id="a digit too many"),
        pytest.param("pancake", "`floe explain` lists all codes.", id="nothing like a code"),
    ],
)
def test_an_unknown_code_gets_suggestions(floe: Floe, text: str, hint: str) -> None:
    ran = floe("explain", text)
    assert ran.code == 2
    assert f"There is no code '{text}'. {hint}" in ran.err


def test_json_carries_the_same_fields(floe: Floe) -> None:
    value = json.loads(floe("explain", "E520", "--format", "json").out)
    assert value["schema"] == "floe/codes/v1"
    assert value["codes"][0]["code"] == "FLOE-E520"
    assert value["codes"][0]["violation_type"] == "breaking_change"
