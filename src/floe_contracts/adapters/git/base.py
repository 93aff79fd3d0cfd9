"""Decides which commits a gate compares with, and says how it knew.

The order: the base that was named; in CI what the event says (see ci.py); else the default branch, found as the HEAD
of the upstream's remote, origin/HEAD, origin/main, origin/master, main, master, or what init.defaultBranch says. From a
branch the base is always its merge base with the head, never its tip: a branch is not blamed for what it lacks.

- The head may be a commit in the making: during a merge, what is merged in counts as one of its parents.
- On the default branch itself, without a remote copy of it, index and work tree are compared with HEAD.
- Where neither a remote branch nor a main or master exists, too; a commit would be compared with itself: E528.
- Without any commit there is nothing that could break: the base is the empty tree.
- A base that was named, or that must exist because the remote has branches, and is not here: E528.
"""

from __future__ import annotations

from ...errors import BaseNotFound
from ...frozen import dataclass
from . import INDEX, WORKTREE, Repository
from .names import Tip, base_not_here, find_head, find_tip, first_ref, remote_of, shown, unshallow_command
from .objects import Match, decode, everything

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ..process.environment import CiEvent, FetchAccess

_FIND_DEFAULT = "git fetch {remote} '+refs/heads/*:refs/remotes/{remote}/*' && git remote set-head {remote} --auto"

_DEFAULTS = ("HEAD", "main", "master")  # of a remote


@dataclass(frozen=True, slots=True)
class Base:
    """What to compare with: one commit, several after criss-cross merges, none for the empty tree."""

    commits: tuple[str, ...]
    how: str  # a sentence for a person
    ref: str = ""  # the name that led there
    tip: str = ""  # where that name points now; past the commits when others have merged since
    tip_time: int | None = None  # when the tip was committed, in seconds since 1970

    @property
    def empty(self) -> bool:
        return not self.commits

    @property
    def moved_on(self) -> bool:
        return bool(self.tip) and self.tip not in self.commits


def choose_base(
    repo: Repository,
    *,
    explicit: str | None = None,
    head: str = INDEX,
    event: CiEvent | None = None,
    access: FetchAccess | None = None,
) -> Base:
    """The base for `head`: INDEX, WORKTREE or the name of a commit. Only with an event may commits be fetched."""
    heads = _heads(repo, head)
    if event is not None:
        from .ci import base_in_ci

        return base_in_ci(repo, event, explicit, heads, access)
    if explicit is not None:
        return _named_base(repo, explicit, heads)
    if not heads:
        return Base((), "HEAD has no commit yet, so every contract counts as new")
    return _default_base(repo, head, heads)


def changed_since(
    repo: Repository, base: Base, head: str, match: Match = everything, *, links: bool = False
) -> tuple[str, ...]:
    """The matching paths in which the head differs from any of the base's commits; none means nothing to check."""
    revisions: tuple[str | None, ...] = base.commits or (None,)
    return tuple(sorted({change.path for old in revisions for change in repo.changes(old, head, match, links=links)}))


def shared_base(repo: Repository, tip: Tip, heads: tuple[str, ...]) -> Base | None:
    """The merge bases of a branch and the head; None when there are none."""
    commits = repo.merge_bases(tip.oid, *heads)
    if not commits:
        return None
    if len(commits) > 1:
        how = f"compared with each of the {len(commits)} merge bases of the head and {tip.ref} (criss-cross history)"
    elif commits[0] == tip.oid:
        how = f"compared with {tip.ref} ({tip.oid[:8]})"
    else:
        how = f"compared with {commits[0][:8]}, where the head branched off {tip.ref}; {tip.ref} has moved on since"
    return Base(commits, how, tip.ref, tip.oid, tip.time)


def no_shared_history(repo: Repository, tip: Tip) -> BaseNotFound:
    """The error when a branch and the head have no common ancestor here."""
    if repo.is_shallow():
        return BaseNotFound(
            f"this clone is shallow, and the commit where the head branched off {tip.ref} lies beyond its end",
            fix=unshallow_command(repo, tip.full),
        )
    return BaseNotFound(
        f"the head and {tip.ref} ({tip.oid[:8]}) have no common history, so there is nothing to compare",
        fix="Name the branch that the head came from with --base.",
    )


def _heads(repo: Repository, head: str) -> tuple[str, ...]:
    if head in (INDEX, WORKTREE):
        return (repo.head, *repo.merging) if repo.head else ()
    return (find_head(repo, head),)


def _named_base(repo: Repository, name: str, heads: tuple[str, ...]) -> Base:
    tip = find_tip(repo, name)
    if tip is None:
        if not heads and name in (_unborn_branch(repo), "HEAD"):
            return Base((), f"{name} has no commit yet, so every contract counts as new")
        raise base_not_here(repo, name)
    if not heads:
        return Base((tip.oid,), f"compared with {tip.ref}, because HEAD has no commit yet", tip.ref, tip.oid, tip.time)
    base = shared_base(repo, tip, heads)
    if base is None:
        raise no_shared_history(repo, tip)
    return base


def _default_base(repo: Repository, head: str, heads: tuple[str, ...]) -> Base:
    tip = _default_tip(repo)
    uncommitted = head in (INDEX, WORKTREE)
    if tip is None:
        if uncommitted and not _has_remote_branches(repo):
            return Base(heads[:1], "compared with HEAD, because there is no remote and no branch called main or master")
        remote = remote_of(repo)
        raise BaseNotFound(
            "the branch that changes are merged into is not known here",
            fix=_FIND_DEFAULT.format(remote=remote) if remote else "Name it with --base.",
        )
    if uncommitted and repo.branch == tip.full:
        return Base(heads[:1], f"compared with HEAD, because this is {tip.ref} itself", tip.ref, tip.oid, tip.time)
    base = shared_base(repo, tip, heads)
    if base is None:
        raise no_shared_history(repo, tip)
    return base


def _default_tip(repo: Repository) -> Tip | None:
    refs = [f"refs/remotes/origin/{name}" for name in _DEFAULTS] + ["refs/heads/main", "refs/heads/master"]
    if repo.upstream and repo.upstream.startswith("refs/remotes/"):
        refs.insert(0, f"refs/remotes/{repo.upstream.split('/')[2]}/HEAD")
    tip = first_ref(repo, refs) or first_ref(repo, [f"refs/remotes/{remote_of(repo)}/{name}" for name in _DEFAULTS])
    if tip is not None:
        return tip
    name = decode(repo.git.ask("config", "--get", "init.defaultBranch").out).strip()
    return first_ref(repo, [f"refs/remotes/origin/{name}", f"refs/heads/{name}"]) if name else None


def _has_remote_branches(repo: Repository) -> bool:
    return bool(repo.git.read("for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"))


def _unborn_branch(repo: Repository) -> str:
    return shown(decode(repo.git.ask("symbolic-ref", "--quiet", "HEAD").out).strip())
