"""What a GitHub workflow compares with: every event and every depth of checkout, over file://."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from support.git_sandbox import Clone, Sandbox, logged_git

from floe_contracts.adapters.git import INDEX, WORKTREE
from floe_contracts.adapters.git.base import Base, changed_since, choose_base
from floe_contracts.adapters.process.environment import CiEvent, FetchAccess
from floe_contracts.errors import BaseNotFound

ORDERS = "contracts/orders.yaml"
USERS = "contracts/users.yaml"
OTHERS = "contracts/others.yaml"
ZEROS = "0" * 40


@dataclass(frozen=True)
class Pull:
    """A pull request that edits orders, made from an old main; main has got another contract since."""

    sandbox: Sandbox
    server: Clone
    first: str  # where the branch began
    head: str
    main: str
    merge: str

    @property
    def event(self) -> CiEvent:
        return CiEvent("pull_request", head_sha=self.head, base_sha=self.first, base_ref="main", default_branch="main")

    def checkout(self, ref: str, depth: int = 1) -> Clone:
        """As actions/checkout does it: one commit on a detached HEAD; depth 0 is all branches with all history."""
        clone = self.sandbox.init(f"runner-{ref.replace('/', '-')}-{depth}")
        clone.git("remote", "add", "origin", self.server.url)
        shallow = [] if depth == 0 else [f"--depth={depth}"]
        branches = [] if depth else ["+refs/heads/*:refs/remotes/origin/*"]
        clone.git("fetch", "--quiet", "--no-tags", *shallow, "origin", *branches, f"+{ref}:refs/remotes/checked/out")
        clone.git("checkout", "--quiet", "--detach", "refs/remotes/checked/out")
        return clone


@pytest.fixture(scope="module")
def _opened(tmp_path_factory: pytest.TempPathFactory) -> Pull:
    sandbox = Sandbox(tmp_path_factory.mktemp("pull"))
    server = sandbox.init("server")
    server.commit({"README.md": "one\n"})
    first = server.commit({ORDERS: "id: orders\n", USERS: "id: users\n"})
    server.switch("feature", "main")
    server.commit({ORDERS: "id: orders\nversion: 1.1.0\n"})
    head = server.commit({ORDERS: "id: orders\nversion: 1.2.0\n"})
    server.switch("main")
    main = server.commit({OTHERS: "id: others\n"})
    server.git("checkout", "--quiet", "--detach", "main")
    merge = server.merge("feature")
    server.git("update-ref", "refs/pull/1/merge", merge)
    server.switch("main")
    return Pull(sandbox, server, first, head, main, merge)


@pytest.fixture
def pull(sandbox: Sandbox, _opened: Pull) -> Pull:
    return replace(_opened, sandbox=sandbox, server=sandbox.copy(_opened.server, "server"))


def chosen(clone: Clone, event: CiEvent, head: str = "HEAD", base: str | None = None) -> tuple[Base, tuple[str, ...]]:
    opened = clone.open()
    found = choose_base(opened, head=head, event=event, explicit=base)
    return found, changed_since(opened, found, head)


# Pull requests


@pytest.mark.parametrize("depth", [0, 1, 2, 50])
@pytest.mark.parametrize("head", ["HEAD", INDEX, WORKTREE])
def test_the_test_merge_is_compared_with_its_first_parent_at_any_depth(pull: Pull, depth: int, head: str) -> None:
    base, changed = chosen(pull.checkout("refs/pull/1/merge", depth), pull.event, head)
    assert (base.commits, base.ref, changed) == ((pull.main,), "main", (ORDERS,))
    assert base.how == f"compared with {pull.main[:8]}, the commit of main that the pull request was merged with"


@pytest.mark.parametrize("base_sha", ["first", "newer", "rubbish"])
def test_the_base_sha_of_the_event_does_not_matter(pull: Pull, base_sha: str) -> None:
    shas = {"first": pull.first, "newer": pull.server.commit({USERS: "newer\n"}), "rubbish": "e" * 40}
    base, changed = chosen(pull.checkout("refs/pull/1/merge", 2), replace(pull.event, base_sha=shas[base_sha]))
    assert (base.commits, changed) == ((pull.main,), (ORDERS,))


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("name", ["main", "origin/main"])
def test_a_rerun_after_main_moved_stays_with_the_commit_it_was_merged_with(pull: Pull, depth: int, name: str) -> None:
    clone = pull.checkout("refs/pull/1/merge", depth)
    pull.server.commit({USERS: "newer\n"})
    clone.git("fetch", "--quiet", "--depth=1", "origin", "+refs/heads/main:refs/remotes/origin/main")
    assert chosen(clone, pull.event)[0].commits == (pull.main,)
    assert chosen(clone, pull.event, base=name)[0].commits == (pull.main,)


def test_a_fetched_parent_brings_only_what_differs(pull: Pull) -> None:
    pull.server.commit({"big.bin": "".join(chr(33 + n * n % 94) for n in range(200_000))})
    pull.server.git("checkout", "--quiet", "--detach", "main")
    pull.server.git("update-ref", "refs/pull/1/merge", pull.server.merge("feature"))
    clone = pull.checkout("refs/pull/1/merge", 1)
    before = set(objects(clone))
    chosen(clone, pull.event)
    kinds = sorted(line.split()[1] for line in set(objects(clone)) - before)
    assert kinds == ["blob", "commit", "tree", "tree"]
    assert "promisor" not in clone.git("config", "--list")


def test_a_merge_of_another_head_asks_for_a_rerun(pull: Pull) -> None:
    newer = replace(pull.event, head_sha="d" * 40)
    with pytest.raises(BaseNotFound, match="has moved on") as caught:
        chosen(pull.checkout("refs/pull/1/merge", 2), newer)
    assert caught.value.fix.startswith("Re-run the workflow")


def test_a_checkout_of_the_base_itself_is_no_silent_pass(pull: Pull) -> None:
    with pytest.raises(BaseNotFound, match="neither the pull request's head"):
        chosen(pull.checkout("refs/heads/main", 1), replace(pull.event, name="pull_request_target"))


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_checkout_of_the_head_is_compared_with_where_it_left_the_base(pull: Pull, depth: int) -> None:
    base, changed = chosen(pull.checkout("refs/heads/feature", depth), pull.event)
    assert (base.commits, changed) == ((pull.first,), (ORDERS,))


def test_a_long_branch_is_deepened_until_it_meets_the_base(pull: Pull) -> None:
    pull.server.switch("feature")
    for number in range(60):
        pull.server.git("commit", "--quiet", "--allow-empty", "--message", str(number))
    clone = pull.checkout("refs/heads/feature", 1)
    base, _ = chosen(clone, replace(pull.event, head_sha=pull.server.head))
    assert base.commits == (pull.first,)


def test_a_branch_with_no_history_in_common_cannot_be_compared(pull: Pull) -> None:
    pull.server.git("checkout", "--quiet", "--orphan", "island")
    island = pull.server.commit({ORDERS: "alone\n"})
    with pytest.raises(BaseNotFound, match="no common history"):
        chosen(pull.checkout("refs/heads/island", 1), replace(pull.event, head_sha=island))


def test_a_base_that_cannot_be_fetched_says_what_to_set(pull: Pull) -> None:
    clone = pull.checkout("refs/pull/1/merge", 1)
    pull.server.path.rename(pull.sandbox.root / "gone")
    with pytest.raises(BaseNotFound, match="could not be fetched") as caught:
        chosen(clone, pull.event)
    assert "fetch-depth: 2" in caught.value.fix


# Merge queue


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_merge_group_is_compared_with_what_it_builds_on(pull: Pull, depth: int) -> None:
    event = CiEvent("merge_group", head_sha=pull.merge, base_sha=pull.main, base_ref="main")
    base, changed = chosen(pull.checkout("refs/pull/1/merge", depth), event)
    assert (base.commits, changed) == ((pull.main,), (ORDERS,))


def test_a_merge_group_that_is_not_checked_out_is_an_error(pull: Pull) -> None:
    event = CiEvent("merge_group", head_sha="d" * 40, base_sha=pull.main, base_ref="main")
    with pytest.raises(BaseNotFound, match="not the head"):
        chosen(pull.checkout("refs/pull/1/merge", 2), event)


# Pushes


def push(pull: Pull, branch: str, before: str, forced: bool = False) -> CiEvent:
    return CiEvent("push", before=before, ref=f"refs/heads/{branch}", forced=forced, default_branch="main")


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_push_is_compared_with_the_branch_before(pull: Pull, depth: int) -> None:
    base, changed = chosen(pull.checkout("refs/heads/main", depth), push(pull, "main", pull.first))
    assert (base.commits, changed) == ((pull.first,), (OTHERS,))


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize("before", [ZEROS, "e" * 40], ids=["a new branch", "a commit that is gone"])
def test_a_push_without_a_before_is_compared_with_where_it_left_the_default(
    pull: Pull, depth: int, before: str
) -> None:
    base, changed = chosen(pull.checkout("refs/heads/feature", depth), push(pull, "feature", before))
    assert (base.commits, changed) == ((pull.first,), (ORDERS,))


def test_a_rewritten_branch_is_not_blamed_for_the_main_it_moved_to(pull: Pull) -> None:
    pull.server.switch("feature")
    pull.server.git("rebase", "--quiet", "main")
    base, changed = chosen(pull.checkout("refs/heads/feature", 0), push(pull, "feature", pull.head, forced=True))
    assert (base.commits, changed) == ((pull.main,), (ORDERS,))


def test_a_rewritten_main_is_compared_with_what_readers_had(pull: Pull) -> None:
    pull.server.git("reset", "--quiet", "--hard", pull.first)
    base, changed = chosen(pull.checkout("refs/heads/main", 0), push(pull, "main", pull.main, forced=True))
    assert (base.commits, changed) == ((pull.main,), (OTHERS,))


def test_the_first_push_of_the_default_branch_has_nothing_to_break(pull: Pull) -> None:
    base, changed = chosen(pull.checkout("refs/heads/main", 1), push(pull, "main", ZEROS))
    assert (base.empty, changed) == (True, ("README.md", ORDERS, OTHERS, USERS))
    assert base.how == "this push creates main, so every contract counts as new"


@pytest.mark.parametrize("before", ["e" * 40, "", "not a commit"])
def test_a_default_branch_whose_past_is_gone_is_an_error(pull: Pull, before: str) -> None:
    with pytest.raises(BaseNotFound, match="cannot be found any more"):
        chosen(pull.checkout("refs/heads/main", 1), push(pull, "main", before))


# Other events, names and secrets


def test_an_event_that_says_nothing_needs_a_named_base(pull: Pull) -> None:
    clone = pull.checkout("refs/heads/feature", 1)
    with pytest.raises(BaseNotFound, match="workflow_dispatch event does not say"):
        chosen(clone, CiEvent("workflow_dispatch"))
    base, changed = chosen(clone, CiEvent("workflow_dispatch"), base="main")
    assert (base.commits, changed) == ((pull.first,), (ORDERS,))


@pytest.mark.parametrize("name", ["main", "origin/main", "refs/heads/main", "a commit"])
def test_a_named_base_is_fetched_when_the_checkout_lacks_it(pull: Pull, name: str) -> None:
    clone = pull.checkout("refs/heads/feature", 1)
    base, _ = chosen(clone, CiEvent("schedule"), base=pull.main if name == "a commit" else name)
    assert base.commits == (pull.first,)


def test_a_named_base_that_exists_nowhere_is_an_error(pull: Pull) -> None:
    with pytest.raises(BaseNotFound, match="could not be fetched"):
        chosen(pull.checkout("refs/pull/1/merge", 2), pull.event, base="nobody")


def test_an_empty_checkout_is_an_error(pull: Pull) -> None:
    with pytest.raises(BaseNotFound, match="nothing is checked out"):
        choose_base(pull.sandbox.init("empty").open(), event=pull.event)


def test_a_token_travels_in_the_environment_and_nowhere_else(pull: Pull) -> None:
    clone = pull.checkout("refs/pull/1/merge", 1)
    log = logged_git(pull.sandbox, 'env | grep "^GIT_CONFIG_" | sort')
    access = FetchAccess("https://github.example", "s3cret")
    choose_base(clone.open(), head="HEAD", event=pull.event, access=access)
    lines = log()
    assert "GIT_CONFIG_KEY_1=http.https://github.example/.extraheader" in lines
    assert "GIT_CONFIG_VALUE_0=" in lines
    assert "GIT_CONFIG_VALUE_1=AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46czNjcmV0" in lines
    assert not [line for line in lines if "s3cret" in line or ("eC1hY2" in line and "VALUE_1" not in line)]
    assert "s3cret" not in repr(access)


def objects(clone: Clone) -> list[str]:
    return clone.git("cat-file", "--batch-all-objects", "--batch-check").splitlines()
