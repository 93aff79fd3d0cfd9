"""The guide to monitoring settings: its examples are settings, and it shows every key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.builds import ROOT
from support.told_commands import File, steps

from floe_contracts.monitor.settings.reading import published_schema, read_config, require_usable

GUIDES = ROOT / "docs/guides"
SETTINGS = ".floe/monitoring.yaml"


def examples(page: Path) -> list[bytes]:
    told = steps(page.read_text("utf-8"))
    return [step.text.encode() for step in told if isinstance(step, File) and step.path == SETTINGS]


@pytest.mark.parametrize(
    "page", [one for one in sorted(GUIDES.glob("*.md")) if examples(one)], ids=lambda one: one.stem
)
def test_the_examples_are_sound(page: Path) -> None:
    for text in examples(page):
        require_usable(read_config(text, SETTINGS))


def test_every_key_is_shown_and_explained() -> None:
    page = (GUIDES / "monitoring-settings.md").read_text("utf-8")
    example, told = (
        examples(GUIDES / "monitoring-settings.md")[0].decode(),
        re.sub(r"```.*?```", "", page, flags=re.DOTALL),
    )
    keys = sorted(set(_keys(published_schema())))
    assert len(keys) > 50
    assert [key for key in keys if not re.search(rf"\b{key}:", example)] == []
    assert [key for key in keys if not re.search(rf"`[^`]*\b{key}\b[^`]*`", told)] == []


def _keys(schema: dict[str, Any]) -> Iterator[str]:
    for block in (schema, *schema["$defs"].values()):
        yield from block.get("properties", {})
