"""What a job says on the pull request: the comment, the suggestions, or one notice why it could not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..adapters.github import AUTHOR, Pull, Signature, is_current, keep_comment, keep_suggestions
from ..adapters.github.client import Api
from ..adapters.github.event import pull_request
from ..adapters.github.failure import GithubFailure
from ..adapters.github.runner import notice
from ..adapters.github.suggestions import proposals
from ..errors import FloeError
from ..render.markdown import report as markdown
from ..results import Report
from .action_report import Environment, Place

_API = "https://api.github.com"
_TITLE = "No comment on the pull request"


@dataclass(frozen=True, slots=True)
class Talk:
    """How to comment: under which key, and whether also when no contract changed."""

    key: str
    always: bool = False


def tell_pull_request(report: Report, place: Place, talk: Talk) -> str:
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


def say(report: Report, place: Place, talk: Talk, api: Api, pull: Pull) -> str:
    """Keep comment and suggestions up to date; the comment's address."""
    signed = Signature(markdown.marker(talk.key), talk.key, place.environ.get("FLOE_COMMENT_AUTHOR") or AUTHOR)
    body = markdown.render(report, today=place.today, key=talk.key, links=place.links(report), rest=place.rest())
    create = talk.always or report.verdict == "blocked" or any(result.path for result in report.results)
    url = keep_comment(api, pull, body, signed, create=create)
    # Without a comment there was never a suggestion either; an unfinished check cannot say that one is settled.
    if url and report.verdict != "error":
        _suggest(report, api, pull, signed)
    return url


def _suggest(report: Report, api: Api, pull: Pull, signed: Signature) -> None:
    try:
        keep_suggestions(api, pull, proposals(report), signed)
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
