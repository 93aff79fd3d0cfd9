"""Where a project keeps its store, and what git is told about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.git_sandbox import Sandbox

from floe_contracts.app.monitor.project import open_project_store, project_here


def test_git_leaves_the_store_alone_and_keeps_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = Sandbox(tmp_path).init("shop")
    shop.write({".floe/monitoring.yaml": "{}\n"})
    monkeypatch.chdir(shop.path)
    with open_project_store(project_here()):
        names = shop.git("ls-files", "--others", "--exclude-standard").split()
    assert (shop.path / ".floe/monitoring.db").exists()
    assert sorted(names) == [".floe/.gitignore", ".floe/monitoring.yaml"]


def test_a_list_of_ignored_files_is_never_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".floe").mkdir()
    (tmp_path / ".floe/.gitignore").write_text("mine\n")
    monkeypatch.chdir(tmp_path)
    with open_project_store(project_here()):
        assert (tmp_path / ".floe/.gitignore").read_text() == "mine\n"
