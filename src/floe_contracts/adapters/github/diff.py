"""The lines of a pull request's diff that a review comment can stand on, and the `version:` line among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...contract.edit import with_version

_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_VERSION = re.compile(
    r"""(?P<key>(?:version|"version"|'version')[ \t]*:[ \t]+)(?P<quote>["']?)(?P<text>[^"'\s#,}\]]+)(?P=quote)"""
    r"[ \t]*(?:[ \t]#.*)?"
)
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of the new side, numbered as in the file."""

    number: int
    text: str


def new_side(patch: str) -> Iterator[DiffLine]:
    """Added and unchanged lines of all hunks; on these GitHub takes comments."""
    number: int | None = None
    for line in patch.split("\n"):
        hunk = _HUNK.match(line)
        if hunk:
            number = int(hunk[1])
        elif number is not None and line[:1] in ("+", " "):
            yield DiffLine(number, line[1:].removesuffix("\r"))
            number += 1


def raised_line(patch: str, version: str, following: str) -> DiffLine | None:
    """The `version:` line with the following version in it; None when it is not in the diff or not simple."""
    for line in new_side(patch):
        found = _VERSION.fullmatch(line.text)
        if found is None or found["text"] != version:
            continue
        text = with_version(line.text, 1, found.end("key") + 1, following)
        return DiffLine(line.number, text) if text and _harmless(text) else None
    return None


def _harmless(text: str) -> bool:
    """Whether the line can stand in a suggestion as it is; nothing may be hidden in what a person accepts."""
    return len(text) <= _LONGEST and "```" not in text and text.replace("\t", " ").isprintable()
