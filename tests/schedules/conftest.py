"""A shop whose contract needs no Spark to be checked, and a wheel for the environments of orchestrators."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support.environments import wheel
from support.retired_shop import write_shop


@pytest.fixture(scope="session")
def floe_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project with one contract whose time is over, which the lifecycle check says."""
    return write_shop(tmp_path / "shop")


@pytest.fixture(scope="session")
def floe() -> str:
    """The floe of the tests' own environment: the one that an orchestrator is told to start."""
    return str(Path(sys.executable).with_name("floe"))
