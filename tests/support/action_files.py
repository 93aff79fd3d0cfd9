"""The action and workflow files of this repository, read for the tests about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from support.builds import ROOT

Object = dict[str, Any]

ACTIONS = {
    "gate": ROOT / "action.yml",
    "lint": ROOT / "actions/lint/action.yml",
    "bump": ROOT / "actions/bump/action.yml",
    "compile": ROOT / "actions/compile/action.yml",
    "publish": ROOT / "actions/publish/action.yml",
    "comment": ROOT / "actions/comment/action.yml",
}
WORKFLOWS = sorted([*ROOT.glob("examples/workflows/**/*.yml"), *ROOT.glob(".github/workflows/*.yml")])
SCRIPTS = sorted(ROOT.glob("actions/scripts/*.sh"))


@dataclass(frozen=True, slots=True)
class Action:
    """One action.yml."""

    name: str
    path: Path
    document: Object

    @property
    def steps(self) -> list[Object]:
        steps: list[Object] = self.document["runs"]["steps"]
        return steps

    @property
    def inputs(self) -> dict[str, Object]:
        inputs: dict[str, Object] = self.document["inputs"]
        return inputs

    @property
    def outputs(self) -> dict[str, Object]:
        outputs: dict[str, Object] = self.document["outputs"]
        return outputs


def action(name: str) -> Action:
    return Action(name, ACTIONS[name], load(ACTIONS[name]))


def load(path: Path) -> Object:
    document: Object = yaml.safe_load(path.read_text("utf-8"))
    return document


def used(path: Path) -> list[tuple[str, str]]:
    """What a workflow uses, each with the comment behind it."""
    lines = re.findall(r"^\s*(?:- )?uses: (\S+)(?:\s+# (\S+))?$", path.read_text("utf-8"), re.MULTILINE)
    return [(name, comment) for name, comment in lines]


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
