"""Real git repositories in a temporary folder, free of the machine's own git settings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from floe_contracts.adapters.git import Repository, open_repository

_SECOND = count(1_700_000_000)  # every commit gets its own


@dataclass(frozen=True)
class Clone:
    """One work tree and what a test does with it."""

    path: Path
    environ: dict[str, str]

    def git(self, *words: str, **env: str) -> str:
        """Run git as a developer would, and return what it printed."""
        moment = f"{next(_SECOND)} +0000"
        dated = {**self.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment, **env}
        done = subprocess.run(["git", *words], cwd=self.path, env=dated, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, files: dict[str, str | None]) -> None:
        """Put files into the work tree; None deletes."""
        for name, text in files.items():
            path = self.path / name
            if text is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))

    def commit(self, files: dict[str, str | None] | None = None, message: str = "change") -> str:
        """Commit everything, with these files written first; returns the commit id."""
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.head

    def switch(self, branch: str, start: str | None = None) -> None:
        """Go to a branch; with a start it is made there."""
        self.git("checkout", "--quiet", *(("-b", branch, start) if start else (branch,)))

    def merge(self, ref: str) -> str:
        """Merge a branch with a merge commit; returns it."""
        self.git("merge", "--quiet", "--no-ff", "--no-edit", ref)
        return self.head

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    @property
    def url(self) -> str:
        return f"file://{self.path}"

    def open(self, folder: str = ".", **env: str) -> Repository:
        """What floe sees from a folder of this work tree."""
        return open_repository(str(self.path / folder), {**self.environ, **env})

    def hook(self, name: str, script: str) -> None:
        """A hook that runs Python with floe on its path; its folder comes from git itself, as in a worktree."""
        folder = Path(self.git("rev-parse", "--git-path", "hooks"))
        path = self.path / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        source = Path(__file__).parents[2] / "src"
        path.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(source)!r})\n{script}")
        path.chmod(0o755)


@dataclass(frozen=True)
class Sandbox:
    """A folder with a home of its own, in which repositories are made."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        (self.root / "home").mkdir()
        (self.root / "home/.gitconfig").write_text("[core]\n\tfsync = none\n")  # nothing here outlives the test
        self.environ.update(
            PATH=os.environ["PATH"],
            HOME=str(self.root / "home"),
            GIT_CONFIG_NOSYSTEM="1",
            GIT_AUTHOR_NAME="Dana",
            GIT_AUTHOR_EMAIL="dana@example.com",
            GIT_COMMITTER_NAME="Dana",
            GIT_COMMITTER_EMAIL="dana@example.com",
        )

    def init(self, name: str = "repo", *options: str, branch: str = "main") -> Clone:
        """A new repository without commits."""
        clone = self.at(name)
        clone.path.mkdir(parents=True)
        clone.git("init", "--quiet", "--template=", "--initial-branch", branch, *options)
        return clone

    def clone(self, origin: Clone, name: str = "clone", *options: str) -> Clone:
        """A clone over file://, so that depth and filters count."""
        self.at(".").git("clone", "--quiet", "--template=", *options, origin.url, name)
        return self.at(name)

    def copy(self, template: Clone, name: str = "repo") -> Clone:
        """A repository made before, history and all, which is quicker than making it anew."""
        shutil.copytree(template.path, self.root / name, symlinks=True)
        return self.at(name)

    def at(self, name: str) -> Clone:
        """Whatever lies in a folder of the sandbox."""
        return Clone(self.root / name, self.environ)


def conflict(repo: Clone, path: str) -> None:
    """Leave a merge unfinished that both sides edited this path for."""
    repo.commit({path: "common\n"})
    repo.switch("other", "HEAD")
    repo.commit({path: "theirs\n"})
    repo.switch("main")
    repo.commit({path: "ours\n"})
    subprocess.run(["git", "merge", "other"], cwd=repo.path, env=repo.environ, capture_output=True, check=False)


def fake_git(sandbox: Sandbox, script: str) -> None:
    """Put another git first on the path of the sandbox."""
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, check=True, text=True).stdout.strip()
    folder = sandbox.root / "bin"
    folder.mkdir()
    (folder / "git").write_text("#!/bin/sh\n" + script.format(git=real) + "\n")
    (folder / "git").chmod(0o755)
    sandbox.environ["PATH"] = f"{folder}:{sandbox.environ['PATH']}"


def logged_git(sandbox: Sandbox, more: str = "true") -> Callable[[], list[str]]:
    """From now on every git process of the sandbox is written down; returns a way to read the list."""
    log = sandbox.root / "git.log"
    words = 'while [ "$1" != "${{1#-}}" ]; do [ "$1" = -c ] && shift; shift; done; echo "$@"'
    fake_git(sandbox, f'( {more}; {words} ) >> {log}\nexec {{git}} "$@"')
    return lambda: log.read_text().splitlines()
