"""The plan for the comments of a pull request, decided without asking anybody: create, update or leave alone.

A comment is ours when its first line is our marker and its author is who we write as; the marker alone could be
planted by anyone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

LONGEST_BODY = 65_536  # characters; GitHub refuses more


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that is there."""

    id: int
    author: str
    body: str
    url: str = ""

    @property
    def first_line(self) -> str:
        return self.body.lstrip("\ufeff").split("\n", 1)[0].strip()


@dataclass(frozen=True, slots=True)
class Create:
    """Write a new comment."""

    body: str


@dataclass(frozen=True, slots=True)
class Update:
    """Change the text of a comment."""

    id: int
    body: str


@dataclass(frozen=True, slots=True)
class Leave:
    """The comment says it already, or there is none and none is needed."""

    url: str = ""


Step = Create | Update | Leave


def ours(comments: Iterable[Comment], marker: str, author: str) -> Comment | None:
    """The first comment that we wrote; the others are not even looked at."""
    signed = (comment for comment in comments if comment.first_line == marker)
    return next((comment for comment in signed if same_author(comment.author, author)), None)


def plan(comment: Comment | None, body: str, *, create: bool) -> Step:
    """Keep one comment up to date; without one, write it only when there is something to say."""
    if len(body) > LONGEST_BODY:
        raise AssertionError(f"a comment of {len(body)} characters would be refused")
    if comment is None:
        return Create(body) if create else Leave()
    return Leave(comment.url) if _plain(comment.body) == _plain(body) else Update(comment.id, body)


def same_author(login: str, other: str) -> bool:
    """Logins are the same in any case."""
    return login.casefold() == other.casefold()


def _plain(body: str) -> str:
    return body.replace("\r\n", "\n").strip()
