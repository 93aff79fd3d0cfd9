"""Pull requests on GitHub: keep the comment up to date, suggest version lines, look up the head."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...errors import UsageError
from ..git import is_oid
from .client import Api, Object
from .failure import GithubFailure
from .plan import Comment, Create, Step, Update, ours, plan
from .suggestions import Proposal, Suggest, plan_suggestions

AUTHOR = "github-actions[bot]"  # who a job's own token writes as
_REPOSITORY = re.compile(r"[A-Za-z0-9_-]+/(?!\.\.?$)[A-Za-z0-9._-]+")
_MOST_FILES = 3_000  # GitHub lists no more


@dataclass(frozen=True, slots=True)
class Pull:
    """One pull request, and the commit of it that was checked."""

    repository: str
    number: int
    head_sha: str

    def __post_init__(self) -> None:
        if not _REPOSITORY.fullmatch(self.repository):
            raise UsageError(f"{self.repository!r} is not a repository", fix="GITHUB_REPOSITORY must be owner/name.")

    @property
    def pulls(self) -> str:
        return f"repos/{self.repository}/pulls"

    @property
    def issues(self) -> str:
        return f"repos/{self.repository}/issues"


@dataclass(frozen=True, slots=True)
class OpenPull:
    """A pull request with the branches that it is from and for."""

    pull: Pull
    branch: str
    base_ref: str
    same_repository: bool  # false for forks, whose branches a job cannot write

    @property
    def head_sha(self) -> str:
        return self.pull.head_sha


def open_pull_of(shown: object, repository: str) -> OpenPull | None:
    """The pull request behind GitHub's JSON of it."""
    number = shown.get("number") if isinstance(shown, dict) else None
    head, branch, base = (text_at(shown, *keys) for keys in (("head", "sha"), ("head", "ref"), ("base", "ref")))
    if not isinstance(number, int) or not (is_oid(head) and branch and base):
        return None
    own = text_at(shown, "head", "repo", "full_name") == repository
    return OpenPull(Pull(repository, number, head), branch, base, own)


def open_pulls(api: Api, repository: str, base_ref: str) -> Iterator[OpenPull]:
    """The open pull requests that are meant for a branch, the newest first."""
    for shown in api.pages(Pull(repository, 0, "").pulls, state="open", base=base_ref):
        pull = open_pull_of(shown, repository)
        if pull is not None and pull.base_ref == base_ref:
            yield pull


def set_status(api: Api, pull: Pull, state: str, context: str, text: str, url: str) -> None:
    """Say on a commit how a check ended; rules for branches take it for the check of that name."""
    body = {"state": state, "context": context, "description": text, **({"target_url": url} if url else {})}
    api.send("POST", f"repos/{pull.repository}/statuses/{pull.head_sha}", body)


@dataclass(frozen=True, slots=True)
class Signature:
    """How our comments are known: by the author and by the key in their marker."""

    marker: str
    key: str
    author: str = AUTHOR


def is_current(api: Api, pull: Pull) -> bool:
    """Whether the commit that was checked is still the newest one, so that an older run never has the last word."""
    shown = api.get(f"{pull.pulls}/{pull.number}")
    return isinstance(shown, dict) and text_at(shown, "head", "sha") == pull.head_sha


def keep_comment(api: Api, pull: Pull, body: str, signed: Signature, *, create: bool) -> str:
    """Create, update or leave our comment; its address, or an empty text when there is none.

    After a POST that may or may not have worked, the comments are read again before anything is written.
    """
    for wait in (1.0, 4.0, 16.0):
        comments = (_comment_of(shown) for shown in api.pages(f"{pull.issues}/{pull.number}/comments"))
        step = plan(ours(comments, signed.marker, signed.author), body, create=create)
        try:
            return _write(api, pull, step)
        except GithubFailure as failure:
            if not failure.unsure or not api.rest(wait):
                raise
    raise GithubFailure("GitHub did not say whether the comment was written", unsure=True)


def keep_suggestions(
    api: Api, pull: Pull, wanted: Iterable[Proposal], signed: Signature, *, derived: bool = False
) -> int:
    """One suggestion per contract whose version line is in the diff; returns how many comments were written.

    `derived` when the wanted versions are a stranger's claim: the diff itself must then lead to the same version.
    """
    listed = list(wanted)
    comments = [_comment_of(shown) for shown in api.pages(f"{pull.pulls}/{pull.number}/comments")]
    patches = _patches(api, pull, {proposal.path for proposal in listed}) if listed else {}
    steps = plan_suggestions(listed, patches, comments, key=signed.key, author=signed.author, derived=derived)
    for step in steps:
        if isinstance(step, Suggest):
            place = {"commit_id": pull.head_sha, "path": step.path, "line": step.line, "side": "RIGHT"}
            api.send("POST", f"{pull.pulls}/{pull.number}/comments", {"body": step.body, **place})
        elif isinstance(step, Update):
            api.send("PATCH", f"{pull.pulls}/comments/{step.id}", {"body": step.body})
    return len(steps)


def pulls_of(api: Api, repository: str, owner: str, branch: str, head_sha: str) -> Iterator[tuple[Pull, str]]:
    """Open pull requests from a branch whose newest commit this is, each with the branch it is meant for."""
    place = Pull(repository, 0, head_sha)
    for shown in api.pages(place.pulls, state="open", head=f"{owner}:{branch}"):
        number = shown.get("number")
        if isinstance(number, int) and text_at(shown, "head", "sha") == head_sha:
            yield Pull(repository, number, head_sha), text_at(shown, "base", "ref")


def _write(api: Api, pull: Pull, step: Step) -> str:
    if isinstance(step, Create):
        return _url(api.send("POST", f"{pull.issues}/{pull.number}/comments", {"body": step.body}))
    if isinstance(step, Update):
        return _url(api.send("PATCH", f"{pull.issues}/comments/{step.id}", {"body": step.body}))
    return step.url


def _patches(api: Api, pull: Pull, paths: set[str]) -> dict[str, str]:
    """The diffs of some files; the rest of a large pull request is not read."""
    patches: dict[str, str] = {}
    for number, file in enumerate(api.pages(f"{pull.pulls}/{pull.number}/files")):
        name, patch = file.get("filename"), file.get("patch")
        if isinstance(name, str) and name in paths:
            patches[name] = patch if isinstance(patch, str) else ""
        if patches.keys() == paths or number >= _MOST_FILES:
            break
    return patches


def _comment_of(comment: Object) -> Comment:
    number, body = comment.get("id"), comment.get("body")
    return Comment(
        number if isinstance(number, int) else 0,
        text_at(comment, "user", "login"),
        body if isinstance(body, str) else "",
        _url(comment),
    )


def _url(comment: Object) -> str:
    return text_at(comment, "html_url")


def text_at(value: object, *keys: str) -> str:
    """The text below some keys of JSON; empty where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""
