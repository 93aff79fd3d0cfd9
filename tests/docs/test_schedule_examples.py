"""The examples of schedules are what `floe schedule` prints, and the rest is Python that uses what there is."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest
from support.builds import ROOT

from floe_contracts.cli.main import main

EXAMPLES = ROOT / "examples/schedules"
MADE = re.findall(r"^\| `([\w./]+)` \| `floe (.*?) -o [\w./]+` \|$", (EXAMPLES / "README.md").read_text(), re.MULTILINE)
HAND = re.findall(r"^\| `(\w+\.(?:py|yaml))` \| hand:", (EXAMPLES / "README.md").read_text(), re.MULTILINE)


def files(place: Path) -> dict[str, str]:
    """A file, or the files of a folder, by their names."""
    found = sorted(place.iterdir()) if place.is_dir() else [place]
    return {path.name: path.read_text("utf-8") for path in found}


def test_every_file_is_listed() -> None:
    listed = {name.rstrip("/") for name, _ in MADE} | set(HAND) | {"README.md"}
    assert {path.name for path in EXAMPLES.iterdir() if path.name != "__pycache__"} == listed


@pytest.mark.parametrize(("name", "words"), [pytest.param(*each, id=each[0]) for each in MADE])
def test_the_example_is_what_floe_prints(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if name.endswith("/"):
        (tmp_path / name).mkdir()
    assert main([*shlex.split(words), "-o", name.rstrip("/")]) == 0
    assert files(tmp_path / name) == files(EXAMPLES / name)


@pytest.mark.parametrize("name", [name for name in HAND if name.endswith(".py")])
def test_what_an_example_imports_from_floe_is_there(name: str) -> None:
    imports = [
        (node.module, alias.name)
        for node in ast.walk(ast.parse((EXAMPLES / name).read_text()))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("floe_contracts")
        for alias in node.names
    ]
    assert imports
    for module, wanted in imports:
        source = ROOT / "src" / f"{str(module).replace('.', '/')}.py"
        defined = {node.name for node in ast.parse(source.read_text()).body if isinstance(node, ast.FunctionDef)}
        assert wanted in defined
