"""What is asked of the gate, and the repository with the two revisions that the answer is about."""

from __future__ import annotations

import os

from ...adapters.git import INDEX, WORKTREE, Repository, open_repository
from ...adapters.git.base import Base, changed_since, choose_base
from ...adapters.git.names import find_head
from ...adapters.process.environment import ci_access, ci_event
from ...frozen import dataclass

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ...adapters.git.past import Deepen
    from ...adapters.process.environment import FetchAccess
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
    against_registry: bool = False  # hold the contracts of products to the registered versions too
    offline: bool = False  # fetch nothing, not even where CI may
    versions_only: bool = False  # compile holds contracts to their platform itself


@dataclass(frozen=True, slots=True)
class Revisions:
    """The repository, the base to compare with, and the head as index, worktree or a commit id."""

    repo: Repository
    base: Base
    head: str
    deepen: Deepen | None = None  # how history is fetched; only CI may

    def may_differ(self) -> bool:
        """Whether a contract or a settings file may have changed, by names alone: nothing but git is loaded for it.

        Behind a symbolic link any file may be a contract.
        """
        return self._differs_by_name() or any(
            self.repo.files(old, _is_nothing, links=True) for old in self.base.commits
        )

    def may_block(self) -> bool:
        """Whether the gate may have more to say than that nothing changed: a waiver runs out without a change."""
        return self._differs_by_name() or any(
            self.repo.files(old, _is_setting, links=True) for old in self.base.commits
        )

    def is_base(self) -> bool:
        """Whether the head is a commit of the base itself, with nothing added: no change could be seen."""
        uncommitted = self.head in (INDEX, WORKTREE)
        commit = self.repo.head if uncommitted else self.head
        if commit not in self.base.commits:
            return False
        return not uncommitted or not any(self.repo.changes(old, self.head) for old in self.base.commits)

    def _differs_by_name(self) -> bool:
        return self.base.empty or bool(changed_since(self.repo, self.base, self.head, may_matter, links=True))


def find_revisions(request: GateRequest) -> Revisions:
    """Open the repository around the folder, choose the base and resolve the head."""
    repo = open_repository(request.folder)
    event = None if request.offline else ci_event(os.environ)
    # In CI the checkout is the change: the index equals the commit, and events speak about commits.
    name = "HEAD" if event is not None and request.head == INDEX else request.head
    access = ci_access(os.environ) if event else None
    base = choose_base(repo, explicit=request.base, head=name, event=event, access=access)
    deepen = _deepen_with(access) if event else None
    return Revisions(repo, base, name if name in (INDEX, WORKTREE) else find_head(repo, name), deepen)


def _deepen_with(access: FetchAccess | None) -> Deepen:
    from ...adapters.git.fetch import deepen

    return lambda repo, commit, depth: deepen(repo, depth, (commit,), access)


def may_matter(path: str) -> bool:
    """Whether a file may be a contract, its settings, the definition of a table, or a lock of references."""
    return path.lower().endswith((".yaml", ".yml", ".json", ".sql", ".py", ".avsc", ".csv", "floe.lock"))


def _is_setting(path: str) -> bool:
    return path.startswith(".floe/")


def _is_nothing(_path: str) -> bool:
    return False
