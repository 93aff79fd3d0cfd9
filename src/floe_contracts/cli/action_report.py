"""A report inside a GitHub job: files, log, annotations, summary, and the outputs that follow from it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timezone

from .. import __version__
from ..adapters.github import AUTHOR, Pull, Signature, is_current, keep_comment, keep_suggestions
from ..adapters.github.client import Api
from ..adapters.github.event import pull_request, reported_run
from ..adapters.github.failure import GithubFailure
from ..adapters.github.runner import add_summary, notice, put_file, report_folder
from ..adapters.github.suggestions import proposals
from ..adapters.process.console import wants_colour
from ..adapters.process.output import put, put_page
from ..errors import FloeError
from ..render.links import Links
from ..render.machine import github, json_report, sarif
from ..render.markdown import report as markdown
from ..render.outline import is_change
from ..render.text import terminal
from ..results import Bump, CheckResult, Disposition, Finding, Outcome, Report
from ..results.facts import GateScope
from .action_inputs import ReportOutputs

Environment = Mapping[str, str]
_MOST_NAMES = 1_000  # outputs of a job may have one megabyte together
_MOST_CHARACTERS = 100_000


@dataclass(frozen=True, slots=True)
class ActionJob:
    """The job that is running: where its files can be read, and on which day."""

    environ: Environment
    today: date

    @classmethod
    def here(cls, environ: Environment) -> ActionJob:
        return cls(environ, datetime.now(timezone.utc).date())

    def links(self, report: Report, head: str = "") -> Links:
        """Addresses of lines in the head commit, and of the run that made the report.

        A test merge that was checked is gone when the pull request moves on; the head of the pull request stays.
        """
        server, repository = (self.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY"))
        try:
            pull = pull_request(self.environ)
            run = reported_run(self.environ)
        except FloeError:
            pull, run = None, ""
        head = head or (pull.head_sha if pull else "") or getattr(report.scope, "head", "")
        return Links(server, repository, head, run)


def report_failure(command: str, error: FloeError, scope: GateScope | None = None) -> Report:
    """The report of a check that could not be made."""
    fixes = (error.fix,) if error.fix else ()
    problem = Finding.of(error.code, "could-not-check", error.message, suggestions=fixes)
    result = CheckResult(command, f"the {command}", Outcome.ERRORED, "", (problem,))
    return Report(command, __version__, (result,), scope=scope)


def show(report: Report, place: ActionJob, outlets: ReportOutputs) -> dict[str, str]:
    """Print, annotate, summarise and write the report; returns the outputs that name its files."""
    colour = wants_colour(place.environ, sys.stdout)
    put_page(terminal.render(report, colour=colour, width=0, verbose=False, today=place.today))
    if outlets.annotations != "never":
        put(github.render(report))
    page = markdown.render(report, today=place.today, links=place.links(report), limit=markdown.SUMMARY_LIMIT)
    if outlets.summary == "always" or (outlets.summary == "auto" and worth_telling(report)):
        add_summary(place.environ, page)
    return _files(report, page, place, outlets)


def worth_telling(report: Report) -> bool:
    """Whether anything was changed or went wrong."""
    return bool(report.results) or report.verdict != "pass"


def counts(report: Report) -> dict[str, str]:
    """The outputs that are numbers and names."""
    changes = [item for item in report.all_findings() if is_change(item) or item.bump is not Bump.NONE]
    required = [result.version.required for result in report.results if result.version]
    required += [item.bump for item in changes if item.standing is Disposition.OPEN]
    return {
        "verdict": report.verdict,
        "required-bump": max(required, key=lambda bump: bump.rank, default=Bump.NONE).value,
        "breaking-count": str(sum(item.bump.rank >= Bump.MAJOR.rank for item in changes)),
        "change-count": str(len(changes)),
        "changed-contracts": _names(report),
    }


def _names(report: Report) -> str:
    """Contract keys as a JSON list; a list that is too long is cut, for the report has them all."""
    names = sorted({result.contract for result in report.results if result.path})[:_MOST_NAMES]
    while len(text := json.dumps(names)) > _MOST_CHARACTERS:
        names = names[: len(names) // 2]
    return text


def _files(report: Report, page: str, place: ActionJob, outlets: ReportOutputs) -> dict[str, str]:
    folder = report_folder(place.environ, outlets.report_dir, f"floe-{report.command}")
    written = {
        "report-json": put_file(folder, "report.json", json_report.render(report)),
        "report-markdown": put_file(folder, "report.md", page),
        "sarif-file": "",
    }
    if outlets.sarif_file:
        written["sarif-file"] = put_file(folder, outlets.sarif_file, sarif.render(report))
    return {name: os.path.abspath(path) if path else "" for name, path in written.items()}


_API = "https://api.github.com"
_TITLE = "No comment on the pull request"


@dataclass(frozen=True, slots=True)
class Talk:
    """How to comment: under which key, whether also when no contract changed, and whether versions are a claim."""

    key: str
    always: bool = False
    derived: bool = False  # the report is a stranger's: suggest only what the diff itself leads to


def tell_pull_request(report: Report, place: ActionJob, talk: Talk) -> str:
    """Comment on the pull request of this event; the comment's address. What goes wrong never changes the verdict."""
    try:
        pull = pull_request(place.environ)
        if pull is None:
            if talk.always:
                notice(_TITLE, "This event is not about a pull request.")
            return ""
        api = connect(place.environ)
        if not is_current(api, pull):
            notice(_TITLE, "The pull request has a newer commit, whose own run will comment.")
            return ""
        return say(report, place, talk, api, pull)
    except FloeError as error:
        notice(_TITLE, _why(error))
        return ""


def say(report: Report, place: ActionJob, talk: Talk, api: Api, pull: Pull) -> str:
    """Keep comment and suggestions up to date; the comment's address."""
    signed = Signature(markdown.marker(talk.key), talk.key, place.environ.get("FLOE_COMMENT_AUTHOR") or AUTHOR)
    body = markdown.render(report, today=place.today, key=talk.key, links=place.links(report, pull.head_sha))
    create = talk.always or report.verdict == "blocked" or any(result.path for result in report.results)
    url = keep_comment(api, pull, body, signed, create=create)
    # Without a comment there was never a suggestion either; an unfinished check cannot say that one is settled.
    if url and report.verdict != "error":
        _suggest(report, api, pull, signed, derived=talk.derived)
    return url


def _suggest(report: Report, api: Api, pull: Pull, signed: Signature, *, derived: bool) -> None:
    try:
        keep_suggestions(api, pull, proposals(report), signed, derived=derived)
    except GithubFailure as error:
        notice(
            "No suggestion on the pull request", _sentences((error.message, "The comment names the version to write"))
        )


def connect(environ: Environment) -> Api:
    """GitHub's API with the token of this job."""
    return Api(environ.get("GITHUB_API_URL") or _API, environ.get("GITHUB_TOKEN", "").strip())


def _why(error: FloeError) -> str:
    if isinstance(error, GithubFailure) and error.not_allowed:
        reason = "Nothing is lost: verdict, annotations and summary are complete."
        return _sentences((error.message, error.fix, reason))
    return _sentences((error.message, error.fix))


def _sentences(parts: Iterable[str]) -> str:
    return " ".join(f"{part[:1].upper()}{part[1:].rstrip('.')}." for part in parts if part)
