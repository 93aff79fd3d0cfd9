"""Repositories for the gate: one contract on main, and a branch that is about to change it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.gating import ORDERS
from support.git_sandbox import Clone, Sandbox
from support.orders import orders


@pytest.fixture(autouse=True)
def _no_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


@pytest.fixture(scope="session")
def _released(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    clone = Sandbox(tmp_path_factory.mktemp("released")).init()
    clone.commit({ORDERS: orders(), "README.md": "orders\n"})
    clone.switch("feature", "main")
    return clone


@pytest.fixture
def repo(sandbox: Sandbox, _released: Clone) -> Clone:
    """On branch feature, which is where main is: contracts/orders.yaml at 1.0.0."""
    return sandbox.copy(_released)
