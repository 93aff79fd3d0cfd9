"""What GitHub would make of a Markdown page: everything that is alive in it, that is, outside code."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_FENCE = re.compile(r"(`{3,})[a-z]*")


@dataclass(slots=True)
class Alive:
    """The text that Markdown and HTML rules apply to, line by line, with code taken out."""

    lines: list[str] = field(default_factory=list)
    open_fence: str = ""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def alive(page: str) -> Alive:
    """Read a page the way GFM does: fenced blocks first, then code spans."""
    found = Alive()
    for line in page.split("\n"):
        fence = _FENCE.fullmatch(line)
        if found.open_fence:
            if fence and len(fence[1]) >= len(found.open_fence) and fence[1] == line:
                found.open_fence = ""
        elif fence:
            found.open_fence = fence[1]
        else:
            found.lines.append(_without_spans(line))
    return found


def _without_spans(text: str) -> str:
    """CommonMark 6.1: a code span ends at the next run of backticks of the same length."""
    kept: list[str] = []
    rest = text
    while True:
        opening = re.search("`+", rest)
        if opening is None:
            return "".join((*kept, rest))
        closing = re.search(f"(?<!`){opening.group()}(?!`)", rest[opening.end() :])
        kept.append(rest[: opening.start()])
        if closing is None:
            kept.append(opening.group())
            rest = rest[opening.end() :]
        else:
            rest = rest[opening.end() + closing.end() :]
