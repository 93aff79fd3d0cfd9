"""A look at the merge before it happens."""

from __future__ import annotations

import pytest
from support.git_sandbox import Clone, Sandbox, fake_git

from floe_contracts.adapters.git import INDEX, WORKTREE
from floe_contracts.adapters.git.base import changed_since, choose_base
from floe_contracts.adapters.git.merge import merge_preview

ORDERS = "contracts/orders.yaml"
OLD = "version: 1.0.0\nid: orders\nname: orders\ncolumns:\n- a\n- b\n- c\nend: true\n"


def taken_twice(sandbox: Sandbox, repo: Clone, theirs: str, mine: str) -> Clone:
    """A branch and main that both edited the same contract."""
    repo.commit({ORDERS: OLD})
    clone = sandbox.clone(repo)
    clone.switch("feature", "origin/main")
    repo.commit({ORDERS: theirs})
    clone.write({ORDERS: mine})
    clone.git("add", "--all")
    clone.git("fetch", "--quiet")
    return clone


@pytest.mark.parametrize("head", [INDEX, "HEAD"])
def test_two_branches_that_took_the_same_version_meet_in_the_preview(sandbox: Sandbox, repo: Clone, head: str) -> None:
    bumped = OLD.replace("1.0.0", "1.1.0")
    clone = taken_twice(sandbox, repo, bumped.replace("- a", "- x\n- a"), bumped.replace("- c", "- c\n- y"))
    if head == "HEAD":
        clone.commit()
    opened = clone.open()
    base = choose_base(opened, head=head)
    assert changed_since(opened, base, head) == (ORDERS,)  # from 1.0.0 to 1.1.0: looks fine
    preview = merge_preview(opened, base.tip, clone.head if head == "HEAD" else head)
    assert preview is not None
    [change] = opened.changes(base.tip, preview)
    assert change.old is not None
    assert change.new is not None
    before = opened.read([change.old])[ORDERS].decode()
    after = opened.read([change.new])[ORDERS].decode()
    assert before.splitlines()[0] == after.splitlines()[0] == "version: 1.1.0"  # one version with two meanings
    assert ("- y" in after, "- y" in before) == (True, False)


def test_a_merge_with_conflicts_has_no_preview(sandbox: Sandbox, repo: Clone) -> None:
    clone = taken_twice(sandbox, repo, "theirs\n", "mine\n")
    opened = clone.open()
    assert merge_preview(opened, choose_base(opened).tip, INDEX) is None


def test_the_work_tree_has_no_preview(repo: Clone) -> None:
    assert merge_preview(repo.open(), repo.head, WORKTREE) is None


def test_a_preview_moves_no_branch_and_is_the_same_each_time(sandbox: Sandbox, repo: Clone) -> None:
    clone = taken_twice(sandbox, repo, OLD.replace("- a", "- x"), OLD.replace("- c", "- y"))
    opened = clone.open()
    tip = choose_base(opened).tip
    before = clone.git("for-each-ref"), clone.git("status", "--short")
    assert merge_preview(opened, tip, INDEX) == merge_preview(opened, tip, INDEX) is not None
    assert (clone.git("for-each-ref"), clone.git("status", "--short")) == before


def test_an_older_git_without_merge_tree_has_no_preview(sandbox: Sandbox, repo: Clone) -> None:
    head = repo.head
    fake_git(sandbox, 'case "$*" in *merge-tree*) echo usage >&2; exit 129;; esac\nexec {git} "$@"')
    assert merge_preview(repo.open(), head, head) is None
