"""The last release of a line as git has it: on the base branch, under other names, beyond a shallow clone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.gating import ORDERS, gate, verdict
from support.git_sandbox import Clone, Sandbox
from support.orders import orders

from floe_contracts.errors import BaseNotFound

LESS = ("order_id",)
RC = orders("1.0.1-rc.1")
BREAK = orders("1.0.1", columns=LESS)
BLOCKED = ["1", f"E520 property-removed {ORDERS}"]
V1 = "contracts/orders.v1.yaml"


def on_branch(repo: Clone, files: dict[str, str | None]) -> list[str]:
    repo.switch("change", "main")
    repo.commit(files)
    return verdict(gate(repo))


def test_a_break_is_no_patch_by_way_of_a_pre_release(repo: Clone) -> None:
    repo.switch("main")
    repo.commit({ORDERS: RC})
    assert on_branch(repo, {ORDERS: BREAK}) == BLOCKED


def test_a_commit_inside_a_merged_branch_is_no_release(repo: Clone) -> None:
    repo.switch("side", "main")
    repo.commit({ORDERS: orders("1.0.0", columns=LESS)})
    repo.commit({ORDERS: RC})
    repo.switch("main")
    repo.merge("side")
    assert on_branch(repo, {ORDERS: BREAK}) == BLOCKED


def test_the_release_is_found_under_the_name_it_had(repo: Clone) -> None:
    repo.switch("main")
    repo.commit({ORDERS: None, V1: RC})
    assert on_branch(repo, {V1: BREAK}) == ["1", f"E520 property-removed {V1}"]


def test_a_suffix_that_was_dropped_hides_no_release(repo: Clone) -> None:
    repo.switch("main")
    repo.commit({ORDERS: None, V1: orders("1.1.0")})
    repo.commit({V1: None, ORDERS: orders("1.1.1-rc.1")})
    repo.commit({ORDERS: orders("2.0.0-rc.1")})
    assert on_branch(repo, {ORDERS: orders("1.1.1", columns=LESS)}) == BLOCKED


def test_the_first_release_of_a_line_beside_another_is_free(repo: Clone) -> None:
    repo.switch("main")
    repo.commit({"contracts/orders.v2.yaml": orders("2.0.0-rc.1")})
    assert on_branch(repo, {"contracts/orders.v2.yaml": orders("2.0.0", columns=LESS)}) == ["0"]


@pytest.fixture
def runner(sandbox: Sandbox, repo: Clone) -> Clone:
    """A checkout of depth 2 that leaves a pre-release with a break; its release lies beyond the end."""
    repo.switch("main")
    repo.commit({ORDERS: RC})
    repo.commit({"README.md": "more\n"})
    repo.commit({ORDERS: BREAK})
    return sandbox.clone(repo, "runner", "--depth=2")


def pushed(clone: Clone, monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """As a workflow sees the push of the newest commit."""
    event = {"before": clone.git("rev-parse", "HEAD^"), "ref": "refs/heads/main", "repository": {}}
    (place / "event.json").write_text(json.dumps(event))
    monkeypatch.setenv("GITHUB_EVENT_NAME", "push")
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(place / "event.json"))


def test_history_is_fetched_in_ci(runner: Clone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pushed(runner, monkeypatch, tmp_path)
    assert verdict(gate(runner)) == BLOCKED


def test_history_that_ci_cannot_fetch_stops_the_gate(
    runner: Clone, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pushed(runner, monkeypatch, tmp_path)
    runner.git("remote", "set-url", "origin", f"file://{tmp_path}/gone")
    with pytest.raises(BaseNotFound) as caught:
        gate(runner)
    assert caught.value.fix == "git fetch --unshallow origin"


def test_history_is_never_fetched_elsewhere(runner: Clone) -> None:
    with pytest.raises(BaseNotFound, match=r"what contracts/orders\.yaml promised before") as caught:
        gate(runner, base="HEAD^")
    assert caught.value.fix == "git fetch --unshallow origin"
