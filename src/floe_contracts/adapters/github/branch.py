"""Writes to a pull request's branch: merges and commits made of git objects alone, and one push that never forces.

Nothing is checked out, so no file, filter or hook of the pull request has a say.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from ...errors import FloeError
from ..git import Repository, check_ref
from ..git.command import failure_of
from ..git.fetch import authorise
from ..git.objects import decode
from ..process.environment import FetchAccess

_SECONDS = 120.0
_WRITER = "github-actions[bot]"  # who a job's own token writes as
_ADDRESS = "41898282+github-actions[bot]@users.noreply.github.com"


@dataclass(frozen=True, slots=True)
class Merge:
    """Two commits merged: the tree, with the text of git's marks where they clash, and the three sides of each."""

    tree: str
    clashes: Mapping[str, Mapping[int, str]]  # path to stage (1 ancestor, 2 ours, 3 theirs) to blob


def merge_commits(repo: Repository, ours: str, theirs: str) -> Merge:
    """What `git merge` would make of two commits."""
    answer = repo.git.ask("merge-tree", "--write-tree", "-z", "--no-messages", ours, theirs)
    if answer.status not in (0, 1) or not answer.out:
        if "usage:" in answer.err:
            raise FloeError("this git cannot merge without a work tree", fix="Install git 2.38 or newer.")
        raise failure_of("merge-tree", answer.err, repo.top)
    tree, *records = decode(answer.out).split("\0")
    clashes: dict[str, dict[int, str]] = {}
    for record in records:
        meta, tab, path = record.partition("\t")
        if tab:
            _mode, oid, stage = meta.split()
            clashes.setdefault(path, {})[int(stage)] = oid
    return Merge(tree, clashes)


def merge_texts(repo: Repository, ancestor: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Three versions of a file merged line by line; None where both sides changed the same lines."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for name, text in (("ours", ours), ("ancestor", ancestor), ("theirs", theirs)):
            names.append(os.path.join(folder, name))
            with open(names[-1], "wb") as file:
                file.write(text)
        answer = repo.git.ask("merge-file", "--stdout", "--quiet", *names)
    return answer.out if answer.status == 0 else None


def replace_files(repo: Repository, tree: str, files: Mapping[str, bytes]) -> str:
    """The tree with other content in files that it has; their modes stay."""
    entries = repo.files(tree, files.__contains__)
    lines = []
    for path, content in files.items():
        oid = decode(repo.git.read("hash-object", "-w", "--stdin", feed=content)).strip()
        lines.append(f"{entries[path].mode} {oid}\t{path}\0")
    with tempfile.TemporaryDirectory() as folder:
        git = repo.git.at(repo.top, GIT_INDEX_FILE=os.path.join(folder, "index"))
        git.read("read-tree", tree)
        git.read("update-index", "-z", "--index-info", feed="".join(lines).encode("utf-8", "surrogateescape"))
        return decode(git.read("write-tree")).strip()


def write_commit(repo: Repository, tree: str, parents: tuple[str, ...], message: str) -> str:
    """A commit by the bot of GitHub's jobs; no branch points to it yet."""
    who = {f"GIT_{role}_{part}": text for role in ("AUTHOR", "COMMITTER") for part, text in _IDENTITY.items()}
    words = [word for parent in parents for word in ("-p", parent)]
    git = repo.git.at(repo.top, **who)
    return decode(git.read("commit-tree", tree, *words, feed=message.encode("utf-8", "replace"))).strip()


_IDENTITY = {"NAME": _WRITER, "EMAIL": _ADDRESS}


def push_commit(repo: Repository, commit: str, branch: str, access: FetchAccess | None) -> None:
    """Let the branch at origin point to a commit that follows what it points to now."""
    git = repo.git.at(repo.top, **authorise(access, repo.git.env.get("GIT_CONFIG_COUNT", "")))
    target = f"{commit}:refs/heads/{check_ref(branch)}"
    answer = git.ask("push", "--quiet", "--no-verify", "--end-of-options", "origin", target, seconds=_SECONDS)
    if answer.status == 0:
        return
    if "non-fast-forward" in answer.err or "fetch first" in answer.err or "cannot lock ref" in answer.err:
        raise FloeError(
            f"{branch} has newer commits, so nothing was pushed",
            fix="Wait for the run of the newest commit; it writes the version.",
        )
    reason = failure_of("push", answer.err, repo.top).message
    raise FloeError(
        f"the commit could not be pushed to {branch}: {reason}",
        fix="Give the job `contents: write`, and let rules for branches allow pushes by GitHub Actions.",
    )
