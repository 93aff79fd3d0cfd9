"""The base in CI: what the event says, checked against the commit that is really checked out.

A pull request is checked out as its test merge, whose first parent is the base by construction, however stale the
event's own base is. A merge queue names its base. A push is compared with what the branch was before; a new branch, or
a rewritten one other than the default, with where it left the default branch.
"""

from __future__ import annotations

from ...errors import BaseNotFound
from ..process.environment import CiEvent, FetchAccess
from . import Repository, is_oid
from .base import Base, no_shared_history, shared_base
from .fetch import DEPTHS, deepen, fetch_branch, fetch_commit
from .names import Tip, base_not_here, find_tip
from .objects import Commit


def base_in_ci(
    repo: Repository, event: CiEvent, explicit: str | None, heads: tuple[str, ...], access: FetchAccess | None
) -> Base:
    """The base for what is checked out; commits that a shallow checkout lacks are fetched."""
    head = repo.commits(heads[:1])[0] if heads else None
    if head is None:
        raise BaseNotFound("nothing is checked out here", fix="Run actions/checkout with fetch-depth: 2 first.")
    if explicit is not None:
        if _is_test_merge(head, event) and explicit.removeprefix("origin/") == event.base_ref:
            return _first_parent(repo, event, head, access)
        return _since(repo, explicit, heads, access)
    if event.name == "merge_group":
        return _merge_group(repo, event, head, access)
    if event.name == "merge_request" and event.base_sha and not _is_test_merge(head, event):
        return _merge_request(repo, event, access)
    if event.name == "push":
        return _push(repo, event, heads, access)
    if event.base_ref:
        return _pull_request(repo, event, head, access)
    raise BaseNotFound(
        f"a {event.name} event does not say what to compare with",
        fix="Name the branch to compare with (--base; in the action: base-ref).",
    )


def _pull_request(repo: Repository, event: CiEvent, head: Commit, access: FetchAccess | None) -> Base:
    if _is_test_merge(head, event):
        return _first_parent(repo, event, head, access)
    if head.oid == event.head_sha:
        return _since(repo, event.base_ref, (head.oid,), access)
    raise BaseNotFound(
        f"what is checked out ({head.oid[:8]}) is neither the pull request's head {event.head_sha[:8]} "
        "nor a merge of it: the pull request has moved on, or another commit was checked out",
        fix="Re-run the workflow on the newest commit; check out the merge commit (the default) or the head.",
    )


def _is_test_merge(head: Commit, event: CiEvent) -> bool:
    return len(head.parents) == 2 and head.parents[1] == event.head_sha


def _first_parent(repo: Repository, event: CiEvent, head: Commit, access: FetchAccess | None) -> Base:
    parent = _bring(repo, head.parents[0], access)
    how = f"compared with {parent.oid[:8]}, the commit of {event.base_ref} that the pull request was merged with"
    return Base((parent.oid,), how, event.base_ref, parent.oid, parent.time)


def _merge_request(repo: Repository, event: CiEvent, access: FetchAccess | None) -> Base:
    base = _bring(repo, event.base_sha, access)
    how = f"compared with {base.oid[:8]}, where the merge request left {event.base_ref}"
    return Base((base.oid,), how, event.base_ref, base.oid, base.time)


def _merge_group(repo: Repository, event: CiEvent, head: Commit, access: FetchAccess | None) -> Base:
    if head.oid != event.head_sha:
        raise BaseNotFound(
            f"what is checked out ({head.oid[:8]}) is not the head {event.head_sha[:8]} of the merge group",
            fix="Check out the event's own commit (the default), or name the base with base-ref.",
        )
    base = _bring(repo, event.base_sha, access)
    how = f"compared with {base.oid[:8]}, which the merge group builds on"
    return Base((base.oid,), how, event.base_ref, base.oid, base.time)


def _push(repo: Repository, event: CiEvent, heads: tuple[str, ...], access: FetchAccess | None) -> Base:
    to_default = event.ref == f"refs/heads/{event.default_branch}"
    created = bool(event.before) and not event.before.strip("0")
    if created and to_default:
        return Base((), f"this push creates {event.default_branch}, so every contract counts as new")
    if not created and (to_default or not event.forced):
        before = _bring_if_there_is(repo, event.before, access)
        if before is not None:
            how = f"compared with {before.oid[:8]}, where the branch was before the push"
            return Base((before.oid,), how, event.ref.removeprefix("refs/heads/"), before.oid, before.time)
    if to_default or not event.default_branch:
        raise BaseNotFound(
            f"the commit before this push ({event.before[:8] or 'not named'}) cannot be found any more",
            fix="Name the commit to compare with (--base; in the action: base-ref).",
        )
    return _since(repo, event.default_branch, heads, access)


def _since(repo: Repository, name: str, heads: tuple[str, ...], access: FetchAccess | None) -> Base:
    """Where the head left a branch, with as much history fetched as it takes to see it."""
    tip = find_tip(repo, name) or _fetch_tip(repo, name, access)
    base = shared_base(repo, tip, heads)
    for depth in DEPTHS:
        if base is not None or not repo.is_shallow():
            break
        deepen(repo, depth, (tip.oid, *heads), access)
        base = shared_base(repo, tip, heads)
    if base is None:
        raise no_shared_history(repo, tip)
    return base


def _fetch_tip(repo: Repository, name: str, access: FetchAccess | None) -> Tip:
    if is_oid(name):
        fetch_commit(repo, name, access)
        tip = find_tip(repo, name)
    else:
        branch = name.removeprefix("refs/remotes/").removeprefix("origin/").removeprefix("refs/heads/")
        fetch_branch(repo, branch, access)
        tip = find_tip(repo, f"refs/remotes/origin/{branch}")
    if tip is None:
        raise base_not_here(repo, name)
    return tip


def _bring(repo: Repository, oid: str, access: FetchAccess | None) -> Commit:
    commit = repo.commits([oid])[0] if is_oid(oid) else None
    if commit is None:
        fetch_commit(repo, oid, access)
        commit = repo.commits([oid])[0]
    if commit is None:
        raise base_not_here(repo, oid)
    return commit


def _bring_if_there_is(repo: Repository, oid: str, access: FetchAccess | None) -> Commit | None:
    try:
        return _bring(repo, oid, access)
    except BaseNotFound:
        return None
