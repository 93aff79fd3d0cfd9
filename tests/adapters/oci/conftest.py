"""One open registry for the tests of a module, a cache of its own for every test, and no CI."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.registries import RegistryServer, registry_server
from support.running import Floe, floe_here


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RegistryServer]:
    with registry_server(tmp_path_factory.mktemp("registry")) as running:
        yield running


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path / "docker"))
    for name in ("CI", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "FLOE_ALLOW_HTTP"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def floe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Floe:
    monkeypatch.chdir(tmp_path)
    return floe_here(capsys)
