"""Questions about history that no hook asks, answered by GitPython."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git import Commit

    from . import Repository


def last_change(repo: Repository, paths: Sequence[str]) -> Commit | None:
    """The newest commit below HEAD that touched one of the paths."""
    import git

    if repo.head is None:
        return None
    with git.Repo(repo.top) as known:
        return next(known.iter_commits(repo.head, paths=list(paths), max_count=1), None)
