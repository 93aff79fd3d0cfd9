"""Where the git reader opens a repository, and what it says when it cannot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from support.git_sandbox import Clone, Sandbox, fake_git

from floe_contracts import codes
from floe_contracts.adapters.git import INDEX, WORKTREE, open_repository
from floe_contracts.adapters.git.command import Git, git_at
from floe_contracts.errors import FloeError


def test_a_repository_without_commits_has_no_head(sandbox: Sandbox) -> None:
    opened = sandbox.init().open()
    assert (opened.head, opened.branch, opened.upstream) == (None, None, None)


def test_a_subfolder_opens_the_whole_repository(repo: Clone) -> None:
    opened = repo.open("contracts")
    assert opened.top == str(repo.path)
    assert sorted(opened.files(INDEX)) == ["contracts/orders.yaml", "contracts/users.yaml"]
    assert sorted(opened.files(opened.head)) == sorted(opened.files(WORKTREE)) == sorted(opened.files(INDEX))


def test_branch_and_upstream_are_known_by_full_name(sandbox: Sandbox, repo: Clone) -> None:
    clone = sandbox.clone(repo)
    clone.git("checkout", "--quiet", "-b", "feature", "--track", "origin/main")
    opened = clone.open()
    assert (opened.branch, opened.upstream) == ("refs/heads/feature", "refs/remotes/origin/main")


def test_a_detached_head_has_a_commit_and_no_branch(repo: Clone) -> None:
    repo.git("checkout", "--quiet", "--detach")
    assert repo.open().head == repo.head
    assert repo.open().branch is None


def test_a_linked_worktree_has_its_own_index_and_head(sandbox: Sandbox, repo: Clone) -> None:
    repo.git("worktree", "add", "--quiet", "-b", "side", "../side")
    side = sandbox.at("side")
    side.write({"contracts/new.yaml": "version: 1.0.0\n"})
    side.git("add", "--all")
    assert [change.path for change in side.open().changes(side.head, INDEX)] == ["contracts/new.yaml"]
    assert repo.open().changes(repo.head, INDEX) == ()


def test_a_submodule_is_a_repository_of_its_own(sandbox: Sandbox, repo: Clone) -> None:
    outer = sandbox.init("outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo.url, "contracts/shared")
    outer.commit({"contracts/own.yaml": "version: 1.0.0\n"})
    inner = sandbox.at("outer/contracts/shared")
    assert sorted(inner.open().files(INDEX)) == ["contracts/orders.yaml", "contracts/users.yaml"]
    entries = outer.open().files(outer.head, lambda path: path.startswith("contracts/"))
    assert {path: entry.kind for path, entry in entries.items()} == {
        "contracts/own.yaml": "file",
        "contracts/shared": "submodule",
    }


def test_a_repository_with_sha256_objects_reads_the_same(sandbox: Sandbox) -> None:
    repo = sandbox.init("modern", "--object-format=sha256")
    repo.commit({"contracts/a.yaml": "one\n"})
    opened = repo.open()
    assert opened.read(opened.files(opened.head).values()) == {"contracts/a.yaml": b"one\n"}


def test_a_folder_outside_any_repository_is_told(sandbox: Sandbox) -> None:
    with pytest.raises(FloeError, match="is not inside a git repository") as caught:
        sandbox.at("home").open()
    assert caught.value.code is codes.E592


@pytest.mark.parametrize("folder", ["bare.git", "bare.git/refs", "repo/.git"])
def test_a_folder_without_a_work_tree_is_told(sandbox: Sandbox, repo: Clone, folder: str) -> None:
    sandbox.at(".").git("init", "--quiet", "--bare", "bare.git")
    with pytest.raises(FloeError, match="has no work tree"):
        sandbox.at(folder).open()


def test_a_bare_repository_planted_in_a_checkout_is_not_used(sandbox: Sandbox, repo: Clone) -> None:
    repo.git("init", "--quiet", "--bare", "contracts/planted")
    with pytest.raises(FloeError, match="has no work tree"):
        repo.open("contracts/planted")


def test_a_repository_of_another_user_names_the_command_that_helps(sandbox: Sandbox, repo: Clone) -> None:
    fake_git(sandbox, 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {git} "$@"')
    with pytest.raises(FloeError, match="belongs to another user") as caught:
        repo.open()
    assert caught.value.fix == f"git config --global --add safe.directory {repo.path}"


def test_a_machine_without_git_is_told(repo: Clone) -> None:
    with pytest.raises(FloeError, match="git is not installed") as caught:
        repo.open(PATH="/nonexistent")
    assert caught.value.code is codes.E592


def test_a_folder_that_does_not_exist_is_told(repo: Clone) -> None:
    with pytest.raises(FloeError, match="does not exist"):
        repo.open("nowhere")


def wait_for_answer(git: Git) -> None:
    with git.talk("cat-file", "--batch", seconds=0.2) as (_, answers):
        if not answers.read(1):
            raise EOFError


@pytest.mark.parametrize(
    "ask", [lambda git: git.ask("status", seconds=0.2), wait_for_answer], ids=["one answer", "a conversation"]
)
def test_a_git_that_hangs_is_ended(sandbox: Sandbox, repo: Clone, ask: Callable[[Git], object]) -> None:
    fake_git(sandbox, "exec sleep 60")
    with pytest.raises(FloeError, match="did not finish within"):
        ask(git_at(str(repo.path), sandbox.environ))


@pytest.mark.parametrize("count", [1, 5_000])
def test_a_git_that_dies_while_it_is_asked_is_told(sandbox: Sandbox, repo: Clone, count: int) -> None:
    opened = repo.open()
    fake_git(sandbox, "echo fatal: disk on fire >&2; exit 128")
    dying = replace(opened, git=opened.git.at(opened.top, PATH=sandbox.environ["PATH"]))
    with pytest.raises(FloeError, match="git cat-file failed: disk on fire"):
        dying.read_blobs(f"{number:040x}" for number in range(count))


def test_the_environment_is_not_shown(repo: Clone) -> None:
    assert "s3cret" not in repr(repo.open(GITHUB_TOKEN="s3cret"))


def test_credentials_in_an_address_are_not_repeated(repo: Clone) -> None:
    with pytest.raises(FloeError) as caught:
        repo.open().git.read("ls-remote", "https://user:s3cret@localhost:1/x.git")
    assert "s3cret" not in caught.value.message
    assert "localhost:1" in caught.value.message


def test_the_environment_is_the_processes_own_unless_given(repo: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    assert open_repository(str(repo.path)).top == str(repo.path)
