"""The reader inside git's own hooks, where git exports its state, and under a polluted environment."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox

from floe_contracts.adapters.git import INDEX

REPORT = """
import json, os
from floe_contracts.adapters.git import INDEX, open_repository
from floe_contracts.adapters.git.base import changed_since, choose_base
repo = open_repository(os.environ.get("LOOK_AT", "."))
base = choose_base(repo)
found = repo.files(INDEX)
with open(os.environ["REPORT"], "w") as file:
    texts = {path: text.decode() for path, text in repo.read(found.values()).items()}
    json.dump({"changed": changed_since(repo, base, INDEX), "texts": texts, "top": repo.top}, file)
"""


class Reported:
    """What the hook saw."""

    def __init__(self, path: Path) -> None:
        told = json.loads(path.read_text())
        self.changed: list[str] = told["changed"]
        self.texts: dict[str, str] = told["texts"]
        self.top: str = told["top"]


def commit(clone: Clone, *words: str, folder: str = ".", hook: str = "pre-commit", **env: str) -> Reported:
    """Run a git command that runs the hook, and return what the hook saw."""
    clone.hook(hook, REPORT)
    report = clone.path.parent / "report.json"
    at = Clone(clone.path / folder, clone.environ)
    at.git(*words, REPORT=str(report), **env)
    return Reported(report)


def test_a_plain_commit_sees_what_is_staged(repo: Clone) -> None:
    repo.write({"contracts/orders.yaml": "staged\n"})
    repo.git("add", "--all")
    repo.write({"contracts/users.yaml": "not staged\n"})
    seen = commit(repo, "commit", "--message", "x", folder="contracts")
    assert seen.changed == ["contracts/orders.yaml"]
    assert seen.texts["contracts/users.yaml"] == "version: 1.0.0\n"


def test_commit_all_sees_the_index_that_git_prepared_for_it(repo: Clone) -> None:
    repo.write({"contracts/orders.yaml": "edited\n"})
    seen = commit(repo, "commit", "--all", "--message", "x", folder="contracts")
    assert seen.changed == ["contracts/orders.yaml"]
    assert seen.texts["contracts/orders.yaml"] == "edited\n"


def test_a_commit_of_one_path_sees_that_path_only(repo: Clone) -> None:
    repo.write({"contracts/orders.yaml": "edited\n", "contracts/users.yaml": "edited\n"})
    repo.git("add", "contracts/users.yaml")
    seen = commit(repo, "commit", "--message", "x", "contracts/orders.yaml")
    assert seen.changed == ["contracts/orders.yaml"]


def test_a_commit_that_only_deletes_is_seen(repo: Clone) -> None:
    repo.git("rm", "--quiet", "contracts/users.yaml")
    assert commit(repo, "commit", "--message", "x").changed == ["contracts/users.yaml"]


def test_a_commit_in_a_linked_worktree_sees_its_own_index(sandbox: Sandbox, repo: Clone) -> None:
    repo.git("worktree", "add", "--quiet", "-b", "side", "../side")
    side = sandbox.at("side")
    side.write({"contracts/orders.yaml": "edited\n"})
    seen = commit(side, "commit", "--all", "--message", "x")
    assert (seen.changed, seen.top) == (["contracts/orders.yaml"], str(side.path))


def test_a_commit_in_a_submodule_sees_the_submodule(sandbox: Sandbox, repo: Clone) -> None:
    inner = submodule(sandbox, repo)
    inner.write({"contracts/orders.yaml": "edited\n"})
    seen = commit(inner, "commit", "--all", "--message", "x")
    assert (seen.changed, seen.top) == (["contracts/orders.yaml"], str(inner.path))


@pytest.mark.parametrize("where", ["from the outer into the inner", "from the inner into the outer"])
def test_a_hook_that_looks_at_another_repository_is_not_misled(sandbox: Sandbox, repo: Clone, where: str) -> None:
    inner = submodule(sandbox, repo)
    outer = sandbox.at("outer")
    here, there = (outer, inner) if "inner" in where[-5:] else (inner, outer)
    here.write({"contracts/orders.yaml": "edited\n"})
    here.git("add", "--all")
    seen = commit(here, "commit", "--all", "--message", "x", LOOK_AT=str(there.path))
    assert seen.top == str(there.path)
    assert seen.texts == {path: b.decode() for path, b in there.open().read(there.open().files(INDEX).values()).items()}


def test_merging_the_default_branch_in_is_not_blamed_on_the_branch(sandbox: Sandbox, repo: Clone) -> None:
    clone = diverged(sandbox, repo)
    seen = commit(clone, "merge", "--no-edit", "origin/main", hook="pre-merge-commit")
    assert seen.changed == ["contracts/users.yaml"]


def test_finishing_a_merge_with_conflicts_is_not_blamed_either(sandbox: Sandbox, repo: Clone) -> None:
    clone = diverged(sandbox, repo, "contracts/orders.yaml")
    merging = ["git", "merge", "origin/main"]
    subprocess.run(merging, cwd=clone.path, env=clone.environ, capture_output=True, check=False)
    clone.write({"contracts/orders.yaml": "resolved\n"})
    clone.git("add", "--all")
    assert commit(clone, "commit", "--no-edit").changed == ["contracts/orders.yaml"]


@pytest.mark.parametrize(
    "variable",
    [
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_COMMON_DIR",
        "GIT_OBJECT_DIRECTORY",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_PREFIX",
    ],
)
def test_a_variable_left_by_another_repository_changes_nothing(sandbox: Sandbox, repo: Clone, variable: str) -> None:
    other = sandbox.init("other")
    other.commit({"contracts/foreign.yaml": "x\n"})
    values = {"GIT_WORK_TREE": other.path, "GIT_INDEX_FILE": other.path / ".git/index"}
    misled = repo.open(**{variable: str(values.get(variable, other.path / ".git"))})
    assert misled.head == repo.head
    assert misled.files(INDEX) == repo.open().files(INDEX)
    assert misled.changes(misled.head, INDEX) == ()


@pytest.mark.parametrize("variable", ["GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_EDITOR", "GIT_TRACE"])
def test_a_variable_that_could_run_or_write_something_is_dropped(repo: Clone, variable: str) -> None:
    planted = repo.path.parent / "planted"
    env = {variable: str(planted) if variable == "GIT_TRACE" else f"touch {planted}"}
    opened = repo.open(**env)
    opened.read(opened.files(INDEX).values())
    assert variable not in opened.git.env or opened.git.env[variable] == "cat"
    assert not planted.exists()


def test_an_index_that_a_person_prepared_elsewhere_is_honoured(sandbox: Sandbox, repo: Clone) -> None:
    index = str(sandbox.root / "my-index")
    repo.git("read-tree", "HEAD", GIT_INDEX_FILE=index)
    repo.git("rm", "--quiet", "--cached", "contracts/users.yaml", GIT_INDEX_FILE=index)
    assert list(repo.open(GIT_INDEX_FILE=index).files(INDEX)) == ["contracts/orders.yaml"]
    assert len(repo.open().files(INDEX)) == 2


def test_an_index_that_does_not_exist_is_not_taken_for_an_empty_one(repo: Clone) -> None:
    assert len(repo.open(GIT_INDEX_FILE=".git/gone").files(INDEX)) == 2


def submodule(sandbox: Sandbox, repo: Clone) -> Clone:
    outer = sandbox.init("outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo.url, "inner")
    outer.commit({"contracts/orders.yaml": "outer\n"})
    return sandbox.at("outer/inner")


def diverged(sandbox: Sandbox, repo: Clone, theirs: str = "contracts/users.yaml") -> Clone:
    """A clone on a branch that changed one contract, while main changed orders."""
    clone = sandbox.clone(repo)
    clone.switch("feature", "origin/main")
    clone.commit({theirs: "mine\n"})
    repo.commit({"contracts/orders.yaml": "others\n"})
    clone.git("fetch", "--quiet")
    return clone
