"""Profiles and words for what blocks: one table each, and the published files say the same."""

from __future__ import annotations

from pathlib import Path

import yaml

from floe_contracts.compat.profiles import DEFAULT_PROFILE, PROFILES
from floe_contracts.compat.schemas import read_schema
from floe_contracts.results import FAIL_ON

ACTION = Path(__file__).parents[2] / "action.yml"


def test_the_schema_of_the_settings_knows_the_same_words() -> None:
    known = read_schema("config")["properties"]
    assert known["profile"]["enum"] == list(PROFILES)
    assert known["fail_on"]["enum"] == list(FAIL_ON)
    assert DEFAULT_PROFILE in PROFILES


def test_the_action_names_every_word() -> None:
    inputs = yaml.safe_load(ACTION.read_text("utf-8"))["inputs"]
    assert [word for word in PROFILES if word not in inputs["profile"]["description"]] == []
    assert [word for word in FAIL_ON if word not in inputs["fail-on"]["description"]] == []
