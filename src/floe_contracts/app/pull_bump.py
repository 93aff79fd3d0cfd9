"""actions/bump: the versions that a pull request needs, as one commit on its branch, and the gate on that commit.

The pull request is judged merged with the newest commit of its base, so a version that another one has taken meanwhile
counts. Where both changed a contract's version line the commit is a merge of the base, or git would see a conflict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from ..adapters.git import Repository
from ..adapters.git.base import Base
from ..adapters.github.branch import merge_commits, merge_texts, push_commit, replace_files, write_commit
from ..adapters.process.environment import FetchAccess
from ..contract.meaning.phrase import plural
from ..contract.source import read_document
from ..errors import BaseNotFound, FloeError
from ..results import Report
from ..results.facts import GateScope
from .bump import Edit, edit_for, write_version
from .gate.request import GateRequest, Revisions
from .gate.run import run_gate


@dataclass(frozen=True, slots=True)
class PullBranch:
    """A pull request as git has it; `base` is the newest commit of the branch that it is meant for."""

    repo: Repository
    base: str
    base_ref: str
    head: str
    branch: str
    writable: bool  # false for forks


@dataclass(frozen=True, slots=True)
class PullBump:
    """What came of one pull request; without a commit nothing was pushed."""

    report: Report
    edits: tuple[Edit, ...] = ()
    commit: str = ""


@dataclass(frozen=True, slots=True)
class MergedPull:
    """The base with the pull request merged in; `settled` when clashes of version lines were settled on the way."""

    tree: str
    commit: str
    settled: bool


def bump_pull(
    pull: PullBranch, request: GateRequest, today: date, access: FetchAccess | None, *, allow_major: bool = False
) -> PullBump:
    """Judge the pull request, push the versions that it lacks, and judge it again as it is then."""
    ancestors = pull.repo.merge_bases(pull.base, pull.head)
    if not ancestors:
        raise BaseNotFound(
            f"the commit where {pull.branch} left {pull.base_ref} is not in this checkout",
            fix="Set fetch-depth: 0 at actions/checkout.",
        )
    merged = _merge(pull)
    report = _judge(pull, merged.commit, request, today)
    edits = tuple(edit for edit in _edits(report) if allow_major or not edit.is_major)
    if not edits or not pull.writable:
        return PullBump(_about(report, pull.head))
    commit = _commit(pull, merged, ancestors, edits)
    push_commit(pull.repo, commit, pull.branch, access)
    after = replace(pull, head=commit)
    again = _judge(after, _merge(after).commit, request, today)
    return PullBump(_about(again, commit), edits, commit)


def _edits(report: Report) -> list[Edit]:
    edits = (edit_for(result) for result in report.results)
    return [edit for edit in edits if edit is not None and not edit.beside]


def _judge(pull: PullBranch, merge: str, request: GateRequest, today: date) -> Report:
    how = f"compared with {pull.base[:8]}, the newest commit of {pull.base_ref}"
    time = next(commit.time for commit in pull.repo.commits([pull.base]) if commit is not None)
    base = Base((pull.base,), how, pull.base_ref, pull.base, time)
    return run_gate(request, today, Revisions(pull.repo, base, merge))


def _about(report: Report, head: str) -> Report:
    """The report with links to the pull request's own commit: nobody else has the merge that was judged."""
    scope = report.scope
    return replace(report, scope=replace(scope, head=head)) if isinstance(scope, GateScope) else report


def _merge(pull: PullBranch) -> MergedPull:
    repo = pull.repo
    merge = merge_commits(repo, pull.base, pull.head)
    texts = {path: _settle(pull, path, sides) for path, sides in merge.clashes.items()}
    clashing = sorted(path for path, text in texts.items() if text is None)
    if clashing:
        raise FloeError(
            f"{pull.branch} and {pull.base_ref} clash in {', '.join(clashing[:3])}"
            + (f" and {plural(len(clashing) - 3, 'more file')}" if len(clashing) > 3 else ""),
            fix=f"Merge {pull.base_ref} into {pull.branch} by hand, then this action goes on.",
        )
    settled = {path: text for path, text in texts.items() if text is not None}
    tree = replace_files(repo, merge.tree, settled) if settled else merge.tree
    commit = write_commit(repo, tree, (pull.base, pull.head), "What the gate judges; on no branch")
    return MergedPull(tree, commit, bool(settled))


def _settle(pull: PullBranch, path: str, sides: Mapping[int, str]) -> bytes | None:
    """A contract in which the version lines clash and nothing else: merged, with the version of the base."""
    if sides.keys() != {1, 2, 3}:
        return None
    blobs = pull.repo.read_blobs(sides.values())
    ancestor, ours, theirs = (blobs[sides[stage]] for stage in (1, 2, 3))
    contract = read_document(ours).value
    version = contract.get("version") if isinstance(contract, dict) else None
    if not isinstance(version, str):
        return None
    try:
        return merge_texts(
            pull.repo, write_version(path, ancestor, version), ours, write_version(path, theirs, version)
        )
    except FloeError:
        return None


def _commit(pull: PullBranch, merged: MergedPull, ancestors: tuple[str, ...], edits: tuple[Edit, ...]) -> str:
    """One commit with all versions; it merges the base where the base touched one of the files."""
    repo = pull.repo
    paths = {edit.path: edit for edit in edits}
    merges = merged.settled or any(repo.changes(old, pull.base, paths.__contains__) for old in ancestors)
    tree = merged.tree if merges else f"{pull.head}^{{tree}}"
    contents = repo.read(repo.files(tree, paths.__contains__).values())
    written = {path: write_version(path, contents[path], edit.new) for path, edit in paths.items()}
    parents = (pull.head, pull.base) if merges else (pull.head,)
    return write_commit(repo, replace_files(repo, tree, written), parents, _message(edits, pull, merges=merges))


def _message(edits: tuple[Edit, ...], pull: PullBranch, *, merges: bool) -> str:
    first = f"Raise {edits[0].path} to {edits[0].new}" if len(edits) == 1 else f"Raise {plural(len(edits), 'version')}"
    lines = [f"{edit.path}: {edit.old} -> {edit.new}" for edit in edits]
    if merges:
        lines.append(f"Merges {pull.base[:12]} of {pull.base_ref}, which changed the same contract.")
    return "\n".join((first, "", *lines, ""))
