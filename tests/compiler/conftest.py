"""The three-tier example as the current folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.platform_example import copy_platform


@pytest.fixture
def platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = copy_platform(tmp_path / "p")
    monkeypatch.chdir(folder)
    monkeypatch.delenv("CI", raising=False)
    return folder
