"""What a developer's machine compares with: every trap of choosing a base, on real repositories."""

from __future__ import annotations

import subprocess

import pytest
from support.git_sandbox import Clone, Sandbox, logged_git

from floe_contracts import codes
from floe_contracts.adapters.git import INDEX, WORKTREE
from floe_contracts.adapters.git.base import changed_since, choose_base
from floe_contracts.errors import BaseNotFound, UsageError

ORDERS = "contracts/orders.yaml"
USERS = "contracts/users.yaml"


def changed(clone: Clone, head: str = INDEX, base: str | None = None) -> tuple[str, ...]:
    opened = clone.open()
    return changed_since(opened, choose_base(opened, explicit=base, head=head), head)


@pytest.fixture
def clone(sandbox: Sandbox, repo: Clone) -> Clone:
    """A clone of the repository, on a branch of its own."""
    made = sandbox.clone(repo)
    made.switch("feature", "origin/main")
    return made


# Whose change is it


@pytest.mark.parametrize("head", [INDEX, WORKTREE, "HEAD", "feature"])
def test_a_stale_branch_is_not_blamed_for_what_main_did(repo: Clone, clone: Clone, head: str) -> None:
    clone.commit({USERS: "mine\n"})
    repo.commit({ORDERS: None, "contracts/new.yaml": "others\n"})
    clone.git("fetch", "--quiet")
    assert changed(clone, head) == (USERS,)
    assert changed(clone, head, base="origin/main") == (USERS,)
    assert choose_base(clone.open(), head=head).moved_on


def test_commits_staged_and_edited_changes_all_count_from_where_the_branch_began(clone: Clone) -> None:
    clone.commit({USERS: "committed\n"})
    clone.write({ORDERS: "staged\n"})
    clone.git("add", "--all")
    clone.write({"contracts/new.yaml": "only on disk\n"})
    assert changed(clone, "HEAD") == (USERS,)
    assert changed(clone, INDEX) == (ORDERS, USERS)
    assert changed(clone, WORKTREE) == ("contracts/new.yaml", ORDERS, USERS)


def test_a_branch_that_merged_main_is_compared_with_what_it_merged(repo: Clone, clone: Clone) -> None:
    clone.commit({USERS: "mine\n"})
    merged = repo.commit({ORDERS: "others\n"})
    clone.git("fetch", "--quiet")
    clone.merge("origin/main")
    assert choose_base(clone.open()).commits == (merged,)
    assert changed(clone) == (USERS,)


def test_criss_cross_merges_have_several_bases_and_all_count(clone: Clone) -> None:
    clone.switch("left", "origin/main")
    left = clone.commit({ORDERS: "left\n"})
    clone.switch("right", "origin/main")
    right = clone.commit({USERS: "right\n"})
    clone.merge(left)
    clone.switch("left")
    clone.merge(right)
    base = choose_base(clone.open(), explicit="right", head="left")
    assert set(base.commits) == {left, right}
    assert "2 merge bases" in base.how
    assert changed(clone, "left", base="right") == (ORDERS, USERS)


def test_unrelated_histories_cannot_be_compared(clone: Clone) -> None:
    clone.git("checkout", "--quiet", "--orphan", "island")
    clone.commit({ORDERS: "alone\n"})
    with pytest.raises(BaseNotFound, match="no common history") as caught:
        changed(clone)
    assert caught.value.code is codes.E528
    assert caught.value.exit_code == 2


def test_a_move_is_told_as_deletion_and_addition_whatever_git_thinks_is_similar(clone: Clone) -> None:
    clone.git("mv", ORDERS, "contracts/moved.yaml")
    assert changed(clone) == ("contracts/moved.yaml", ORDERS)


def test_settings_can_be_read_as_the_base_has_them(repo: Clone, sandbox: Sandbox) -> None:
    repo.commit({".floe/config.yaml": "profile: full\n"})
    clone = sandbox.clone(repo)
    clone.switch("feature", "origin/main")
    clone.commit({".floe/config.yaml": "profile: lenient\n"})
    opened = clone.open()
    [commit] = choose_base(opened).commits
    assert opened.read(opened.files(commit).values())[".floe/config.yaml"] == b"profile: full\n"
    assert changed(clone) == (".floe/config.yaml",)


# Which branch is the base


@pytest.mark.parametrize(
    ("refs", "chosen"),
    [
        (["remotes/origin/trunk", "remotes/origin/main", "heads/main"], "origin/trunk"),
        (["remotes/origin/main", "remotes/origin/master", "heads/main"], "origin/main"),
        (["remotes/origin/master", "heads/main"], "origin/master"),
        (["heads/main", "heads/master"], "main"),
        (["heads/master"], "master"),
        (["remotes/origin/develop", "heads/develop"], "origin/develop"),
        (["heads/develop"], "develop"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_the_default_branch_is_found_in_this_order(sandbox: Sandbox, refs: list[str], chosen: str) -> None:
    clone = sandbox.init("work", branch="feature")
    clone.git("config", "init.defaultBranch", "develop")
    commit = clone.commit({ORDERS: "version: 1.0.0\n"})
    for ref in refs:
        clone.git("update-ref", f"refs/{ref}", commit)
    if "remotes/origin/trunk" in refs:
        clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
    clone.commit({ORDERS: "version: 1.1.0\n"})
    base = choose_base(clone.open())
    assert (base.ref, base.commits, base.how) == (chosen, (commit,), f"compared with {chosen} ({commit[:8]})")
    assert base.tip_time is not None


def test_the_remote_of_the_upstream_comes_before_origin(clone: Clone) -> None:
    clone.git("update-ref", "refs/remotes/company/trunk", "HEAD")
    clone.git("symbolic-ref", "refs/remotes/company/HEAD", "refs/remotes/company/trunk")
    clone.git("remote", "add", "company", "../company")
    clone.git("branch", "--set-upstream-to", "company/trunk")
    assert choose_base(clone.open()).ref == "company/trunk"


def test_a_remote_head_that_points_nowhere_is_passed_over(clone: Clone) -> None:
    clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/deleted")
    assert choose_base(clone.open()).ref == "origin/main"


@pytest.mark.parametrize(
    "name",
    ["origin/main", "main", "refs/tags/v1", "refs/tags/note", "HEAD~1", "@~1", "refs/remotes/origin/main", "origin"],
)
def test_a_named_base_wins(clone: Clone, name: str) -> None:
    clone.git("tag", "v1")
    clone.git("tag", "--annotate", "note", "--message", "release")
    clone.git("branch", "--quiet", "--delete", "main")  # main is known at origin only
    commit = clone.head
    clone.commit({ORDERS: "version: 1.1.0\n"})
    assert choose_base(clone.open(), explicit=name).commits == (commit,)


# Names that two things bear


def shadow(clone: Clone, name: str, ref: str) -> tuple[str, str]:
    """A change on the branch, and a ref of the base's name that points to it."""
    base = clone.head
    head = clone.commit({ORDERS: "version: 1.1.0\n"})
    clone.git("update-ref", f"{ref}/{name}", head)
    return base, head


@pytest.mark.parametrize(
    ("base", "tag"),
    [
        pytest.param("main", "main", id="a local branch"),
        pytest.param("release", "release", id="a branch that only origin has"),
        pytest.param("refs/heads/main", "refs/heads/main", id="a tag called like a whole ref"),
        pytest.param("refs/remotes/origin/main", "refs/remotes/origin/main", id="a tag called like a whole remote ref"),
        pytest.param("HEAD~1", "HEAD", id="a tag called HEAD"),
        pytest.param("main~0", "main", id="an ancestor of a branch"),
        pytest.param(None, "main", id="the default branch"),
        pytest.param(None, "origin/main", id="the default branch of the remote"),
        pytest.param(None, "origin/HEAD", id="the remote's own default"),
    ],
)
def test_a_branch_is_the_branch_whatever_tags_are_called(clone: Clone, base: str | None, tag: str) -> None:
    clone.git("update-ref", "refs/remotes/origin/release", "HEAD")
    branch, _ = shadow(clone, tag, "refs/tags")
    assert choose_base(clone.open(), explicit=base, head="HEAD").commits == (branch,)


@pytest.mark.parametrize("ref", ["refs/tags", "refs/heads"], ids=["a tag", "a local branch"])
def test_a_remote_branch_and_something_spelled_like_it_are_two_things(clone: Clone, ref: str) -> None:
    branch, other = shadow(clone, "origin/main", ref)
    with pytest.raises(BaseNotFound, match="stands for two things") as caught:
        choose_base(clone.open(), explicit="origin/main", head="HEAD")
    assert branch in caught.value.message
    assert other in caught.value.message
    assert "refs/remotes/origin/main" in caught.value.fix
    assert choose_base(clone.open(), explicit="refs/remotes/origin/main", head="HEAD").commits == (branch,)


def test_a_local_branch_called_like_the_remote_one_is_not_the_default_branch(clone: Clone) -> None:
    clone.switch("origin/main", "HEAD")
    branch = clone.git("rev-parse", "refs/remotes/origin/main")
    clone.commit({ORDERS: "version: 1.1.0\n"})
    assert choose_base(clone.open()).commits == (branch,)


@pytest.mark.parametrize("short", [False, True], ids=["a tag", "a short id"])
def test_a_tag_or_a_short_id_is_taken_by_its_whole_name_only(clone: Clone, short: bool) -> None:
    clone.git("tag", "v1")
    name, whole = (clone.head[:10], clone.head) if short else ("v1", "refs/tags/v1")
    with pytest.raises(BaseNotFound, match="whole names only") as caught:
        choose_base(clone.open(), explicit=name)
    assert caught.value.fix == f"Write --base {whole}"
    assert choose_base(clone.open(), explicit=whole).commits == (clone.head,)


def test_a_head_is_the_branch_before_the_tag(clone: Clone) -> None:
    _, head = shadow(clone, "feature", "refs/tags")
    clone.git("update-ref", "refs/tags/feature", "refs/remotes/origin/main")
    base = choose_base(clone.open(), explicit=head, head="feature")
    assert base.commits == (head,)


# On the default branch itself


@pytest.mark.parametrize("head", [INDEX, WORKTREE])
def test_on_main_without_a_remote_the_last_commit_is_the_base(repo: Clone, head: str) -> None:
    repo.commit({USERS: "committed\n"})
    repo.write({ORDERS: "new\n"})
    repo.git("add", "--all")
    assert changed(repo, head) == (ORDERS,)
    assert choose_base(repo.open(), head=head).how == "compared with HEAD, because this is main itself"


def test_on_main_with_a_remote_commits_not_yet_pushed_count(clone: Clone) -> None:
    clone.switch("main")
    clone.commit({USERS: "committed\n"})
    clone.write({ORDERS: "new\n"})
    clone.git("add", "--all")
    assert changed(clone) == (ORDERS, USERS)


@pytest.mark.parametrize("remote", ["no remote", "a remote that was never fetched"])
def test_without_any_branch_known_to_be_the_default_head_is_the_base(sandbox: Sandbox, remote: str) -> None:
    lonely = sandbox.init("lonely", branch="trunk")
    if remote != "no remote":
        lonely.git("remote", "add", "origin", "../nowhere")
    lonely.commit({ORDERS: "version: 1.0.0\n"})
    lonely.write({ORDERS: "version: 1.1.0\n"})
    lonely.git("add", "--all")
    assert changed(lonely) == (ORDERS,)
    assert "no remote and no branch called main or master" in choose_base(lonely.open()).how
    with pytest.raises(BaseNotFound, match="not known here"):
        choose_base(lonely.open(), head="HEAD")


# No commit at all


@pytest.mark.parametrize("base", [None, "main", "HEAD"])
def test_before_the_first_commit_everything_is_new(sandbox: Sandbox, base: str | None) -> None:
    empty = sandbox.init("empty")
    empty.write({ORDERS: "version: 1.0.0\n"})
    empty.git("add", "--all")
    chosen = choose_base(empty.open(), explicit=base)
    assert chosen.empty
    assert "every contract counts as new" in chosen.how
    assert changed(empty, base=base) == (ORDERS,)


def test_an_orphan_branch_is_compared_with_the_base_that_is_named(repo: Clone) -> None:
    repo.git("checkout", "--quiet", "--orphan", "island")
    repo.git("rm", "--quiet", "--cached", USERS)
    assert changed(repo, base="main") == (USERS,)


# A base that should be there


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("release", "git fetch origin +refs/heads/release:refs/remotes/origin/release"),
        ("origin/release", "git fetch origin +refs/heads/release:refs/remotes/origin/release"),
        ("a'b;$(c)", "git fetch origin '+refs/heads/a'\"'\"'b;$(c):refs/remotes/origin/a'\"'\"'b;$(c)'"),
        ("1" * 40, f"git fetch origin {'1' * 40}"),
    ],
)
def test_a_named_base_that_is_not_here_names_the_command_to_run(clone: Clone, name: str, command: str) -> None:
    with pytest.raises(BaseNotFound) as caught:
        choose_base(clone.open(), explicit=name)
    assert caught.value.fix == command


def test_the_command_that_is_named_helps(sandbox: Sandbox, repo: Clone) -> None:
    repo.git("branch", "release")
    single = sandbox.clone(repo, "single", "--single-branch")
    with pytest.raises(BaseNotFound) as caught:
        choose_base(single.open(), explicit="release")
    single.git(*caught.value.fix.split()[1:])
    assert choose_base(single.open(), explicit="release").ref == "origin/release"


@pytest.mark.parametrize(
    ("remotes", "stale", "name", "command"),
    [
        pytest.param(["company"], [], "release", "git fetch company +refs/heads/release:", id="another name"),
        pytest.param(
            ["company"], ["origin"], "origin/x", "git fetch company +refs/heads/origin/x:", id="origin is gone"
        ),
        pytest.param(
            ["team", "team/fork"], [], "team/fork/x", "git fetch team/fork +refs/heads/x:", id="a slash in it"
        ),
        pytest.param(["b", "a"], [], "release", "git fetch a +refs/heads/release:", id="the first of several"),
        pytest.param(
            ["a", "origin"], [], "release", "git fetch origin +refs/heads/release:", id="origin before others"
        ),
        pytest.param([], ["origin"], "release", "Name a branch or a commit that exists", id="none"),
        pytest.param(
            ["company"], ["gone"], None, "git fetch company '+refs/heads/*", id="the default of what is there"
        ),
        pytest.param([], ["gone"], None, "Name it with --base.", id="no default without a remote"),
    ],
)
def test_an_error_names_a_remote_that_exists(
    sandbox: Sandbox, remotes: list[str], stale: list[str], name: str | None, command: str
) -> None:
    repo = sandbox.init("far", branch="trunk")
    repo.commit({ORDERS: "1\n"})
    for remote in remotes:
        repo.git("remote", "add", remote, f"../{remote.replace('/', '-')}")
    for remote in stale:
        repo.git("update-ref", f"refs/remotes/{remote}/old", "HEAD")
    with pytest.raises(BaseNotFound) as caught:
        choose_base(repo.open(), explicit=name, head="HEAD")
    assert caught.value.fix.startswith(command)


@pytest.mark.parametrize("name", ["release", None])
def test_the_command_helps_whatever_the_remote_is_called(sandbox: Sandbox, repo: Clone, name: str | None) -> None:
    repo.git("branch", "release")
    repo.git("branch", "feature")
    single = sandbox.clone(repo, "single", "--single-branch", "--branch=feature", "--origin=company")
    single.git("branch", "--unset-upstream")
    with pytest.raises(BaseNotFound) as caught:
        choose_base(single.open(), explicit=name, head="HEAD")
    subprocess.run(caught.value.fix, shell=True, cwd=single.path, env=single.environ, capture_output=True, check=True)
    assert choose_base(single.open(), explicit=name, head="HEAD").ref == f"company/{name or 'main'}"


def test_a_remote_with_branches_but_no_default_is_an_error_with_a_cure(sandbox: Sandbox, repo: Clone) -> None:
    repo.git("branch", "feature")
    single = sandbox.clone(repo, "single", "--single-branch", "--branch", "feature")
    with pytest.raises(BaseNotFound, match="merged into is not known here") as caught:
        choose_base(single.open())
    subprocess.run(caught.value.fix, shell=True, cwd=single.path, env=single.environ, capture_output=True, check=True)
    assert choose_base(single.open()).ref == "origin/main"


def test_a_shallow_clone_that_ends_too_early_says_how_to_go_on(sandbox: Sandbox, repo: Clone) -> None:
    repo.switch("feature", "main")
    repo.commit({ORDERS: "mine\n"})
    repo.switch("main")
    repo.commit({USERS: "others\n"})
    shallow = sandbox.clone(repo, "shallow", "--depth=1", "--no-single-branch", "--branch", "feature")
    with pytest.raises(BaseNotFound) as caught:
        choose_base(shallow.open())
    assert caught.value.fix == "git fetch --unshallow origin"
    shallow.git("fetch", "--quiet", "--unshallow")
    assert changed(shallow) == (ORDERS,)


@pytest.mark.parametrize("name", ["--output=planted", "-", ""])
def test_a_base_or_head_named_like_an_option_is_refused(clone: Clone, name: str) -> None:
    with pytest.raises(UsageError):
        choose_base(clone.open(), explicit=name)
    with pytest.raises(UsageError):
        choose_base(clone.open(), head=name)
    assert not (clone.path / "planted").exists()


def test_a_head_that_does_not_exist_is_a_usage_error(clone: Clone) -> None:
    with pytest.raises(UsageError, match="names no commit"):
        choose_base(clone.open(), head="nobody")


# Few processes


def test_an_unchanged_repository_costs_three_git_processes(sandbox: Sandbox, clone: Clone) -> None:
    log = logged_git(sandbox)
    assert changed(clone) == ()
    assert [line.split()[0] for line in log()] == ["rev-parse", "for-each-ref", "diff-index"]


def test_reading_a_revision_costs_two_git_processes_however_many_files(sandbox: Sandbox, clone: Clone) -> None:
    clone.commit({f"contracts/{number}.yaml": f"{number}\n" for number in range(200)})
    opened = clone.open()
    log = logged_git(sandbox)
    opened = clone.open()
    assert len(opened.read(opened.files(opened.head).values())) == 202
    assert [line.split()[0] for line in log()] == ["rev-parse", "ls-tree", "cat-file"]
