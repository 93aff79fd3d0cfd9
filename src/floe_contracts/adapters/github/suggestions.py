"""Review suggestions for `version:` lines: one per contract, found again by its marker, never written twice.

A person accepts a suggestion with one click, so it is `version: X.Y.Z` and nothing else, whatever the report says.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...contract.version import Version, next_version, parse_version
from ...render.markdown.report import marker
from ...render.safe import code_span
from ...results import Bump, Report
from .plan import Comment, Leave, Step, plan, same_author

MOST_SUGGESTIONS = 10  # on one pull request, however many runs it has had


@dataclass(frozen=True, slots=True)
class Proposal:
    """A contract whose version must rise."""

    contract: str
    path: str
    version: str
    following: str


@dataclass(frozen=True, slots=True)
class Suggest:
    """Write a suggestion on a line of the diff."""

    path: str
    line: int
    body: str


def proposals(report: Report) -> tuple[Proposal, ...]:
    """The versions that a report asks for; old and new come from a file, so neither is trusted to be one."""
    raised = []
    for result in report.results:
        step = result.version
        if step is None or not step.new or not step.next or not result.path:
            continue
        following = parse_version(step.next)
        if following is not None and _is_release(following):
            raised.append(Proposal(result.contract, result.path, step.new, str(following)))
    return tuple(raised)


def plan_suggestions(
    wanted: Iterable[Proposal],
    patches: Mapping[str, str],
    comments: Iterable[Comment],
    *,
    key: str,
    author: str,
    derived: bool = False,
) -> tuple[Suggest | Step, ...]:
    """What to write and what to change; a suggestion whose contract is in order now says so."""
    mine = {comment.first_line: comment for comment in reversed(list(comments)) if same_author(comment.author, author)}
    start = marker(f"{key}/version/").removesuffix("-->").rstrip()
    written = {sign: comment for sign, comment in mine.items() if sign.startswith(start)}
    by_sign = {_marker(key, proposal): proposal for proposal in wanted}
    steps = [_step(each, written.get(sign), sign, patches, derived) for sign, each in by_sign.items()]
    fresh = [step for step in steps if isinstance(step, Suggest)][: max(0, MOST_SUGGESTIONS - len(written))]
    steps = [step for step in steps if not isinstance(step, Suggest)]
    steps += [_settle(comment) for sign, comment in written.items() if sign not in by_sign]
    return tuple(step for step in (*fresh, *steps) if not isinstance(step, Leave))


def _step(
    wanted: Proposal, comment: Comment | None, sign: str, patches: Mapping[str, str], derived: bool
) -> Suggest | Step:
    patch = patches.get(wanted.path, "")
    line = raised_line(patch, wanted.version, wanted.following)
    if derived and wanted.following not in steps_from(patch):
        line = None
    body = "\n".join(_body(sign, wanted, line.text if line else None))
    if comment is not None:
        return plan(comment, body, create=False)
    # Without the line in the diff there is nowhere to write; the comment names the version anyway.
    return Suggest(wanted.path, line.number, body) if line else Leave()


def _settle(comment: Comment) -> Step:
    return plan(comment, f"{comment.first_line}\nThe version is high enough now.", create=False)


def _body(sign: str, wanted: Proposal, line: str | None) -> Iterator[str]:
    yield sign
    yield f"The changes to {code_span(wanted.contract, 100)} need version {code_span(wanted.following, 50)}."
    if line is not None:
        yield from ("", "```suggestion", line, "```")


def _marker(key: str, wanted: Proposal) -> str:
    """One per contract and file: two majors side by side are two suggestions."""
    known_as = f"{wanted.contract}\0{wanted.path}".encode("utf-8", "surrogatepass")
    return marker(f"{key}/version/{hashlib.sha256(known_as).hexdigest()[:16]}")


_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_VERSION = re.compile(r"""version[ \t]*:[ \t]+(?P<quote>["']?)(?P<text>[^"'\s#,}\]]+)(?P=quote)[ \t]*""")


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
    """The `version:` line with the following version; None when it is not in the diff, or holds more than a version."""
    for line in new_side(patch):
        match = _VERSION.fullmatch(line.text)
        if match is not None and match["text"] == version:
            return DiffLine(line.number, f"version: {following}")
    return None


def steps_from(patch: str) -> frozenset[str]:
    """The versions that one step leads to from the version on the old side of a diff, as the gate would raise it."""
    lines = (line[1:].removesuffix("\r") for line in patch.split("\n") if line[:1] in ("-", " "))
    matches = (_VERSION.fullmatch(line) for line in lines)
    old = next((parse_version(match["text"]) for match in matches if match), None)
    if old is None:
        return frozenset()
    versions = (next_version(old, bump) for bump in (Bump.PATCH, Bump.MINOR, Bump.MAJOR))
    return frozenset(str(version) for version in versions if _is_release(version))


def _is_release(version: Version) -> bool:
    """Whether it is X.Y.Z: a suffix has room for words."""
    return version.prerelease is None and version.build is None
