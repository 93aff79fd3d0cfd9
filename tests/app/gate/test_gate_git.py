"""The gate in every git situation that has misled such gates before: stale branches, taken versions, missing bases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.gating import ORDERS, gate, rules, verdict
from support.git_sandbox import Clone, Sandbox, logged_git
from support.orders import orders

from floe_contracts.errors import BaseNotFound

LESS, MORE, OTHER = ("order_id",), ("order_id", "total", "note"), ("order_id", "total", "tax")
TAKEN = ["1", f"E524 version-taken {ORDERS}"]


def test_a_first_commit_passes_with_one_line_said(sandbox: Sandbox) -> None:
    repo = sandbox.init()
    repo.write({ORDERS: orders()})
    repo.git("add", "--all")
    report = gate(repo, head="index")
    assert verdict(report) == ["0"]
    assert report.notes == ("HEAD has no commit yet, so every contract counts as new.",)
    assert rules(report) == {"contract-added"}


def test_a_first_commit_must_hold_contracts_all_the_same(sandbox: Sandbox) -> None:
    repo = sandbox.init()
    repo.write({ORDERS: "a: 1\n"})
    repo.git("add", "--all")
    assert verdict(gate(repo, head="index")) == ["1", f"E501 not-a-contract {ORDERS}"]


def test_a_repository_without_contracts_is_no_pass(sandbox: Sandbox) -> None:
    repo = sandbox.init()
    repo.commit({"README.md": "x\n"})
    repo.switch("feature", "main")
    repo.commit({"README.md": "y\n"})
    assert verdict(gate(repo)) == ["2"]
    assert verdict(gate(repo, allow_empty=True)) == ["0"]


def test_an_unchanged_repository_passes(repo: Clone) -> None:
    repo.commit({"README.md": "changed\n"})
    report = gate(repo)
    assert (verdict(report), report.results) == (["0"], ())
    assert dict(report.context)["unchanged"] == "1"


@pytest.mark.parametrize("name", ["origin/main", "nope", "0" * 40])
def test_a_base_that_was_named_and_is_not_there(repo: Clone, name: str) -> None:
    with pytest.raises(BaseNotFound) as caught:
        gate(repo, base=name)
    assert (caught.value.code.id, caught.value.exit_code) == ("FLOE-E528", 2)
    assert caught.value.fix


def test_a_base_that_should_exist_and_does_not(sandbox: Sandbox, repo: Clone) -> None:
    clone = sandbox.clone(repo, "clone", "--branch", "feature")
    clone.git("update-ref", "-d", "refs/remotes/origin/main")
    clone.git("remote", "set-head", "origin", "--delete")
    with pytest.raises(BaseNotFound):
        gate(clone)


def test_a_shallow_clone_that_ends_too_early(sandbox: Sandbox, repo: Clone) -> None:
    repo.commit({ORDERS: orders(columns=LESS)})
    repo.switch("main")
    repo.commit({"README.md": "main\n"})
    clone = sandbox.clone(repo, "clone", "--depth=1", "--branch=feature", "--no-single-branch")
    with pytest.raises(BaseNotFound, match="shallow"):
        gate(clone)


# Heads


@pytest.fixture
def three(repo: Clone) -> Clone:
    """A commit with a bump, a staged break, and a deletion on disk that is not staged."""
    repo.commit({ORDERS: orders("1.1.0", columns=MORE)})
    repo.write({ORDERS: orders("1.1.0", columns=LESS)})
    repo.git("add", "--all")
    repo.write({ORDERS: None})
    return repo


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param("HEAD", ["0"], id="a commit"),
        pytest.param("feature", ["0"], id="a branch"),
        pytest.param("index", ["1", f"E520 property-removed {ORDERS}"], id="the index"),
        pytest.param("worktree", ["1", f"E525 contract-deleted {ORDERS}"], id="the work tree"),
    ],
)
def test_heads(three: Clone, head: str, expected: list[str]) -> None:
    assert verdict(gate(three, head=head)) == expected


def test_a_new_file_that_git_does_not_know_counts_in_the_work_tree_only(repo: Clone) -> None:
    repo.write({"contracts/new.yaml": "a: 1\n"})
    assert verdict(gate(repo, head="index")) == ["0"]
    assert verdict(gate(repo, head="worktree")) == ["1", "E501 not-a-contract contracts/new.yaml"]


def test_the_gate_runs_from_a_folder_below(repo: Clone) -> None:
    repo.commit({ORDERS: orders(columns=LESS), "sub/x.txt": "x\n"})
    assert verdict(gate(repo, folder="sub")) == ["1", f"E520 property-removed {ORDERS}"]


def test_the_gate_runs_in_a_linked_worktree(sandbox: Sandbox, repo: Clone) -> None:
    repo.git("worktree", "add", "--quiet", "-b", "other", "../linked", "main")
    linked = sandbox.at("linked")
    linked.commit({ORDERS: orders(columns=LESS)})
    assert verdict(gate(linked)) == ["1", f"E520 property-removed {ORDERS}"]
    assert verdict(gate(repo)) == ["0"]


# What others did


def test_a_stale_branch_is_not_blamed_for_what_main_did(repo: Clone) -> None:
    repo.commit({"README.md": "mine\n"})
    repo.switch("main")
    repo.commit({ORDERS: orders("1.1.0", columns=MORE)})
    repo.switch("feature")
    assert verdict(gate(repo)) == ["0"]


def test_a_branch_that_merged_main_is_not_blamed_for_it(repo: Clone) -> None:
    repo.commit({"README.md": "mine\n"})
    repo.switch("main")
    repo.commit({ORDERS: orders("2.0.0", columns=LESS)})
    repo.switch("feature")
    repo.merge("main")
    assert verdict(gate(repo)) == ["0"]


@pytest.mark.parametrize(
    ("theirs", "mine", "expected"),
    [
        pytest.param(orders("1.1.0", columns=MORE), orders("1.1.0", columns=OTHER), TAKEN, id="with another schema"),
        pytest.param(
            orders("1.0.1", more="description: sold\n"),
            orders("1.0.1", more="description: bought\n"),
            ["1", f"E523 version-taken {ORDERS}"],
            id="with other documentation",
        ),
        pytest.param(orders("1.1.0", columns=MORE), orders("1.1.0", columns=MORE), ["0"], id="with the same content"),
        pytest.param(orders("1.1.0", columns=MORE), orders("1.2.0", columns=OTHER), ["0"], id="another version"),
        pytest.param(
            orders("1.1.0-rc.1", columns=MORE),
            orders("1.1.0-rc.1", columns=OTHER),
            ["0"],
            id="a pre-release is not taken",
        ),
    ],
)
def test_two_branches_that_take_the_same_version(repo: Clone, theirs: str, mine: str, expected: list[str]) -> None:
    repo.commit({ORDERS: mine})
    repo.switch("main")
    repo.commit({ORDERS: theirs})
    repo.switch("feature")
    assert verdict(gate(repo)) == expected


def test_the_version_to_write_is_one_that_nobody_has_taken(repo: Clone) -> None:
    repo.commit({ORDERS: orders(columns=OTHER)})
    repo.switch("main")
    repo.commit({ORDERS: orders("1.1.0", columns=MORE)})
    repo.switch("feature")
    (result,) = gate(repo).results
    assert result.version is not None
    assert result.version.next == "1.2.0"


@pytest.mark.parametrize(
    ("past", "now"),
    [
        pytest.param(ORDERS, "contracts/sales/orders.yaml", id="in a file that has moved"),
        pytest.param(ORDERS, "contracts/orders.v1.yaml", id="in a file without its suffix"),
    ],
)
def test_a_version_taken_long_ago(repo: Clone, past: str, now: str) -> None:
    repo.switch("main")
    repo.commit({past: orders("1.1.0", columns=MORE)})
    repo.commit({past: orders("1.0.0")})  # nobody was watching
    repo.switch("late", "main")
    repo.commit({past: None, now: orders("1.1.0", columns=OTHER)})
    assert verdict(gate(repo)) == ["1", f"E524 version-taken {now}"]


def test_a_version_taken_in_json(repo: Clone) -> None:
    path = "contracts/orders.odcs.json"
    config = {".floe/config.yaml": "contracts: ['contracts/*.json']\n", ORDERS: None}

    def contract(version: str, column: str) -> str:
        properties = [{"name": column, "logicalType": "string"}]
        return json.dumps(
            {
                "apiVersion": "v3.1.0",
                "kind": "DataContract",
                "id": "o",
                "version": version,
                "status": "active",
                "schema": [{"name": "orders", "properties": properties}],
            }
        )

    repo.switch("main")
    repo.commit({**config, path: contract("1.0.0", "a")})
    repo.commit({path: contract("2.0.0", "b")})
    repo.commit({path: contract("1.0.0", "a")})
    repo.switch("late", "main")
    repo.commit({path: contract("2.0.0", "c")})
    assert verdict(gate(repo)) == ["1", f"E524 version-taken {path}"]


def test_a_draft_of_the_past_takes_no_version(repo: Clone) -> None:
    repo.switch("main")
    repo.commit({ORDERS: orders("1.1.0", columns=OTHER, status="draft")})
    repo.commit({ORDERS: orders()})
    repo.switch("late", "main")
    repo.commit({ORDERS: orders("1.1.0", columns=MORE)})
    assert verdict(gate(repo)) == ["0"]


@pytest.mark.parametrize(
    ("back", "expected"),
    [
        pytest.param(orders(), ["0"], id="as it was"),
        pytest.param(orders(columns=MORE), TAKEN, id="changed under its old version"),
        pytest.param(orders("1.1.0", columns=MORE), ["0"], id="as a new version"),
    ],
)
def test_a_deleted_contract_that_comes_back(repo: Clone, back: str, expected: list[str]) -> None:
    repo.switch("main")
    repo.commit({ORDERS: None})
    repo.switch("late", "main")
    repo.commit({ORDERS: back})
    assert verdict(gate(repo)) == expected


def test_other_contracts_have_versions_of_their_own(repo: Clone) -> None:
    repo.switch("main")
    repo.commit({"contracts/sales.yaml": orders("1.1.0", key="sales", name="sales")})
    repo.switch("late", "main")
    repo.commit(
        {ORDERS: orders("1.1.0", columns=MORE), "contracts/sales.yaml": orders("1.1.1", key="sales", name="sales")}
    )
    assert verdict(gate(repo)) == ["0"]


def test_criss_cross_merges_are_compared_with_every_base(repo: Clone) -> None:
    """Both lines merged each other; against one of the two bases the head takes a column away."""
    repo.commit({ORDERS: orders("1.1.0", columns=MORE)})
    repo.switch("main")
    repo.commit({"contracts/sales.yaml": orders(key="sales", name="sales")})
    theirs, mine = repo.head, repo.git("rev-parse", "feature")
    repo.merge(mine)
    repo.switch("feature")
    repo.merge(theirs)
    assert len(repo.git("merge-base", "--all", "main", "feature").split()) == 2
    assert verdict(gate(repo)) == ["0"]
    repo.commit({ORDERS: orders("1.1.1")})  # a break against one base, none against the other
    report = gate(repo)
    assert verdict(report) == ["1", f"E520 property-removed {ORDERS}"]
    assert len(dict(report.context)["base"].split(", ")) == 2
    assert [result.path for result in report.results].count(ORDERS) == 1


def test_after_criss_cross_merges_the_strictest_settings_count(repo: Clone) -> None:
    """One of the two bases says that nothing blocks; the other has never heard of it."""
    repo.commit({".floe/config.yaml": "fail_on: never\n"})
    repo.switch("main")
    repo.commit({"README.md": "theirs\n"})
    theirs, mine = repo.head, repo.git("rev-parse", "feature")
    repo.merge(mine)
    repo.switch("feature")
    repo.merge(theirs)
    repo.commit({ORDERS: orders("1.1.1", columns=LESS)})
    report = gate(repo)
    assert len(dict(report.context)["base"].split(", ")) == 2
    assert verdict(report) == ["1", f"E520 property-removed {ORDERS}"]


# GitHub


def pull_request(repo: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int, sandbox: Sandbox) -> Clone:
    """A checkout of the test merge of feature into main, as a workflow of a pull request sees it."""
    head = repo.git("rev-parse", "feature")
    repo.git("checkout", "--quiet", "--detach", "main")
    merge = repo.merge("feature")
    repo.git("update-ref", "refs/pull/1/merge", merge)
    runner = sandbox.init("runner")
    runner.git("remote", "add", "origin", repo.url)
    runner.git("fetch", "--quiet", f"--depth={depth}", "origin", "+refs/pull/1/merge:refs/remotes/pull/1/merge")
    runner.git("checkout", "--quiet", "--detach", "refs/remotes/pull/1/merge")
    event = tmp_path / "event.json"
    payload = {"pull_request": {"head": {"sha": head}, "base": {"sha": "0" * 40, "ref": "main"}}}
    event.write_text(json.dumps(payload))
    monkeypatch.setenv("GITHUB_EVENT_NAME", "pull_request")
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(event))
    return runner


@pytest.mark.parametrize("depth", [1, 2, 50])
@pytest.mark.parametrize(
    ("mine", "expected"),
    [
        pytest.param(orders("1.1.0", columns=LESS), "1", id="a break"),
        pytest.param(orders("2.0.0", columns=LESS), "0", id="a break with MAJOR"),
    ],
)
def test_pull_requests(
    repo: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox, depth: int, mine: str, expected: str
) -> None:
    repo.commit({ORDERS: mine})
    repo.switch("main")
    repo.commit({"README.md": "main went on\n"})
    runner = pull_request(repo, tmp_path, monkeypatch, depth, sandbox)
    report = gate(runner, head="index")
    assert verdict(report)[0] == expected
    assert "merged with" in dict(report.context)["how"]


def test_a_pull_request_with_a_version_that_main_took_meanwhile(
    repo: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sandbox: Sandbox
) -> None:
    base = orders().replace("elements:\n", "elements:\n      first: {type: string}\n")
    repo.switch("main")
    repo.commit({ORDERS: base})
    repo.git("branch", "--force", "feature", "main")
    repo.switch("feature")
    repo.commit({ORDERS: base.replace("1.0.0", "1.1.0") + "      note: {type: string}\n"})
    repo.switch("main")
    repo.commit({ORDERS: base.replace("1.0.0", "1.1.0").replace("first: {", "zero: {type: string}\n      first: {")})
    runner = pull_request(repo, tmp_path, monkeypatch, 2, sandbox)
    report = gate(runner, head="index")  # git merges both cleanly: one version, two meanings
    assert verdict(report) == ["1", f"E522 property-added-optional {ORDERS}"]


# Cost


def test_how_many_git_processes_a_gate_takes(sandbox: Sandbox, repo: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    log = logged_git(sandbox)
    monkeypatch.setenv("PATH", sandbox.environ["PATH"])
    quiet = gate(repo, head="index")
    assert verdict(quiet) == ["0"]
    asked = [line.split()[0] for line in log()]
    assert asked == ["rev-parse", "for-each-ref", "ls-tree", "diff-index", "diff-index"]  # of all files
    repo.commit({"README.md": "more\n"})
    repo.write({ORDERS: orders(columns=LESS)})
    repo.git("add", "--all")
    before = len(log())
    assert verdict(gate(repo, head="index"))[0] == "1"
    asked = [line.split()[0] for line in log()[before:]]
    assert asked == ["rev-parse", "for-each-ref", "merge-base", "ls-tree", "diff-index", "cat-file"]
