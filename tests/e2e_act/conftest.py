"""One copy of the action for all tests, and per test a fake GitHub and a folder for repositories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.act_runs import Workshop, workshop
from support.fake_github import FakeGithub, fake_github
from support.git_sandbox import Sandbox


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    return workshop(tmp_path_factory.mktemp("act"), {})


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


@pytest.fixture
def github() -> Iterator[FakeGithub]:
    with fake_github() as fake:
        yield fake
