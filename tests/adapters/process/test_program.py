"""The floe that runs, as a scheduler without a PATH would start it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from floe_contracts.adapters.process.program import own_program


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        (["here/floe", "venv/floe", "path/floe"], "here/floe"),
        (["venv/floe", "path/floe"], "venv/floe"),
        (["path/floe"], "path/floe"),
        ([], "here/floe"),
    ],
    ids=["what was started", "that of this Python", "the one on the PATH", "none that can be seen"],
)
def test_it_is_an_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: list[str], expected: str
) -> None:
    for name in there:
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["here/floe", "init"])
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv/python"))
    monkeypatch.setenv("PATH", "path")
    assert own_program() == str(tmp_path / expected)
