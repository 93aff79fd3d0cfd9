"""What is asked of the gate, and the repository with the two revisions that the answer is about."""

from __future__ import annotations

import os

from ...adapters.git import INDEX, WORKTREE, Repository, open_repository
from ...adapters.git.base import Base, changed_since, choose_base
from ...adapters.process.environment import ci_access, ci_event
from ...errors import BaseNotFound
from ...frozen import dataclass

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ...results import FailOn


@dataclass(frozen=True, slots=True)
class GateRequest:
    """What a command, a hook or the action asks for; it may only be stricter than the base's own settings."""

    base: str | None = None
    head: str = INDEX
    contracts: tuple[str, ...] = ()  # globs beside those of the settings
    profile: str | None = None
    fail_on: FailOn | None = None
    allow_empty: bool = False
    folder: str = "."  # any folder of the repository


@dataclass(frozen=True, slots=True)
class Revisions:
    """The repository, the base to compare with, and the head as index, worktree or a commit id."""

    repo: Repository
    base: Base
    head: str

    def may_differ(self) -> bool:
        """Whether a contract or a settings file may have changed, by names alone: nothing but git is loaded for it."""
        return self.base.empty or bool(changed_since(self.repo, self.base, self.head, _may_matter))


def find_revisions(request: GateRequest) -> Revisions:
    """Open the repository around the folder, choose the base and resolve the head."""
    repo = open_repository(request.folder)
    event = ci_event(os.environ)
    # In CI the checkout is the change: the index equals the commit, and events speak about commits.
    name = "HEAD" if event is not None and request.head == INDEX else request.head
    access = ci_access(os.environ) if event else None
    base = choose_base(repo, explicit=request.base, head=name, event=event, access=access)
    return Revisions(repo, base, name if name in (INDEX, WORKTREE) else _resolve(repo, name))


def _may_matter(path: str) -> bool:
    return path.endswith((".yaml", ".yml", ".json"))


def _resolve(repo: Repository, name: str) -> str:
    oid = repo.resolve(name)
    if oid is None:
        raise BaseNotFound(
            f"the head {name!r} is no commit of this repository",
            fix="Name a branch, a tag or a commit, or one of index and worktree.",
        )
    return oid
