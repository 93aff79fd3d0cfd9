"""What a file held on the base branch: in its order, under its earlier names, and beyond the end of a shallow clone."""

from __future__ import annotations

import pytest
from support.git_sandbox import Clone, Sandbox

from floe_contracts.adapters.git import Repository
from floe_contracts.adapters.git.fetch import deepen
from floe_contracts.adapters.git.past import past_contents, past_states
from floe_contracts.errors import BaseNotFound

ORDERS = "contracts/orders.yaml"
MOVED = "shop/orders.yaml"


def fetch(repo: Repository, commit: str, depth: int) -> None:
    deepen(repo, depth, (commit,), None)


def texts(clone: Clone, path: str = ORDERS) -> list[str]:
    contents = past_contents(clone.open(), clone.head, path, fetch)
    return [(past.content or b"").decode().strip() for past in contents]


def test_contents_come_newest_first_whatever_the_clocks_say(repo: Clone) -> None:
    repo.commit({ORDERS: "2\n"})
    repo.write({ORDERS: "3\n"})
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--message", "an old clock", GIT_COMMITTER_DATE="1000000000 +0000")
    assert texts(repo) == ["3", "2", "version: 1.0.0"]


def test_what_a_branch_held_before_its_merge_was_never_on_main(repo: Clone) -> None:
    repo.switch("feature", "main")
    repo.commit({ORDERS: "in the making\n"})
    repo.commit({ORDERS: "merged\n"})
    repo.switch("main")
    repo.commit({"README.md": "meanwhile\n"})
    repo.merge("feature")
    assert texts(repo) == ["merged", "version: 1.0.0"]


def test_a_moved_file_keeps_its_past(repo: Clone) -> None:
    repo.commit({ORDERS: "2\n"})
    repo.commit({ORDERS: None, MOVED: "3, all new\n"})
    assert texts(repo, MOVED) == ["3, all new", "2", "version: 1.0.0"]


def test_a_file_that_is_moved_to_and_fro_ends(repo: Clone) -> None:
    for step in range(4):
        repo.commit({ORDERS: None, MOVED: f"away {step}\n"})
        repo.commit({ORDERS: f"back {step}\n", MOVED: None})
    assert texts(repo)[:2] == ["back 3", "away 3"]
    assert "version: 1.0.0" in texts(repo)


def test_a_past_of_many_contents_is_read_in_parts(repo: Clone) -> None:
    for number in range(25):
        repo.commit({ORDERS: f"{number}\n"})
    assert texts(repo) == [*(str(number) for number in reversed(range(25))), "version: 1.0.0"]


def test_a_move_may_change_the_ending(repo: Clone) -> None:
    repo.commit({ORDERS: None, "shop/orders.yml": "2\n"})
    assert texts(repo, "shop/orders.yml") == ["2", "version: 1.0.0"]


def test_states_of_all_files_come_newest_first_with_their_ends(repo: Clone) -> None:
    repo.commit({ORDERS: None, "notes.txt": "no contract\n"})
    repo.commit({MOVED: "2\n"})
    states = past_states(repo.open(), repo.head, lambda path: path in (ORDERS, MOVED), MOVED, fetch)
    assert [(past.path, past.content) for past in states] == [
        (MOVED, b"2\n"),
        (ORDERS, None),
        (ORDERS, b"version: 1.0.0\n"),
    ]


def test_states_beyond_a_shallow_clone_are_fetched(sandbox: Sandbox, repo: Clone) -> None:
    clone = shallow(sandbox, repo)
    states = past_states(clone.open(), clone.head, lambda path: path == ORDERS, ORDERS, fetch)
    assert [past.content for past in states] == [b"3\n", b"2\n", b"version: 1.0.0\n"]


def shallow(sandbox: Sandbox, repo: Clone) -> Clone:
    repo.commit({ORDERS: "2\n"})
    repo.commit({ORDERS: "3\n"})
    return sandbox.clone(repo, "runner", "--depth=1")


def test_history_that_is_not_needed_is_not_fetched(sandbox: Sandbox, repo: Clone) -> None:
    clone = shallow(sandbox, repo)
    contents = past_contents(clone.open(), clone.head, ORDERS, None)
    assert next(contents).content == b"3\n"


def test_history_that_is_missing_is_fetched(sandbox: Sandbox, repo: Clone) -> None:
    assert texts(shallow(sandbox, repo)) == ["3", "2", "version: 1.0.0"]


def test_only_the_line_of_the_commit_must_be_whole(sandbox: Sandbox, repo: Clone) -> None:
    repo.switch("feature", "main")
    for number in range(3):
        repo.commit({"README.md": f"{number}\n"})
    repo.switch("main")
    repo.commit({ORDERS: "2\n"})
    clone = sandbox.clone(repo, "runner", "--depth=1", "--no-single-branch")
    opened = clone.open()
    contents = past_contents(opened, clone.head, ORDERS, fetch)
    assert [past.content for past in contents] == [b"2\n", b"version: 1.0.0\n"]
    assert opened.is_shallow()


@pytest.mark.parametrize("may_fetch", [False, True], ids=["nothing may be fetched", "the remote is gone"])
def test_history_that_cannot_be_had_is_an_error_with_the_command(
    sandbox: Sandbox, repo: Clone, may_fetch: bool
) -> None:
    clone = shallow(sandbox, repo)
    clone.git("remote", "set-url", "origin", f"{repo.url}-gone")
    with pytest.raises(BaseNotFound, match="shallow") as caught:
        list(past_contents(clone.open(), clone.head, ORDERS, fetch if may_fetch else None))
    assert caught.value.fix == "git fetch --unshallow origin"


def test_a_remote_that_is_shallow_itself_is_an_error(sandbox: Sandbox, repo: Clone) -> None:
    clone = sandbox.clone(shallow(sandbox, repo), "second", "--depth=1")
    with pytest.raises(BaseNotFound, match="of the remote"):
        texts(clone)
