"""Reads many git objects by way of one `git cat-file --batch`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from ...frozen import dataclass
from .command import Git

LONGEST = 1024 * 1024  # the size of the largest contract that is read; a test keeps it equal to contract.source's
_AT_ONCE = 50  # names sent before their answers are read: fits into the smallest pipe, so neither side ever waits
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class GitObject:
    """One object; content beyond LONGEST is cut just after it, so that whoever parses it sees that it is too long."""

    oid: str
    kind: str
    size: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as it was written: its parents are known even where a shallow clone does not hold them."""

    oid: str
    tree: str
    parents: tuple[str, ...]
    time: int  # seconds since 1970, by the committer's clock


def read_objects(git: Git, names: Sequence[str]) -> Iterator[GitObject | None]:
    """One object per name, in order; None for a name that is not there."""
    if not names:
        return
    with git.talk("cat-file", "--batch") as (questions, answers):
        for start in range(0, len(names), _AT_ONCE):
            chunk = names[start : start + _AT_ONCE]
            questions.write("".join(f"{name}\n" for name in chunk).encode("utf-8", "surrogateescape"))
            questions.flush()
            for _ in chunk:
                yield _next_object(answers)


def read_commits(git: Git, names: Sequence[str]) -> list[Commit | None]:
    """One commit per name; tags are peeled, anything else is None."""
    objects = read_objects(git, [f"{name}^{{commit}}" for name in names])
    return [_parse_commit(item) if item is not None else None for item in objects]


def _next_object(answers: IO[bytes]) -> GitObject | None:
    header = answers.readline()
    if not header:
        raise EOFError
    words = header.decode("utf-8", "surrogateescape").split()
    if words[-1] in ("missing", "ambiguous"):
        return None
    oid, kind, size = words[0], words[1], int(words[2])
    content = answers.read(min(size, LONGEST + 1))
    if len(content) < min(size, LONGEST + 1):
        raise EOFError
    _skip(answers, size - len(content) + 1)  # and the newline that follows
    return GitObject(oid, kind, size, content)


def _skip(answers: IO[bytes], count: int) -> None:
    while count > 0:
        part = answers.read(min(count, _CHUNK))
        if not part:
            raise EOFError
        count -= len(part)


def _parse_commit(item: GitObject) -> Commit:
    tree, parents, time = "", [], 0
    for line in item.content.decode("utf-8", "replace").split("\n\n", 1)[0].split("\n"):
        word, _, rest = line.partition(" ")
        if word == "tree":
            tree = rest
        elif word == "parent":
            parents.append(rest)
        elif word == "committer":
            clock = rest.split(" ")[-2:][0]
            time = int(clock) if clock.isdecimal() else 0
    return Commit(item.oid, tree, tuple(parents), time)
