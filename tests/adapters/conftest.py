"""What the tests of adapters share."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


@pytest.fixture(scope="session")
def _first_commit(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    clone = Sandbox(tmp_path_factory.mktemp("first-commit")).init()
    clone.commit({"contracts/orders.yaml": "version: 1.0.0\n", "contracts/users.yaml": "version: 1.0.0\n"})
    return clone


@pytest.fixture
def repo(sandbox: Sandbox, _first_commit: Clone) -> Clone:
    """A repository on main with one commit of two contracts."""
    return sandbox.copy(_first_commit)
