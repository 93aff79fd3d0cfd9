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

from ...errors import BaseNotFound, UsageError
from ...frozen import dataclass
from . import INDEX, WORKTREE, Repository, check_ref, is_oid
from .objects import Match, decode, everything

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from ..process.environment import CiEvent, FetchAccess

_FIND_DEFAULT = "git fetch {remote} '+refs/heads/*:refs/remotes/{remote}/*' && git remote set-head {remote} --auto"
_REF_FORMAT = "%(refname)%00%(objectname)%00%(symref)%00%(committerdate:unix)"


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


@dataclass(frozen=True, slots=True)
class Tip:
    """A branch, or another name, and the commit it points to."""

    ref: str
    oid: str
    time: int | None = None


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


def changed_since(repo: Repository, base: Base, head: str, match: Match = everything) -> tuple[str, ...]:
    """The matching paths in which the head differs from any of the base's commits; none means nothing to check."""
    revisions: tuple[str | None, ...] = base.commits or (None,)
    return tuple(sorted({change.path for old in revisions for change in repo.changes(old, head, match)}))


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


def find_tip(repo: Repository, name: str) -> Tip | None:
    """The commit that a person's name for a base means; a plain branch name may be known at origin only."""
    for ref in (name, f"refs/remotes/origin/{name}"):
        oid = repo.resolve(ref)
        commit = repo.commits([oid])[0] if oid else None
        if commit is not None:
            return Tip(_shown(ref), commit.oid, commit.time)
    return None


def no_shared_history(repo: Repository, tip: Tip) -> BaseNotFound:
    """The error when a branch and the head have no common ancestor here."""
    if repo.is_shallow():
        return BaseNotFound(
            f"this clone is shallow, and the commit where the head branched off {tip.ref} lies beyond its end",
            fix="git fetch --unshallow",
        )
    return BaseNotFound(
        f"the head and {tip.ref} ({tip.oid[:8]}) have no common history, so there is nothing to compare",
        fix="Name the branch that the head came from with --base.",
    )


def _heads(repo: Repository, head: str) -> tuple[str, ...]:
    if head in (INDEX, WORKTREE):
        return (repo.head, *repo.merging) if repo.head else ()
    oid = repo.resolve(head)
    if oid is None:
        raise UsageError(
            f"the head {head!r} names no commit here", fix="Name a branch, a tag, a commit, index or worktree."
        )
    return (oid,)


def _named_base(repo: Repository, name: str, heads: tuple[str, ...]) -> Base:
    tip = find_tip(repo, name)
    if tip is None:
        if not heads and name in (_unborn_branch(repo), "HEAD"):
            return Base((), f"{name} has no commit yet, so every contract counts as new")
        raise base_not_here(repo, name)
    if not heads:
        return Base((tip.oid,), f"compared with {tip.ref}, for HEAD has no commit yet", tip.ref, tip.oid, tip.time)
    base = shared_base(repo, tip, heads)
    if base is None:
        raise no_shared_history(repo, tip)
    return base


def base_not_here(repo: Repository, name: str) -> BaseNotFound:
    """The error for a name that leads nowhere, with the command that would bring it here."""
    from shlex import quote

    remotes = decode(repo.git.read("remote")).split()
    remote = next((each for each in remotes if name.startswith(f"{each}/")), None)
    if remote is None and remotes:
        remote = "origin" if "origin" in remotes else remotes[0]
    if remote is None:
        fix = "Name a branch, a tag or a commit that exists; `git branch --all` lists the branches."
    elif is_oid(name):
        fix = f"git fetch {remote} {name}"
    else:
        branch = check_ref(name).removeprefix(f"{remote}/")
        fix = f"git fetch {remote} {quote(f'+refs/heads/{branch}:refs/remotes/{remote}/{branch}')}"
    return BaseNotFound(f"the base {name!r} names no commit here", fix=fix)


def _default_base(repo: Repository, head: str, heads: tuple[str, ...]) -> Base:
    tip = _default_tip(repo)
    uncommitted = head in (INDEX, WORKTREE)
    if tip is None:
        remote = _remote_with_branches(repo)
        if uncommitted and remote is None:
            return Base(heads[:1], "compared with HEAD, because there is no remote and no branch called main or master")
        raise BaseNotFound(
            "the branch that changes are merged into is not known here",
            fix=_FIND_DEFAULT.format(remote=remote) if remote else "Name it with --base.",
        )
    if uncommitted and repo.branch == f"refs/heads/{tip.ref}":
        return Base(heads[:1], f"compared with HEAD, for this is {tip.ref} itself", tip.ref, tip.oid, tip.time)
    base = shared_base(repo, tip, heads)
    if base is None:
        raise no_shared_history(repo, tip)
    return base


def _default_tip(repo: Repository) -> Tip | None:
    refs = [f"refs/remotes/origin/{name}" for name in ("HEAD", "main", "master")] + [
        "refs/heads/main",
        "refs/heads/master",
    ]
    if repo.upstream and repo.upstream.startswith("refs/remotes/"):
        refs.insert(0, f"refs/remotes/{repo.upstream.split('/')[2]}/HEAD")
    tip = _first_ref(repo, refs)
    if tip is not None:
        return tip
    name = decode(repo.git.ask("config", "--get", "init.defaultBranch").out).strip()
    return _first_ref(repo, [f"refs/remotes/origin/{name}", f"refs/heads/{name}"]) if name else None


def _first_ref(repo: Repository, refs: list[str]) -> Tip | None:
    out = decode(repo.git.read("for-each-ref", f"--format={_REF_FORMAT}", *refs))
    there = {line.split("\0")[0]: line.split("\0") for line in out.splitlines()}
    for ref in refs:
        if ref in there and there[ref][3]:  # only a commit has a committer
            _, oid, target, time = there[ref]
            return Tip(_shown(target or ref), oid, int(time))
    return None


def _remote_with_branches(repo: Repository) -> str | None:
    out = decode(repo.git.read("for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"))
    return out.split("/")[2] if out else None


def _unborn_branch(repo: Repository) -> str:
    return _shown(decode(repo.git.ask("symbolic-ref", "--quiet", "HEAD").out).strip())


def _shown(ref: str) -> str:
    return ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")
