"""The work tree as a revision: what is listed, what is read, and what is never followed."""

from __future__ import annotations

import os

import pytest
from support.git_sandbox import Clone, Sandbox, conflict

from floe_contracts.adapters.git import INDEX, WORKTREE
from floe_contracts.adapters.git.objects import unreadable_reason


def is_contract(path: str) -> bool:
    return path.startswith("contracts/")


def test_the_work_tree_has_new_files_but_no_ignored_or_deleted_ones(repo: Clone) -> None:
    repo.write(
        {".gitignore": "*.tmp\n", "contracts/new.yaml": "n\n", "contracts/x.tmp": "", "contracts/users.yaml": None}
    )
    assert sorted(repo.open().files(WORKTREE)) == [".gitignore", "contracts/new.yaml", "contracts/orders.yaml"]


def test_links_are_named_and_never_followed(sandbox: Sandbox, repo: Clone) -> None:
    (sandbox.root / "secret.yaml").write_text("password: hunter2\n")
    (repo.path / "contracts/link.yaml").symlink_to(sandbox.root / "secret.yaml")
    repo.commit()
    opened = repo.open()
    for revision in (opened.head, INDEX, WORKTREE):
        entry = opened.files(revision)["contracts/link.yaml"]
        assert entry.kind == "symlink"
        assert "contracts/link.yaml" not in opened.read(opened.files(revision).values())
        assert "symbolic link" in (unreadable_reason(entry, None) or "")


def test_a_folder_swapped_for_a_link_is_not_entered(sandbox: Sandbox, repo: Clone) -> None:
    (repo.path / "contracts").rename(sandbox.root / "elsewhere")
    (repo.path / "contracts").symlink_to(sandbox.root / "elsewhere")
    opened = repo.open()
    found = opened.files(WORKTREE, is_contract)
    assert {entry.kind for entry in found.values()} == {"symlink"}
    assert opened.read(found.values()) == {}


def test_a_pipe_or_folder_in_place_of_a_file_is_no_file(repo: Clone) -> None:
    repo.write({"contracts/orders.yaml": None, "contracts/users.yaml": None})
    os.mkfifo(repo.path / "contracts/orders.yaml")
    (repo.path / "contracts/users.yaml").mkdir()
    assert repo.open().files(WORKTREE) == {}


@pytest.mark.parametrize("index", ["--no-sparse-index", "--sparse-index"])
def test_a_sparse_checkout_keeps_what_it_does_not_show(repo: Clone, index: str) -> None:
    repo.commit({"docs/page.md": "text\n"})
    repo.git("sparse-checkout", "set", "--cone", index, "docs")
    assert not (repo.path / "contracts").exists()
    opened = repo.open()
    assert opened.changes(opened.head, WORKTREE) == opened.changes(opened.head, INDEX) == ()
    assert opened.read(opened.files(WORKTREE).values())["contracts/orders.yaml"] == b"version: 1.0.0\n"


def test_a_conflict_in_the_work_tree_is_read_as_it_lies_there(repo: Clone) -> None:
    conflict(repo, "contracts/orders.yaml")
    opened = repo.open()
    assert opened.read(opened.files(WORKTREE).values())["contracts/orders.yaml"].startswith(b"<<<<<<<")
    assert "contracts/orders.yaml" in [change.path for change in opened.changes(opened.head, WORKTREE)]


def test_a_file_removed_from_the_index_but_kept_on_disk(repo: Clone) -> None:
    repo.git("rm", "--quiet", "--cached", "contracts/users.yaml")
    opened = repo.open()
    assert [change.new for change in opened.changes(opened.head, INDEX)] == [None]
    assert opened.changes(opened.head, WORKTREE) == ()


def test_a_file_that_was_only_touched_is_no_change(repo: Clone) -> None:
    for name in ("orders", "users"):
        os.utime(repo.path / f"contracts/{name}.yaml", (1, 1))
    repo.write({"contracts/users.yaml": "version: 1.0.1\n"})
    opened = repo.open()
    assert [change.path for change in opened.changes(opened.head, WORKTREE)] == ["contracts/users.yaml"]
