"""The tree keeps its order: one class for one name, names that say what they hold, and no riddles in any text."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from support.builds import ROOT

SOURCE = ROOT / "src"
BANNED = [
    line for line in (ROOT / "scripts/banned_words.txt").read_text("utf-8").splitlines() if line and line[0] != "#"
]
PATTERN = re.compile(rf"(?<![\w-])(?:{'|'.join(BANNED)})(?![\w-])", re.IGNORECASE)
PAGES = sorted(
    path
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "examples").rglob("*.y*ml"),
        *(ROOT / "actions").rglob("*.yml"),
        *(SOURCE / "floe_contracts/compat/rules").glob("*.yaml"),
        ROOT / "action.yml",
        ROOT / ".pre-commit-hooks.yaml",
    )
)


@pytest.fixture(scope="module")
def house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("house", ROOT / "scripts/house.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_class_name_is_used_twice(house: ModuleType) -> None:
    assert house.class_names_used_twice(SOURCE) == []


def test_names_say_what_they_hold(house: ModuleType) -> None:
    empty = [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line, name in house.empty_names(ast.parse(path.read_text("utf-8")))
    ]
    assert empty == []


def test_no_text_in_the_code_uses_a_banned_word() -> None:
    texts = [
        f"{path.relative_to(ROOT)}:{node.lineno} {match.group()}"
        for path in sorted((*SOURCE.rglob("*.py"), *(ROOT / "hooks").glob("*.py"), *(ROOT / "batch").glob("*.py")))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for match in PATTERN.finditer(node.value)
    ]
    assert texts == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(Path(path).relative_to(ROOT)))
def test_no_page_uses_a_banned_word(path: Path) -> None:
    text = path.read_text("utf-8")
    assert [f"{text.count(chr(10), 0, match.start()) + 1} {match.group()}" for match in PATTERN.finditer(text)] == []


def test_the_list_bites() -> None:
    assert PATTERN.search("Mended? The next slot says so.")
    assert PATTERN.search("Berlin/Europe is no time zone")
    assert not PATTERN.search("there is no time zone, and it is no longer promised")
    assert not PATTERN.search("contract-line-mended")
