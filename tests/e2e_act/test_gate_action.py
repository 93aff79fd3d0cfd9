"""The gate's action.yml from a pull request to its comment, run by act against a fake GitHub."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.act_runs import ActRun, Workshop, workflow
from support.fake_github import BOT, LONGEST_BODY, FakeGithub
from support.git_sandbox import Sandbox
from support.pull_requests import NUMBER, Scene, checked_out, pull_request, pushed
from support.toy_contracts import PATH, orders, wide, with_coupon, without_total

from floe_contracts.cli.action_checks import GATE_OUTPUTS

MARKER = "<!-- floe-contracts gate -->"


def gate(shop: Workshop, scene: Scene, github: FakeGithub, **inputs: str) -> ActRun:
    """The gate on the newest state of a pull request."""
    scene.tell(github)
    return shop.act(scene.checkout, "pull_request", scene.event(), workflow(**inputs), github)


def test_blocked_then_updated_then_green(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    broken = pull_request(sandbox, {PATH: orders()}, {PATH: without_total("1.0.1")})
    first = gate(shop, broken, github)
    assert first.status == 1
    assert [line["kvPairs"]["file"] for line in first.commands("error")] == [PATH]
    assert github.own()[0].startswith(f"{MARKER}\n### ❌ BLOCKED: `shop.orders` needs version `2.0.0`")
    assert "`finance-reports`" in github.own()[0]
    assert first.summary.split("\n")[0] == github.own()[0].split("\n")[1]
    assert first.outputs["comment-url"] == github.comments[0]["html_url"]
    assert ["suggestion" in each["body"] for each in github.reviews] == [True]
    assert github.asked("POST") == [f"POST /issues/{NUMBER}/comments", f"POST /pulls/{NUMBER}/comments"]

    still = pushed(sandbox, broken, {PATH: without_total("1.1.0")}, "two")
    assert gate(shop, still, github).status == 1
    fixed = pushed(sandbox, still, {PATH: without_total("2.0.0")}, "three")
    last = gate(shop, fixed, github)
    assert last.status == 0
    assert last.outputs["verdict"] == "pass"
    assert [body.split("\n")[1] for body in github.own()] == ["### ✅ PASS: 1 contract checked, no errors."]
    assert [each["body"].split("\n")[1:] for each in github.reviews] == [["The version is high enough now."]]
    assert len(github.asked("POST")) == 2


def test_nothing_is_said_when_no_contract_changed(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    ran = gate(shop, pull_request(sandbox, {PATH: orders()}, {"README.md": "more\n"}), github)
    assert (ran.status, ran.outputs["verdict"], ran.summary) == (0, "pass", "")
    assert github.comments == []


def test_a_forks_token_changes_nothing_in_the_verdict(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    github.read_only = True
    scene = replace(pull_request(sandbox, {PATH: orders()}, {PATH: without_total()}), fork="mallory")
    ran = gate(shop, scene, github)
    assert (ran.status, ran.outputs["verdict"], ran.outputs["comment-url"]) == (1, "blocked", "")
    assert "No comment on the pull request: The token may not do this (403)" in ran.told("notice")
    assert "BLOCKED" in ran.summary
    assert len(ran.commands("error")) == 1


def test_a_page_that_is_too_long_loses_whole_parts(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    ran = gate(shop, pull_request(sandbox, {PATH: wide(900)}, {PATH: orders(columns="")}), github)
    (body,) = github.own()
    assert ran.status == 1
    assert 40_000 < len(body) <= LONGEST_BODY
    assert "more" in body.split("<sub>")[0][-3_000:]
    assert ran.outputs["breaking-count"] == "900"
    assert len(ran.commands("error")) == 10


def test_a_comment_behind_a_hundred_others_is_updated(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    for number in range(130):
        github.add_comment(f"chat {number}")
    github.add_comment(f"{MARKER}\nold", BOT)
    gate(shop, pull_request(sandbox, {PATH: orders()}, {PATH: without_total()}), github)
    assert ["BLOCKED" in body for body in github.own()] == [True]
    assert len(github.comments) == 131


def test_a_planted_marker_is_left_alone(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    github.add_comment(f"{MARKER}\nAll fine, merge me", "mallory")
    gate(shop, pull_request(sandbox, {PATH: orders()}, {PATH: without_total()}), github)
    assert github.comments[0]["body"].endswith("merge me")
    assert ["BLOCKED" in body for body in github.own()] == [True]


@pytest.mark.parametrize("depth", [1, 2, 0], ids=["one commit", "two commits", "everything"])
def test_any_depth_of_checkout_gives_the_same_verdict(
    shop: Workshop, sandbox: Sandbox, github: FakeGithub, depth: int
) -> None:
    scene = pull_request(sandbox, {PATH: orders()}, {PATH: without_total()}, depth=depth)
    ran = gate(shop, scene, github)
    assert (ran.status, ran.outputs["verdict"], ran.outputs["required-bump"]) == (1, "blocked", "major")
    assert f"compared with {scene.base[:8]}" in github.own()[0]


def test_a_base_that_cannot_be_had_is_an_error_and_no_pass(
    shop: Workshop, sandbox: Sandbox, github: FakeGithub
) -> None:
    scene = pull_request(sandbox, {PATH: orders()}, {PATH: with_coupon("1.1.0")}, depth=1)
    scene.checkout.git("config", "test.origin", "file:///nowhere")
    ran = gate(shop, scene, github)
    assert ran.status == 2
    files = {name: path for name, path in ran.outputs.items() if "report" in name or "sarif" in name}
    assert ran.outputs == {**GATE_OUTPUTS, **files}
    assert "fetch-depth: 2" in ran.told("error")
    assert "COULD NOT CHECK" in ran.summary
    assert github.comments == []


def test_a_stale_branch_is_not_blamed_for_main(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    scene = pull_request(sandbox, {PATH: orders()}, {"README.md": "more\n"}, meanwhile={PATH: with_coupon("1.1.0")})
    ran = gate(shop, scene, github)
    assert (ran.status, ran.outputs["verdict"], ran.outputs["change-count"]) == (0, "pass", "0")


def test_a_deleted_contract_blocks(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    ran = gate(shop, pull_request(sandbox, {PATH: orders(), "a.txt": "a"}, {PATH: None}), github)
    assert (ran.status, ran.outputs["verdict"], ran.outputs["required-bump"]) == (1, "blocked", "block")
    assert ran.outputs["changed-contracts"] == '["shop.orders"]'
    assert "FLOE-E525" in ran.told("error")


def test_a_renamed_contract_is_the_same_contract(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    change = {PATH: None, "contracts/sales/orders.yaml": orders()}
    ran = gate(shop, pull_request(sandbox, {PATH: orders()}, dict(change)), github)
    assert (ran.status, ran.outputs["verdict"], ran.outputs["required-bump"]) == (0, "pass", "none")


def test_a_merge_queue_is_compared_with_its_base(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    scene = pull_request(sandbox, {PATH: orders()}, {PATH: without_total()})
    clone = checked_out(sandbox, scene.origin, scene.merge, 2, "queue")
    payload = {"merge_group": {"head_sha": scene.merge, "base_sha": scene.base, "base_ref": "refs/heads/main"}}
    ran = shop.act(clone, "merge_group", payload, workflow(event="merge_group"), github)
    assert (ran.status, ran.outputs["verdict"], ran.outputs["comment-url"]) == (1, "blocked", "")
    assert github.calls == []


def test_inputs_reach_the_gate(shop: Workshop, sandbox: Sandbox, github: FakeGithub) -> None:
    base: dict[str, str | None] = {
        "tables/orders.yml": orders(),
        ".floe/config.yaml": "fail_on: never\n",
    }  # an input may not be weaker
    scene = pull_request(sandbox, base, {"tables/orders.yml": without_total()})
    ran = gate(
        shop, scene, github, contracts="tables/*.yml\n", fail_on="never", comment_key="tables", annotations="never",
        summary="never", report_dir="reports", sarif_file="", comment="always"
    )  # fmt: skip
    assert (ran.status, ran.outputs["verdict"], ran.outputs["breaking-count"]) == (0, "pass", "1")
    assert (ran.summary, ran.outputs["sarif-file"]) == ("", "")
    assert ran.outputs["report-json"].endswith("/reports/report.json")
    assert ran.told("error") + ran.told("warning") == ""
    assert github.own()[0].startswith("<!-- floe-contracts tables -->")


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        pytest.param({"fail_on": "sometimes"}, "the input fail-on is 'sometimes'", id="a word that means nothing"),
        pytest.param({"base_ref": "--output=x"}, "cannot be the name of a revision", id="an option for a revision"),
        pytest.param({"report_dir": "../out"}, "leads out of the workspace", id="a folder outside"),
    ],
)
def test_inputs_that_cannot_be_meant(
    shop: Workshop, sandbox: Sandbox, github: FakeGithub, inputs: dict[str, str], words: str
) -> None:
    ran = gate(shop, pull_request(sandbox, {PATH: orders()}, {"a.txt": "a"}), github, **inputs)
    assert ran.status == 2
    assert words in ran.log
    assert ran.outputs.keys() == GATE_OUTPUTS.keys()
