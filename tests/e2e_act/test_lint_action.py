"""actions/lint by act: problems on their lines, paths as the repository counts them."""

from __future__ import annotations

import pytest
from support.act_runs import Workshop, workflow
from support.fake_github import FakeGithub
from support.git_sandbox import Sandbox
from support.pull_requests import pull_request
from support.toy_contracts import orders

MISSPELT = orders().replace("nullable", "nulable")


@pytest.mark.parametrize(
    ("path", "inputs"),
    [
        pytest.param("contracts/orders.yaml", {}, id="by the default globs"),
        pytest.param("tables/orders.yml", {"contracts": "tables/*.yml"}, id="by a glob"),
        pytest.param("shop/contracts/orders.yaml", {"working_directory": "shop"}, id="in a folder"),
    ],
)
def test_a_problem_is_marked_on_its_line(
    shop: Workshop, sandbox: Sandbox, github: FakeGithub, path: str, inputs: dict[str, str]
) -> None:
    scene = pull_request(sandbox, {"a.txt": "a"}, {path: MISSPELT})
    ran = shop.act(scene.checkout, "pull_request", scene.event(), workflow(action="/actions/lint", **inputs), github)
    (error,) = ran.commands("error")
    assert (ran.status, error["kvPairs"]["file"], error["kvPairs"]["line"]) == (1, path, "6")
    assert (ran.outputs["verdict"], ran.outputs["error-count"]) == ("blocked", "1")
    assert "BLOCKED" in ran.summary


def test_nothing_to_lint_is_no_pass(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    scene = pull_request(sandbox, {"a.txt": "a"}, {"b.txt": "b"})
    ran = shop.act(scene.checkout, "pull_request", scene.event(), workflow(action="/actions/lint"), github)
    assert (ran.status, ran.outputs["verdict"]) == (2, "error")
