"""An empty repository of its own for every test."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox


@pytest.fixture(autouse=True)
def _no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def repo(tmp_path: Path) -> Clone:
    clone = Sandbox(tmp_path).init()
    clone.commit({"README.md": "x\n"})
    return clone
