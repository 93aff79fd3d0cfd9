"""Where a report comes from: its commits, confirmed by GitHub before a word of it is shown.

The report may be forged from end to end. GitHub's event names the commit that was checked; GitHub's own commits say
whether what the report calls its head is that commit or the test merge of it, and whether its base lies on the branch
to merge into.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

from ...errors import FloeError
from ...results import Outcome, Report
from ...results.facts import GateScope
from . import Pull, text_at
from .client import Api
from .failure import GithubFailure

_OID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MOST_BASES = 4  # more than any history of two branches has
_UNKNOWN = (404, 422)  # how GitHub answers for a commit that it does not have


def confirm_pull(api: Api, pulls: Iterable[tuple[Pull, str]], report: Report) -> Pull | None:
    """The pull request that the report is about; None when there is none, and an error when it is about another."""
    candidates = list(pulls)
    if not candidates:
        return None
    scope = _scope(report)
    bases = _bases(report, scope)
    _confirm_head(api, candidates[0][0], scope.head, bases)
    for pull, branch in candidates:
        if all(_lies_on(api, pull, base, branch) for base in bases):
            return pull
    raise refuse(f"its base {bases[0][:8]} is not a commit of the branch that the pull request is meant for")


def refuse(why: str) -> FloeError:
    """The error for a report that is not what GitHub says was checked."""
    return FloeError(
        f"the report is refused: {why}",
        fix="Upload report.json of the gate's run on this pull request unchanged, and give the job contents: read.",
    )


def _scope(report: Report) -> GateScope:
    """What a gate would say that it compared; anything that this version does not write is refused."""
    unknown = [*report.extra, *(pair for result in report.results for pair in result.extra)]
    unknown += [pair for item in report.all_findings() for pair in item.extra]
    if unknown:
        raise refuse(f"its context has {len(unknown)} {'field' if len(unknown) == 1 else 'fields'} that no gate writes")
    if report.command != "gate" or not isinstance(report.scope, GateScope):
        raise refuse("it does not say which commits a gate has compared")
    return report.scope


def _bases(report: Report, scope: GateScope) -> tuple[str, ...]:
    """The commits that the head was compared with; none for a check that could not be made."""
    bases = tuple(scope.base.split(", ")) if scope.base else ()
    failed = not bases and all(result.outcome is Outcome.ERRORED for result in report.results)
    if not _OID.fullmatch(scope.head) or not all(_OID.fullmatch(base) for base in bases):
        raise refuse("its head or its base is not a commit")
    if len(bases) > _MOST_BASES or not (bases or (failed and report.verdict == "error")):
        raise refuse("it does not say what the head was compared with")
    return bases


def _confirm_head(api: Api, pull: Pull, head: str, bases: tuple[str, ...]) -> None:
    """The head is the pull request's newest commit, or a merge of the one base with it."""
    if head == pull.head_sha:
        return
    parents = _parents(api, pull, head)
    if len(parents) != 2 or parents[1] != pull.head_sha:
        raise refuse(f"its head {head[:8]} is neither {pull.head_sha[:8]}, which was checked, nor a merge of it")
    if bases not in ((), parents[:1]):
        raise refuse(f"its base {bases[0][:8]} is not what {head[:8]} was merged with")


def _parents(api: Api, pull: Pull, commit: str) -> tuple[str, ...]:
    try:
        shown = api.get(f"repos/{pull.repository}/git/commits/{commit}")
    except GithubFailure as failure:
        if failure.status in _UNKNOWN:
            raise refuse(f"GitHub does not know its head {commit[:8]}") from failure
        raise
    parents = shown.get("parents") if isinstance(shown, dict) else None
    return tuple(text_at(parent, "sha") for parent in parents) if isinstance(parents, list) else ()


def _lies_on(api: Api, pull: Pull, base: str, branch: str) -> bool:
    """Whether the branch has come from this commit; it may have gone on since."""
    try:
        shown = api.get(f"repos/{pull.repository}/compare/{base}...{quote(branch)}", per_page=1)
    except GithubFailure as failure:
        if failure.status in _UNKNOWN:
            return False
        raise
    return text_at(shown, "status") in ("ahead", "identical")
