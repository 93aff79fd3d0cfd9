"""`floe action bump`: the whole of actions/bump but its installation.

On a pull request it serves that one; on a push to a branch all open pull requests that are meant for that branch, for
each of them may need another version now.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from ..adapters.git import Repository, open_repository
from ..adapters.git.fetch import fetch_branch, fetch_commit
from ..adapters.git.names import find_tip
from ..adapters.github import OpenPull, Pull, is_current, open_pulls, set_status
from ..adapters.github.client import Api
from ..adapters.github.event import open_pull, pushed_branch
from ..adapters.github.runner import notice, set_outputs
from ..adapters.process.environment import ci_access
from ..app.bump import Edit
from ..app.gate.request import GateRequest
from ..app.pull_bump import PullBranch, PullBump, bump_pull
from ..errors import BaseNotFound, FloeError, UsageError
from ..results import Report, decide
from ..results.facts import GateScope
from .action_inputs import BumpInputs, bump_inputs
from .action_report import ActionJob, Talk, connect, counts, report_failure, say, show

BUMP_OUTPUTS: Mapping[str, str] = {
    "verdict": "error",
    "required-bump": "none",
    "commit": "",
    "versions": "[]",
    "report-json": "",
    "report-markdown": "",
    "comment-url": "",
}
_MOST_PULLS = 50  # of one push
_STATES = {"pass": "success", "blocked": "failure", "error": "error"}
_SENTENCES = {
    "pass": "Every changed contract has the version it needs.",
    "blocked": "A change needs more than a version.",
    "error": "The check could not be made.",
}


def run_bump_action(environ: Mapping[str, str]) -> int:
    """Serve the pull requests that this event is about, and return the exit code."""
    outputs = dict(BUMP_OUTPUTS)
    try:
        inputs = bump_inputs(environ)
        pull = open_pull(environ)
        if pull is not None:
            return _serve_one(pull, inputs, environ, outputs)
        branch = pushed_branch(environ)
        if not branch:
            raise UsageError(
                "this event is about neither a pull request nor a pushed branch",
                fix="Run actions/bump in a workflow on: pull_request, and on: push for the branch that is merged into.",
            )
        _serve_all(branch, inputs, environ)
        outputs["verdict"] = "pass"
        return 0
    finally:
        set_outputs(environ, outputs)


def _serve_one(pull: OpenPull, inputs: BumpInputs, environ: Mapping[str, str], outputs: dict[str, str]) -> int:
    place = ActionJob.here(environ)
    if not pull.same_repository:
        notice("No version was pushed", "The pull request comes from a fork: write the suggested version there.")
    try:
        bumped = _bump(pull, inputs, place)
    except FloeError as error:
        bumped = PullBump(report_failure("gate", error, GateScope(head=pull.head_sha)))
    report = bumped.report
    outputs |= {name: text for name, text in counts(report).items() if name in BUMP_OUTPUTS}
    outputs |= {name: text for name, text in show(report, place, inputs.outlets).items() if name in BUMP_OUTPUTS}
    outputs |= {"commit": bumped.commit, "versions": _versions(bumped.edits)}
    outputs["comment-url"] = _tell(pull, bumped, inputs, place)
    return int(decide(report))


def _serve_all(branch: str, inputs: BumpInputs, environ: Mapping[str, str]) -> None:
    """Every open pull request of this repository: one that cannot be served does not keep the others back."""
    place = ActionJob.here(environ)
    pulls = open_pulls(connect(environ), environ.get("GITHUB_REPOSITORY", ""), branch)
    own = [pull for pull in pulls if pull.same_repository]
    for pull in own[:_MOST_PULLS]:
        try:
            bumped = _bump(pull, inputs, place)
        except FloeError as error:
            notice(f"Pull request {pull.pull.number} is as it was", f"{error.message} {error.fix}")
            continue
        if bumped.commit:
            _tell(pull, bumped, inputs, place)
            notice(f"Pull request {pull.pull.number}", _sentence(bumped.edits))
    if len(own) > _MOST_PULLS:
        notice(
            "Not every pull request was looked at",
            f"{len(own)} are open, {_MOST_PULLS} were served; the others are when they change or run again.",
        )


def _bump(pull: OpenPull, inputs: BumpInputs, place: ActionJob) -> PullBump:
    access = ci_access(place.environ)
    repo = open_repository(inputs.working_directory)
    fetch_branch(repo, pull.base_ref, access)
    tip = find_tip(repo, f"refs/remotes/origin/{pull.base_ref}")
    if tip is None:
        raise BaseNotFound(f"the branch {pull.base_ref} is not at origin", fix="Re-run when it exists.")
    _require_commit(repo, pull, place)
    branch = PullBranch(repo, tip.oid, pull.base_ref, pull.head_sha, pull.branch, pull.same_repository)
    request = GateRequest(contracts=inputs.contracts, folder=inputs.working_directory)
    return bump_pull(branch, request, place.today, access, allow_major=inputs.allow_major)


def _require_commit(repo: Repository, pull: OpenPull, place: ActionJob) -> None:
    if repo.commits([pull.head_sha])[0] is not None:
        return
    access = ci_access(place.environ)
    if pull.same_repository:
        fetch_branch(repo, pull.branch, access)
    if repo.commits([pull.head_sha])[0] is None:
        fetch_commit(repo, pull.head_sha, access)


def _tell(pull: OpenPull, bumped: PullBump, inputs: BumpInputs, place: ActionJob) -> str:
    """Set the status of the commit that was pushed, and keep the comment up to date; trouble changes no verdict."""
    report = bumped.report
    try:
        api = connect(place.environ)
        shown = replace(pull.pull, head_sha=bumped.commit) if bumped.commit else pull.pull
        if bumped.commit:
            _set_status(api, shown, report, inputs.status, place)
        elif not is_current(api, shown):
            notice("No comment on the pull request", "It has a newer commit, whose own run will comment.")
            return ""
        if inputs.comment == "never":
            return ""
        return say(report, place, Talk(inputs.comment_key, always=inputs.comment == "always"), api, shown)
    except FloeError as error:
        notice("Not everything was written to the pull request", f"{error.message} {error.fix}")
        return ""


def _set_status(api: Api, pull: Pull, report: Report, context: str, place: ActionJob) -> None:
    """A push by the job's own token starts no workflow, so the verdict is told as a status of that commit."""
    if context:
        text = _SENTENCES[report.verdict]
        set_status(api, pull, _STATES[report.verdict], context, text, place.links(report).run())


def _versions(edits: tuple[Edit, ...]) -> str:
    return json.dumps([{"path": edit.path, "from": edit.old, "to": edit.new} for edit in edits])


def _sentence(edits: tuple[Edit, ...]) -> str:
    return "; ".join(f"{edit.path} was raised from {edit.old} to {edit.new}" for edit in edits[:5])
