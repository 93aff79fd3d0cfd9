"""The guide lists the inputs and outputs that the actions have."""

from __future__ import annotations

import re

import pytest
from support.action_files import ACTIONS, Object, action
from support.builds import ROOT

GUIDE = ROOT / "docs/guides/github-action.md"


def rows(name: str) -> list[str]:
    """The tables of one action, from its action.yml."""
    inputs = [
        f"| `{each}` | {_default(given)} | {given['description']} |" for each, given in action(name).inputs.items()
    ]
    outputs = [f"| `{each}` | {given['description']} |" for each, given in action(name).outputs.items()]
    return [
        *("| input | default | meaning |", "|---|---|---|", *inputs),
        *("", "| output | meaning |", "|---|---|", *outputs),
    ]


def _default(given: Object) -> str:
    text = str(given.get("default", ""))
    if text.startswith("${{"):
        return "the job's token"
    return f"`{text}`" if text else "required" if given.get("required") else "–"


@pytest.mark.parametrize("name", ACTIONS)
def test_the_guide_has_every_row(name: str) -> None:
    guide = GUIDE.read_text("utf-8").splitlines()
    assert [row for row in rows(name) if row not in guide] == []


def test_the_guide_has_no_other_row() -> None:
    known = {row for name in ACTIONS for row in rows(name)}
    listed = [line for line in GUIDE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert [line for line in listed if line not in known] == []


def test_the_guide_points_to_files_that_are_there() -> None:

    links = re.findall(r"\]\((\.\./[^)#]+)", GUIDE.read_text("utf-8"))
    assert links
    assert [link for link in links if not (GUIDE.parent / link).exists()] == []
