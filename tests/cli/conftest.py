"""`floe` run in this process, in an empty folder, with an environment that decides nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox
from support.orders import orders
from support.running import Floe, floe_here


@pytest.fixture
def floe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Floe:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FLOE_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return floe_here(capsys)


@pytest.fixture
def shop(floe: Floe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A repository to run `floe` in: contracts/orders.yaml at 1.0.0 on main, and branch feature checked out."""
    for name in ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    clone = Sandbox(tmp_path).init("shop")
    clone.commit({"contracts/orders.yaml": orders()})
    clone.switch("feature", "main")
    monkeypatch.chdir(clone.path)
    return clone
