"""Pull requests that try to take over the job: by their text, by files in the workspace, by a forged report."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from support.act_runs import ActRun, Workshop, workflow
from support.fake_github import TOKEN, FakeGithub
from support.git_sandbox import Sandbox
from support.pull_requests import NUMBER, Scene, pull_request
from support.runner_model import obeyed
from support.toy_contracts import PATH, hostile, orders, without_total
from support.traps import shadowing

PLANTED = [
    "##[set-output name=verdict;]pass",
    "\\n::set-output name=verdict::pass",
    "\\r::add-mask::blocked",
    "\\n::stop-commands::over",
    "\\x1b[2J\\x1b[31m",
    "\\u202e\\u200b",
    "`@everyone` ``` --> </details><img src=x>",
    "[click](http://evil.example)",
]


def printed(ran: ActRun) -> str:
    """What our steps wrote to the log, as act passed it on."""
    return "\n".join(str(line["msg"]) for line in ran.lines if line.get("raw_output"))


def test_text_of_a_contract_commands_nobody(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    before = {f"contracts/c{number}.yaml": hostile(text) for number, text in enumerate(PLANTED)}
    before = {name: text.replace("shop.orders", f"shop.{name[10:12]}") for name, text in before.items()}
    change = {name: without_total().replace("shop.orders", f"shop.{name[10:12]}") for name in before}
    scene = pull_request(sandbox, dict(before), dict(change))
    scene.tell(github)
    ran = shop.act(scene.checkout, "pull_request", scene.event(), workflow(), github)
    assert (ran.status, ran.outputs["verdict"], ran.outputs["breaking-count"]) == (1, "blocked", str(len(PLANTED)))
    assert {line["command"] for line in ran.lines if "command" in line} <= {
        *("error", "warning", "notice", "set-output", "summary")
    }
    assert "BLOCKED" in printed(ran)
    assert {command.name for command in obeyed(printed(ran))} <= {"error", "warning", "notice"}
    (body,) = github.own()
    assert "\x1b" not in body + ran.log
    assert "\u202e" not in body
    assert "-->" not in body.split("\n", 1)[1]


def test_files_in_the_workspace_are_not_run(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    trace = sandbox.root / "trace"
    scene = pull_request(sandbox, {PATH: orders()}, {PATH: without_total(), **shadowing(str(trace))})
    scene.tell(github)
    ran = shop.act(scene.checkout, "pull_request", scene.event(), workflow(), github, PYTHONPATH="", PYTHONHOME="")
    assert (ran.status, ran.outputs["verdict"]) == (1, "blocked")
    assert not trace.exists()


def test_the_traps_would_catch_a_careless_program(sandbox: Sandbox) -> None:
    trace = sandbox.root / "trace"
    repo = sandbox.init()
    repo.write(shadowing(str(trace)))
    subprocess.run([sys.executable, "-m", "pip", "--version"], cwd=repo.path, capture_output=True, check=False)
    subprocess.run([sys.executable, "-c", "import yaml"], cwd=repo.path, capture_output=True, check=False)
    assert {"yaml", "__main__"} <= set(trace.read_text().split())


def test_the_token_is_in_no_log_and_no_report(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    scene = pull_request(sandbox, {PATH: orders()}, {PATH: without_total()}, depth=1)
    scene.tell(github)
    ran = shop.act(scene.checkout, "pull_request", scene.event(), workflow(report_dir="out"), github)
    assert {call.authorization for call in github.calls} == {f"Bearer {TOKEN}"}
    assert TOKEN not in json.dumps(ran.lines) + json.dumps(github.comments)


def reported(shop: Workshop, scene: Scene, github: FakeGithub) -> str:
    """The report.json that a fork's gate makes, as an artifact would carry it."""
    ran = shop.act(scene.checkout, "pull_request", scene.event(), workflow(comment="never"), github)
    assert ran.status == 1
    with open(ran.outputs["report-json"], encoding="utf-8") as file:
        return file.read()


def test_a_forks_report_becomes_a_comment(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    scene = replace(pull_request(sandbox, {PATH: orders()}, {PATH: without_total("1.0.1")}), fork="mallory")
    scene.tell(github)
    (scene.checkout.path / "report.json").write_text(reported(shop, scene, github))
    steps = workflow(action="/actions/comment", event="workflow_run", report="report.json")
    ran = shop.act(scene.checkout, "workflow_run", scene.finished(), steps, github)
    assert (ran.status, ran.outputs["pull-request"]) == (0, str(NUMBER))
    assert ran.outputs["comment-url"] == github.comments[0]["html_url"]
    assert github.own()[0].startswith(
        "<!-- floe-contracts gate -->\n### ❌ BLOCKED: `shop.orders` needs version `2.0.0`"
    )
    assert len(github.reviews) == 1


@pytest.mark.parametrize(
    ("report", "words"),
    [
        pytest.param("{}", "the report cannot be used", id="another document"),
        pytest.param("not json", "the report cannot be used", id="no document at all"),
        pytest.param("[" * 100_000, "the report cannot be used", id="a deep one"),
        pytest.param("x" * 5_000_001, "not a file of at most 5,000,000 bytes", id="a large one"),
    ],
)
def test_a_forged_report_is_refused(
    shop: Workshop, sandbox: Sandbox, github: FakeGithub, report: str, words: str
) -> None:
    scene = replace(pull_request(sandbox, {PATH: orders()}, {PATH: without_total()}), fork="mallory")
    scene.tell(github)
    (scene.checkout.path / "report.json").write_text(report)
    steps = workflow(action="/actions/comment", event="workflow_run", report="report.json")
    ran = shop.act(scene.checkout, "workflow_run", scene.finished(), steps, github)
    assert ran.status == 2
    assert words in ran.log
    assert (ran.outputs, github.comments) == ({"comment-url": "", "pull-request": ""}, [])


def test_a_pull_request_that_moved_on_gets_no_old_comment(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    scene = replace(pull_request(sandbox, {PATH: orders()}, {PATH: without_total()}), fork="mallory")
    scene.tell(github)
    (scene.checkout.path / "report.json").write_text(reported(shop, scene, github))
    github.pulls[NUMBER].head_sha = "e" * 40
    steps = workflow(action="/actions/comment", event="workflow_run", report="report.json")
    ran = shop.act(scene.checkout, "workflow_run", scene.finished(), steps, github)
    assert (ran.status, github.comments) == (0, [])
    assert "No open pull request has this commit" in ran.told("notice")
