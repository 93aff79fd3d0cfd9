"""Every content that a contract had on the base branch is found, whatever happened to its path."""

from __future__ import annotations

import pytest
from support.git_sandbox import Clone, Sandbox, logged_git

from floe_contracts.adapters.git.history import blob_history

ORDERS = "contracts/orders.yaml"


def texts(clone: Clone, *paths: str, limit: int = 100) -> list[str]:
    """The contents in the history of HEAD, newest first."""
    opened = clone.open()
    found = blob_history(opened, clone.head, paths or (ORDERS,), limit=limit)
    blobs = opened.read_blobs(blob.oid for blob in found.blobs)
    return [blobs[blob.oid].decode().strip() for blob in found.blobs]


def test_every_edit_is_found_newest_first(repo: Clone) -> None:
    for version in ("1.1.0", "1.2.0"):
        repo.commit({ORDERS: f"{version}\n"})
    repo.commit({"README.md": "unrelated\n"})
    assert texts(repo) == ["1.2.0", "1.1.0", "version: 1.0.0"]


def test_each_content_names_the_commit_that_brought_it_first(repo: Clone) -> None:
    first = repo.commit({ORDERS: "1.1.0\n"})
    repo.commit({ORDERS: "1.2.0\n"})
    repo.commit({ORDERS: "1.1.0\n"}, "revert")
    found = blob_history(repo.open(), repo.head, [ORDERS]).blobs
    assert [blob.commit for blob in found if blob.commit == first] == [first]
    assert len(found) == 3


def test_a_file_that_was_deleted_and_came_back_keeps_its_past(repo: Clone) -> None:
    repo.commit({ORDERS: "1.1.0\n"})
    repo.commit({ORDERS: None})
    repo.commit({ORDERS: "2.0.0\n"})
    assert texts(repo) == ["2.0.0", "1.1.0", "version: 1.0.0"]


def test_a_moved_file_keeps_its_past_however_much_it_was_edited(repo: Clone) -> None:
    repo.commit({"contracts/shop/orders.yaml": "nothing like before\n", ORDERS: None})
    repo.commit({"contracts/shop/orders.yaml": None, "shop/orders.yaml": "again all new\n"})
    assert texts(repo, "shop/orders.yaml") == ["again all new", "nothing like before", "version: 1.0.0"]


def test_a_move_of_many_files_is_told_apart_by_content(repo: Clone) -> None:
    repo.commit({f"contracts/{number}.yaml": f"{number}\n" for number in range(30)})
    repo.git("mv", "contracts", "moved")
    repo.commit()
    assert texts(repo, "moved/7.yaml") == ["7"] * 2


def test_a_version_published_on_main_is_found_after_main_was_turned_around_by_a_pull(repo: Clone) -> None:
    repo.switch("published", "main")
    repo.commit({ORDERS: "1.1.0\n"})
    repo.commit({ORDERS: "version: 1.0.0\n"}, "revert")
    repo.switch("main")
    repo.commit({"README.md": "local\n"})
    repo.merge("published")  # now what was published is the second parent
    assert "1.1.0" in texts(repo)


def test_a_content_that_only_the_merge_itself_brought_is_found(repo: Clone) -> None:
    repo.switch("side", "main")
    repo.commit({ORDERS: "side\n"})
    repo.switch("main")
    repo.commit({ORDERS: "main\n"})
    repo.git("merge", "--quiet", "--no-commit", "--strategy=ours", "side")
    repo.commit({ORDERS: "resolved by hand\n"})
    assert sorted(texts(repo)) == ["main", "resolved by hand", "side", "version: 1.0.0"]


def test_only_the_history_of_the_commit_asked_about_counts(repo: Clone) -> None:
    base = repo.head
    repo.commit({ORDERS: "later\n"})
    found = blob_history(repo.open(), base, [ORDERS])
    assert len(found.blobs) == 1


def test_odd_and_many_paths(repo: Clone) -> None:
    paths = [f"contracts/größe {number}*.yaml" for number in range(60)]
    repo.commit({path: f"{path}\n" for path in paths})
    assert sorted(texts(repo, *paths)) == sorted(paths)
    assert texts(repo, paths[3]) == [paths[3]]


@pytest.mark.parametrize(("depth", "complete", "found"), [(0, True, 3), (2, False, 2)])
def test_a_shallow_clone_tells_what_it_has_and_that_it_is_not_all(
    sandbox: Sandbox, repo: Clone, depth: int, complete: bool, found: int
) -> None:
    repo.commit({ORDERS: "1.1.0\n"})
    repo.commit({ORDERS: "1.2.0\n"})
    clone = sandbox.clone(repo, "clone", *([f"--depth={depth}"] if depth else []))
    history = blob_history(clone.open(), clone.head, [ORDERS])
    assert (history.complete, len(history.blobs)) == (complete, found)


def test_a_history_longer_than_the_limit_is_told(repo: Clone) -> None:
    repo.commit({ORDERS: "1.1.0\n"})
    repo.commit({ORDERS: "1.2.0\n"})
    history = blob_history(repo.open(), repo.head, [ORDERS], limit=2)
    assert (history.complete, len(history.blobs)) == (False, 2)


def test_nothing_asked_costs_nothing_but_one_question(sandbox: Sandbox, repo: Clone) -> None:
    opened = repo.open()
    assert blob_history(opened, repo.head, []).blobs == ()
    log = logged_git(sandbox)
    blob_history(repo.open(), repo.open().head or "", [ORDERS])
    assert [line.split()[0] for line in log()][-3:] == ["rev-list", "diff-tree", "rev-parse"]
