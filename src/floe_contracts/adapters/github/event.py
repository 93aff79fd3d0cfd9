"""What the event of a workflow says about a pull request: the one it is about, or the run that has just ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from ...errors import FloeError, UsageError
from . import OpenPull, Pull, open_pull_of, text_at

Environment = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """The run that a `workflow_run` event tells of; GitHub says this, not the pull request."""

    head_sha: str
    head_branch: str
    head_owner: str
    repository: str


def pull_request(environ: Environment) -> Pull | None:
    """The pull request that started this workflow; None for every other event."""
    payload = _payload(environ)
    request = payload.get("pull_request")
    number = request.get("number") if isinstance(request, dict) else None
    if not isinstance(number, int):
        return None
    return Pull(environ.get("GITHUB_REPOSITORY", ""), number, text_at(payload, "pull_request", "head", "sha"))


def open_pull(environ: Environment) -> OpenPull | None:
    """The pull request that started this workflow, with its branches; None for every other event."""
    return open_pull_of(_payload(environ).get("pull_request"), environ.get("GITHUB_REPOSITORY", ""))


def pushed_branch(environ: Environment) -> str:
    """The branch that was pushed to; empty for tags and other events."""
    ref = text_at(_payload(environ), "ref")
    is_branch = environ.get("GITHUB_EVENT_NAME") == "push" and ref.startswith("refs/heads/")
    return ref.removeprefix("refs/heads/") if is_branch else ""


def finished_run(environ: Environment) -> FinishedRun:
    """The run that this workflow follows."""
    payload = _payload(environ)
    run = FinishedRun(
        text_at(payload, "workflow_run", "head_sha"),
        text_at(payload, "workflow_run", "head_branch"),
        text_at(payload, "workflow_run", "head_repository", "owner", "login"),
        text_at(payload, "repository", "full_name"),
    )
    if not (run.head_sha and run.head_branch and run.head_owner):
        raise UsageError(
            "this event names no workflow run that has a branch",
            fix="Run actions/comment in a workflow on: workflow_run, after one on: pull_request.",
        )
    return run


def reported_run(environ: Environment) -> str:
    """The id of the run that made the report: the finished one where this workflow follows another, else this one."""
    finished = _payload(environ).get("workflow_run")
    number = finished.get("id") if isinstance(finished, dict) else None
    return str(number) if isinstance(number, int) else environ.get("GITHUB_RUN_ID", "")


def _payload(environ: Environment) -> Mapping[str, object]:
    path = environ.get("GITHUB_EVENT_PATH")
    if not path:
        return {}
    try:
        with open(path, "rb") as file:
            payload = json.load(file)
    except (OSError, ValueError) as error:
        raise FloeError(
            "the event that started this workflow cannot be read", fix="GITHUB_EVENT_PATH must name a JSON file."
        ) from error
    return payload if isinstance(payload, dict) else {}
