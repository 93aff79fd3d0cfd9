"""What a name for a base or a head means: a branch is the branch, whatever tags are called.

git itself reads a name as a tag before it reads it as a branch, and anybody who may push a tag could choose the base.
So names are looked up as whole refs. A base is a branch (`main`, `origin/main`), HEAD, a whole commit id, or a whole
ref; a tag only as refs/tags/…; each may be followed by ~n and ^n.
"""

from __future__ import annotations

import os
import re

from ...errors import BaseNotFound, UsageError
from ...frozen import dataclass
from . import Repository, check_ref, is_oid
from .objects import decode

_ANCESTOR = re.compile(r"(.+?)((?:[~^][0-9]*)+)\Z")
# A tag's committer is that of the commit it names.
_REF_FORMAT = "%(refname)%00%(objectname)%00%(*objectname)%00%(symref)%00%(committerdate:unix)%(*committerdate:unix)"
_UPSTREAM = ("@{upstream}", "@{u}")


@dataclass(frozen=True, slots=True)
class Tip:
    """A branch, or another name, and the commit it points to."""

    ref: str  # as people write it
    oid: str
    time: int | None = None
    full: str = ""  # as refs/…, where it is one


def find_tip(repo: Repository, name: str) -> Tip | None:
    """The commit that a person's name for a base means; a plain branch name may be known at origin only."""
    ancestor = _ANCESTOR.match(check_ref(name))
    stem, steps = ancestor.groups() if ancestor else (name, "")
    tip = _tip_of(repo, stem)
    if tip is None or not steps:
        return tip
    oid = repo.resolve(f"{tip.oid}{steps}")
    return _commit(repo, oid, name) if oid else None


def find_head(repo: Repository, name: str) -> str:
    """The commit id of a head; a branch comes before a tag of the same name, and whatever else git knows is taken."""
    if name == "HEAD" and repo.head:
        return repo.head
    tip = find_tip(repo, name)
    oid = tip.oid if tip else repo.resolve(name)
    if oid is None:
        raise UsageError(
            f"the head {name!r} names no commit here", fix="Name a branch, a tag, a commit, index or worktree."
        )
    return oid


def base_not_here(repo: Repository, name: str) -> BaseNotFound:
    """The error for a name that leads nowhere, with the command that would bring it here."""
    from shlex import quote

    oid = repo.resolve(name)
    if oid is not None:  # a name that git would take, and that anybody could give to another commit
        whole = f"refs/tags/{name}" if _tips(repo, [f"refs/tags/{name}"]) else oid
        return BaseNotFound(
            f"the base {name!r} is not a branch here; tags and commits are taken by their whole names only",
            fix=f"Write --base {quote(whole)}",
        )
    remote = remote_of(repo, name)
    if remote is None:
        fix = "Name a branch or a commit that exists; `git branch --all` lists the branches."
    elif is_oid(name):
        fix = f"git fetch {remote} {name}"
    elif name.startswith("refs/tags/"):
        fix = f"git fetch {remote} {quote(f'{name}:{name}')}"
    else:
        branch = shown(check_ref(name)).removeprefix(f"{remote}/")
        fix = f"git fetch {remote} {quote(f'+refs/heads/{branch}:refs/remotes/{remote}/{branch}')}"
    return BaseNotFound(f"the base {name!r} names no commit here", fix=fix)


def remote_of(repo: Repository, name: str = "") -> str | None:
    """The remote to fetch a name from: the one it begins with, the upstream's, origin, or the first there is.

    A ref may be left over from a remote that is gone, so only what `git remote` lists is ever named.
    """
    remotes = sorted(decode(repo.git.read("remote")).split(), key=len, reverse=True)  # team/fork before team
    places = (f"{shown(name)}/", (repo.upstream or "").removeprefix("refs/remotes/"))
    begun = (each for place in places for each in remotes if place.startswith(f"{each}/"))
    return next(begun, None) or next((each for each in ("origin", *sorted(remotes)) if each in remotes), None)


def unshallow_command(repo: Repository, name: str = "") -> str:
    """The command that brings all of the history here, from a remote that exists."""
    remote = remote_of(repo, name)
    return f"git fetch --unshallow {remote}" if remote else "Clone the repository with its whole history."


def first_ref(repo: Repository, refs: list[str]) -> Tip | None:
    """The first of some whole refs that is here and names a commit."""
    there = _tips(repo, refs)
    return next((there[ref] for ref in refs if ref in there), None)


def shown(ref: str) -> str:
    """A whole ref as people write it; a tag stays whole, so that nobody takes it for a branch."""
    return ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")


def _tip_of(repo: Repository, name: str) -> Tip | None:
    if is_oid(name):
        return _commit(repo, name, name)
    if name in ("HEAD", "@"):
        return _commit(repo, repo.head, name) if repo.head else None
    if name in _UPSTREAM:
        return first_ref(repo, [repo.upstream]) if repo.upstream else None
    if name == "FETCH_HEAD" and os.path.isfile(os.path.join(repo.git_dir, name)):
        return _commit(repo, repo.resolve(name), name)
    if name.startswith("refs/"):
        return first_ref(repo, [name])
    return _branch_tip(repo, name)


def _branch_tip(repo: Repository, name: str) -> Tip | None:
    """The branch of a name; None where there is none, an error where two things bear it."""
    local, remote, tag = f"refs/heads/{name}", f"refs/remotes/{name}", f"refs/tags/{name}"
    elsewhere = [f"refs/remotes/origin/{name}", f"refs/remotes/{name}/HEAD"]
    shortened = [f"refs/{name}"] if name.startswith(("heads/", "remotes/")) else []  # as git reads it
    there = _tips(repo, [local, remote, tag, *elsewhere, *shortened])
    exact = next((ref for ref in (*shortened, remote) if ref in there), "")
    rival = local if local in there else tag
    if exact and rival in there:
        raise BaseNotFound(
            f"the name {name!r} stands for two things: {exact} ({there[exact].oid}) and {rival} ({there[rival].oid})",
            fix=f"Write which one you mean: {exact}" + ("." if rival == local else f", and delete the tag {name}."),
        )
    tip = next((there[ref] for ref in (exact, local, *elsewhere) if ref in there), None)
    return tip or first_ref(repo, [f"refs/remotes/{remote_of(repo)}/{name}"])


def _tips(repo: Repository, refs: list[str]) -> dict[str, Tip]:
    out = decode(repo.git.read("for-each-ref", f"--format={_REF_FORMAT}", *refs))
    tips = {}
    for line in out.splitlines():
        ref, oid, peeled, target, time = line.split("\0")
        if time:  # only a commit has a committer
            tips[ref] = Tip(shown(target or ref), peeled or oid, int(time), target or ref)
    return tips


def _commit(repo: Repository, oid: str | None, name: str) -> Tip | None:
    commit = repo.commits([oid])[0] if oid else None
    return Tip(name, commit.oid, commit.time) if commit else None
