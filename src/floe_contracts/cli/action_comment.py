"""`floe action comment`: the second half for forks, run by `workflow_run` with a token that may write.

The report was made by the pull request's own run, so its author may have written every byte of it. It is read
strictly, rendered anew, and shown only on an open pull request whose newest commit is the one GitHub says was checked,
if GitHub confirms the commits that it names.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from ..adapters.github import Pull, pulls_of
from ..adapters.github.client import Api
from ..adapters.github.event import finished_run
from ..adapters.github.origin import confirm_pull
from ..adapters.github.runner import notice, set_outputs
from ..errors import FloeError, UsageError
from ..render.machine import json_report
from ..results import Report
from .action_inputs import comment_inputs
from .action_report import ActionJob, Talk, connect, say

OUTPUTS: Mapping[str, str] = {"comment-url": "", "pull-request": ""}
_MOST_BYTES = 5_000_000


def run(environ: Mapping[str, str]) -> int:
    """Comment on the pull request that the finished run belongs to; failing to is an error here."""
    outputs = dict(OUTPUTS)
    try:
        inputs = comment_inputs(environ)
        report = json_report.parse(_read(inputs.report))
        api = connect(environ)
        pull = _pull(environ, api, report)
        if pull is None:
            notice(
                "No comment", "No open pull request has this commit as its newest one, so there is no place to comment."
            )
        elif inputs.comment != "never":
            talk = Talk(inputs.comment_key, always=inputs.comment == "always", derived=True)
            outputs["pull-request"] = str(pull.number)
            outputs["comment-url"] = say(report, ActionJob.here(environ), talk, api, pull)
    finally:
        set_outputs(environ, outputs)
    return 0


def _pull(environ: Mapping[str, str], api: Api, report: Report) -> Pull | None:
    """The pull request of the run, by GitHub's word; of several from one branch the one that the base belongs to."""
    run = finished_run(environ)
    repository = environ.get("GITHUB_REPOSITORY", "")
    if run.repository.casefold() != repository.casefold():
        raise UsageError(
            "the finished run belongs to another repository",
            fix="GITHUB_REPOSITORY must be the repository of the event.",
        )
    return confirm_pull(api, pulls_of(api, repository, run.head_owner, run.head_branch, run.head_sha), report)


def _read(path: str) -> str:
    """The text of a regular file of a sane size; nothing that an archive may have made of it instead."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(file.fileno())
            data = file.read(_MOST_BYTES + 1) if stat.S_ISREG(status.st_mode) else None
    except OSError as error:
        raise UsageError(f"the report cannot be read: {error.strerror}", fix="Download the artifact first.") from error
    if data is None or len(data) > _MOST_BYTES:
        raise FloeError(
            f"the report is not a file of at most {_MOST_BYTES:,} bytes",
            fix="Pass on report.json as the gate wrote it.",
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FloeError("the report is not UTF-8", fix="Pass on report.json as the gate wrote it.") from error
