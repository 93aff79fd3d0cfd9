"""`floe compile` inside git holds definitions to the contracts of the product, by the gate's base."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.defined import DBT, DBT_INCIDENTS, DDL, DDL_INCIDENTS, start
from support.git_sandbox import Clone, Sandbox
from support.platform_example import run_compile

PRODUCT = """apiVersion: floe.dev/v1
kind: DataProduct
metadata: {name: shop, version: 1.0.0, owner: shop@example.com}
"""
SEEDS = ("user_id becomes userId", "event_ts is dropped", "not null is lost")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    for name in ("CI", "GITHUB_EVENT_NAME", "GITHUB_EVENT_PATH", "GITHUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    clone = Sandbox(tmp_path).init()
    clone.commit({"README.md": "x\n"})
    monkeypatch.chdir(clone.path)
    return clone


@pytest.mark.parametrize("name", SEEDS)
@pytest.mark.parametrize("kind", ["dbt", "ddl"])
def test_the_seeds_incidents_stop_compile(
    repo: Clone, capsys: pytest.CaptureFixture[str], kind: str, name: str
) -> None:
    files, incidents = (DBT, DBT_INCIDENTS) if kind == "dbt" else (DDL, DDL_INCIDENTS)
    start(repo, {**files, "floe.yaml": PRODUCT})
    code, text = run_compile(capsys, ".")
    assert code == 0, text
    change, expected = incidents[name]
    repo.write(change)
    repo.git("add", "--all")
    code, text = run_compile(capsys, ".")
    assert code == 1, text
    assert "Compilation FAILED" in text
    assert f"at {expected.split()[1]}" in text
    repo.git("reset", "--hard", "--quiet")
    assert run_compile(capsys, ".")[0] == 0
