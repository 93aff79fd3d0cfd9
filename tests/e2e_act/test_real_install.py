"""The action as a consumer has it: installed from its own commit, by pip and by uv, in a workspace full of traps."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from support.act_runs import NAME, Workshop, workflow
from support.builds import ROOT
from support.environments import index_settings
from support.fake_github import FakeGithub
from support.git_sandbox import Sandbox
from support.pull_requests import pull_request
from support.toy_contracts import PATH, orders, without_total
from support.traps import shadowing

pytestmark = pytest.mark.slow


@pytest.fixture
def equipped(shop: Workshop, sandbox: Sandbox, request: pytest.FixtureRequest) -> Workshop:
    """The workshop with no floe on PATH, and with uv on it or without."""
    tools = sandbox.root / "tools"
    tools.mkdir()
    names = ["bash", "cat", "dirname", "env", "git", "node", "sh", *(["uv"] if request.param == "uv" else [])]
    for name in names:
        found = shutil.which(name, path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        if found:
            (tools / name).symlink_to(found)
    base = f"{sys.base_prefix}/bin/python3"
    (tools / "python3").symlink_to(base if os.path.exists(base) else sys.executable)
    return Workshop(shop.root, shop.action, {**index_settings(), "UV_SYSTEM_CERTS": "1", "PATH": str(tools)})


@pytest.mark.parametrize("equipped", ["pip", "uv"], indirect=True)
def test_installs_and_gates_among_traps(equipped: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    trace = sandbox.root / "trace"
    scene = pull_request(sandbox, {PATH: orders()}, {PATH: without_total(), **shadowing(str(trace))})
    scene.tell(github)
    ran = equipped.act(scene.checkout, "pull_request", scene.event(), workflow(install="auto"), github)
    assert (ran.status, ran.outputs["verdict"]) == (1, "blocked"), ran.log
    assert not trace.exists()


@pytest.mark.parametrize("equipped", ["uv"], indirect=True)
def test_the_example_workflow_runs_as_written(equipped: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    scene = pull_request(sandbox, {PATH: orders()}, {PATH: without_total()})
    scene.tell(github)
    ran = equipped.act(scene.checkout, "pull_request", scene.event(), _of_this_commit("contracts.yml"), github)
    assert ran.status == 1
    assert "BLOCKED" in github.own()[0]


@pytest.mark.parametrize("equipped", ["uv"], indirect=True)
def test_the_reusable_workflow_runs_as_written(equipped: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    scene = pull_request(sandbox, {PATH: orders()}, {PATH: without_total()})
    scene.tell(github)
    ran = equipped.act(scene.checkout, "pull_request", scene.event(), _of_this_commit("organisation.yml"), github)
    assert ran.status == 1, ran.log
    assert "BLOCKED" in github.own()[0]


def _of_this_commit(example: str) -> str:
    """An example that means this commit, not the published one."""
    return re.sub(
        rf"({NAME}[^@\s]*)@[0-9a-f]{{40}}", r"\1@v1", (ROOT / "examples/workflows" / example).read_text("utf-8")
    )
