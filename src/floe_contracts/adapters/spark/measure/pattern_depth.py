"""How deep Java's matcher calls itself for a pattern, and so how long a text may be before it overflows the stack.

The matcher is recursive where a group is repeated: each turn stays on the stack until the whole text is matched. Spark
takes the overflow for a fatal error and ends the program, so a longer text must not be matched at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_FRAME_BYTES = 160  # of a call that is not compiled yet; measured on Java 17: 146
_UNEVEN_BYTES = 110  # of a turn that waits because the character before had another width; measured: 54
_TURN = 6  # calls for each turn of a group: the loop, both ends of the group, a branch and its end, a character
_GROUP = 4  # calls that a group inside adds
_RESERVED = 192 << 10  # what Spark itself has on the stack, and the guard pages of Java
_FEW = 256  # turns that any stack has room for
_MANY = 1 << 62

_QUANTIFIER = re.compile(r"([*+?]|\{\d+(?:,\d*)?\})([+?]?)")
_PIECE = re.compile(
    r"\\Q.*?(?:\\E|\Z)|\\[pPxNk](?:\{[^}]*\}|<[^>]*>)|\\.|\(\?[a-zA-Z]*(?:-[a-zA-Z]+)?\)"
    r"|\((?:\?(?:<[A-Za-z]\w*>|<[=!]|[=!>:]|[a-zA-Z]*(?:-[a-zA-Z]+)?:))?|.",
    re.DOTALL,
)
_WIDE = re.compile(r"\\[pPSWDNHVXRQ]|^\.$|\[\^|[^\x00-\x7f]")  # may match characters that take two units of UTF-16
_NO_WIDTH = ("^", "$", r"\b", r"\B", r"\A", r"\z", r"\Z", r"\G")
_CLUSTERS = (r"\X", r"\R")


@dataclass(frozen=True, slots=True)
class LongestText:
    """The greatest number of characters that a pattern may be matched with."""

    characters: int
    only_uneven: bool = False  # for texts with characters of more than one byte alone


@dataclass(slots=True)
class _Group:
    """What is known about an open group."""

    extras: int = 0  # calls in one turn that need not take a character
    varies: bool = False  # its turns may differ in length
    wide: bool = False
    turns: int = 1  # of what is inside, within one turn


@lru_cache(maxsize=1024)
def longest_text(pattern: str, stack_bytes: int) -> LongestText | None:
    """The longest text that a stack has room for; None where the matcher needs no more of it for a longer one."""
    even, uneven = _costs(pattern)
    cost = max(even, uneven)
    if not cost:
        return None
    return LongestText(max(stack_bytes - _RESERVED, 0) // cost, only_uneven=not even)


def _costs(pattern: str) -> tuple[int, int]:
    """Bytes for each character: of any text, and of one whose characters differ in width."""
    open_groups, even, uneven = [_Group()], 0, 0
    for piece, least, most, holds in _pieces(pattern):
        group = open_groups[-1]
        if piece == ")" and len(open_groups) > 1:
            inner = open_groups.pop()
            turns = min(most * inner.turns, _MANY)
            if most > 1 and not holds and turns > _FEW:
                even = max(even, (_TURN + inner.extras) * _FRAME_BYTES if inner.varies else 0)
                uneven = max(uneven, _UNEVEN_BYTES if inner.wide else 0)
            outer = open_groups[-1]
            outer.extras, outer.varies = outer.extras + inner.extras + _GROUP, True
            outer.wide, outer.turns = outer.wide or inner.wide, max(outer.turns, turns)
        elif piece.startswith("(") and not piece.endswith(")"):
            open_groups.append(_Group())
        elif piece == "|":
            group.varies = True
        else:
            wide = bool(_WIDE.search(piece))
            group.wide = group.wide or wide
            group.varies = group.varies or least != most or piece in _CLUSTERS
            group.extras += not least or piece in _NO_WIDTH
            counted = least > 1 or 1 < most < _MANY or piece in _CLUSTERS  # `.*` and `.+` are matched in a loop
            if wide and counted and most > _FEW and not holds:
                uneven = _UNEVEN_BYTES
    return even, uneven


def _pieces(pattern: str) -> Iterator[tuple[str, int, int, bool]]:
    """Each part of a pattern, how often it may stand there, and whether it keeps what it has matched."""
    at = 0
    while at < len(pattern):
        end = _class_end(pattern, at) if pattern[at] == "[" else _PIECE.match(pattern, at).end()  # type: ignore[union-attr]
        piece = pattern[at:end]
        repeated = None if piece == "|" or (piece[0] == "(" and piece[-1] != ")") else _QUANTIFIER.match(pattern, end)
        least, most = _bounds(repeated[1]) if repeated else (1, 1)
        yield piece, least, most, bool(repeated and repeated[2] == "+")
        at = repeated.end() if repeated else end


def _class_end(pattern: str, start: int) -> int:
    """Where a class of characters ends; classes may stand in classes."""
    depth, at = 0, start
    while at < len(pattern):
        if pattern[at] == "\\":
            at += 1
        elif pattern[at] in "[]":
            depth += 1 if pattern[at] == "[" else -1
            if not depth:
                return at + 1
        at += 1
    return len(pattern)


def _bounds(quantifier: str) -> tuple[int, int]:
    if quantifier in "*+?":
        return {"*": (0, _MANY), "+": (1, _MANY), "?": (0, 1)}[quantifier]
    least, comma, most = quantifier[1:-1].partition(",")
    return int(least), int(most) if most else _MANY if comma else int(least)
