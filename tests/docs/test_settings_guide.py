"""The guide to `.floe/`: its examples are read as settings, and it knows every key."""

from __future__ import annotations

import re
import textwrap
from datetime import date

import pytest
from support.builds import ROOT

from floe_contracts.compat.schemas import read_schema
from floe_contracts.compat.settings import read_settings

GUIDE = (ROOT / "docs/guides/settings-and-readers.md").read_text("utf-8")
BLOCKS = [textwrap.dedent(block) for block in re.findall(r"^ *```yaml\n(.*?)^ *```", GUIDE, re.DOTALL | re.MULTILINE)]
FILES = {block.splitlines()[0].removeprefix("# "): block for block in BLOCKS if block.startswith("# .floe/")}


def test_every_file_has_an_example() -> None:
    assert sorted(FILES) == [
        ".floe/acks.yaml",
        ".floe/config.yaml",
        ".floe/consumers/billing-service.yaml",
        ".floe/waivers.yaml",
    ]


def test_the_examples_are_sound_and_in_force() -> None:
    found = read_settings({path: text.encode() for path, text in FILES.items()}, date(2026, 11, 1))
    assert found.findings == ()
    assert found.waivers.problems() == ()
    assert len(found.register.subscriptions) == len(found.register.acknowledgements) == 1


@pytest.mark.parametrize("kind", ["config", "waivers", "consumers", "acks"])
def test_every_key_is_named(kind: str) -> None:
    schema = read_schema(kind)
    rows = [
        part["items"]["properties"] for part in schema["properties"].values() if "properties" in part.get("items", {})
    ]
    keys = {*schema["properties"], *(key for row in rows for key in row)}
    assert [key for key in sorted(keys) if f"`{key}`" not in GUIDE and f"{key}:" not in GUIDE] == []
