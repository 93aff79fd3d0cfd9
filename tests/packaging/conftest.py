"""What the packaging tests share: one build of the tree, and a registry that answers."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from support.builds import Built, build_all, run


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build_all(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="session")
def uv(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The uv command, once it has reached a registry; without one the test is skipped, but not on CI."""
    place = tmp_path_factory.mktemp("uv")
    options = ("--system-certs", "--no-config", "--no-python-downloads", "--cache-dir", str(place / "cache"))
    command = (str(Path(sys.executable).with_name("uv")), *options)
    wish = place / "wish.in"
    wish.write_text("click\n")
    try:
        run(*command, "pip", "compile", "-q", str(wish))
    except AssertionError:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip("no package registry can be reached from here")
    return command
