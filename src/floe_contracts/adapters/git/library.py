"""GitPython in the harmless environment of adapters.git.command, for questions about history that no hook asks."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from . import Repository, history
from .command import SETTINGS, failure_of

if TYPE_CHECKING:
    import git

_SHA1_LENGTH = 40  # GitPython reads no other object ids


def last_change(repo: Repository, paths: Collection[str]) -> tuple[str, int] | None:
    """The newest commit below HEAD that touched one of the paths, and when, in seconds since 1970."""
    return next(iter(_commits(repo, repo.head, paths, 1).items()), None) if repo.head else None


def touching_commits(repo: Repository, commit: str, paths: Collection[str], limit: int) -> dict[str, int]:
    """The commits that touched the paths, newest first, with their times; see history.CommitSource."""
    return _commits(repo, commit, paths, limit, full_history=True)


@contextmanager
def open_library(repo: Repository) -> Iterator[git.Repo]:
    """The repository in GitPython, with the harmless environment for the whole process meanwhile.

    GitPython gives os.environ to git, and reads GIT_DIR or GIT_PYTHON_GIT_EXECUTABLE itself, even when it is imported.
    """
    with _environment(repo.git.env):
        import git

        try:
            with git.Repo(repo.top, expand_vars=False) as library:
                library.git.set_persistent_git_options(no_pager=True, c=SETTINGS)
                yield library
        except git.GitError as error:
            text = str(getattr(error, "stderr", "")).strip().removeprefix("stderr: '").removesuffix("'")
            raise failure_of("rev-list", text or str(error), repo.top) from error


def _commits(
    repo: Repository, start: str, paths: Collection[str], limit: int, *, full_history: bool = False
) -> dict[str, int]:
    if len(start) != _SHA1_LENGTH:
        return history.touching_commits(repo, start, paths, limit)
    with open_library(repo) as library:
        commits = library.iter_commits(start, sorted(paths), max_count=limit, full_history=full_history)
        return {commit.hexsha: commit.committed_date for commit in commits}


@contextmanager
def _environment(environ: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environ)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
