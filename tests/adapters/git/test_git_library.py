"""GitPython tells the same history as plumbing, and no variable of the environment misleads it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.git_sandbox import Clone, Sandbox, fake_git

from floe_contracts.adapters.git import history, library
from floe_contracts.errors import FloeError

ORDERS = "contracts/orders.yaml"


def test_commits_are_those_of_plumbing(repo: Clone) -> None:
    repo.switch("side", "main")
    repo.commit({ORDERS: "side\n", "contracts/größe *.yaml": "odd\n"})
    repo.commit({ORDERS: "version: 1.0.0\n"}, "revert")
    repo.switch("main")
    repo.commit({"README.md": "unrelated\n"})
    repo.merge("side")
    opened = repo.open()
    for paths in ([ORDERS], ["contracts"], ["contracts/größe *.yaml"]):
        for limit in (1, 100):
            by_library = library.touching_commits(opened, repo.head, paths, limit)
            assert list(by_library.items()) == list(history.touching_commits(opened, repo.head, paths, limit).items())
            assert by_library


def test_a_moved_file_keeps_its_past(repo: Clone) -> None:
    repo.commit({"shop/orders.yaml": "all new\n", ORDERS: None})
    opened = repo.open()
    past = history.blob_history(opened, repo.head, ["shop/orders.yaml"], commits=library.touching_commits)
    assert past == history.blob_history(opened, repo.head, ["shop/orders.yaml"])
    assert len(past.blobs) == 2


def test_the_last_change_leaves_out_what_touched_other_files(repo: Clone) -> None:
    last = repo.commit({ORDERS: "1.1.0\n"})
    repo.commit({"README.md": "unrelated\n"})
    time = int(repo.git("show", "--no-patch", "--format=%ct", last))
    assert library.last_change(repo.open(), [ORDERS]) == (last, time)
    assert library.last_change(repo.open(), ["nowhere.yaml"]) is None


def test_before_the_first_commit_nothing_has_changed(sandbox: Sandbox) -> None:
    assert library.last_change(sandbox.init("empty").open(), [ORDERS]) is None


def test_object_ids_that_gitpython_does_not_know(sandbox: Sandbox) -> None:
    repo = sandbox.init("modern", "--object-format=sha256")
    head = repo.commit({ORDERS: "1.0.0\n"})
    assert [*library.touching_commits(repo.open(), head, [ORDERS], 9)] == [head]


def test_variables_of_another_repository_are_not_believed(
    sandbox: Sandbox, repo: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = sandbox.init("other")
    other.commit({ORDERS: "other\n"})
    for name in ("GIT_DIR", "GIT_COMMON_DIR"):
        monkeypatch.setenv(name, str(other.path / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.path))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.path / ".git/objects"))
    before = dict(os.environ)
    changed = library.last_change(repo.open(), [ORDERS])
    assert changed is not None
    assert changed[0] == repo.git("rev-list", "-1", "HEAD", "--", ORDERS)
    assert dict(os.environ) == before


def test_git_is_called_as_plumbing_calls_it(sandbox: Sandbox, repo: Clone) -> None:
    log = sandbox.root / "calls"
    fake_git(sandbox, f'echo "$GIT_TERMINAL_PROMPT $GIT_NO_REPLACE_OBJECTS $*" >> {log}\nexec {{git}} "$@"')
    opened = repo.open()
    log.unlink()
    library.last_change(opened, [ORDERS])
    safe = "0 1 --no-pager -c safe.bareRepository=explicit -c core.quotePath=false -c core.fsmonitor=false "
    calls = log.read_text().splitlines()
    assert [call.removeprefix(safe).split()[0] for call in calls if call.startswith(safe)] == ["rev-list", "cat-file"]
    assert [call for call in calls if not call.startswith(safe)] in ([], ["0 1 version"])  # asked by the import


def test_a_program_named_for_gitpython_is_not_run(sandbox: Sandbox, repo: Clone) -> None:
    script = (
        "from floe_contracts.adapters.git import library, open_repository as o; print(library.last_change(o(), []))"
    )
    more = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "GIT_PYTHON_GIT_EXECUTABLE": "/no/git"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=repo.path, env={**repo.environ, **more}, capture_output=True, check=False
    )
    assert repo.head.encode() in done.stdout, done.stderr


def test_what_git_refuses_is_an_error_of_floe(repo: Clone) -> None:
    with pytest.raises(FloeError, match=r"^git rev-list failed: bad object 1{40}"):
        library.touching_commits(repo.open(), "1" * 40, [ORDERS], 9)
