"""From a command's wishes to a gate report: opens the repository, chooses the base, reads the clock once."""

from __future__ import annotations

import os

from ...adapters.git import INDEX, WORKTREE, Repository, open_repository
from ...adapters.git.base import Base, choose_base
from ...adapters.process.environment import ci_access, ci_event
from ...errors import BaseNotFound
from ...frozen import dataclass

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ...contract.discovery import Selection
    from ...render.html.sources import Sources
    from ...results import FailOn, Report


@dataclass(frozen=True, slots=True)
class GateRequest:
    """What every way to the gate may ask for."""

    base: str | None = None
    head: str = INDEX
    contracts: tuple[str, ...] = ()
    profile: str | None = None
    fail_on: FailOn | None = None
    allow_empty: bool = False


def gated(asked: GateRequest, *, tool_version: str, folder: str = ".") -> Report:
    """The gate's report on the repository around a folder."""
    return judged(*sides(asked, folder), asked, tool_version=tool_version)


def sides(asked: GateRequest, folder: str = ".") -> tuple[Repository, Base, str]:
    """The repository, the base to compare with, and the head as index, worktree or a commit id."""
    repo = open_repository(folder)
    event = ci_event(os.environ)
    # In CI the checkout is the change: the index equals the commit, and events speak about commits.
    name = "HEAD" if event is not None and asked.head == INDEX else asked.head
    access = ci_access(os.environ) if event else None
    base = choose_base(repo, explicit=asked.base, head=name, event=event, access=access)
    return repo, base, name if name in (INDEX, WORKTREE) else _commit(repo, name)


def judged(repo: Repository, base: Base, head: str, asked: GateRequest, *, tool_version: str) -> Report:
    """The report on two sides that are known already."""
    from datetime import datetime, timezone

    from .judge import Wishes, run_gate

    wishes = Wishes(asked.profile, asked.fail_on, asked.contracts, asked.allow_empty, tool_version)
    return run_gate(repo, base, head, wishes, datetime.now(timezone.utc).date())


def unseen(repo: Repository, head: str, asked: GateRequest) -> tuple[str, ...]:
    """A note on contracts that were edited and not staged: the index is what a commit takes, and what was checked."""
    if head != INDEX:
        return ()
    from ...adapters.git.entries import decode
    from ...contract.discovery import SUFFIXES

    out = repo.git.read("ls-files", "-z", "--modified", "--others", "--exclude-standard", "--full-name")
    edited = sorted({path for path in decode(out).split("\0") if path.endswith(SUFFIXES)})
    chosen = _contracts(repo, asked) if edited else None
    paths = [path for path in edited if chosen and path in chosen]
    if not paths:
        return ()
    others = "1 other contract" if len(paths) == 2 else f"{len(paths) - 1} other contracts"
    who = f"{paths[0]} has" if len(paths) == 1 else f"{paths[0]} and {others} have"
    return (f"{who} changes that are not staged and were not checked; `floe gate --head worktree` checks them.",)


def _contracts(repo: Repository, asked: GateRequest) -> Selection:
    from ...adapters.files.settings import selection_here
    from ...contract.discovery import selection
    from ...errors import SettingsError

    try:
        return selection_here(asked.contracts, repo.top)
    except SettingsError:  # told where it matters: when the file is staged
        return selection()


def _commit(repo: Repository, name: str) -> str:
    oid = repo.resolve(name)
    if oid is None:
        raise BaseNotFound(
            f"the head {name!r} is no commit of this repository",
            fix="Name a branch, a tag or a commit, or one of index and worktree.",
        )
    return oid


def both_texts(repo: Repository, base: Base, head: str, report: Report) -> dict[str, Sources]:
    """By path; files that one side does not have are left out, there is nothing to put beside them."""
    from ...render.html.sources import Sources

    wanted = {result.path for result in report.results if result.findings}
    if not wanted or base.empty:
        return {}
    old, new = (repo.read(repo.files(side, wanted.__contains__).values()) for side in (base.commits[0], head))
    return {path: Sources(_text(old[path]), _text(new[path])) for path in sorted(old.keys() & new.keys())}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
