"""Fetches the few commits that a shallow CI checkout lacks; nothing else in floe uses the network to reach git."""

from __future__ import annotations

from binascii import b2a_base64

from ...errors import BaseNotFound
from ..process.environment import FetchAccess
from . import Repository, check_ref, is_oid
from .command import failure_of

DEPTHS = (50, 500, 2_147_483_647)  # git takes the last for "everything"
_SECONDS = 300.0
_QUIETLY = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance")


def fetch_commit(repo: Repository, oid: str, access: FetchAccess | None) -> None:
    """Fetch one commit without its history, and of its files only those that HEAD does not have as they are.

    A filter (--filter=blob:none) would turn the checkout into a partial clone for good and fetch each file by itself.
    """
    if not is_oid(oid):
        raise BaseNotFound(
            f"the event names the commit {oid!r}, which is not a commit id", fix="Name the base with --base."
        )
    known = (f"--negotiation-tip={repo.head}",) if repo.head else ()
    _fetch(repo, ("--depth=1", *known), (oid,), access)


def fetch_branch(repo: Repository, branch: str, access: FetchAccess | None) -> None:
    """Fetch a branch of origin; of its history no more than the checkout itself is likely to have."""
    check_ref(branch)
    depth = (f"--depth={DEPTHS[0]}",) if repo.is_shallow() else ()
    _fetch(repo, depth, (f"+refs/heads/{branch}:refs/remotes/origin/{branch}",), access)


def deepen(repo: Repository, depth: int, oids: tuple[str, ...], access: FetchAccess | None) -> None:
    """Fetch more history below the given commits."""
    _fetch(repo, (f"--depth={depth}",), oids, access)


def _fetch(repo: Repository, options: tuple[str, ...], wanted: tuple[str, ...], access: FetchAccess | None) -> None:
    git = repo.git.at(repo.top, **authorise(access, repo.git.env.get("GIT_CONFIG_COUNT", "")))
    answer = git.ask("fetch", *_QUIETLY, *options, "--end-of-options", "origin", *wanted, seconds=_SECONDS)
    if answer.status != 0:
        reason = failure_of("fetch", answer.err, repo.top).message
        raise BaseNotFound(
            f"{wanted[0][:60]} is not in this checkout and could not be fetched: {reason}",
            fix="Set fetch-depth: 2 at actions/checkout, or give the job a github-token that may read the contents.",
        )


def authorise(access: FetchAccess | None, count: str) -> dict[str, str]:
    """The token as a header for its own server, by environment, so that no process list shows it.

    An empty value first: it drops the header that actions/checkout may have left behind, and two would be refused.
    """
    if access is None:
        return {}
    first = int(count) if count.isdecimal() else 0
    secret = b2a_base64(f"x-access-token:{access.token}".encode(), newline=False).decode()
    key = f"http.{access.server_url.rstrip('/')}/.extraheader"
    return {
        "GIT_CONFIG_COUNT": str(first + 2),
        f"GIT_CONFIG_KEY_{first}": key,
        f"GIT_CONFIG_VALUE_{first}": "",
        f"GIT_CONFIG_KEY_{first + 1}": key,
        f"GIT_CONFIG_VALUE_{first + 1}": f"AUTHORIZATION: basic {secret}",
    }
