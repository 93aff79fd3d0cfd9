"""Every line of the security model names tests that exist."""

from __future__ import annotations

import ast
import re

import pytest
from support.builds import ROOT

PAGE = (ROOT / "docs/security-model.md").read_text("utf-8")
PROOFS = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


@pytest.mark.parametrize(("path", "name"), PROOFS, ids=[f"{path}::{name}" for path, name in PROOFS])
def test_a_proof_is_a_test(path: str, name: str) -> None:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_line_about_what_cannot_be_has_a_proof() -> None:
    tables = re.findall(r"\| what cannot [^\n]*\n\|---[^\n]*\n((?:\|[^\n]*\n)+)", PAGE)
    rows = [row for table in tables for row in table.splitlines()]
    assert len(rows) >= 25
    assert [row for row in rows if "`tests/" not in row] == []


def test_every_file_of_rows_exists() -> None:
    files = set(re.findall(r"`(\w+\.yaml)`", PAGE))
    assert files <= {path.name for path in (ROOT / "tests/defects/rows").glob("*.yaml")}
