"""floe-contract-gate on its own, without pre-commit around it."""

from __future__ import annotations

import pytest
from support.git_sandbox import Clone, Sandbox
from support.orders import BROKEN, orders
from support.running import Floe as Hook

GATE = "floe-contract-gate"
ORDERS = "contracts/orders.yaml"
LESS = ("order_id",)


def test_nothing_changed(repo: Clone, hook: Hook) -> None:
    repo.write({"README.md": "more\n"})
    ran = hook(GATE)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("No contract changed; compared with main (")


def test_a_branch_that_is_its_own_base_is_told_loudly(hook: Hook) -> None:
    ran = hook(GATE)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("NOTHING WAS COMPARED, the head is its own base; compared with main (")


@pytest.mark.parametrize(
    ("files", "code", "said"),
    [
        pytest.param({ORDERS: orders("1.1.0", columns=LESS)}, 1, "needs version 2.0.0", id="a break"),
        pytest.param({ORDERS: orders("2.0.0", columns=LESS)}, 0, "PASS", id="a break with MAJOR"),
        pytest.param({ORDERS: None}, 1, "contract-deleted", id="a deletion and nothing else"),
        pytest.param({ORDERS: None, "contracts/o.yaml": orders()}, 0, "contract-moved", id="a move"),
        pytest.param({ORDERS: BROKEN}, 1, "yaml-syntax", id="a contract that cannot be read"),
        pytest.param({"docs/x.yaml": "a: 1\n"}, 0, "PASS", id="YAML that is not a contract"),
        pytest.param({".floe/config.yaml": "profle: full\n"}, 1, "FLOE-E590", id="settings that cannot be read"),
    ],
)
def test_staged_changes(repo: Clone, hook: Hook, files: dict[str, str | None], code: int, said: str) -> None:
    repo.write(files)
    ran = hook(GATE)
    assert (ran.code, ran.err) == (code, "")
    assert said in ran.out


def test_commits_of_the_branch_count_too(repo: Clone, hook: Hook) -> None:
    repo.commit({ORDERS: orders(columns=LESS)})
    assert hook(GATE).code == 1


def test_a_blocked_report_offers_the_waiver(repo: Clone, hook: Hook) -> None:
    repo.write({ORDERS: orders(columns=LESS)})
    assert "  - fingerprint: " in hook(GATE).out


def test_arguments(repo: Clone, hook: Hook) -> None:
    repo.commit({ORDERS: orders("1.1.0").replace("total: {type: string}", "total: {type: string, required: true}")})
    assert hook(GATE).code == 0
    assert hook(GATE, "--profile=full").code == 1
    assert hook(GATE, "--profile=full", "--base=feature").code == 0
    assert hook(GATE, "--profile=full", "--fail-on=never").code == 1
    repo.write({"tables/x.yaml": "a: 1\n"})
    assert hook(GATE, "--contracts", "tables/*.yaml").code == 1


@pytest.mark.parametrize("arguments", [("--nope",), ("--profile=strict",), ("--base=nope",), ("--base=--output=x",)])
def test_arguments_that_cannot_be_meant(hook: Hook, arguments: tuple[str, ...]) -> None:
    ran = hook(GATE, *arguments)
    assert (ran.code, "Traceback" in ran.err) == (2, False)


def test_a_repository_without_contracts_stops_nobody(repo: Clone, hook: Hook) -> None:
    repo.switch("main")
    repo.commit({ORDERS: None, "a.yaml": "a: 1\n"})
    repo.write({"a.yaml": "a: 2\n"})
    ran = hook(GATE)
    assert (ran.code, "0 contracts checked" in ran.out) == (0, True)


def test_a_range_that_pre_commit_names(repo: Clone, hook: Hook) -> None:
    first = repo.head
    second = repo.commit({ORDERS: orders(columns=LESS)})
    third = repo.commit({ORDERS: orders("2.0.0", columns=LESS)})
    assert hook(GATE, PRE_COMMIT_FROM_REF=first, PRE_COMMIT_TO_REF=second).code == 1
    assert hook(GATE, PRE_COMMIT_FROM_REF=first, PRE_COMMIT_TO_REF=third).code == 0


def test_a_push_is_compared_with_the_default_branch_not_with_what_was_pushed_before(
    sandbox: Sandbox, repo: Clone, hook: Hook
) -> None:
    first = repo.head
    repo.switch("main")
    repo.commit({ORDERS: orders("1.1.0", columns=("order_id", "total", "note"))})
    main = repo.commit({ORDERS: orders("1.2.0", columns=("order_id", "total"))})  # whatever main did
    repo.switch("feature")
    repo.git("merge", "--quiet", "--no-edit", main)
    pushed = {"PRE_COMMIT_FROM_REF": first, "PRE_COMMIT_TO_REF": repo.head, "PRE_COMMIT_REMOTE_NAME": "origin"}
    assert hook(GATE, **pushed).code == 0


def test_what_another_repository_left_in_the_environment_is_not_believed(hook: Hook) -> None:
    assert hook(GATE, GIT_DIR="/nowhere", GIT_WORK_TREE="/nowhere").code == 0
