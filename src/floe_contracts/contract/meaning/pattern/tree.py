"""A regular expression as a tree of parts, read as Java reads it; what has no place in the tree is refused."""

from __future__ import annotations

import re
from typing import TypeAlias

from ....frozen import dataclass
from . import chars
from .chars import Chars, Ranges

LONGEST = 2_000  # characters of a pattern that is looked at
_DEEPEST = 60  # groups inside groups
_COUNTS = re.compile(r"\{(\d{1,9})(?:(,)(\d{1,9})?)?\}")
_GROUP = re.compile(r"\((?:\?(?:(?P<ahead><?[=!])|<[A-Za-z][A-Za-z0-9]*>|(?P<flags>[is]*)(?P<end>[:)])))?")
_HEX = re.compile(r"x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})")
_PROPERTY = re.compile(r"[pP](?:([A-Z])|\{(?:Is)?(\w+)\})")


class Unreadable(Exception):
    """The pattern has parts that this tree has no place for."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Parts of which one is taken."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part that may come several times; `text` is how it is written."""

    part: Node
    least: int
    most: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A place between characters: `^`, `$`, `b` for the edge of a word."""

    sign: str


@dataclass(frozen=True, slots=True)
class LookAround:
    """A part that is looked at and not taken."""

    part: Node


Node: TypeAlias = "Chars | Sequence | Choice | Repeat | Edge | LookAround"


def read_pattern(pattern: str) -> Node:
    """The tree of a pattern, or Unreadable."""
    if len(pattern) > LONGEST:
        raise Unreadable
    reader = _Reader(pattern)
    tree = reader.choice(_Flags(), 0)
    if reader.at < len(pattern):
        raise Unreadable
    return tree


@dataclass(frozen=True, slots=True)
class _Flags:
    any_case: bool = False
    all_signs: bool = False  # `.` is a line break too


class _Reader:
    """Reads from left to right; `at` is the next character."""

    def __init__(self, pattern: str) -> None:
        self._text, self.at = pattern, 0

    def choice(self, flags: _Flags, depth: int) -> Node:
        if depth > _DEEPEST:
            raise Unreadable
        branches: list[Node] = []
        while True:
            parts, flags = self._branch(flags, depth)
            branches.append(parts)
            if self._peek() != "|":
                return branches[0] if len(branches) == 1 else Choice(tuple(branches))
            self.at += 1

    def _branch(self, flags: _Flags, depth: int) -> tuple[Node, _Flags]:
        parts: list[Node] = []
        while self._peek() not in ("", "|", ")"):
            start = self.at
            part, flags = self._part(flags, depth)
            if part is not None:
                parts.append(self._repeat(part, start))
        return Sequence(tuple(parts)), flags

    def _part(self, flags: _Flags, depth: int) -> tuple[Node | None, _Flags]:
        sign = self._peek()
        if sign == "(":
            return self._group(flags, depth)
        self.at += 1
        if sign in "^$":
            return Edge(sign), flags
        if sign == ".":
            return Chars(((0, chars.LAST),) if flags.all_signs else chars.negate(chars.LINE_ENDS)), flags
        if sign == "[":
            return self._class(flags), flags
        if sign == "\\":
            return self._escape(flags), flags
        if sign in "*+?{":
            raise Unreadable
        return _char(ord(sign), flags), flags

    def _group(self, flags: _Flags, depth: int) -> tuple[Node | None, _Flags]:
        match = _GROUP.match(self._text, self.at)
        if match is None or (match.end() == self.at + 1 and self._text[match.end() : match.end() + 1] == "?"):
            raise Unreadable
        self.at = match.end()
        words = match["flags"] or ""
        inner = _Flags(flags.any_case or "i" in words, flags.all_signs or "s" in words)
        if match["end"] == ")":
            return None, inner
        part = self.choice(inner, depth + 1)
        if self._peek() != ")":
            raise Unreadable
        self.at += 1
        return LookAround(part) if match["ahead"] else part, flags

    def _repeat(self, part: Node, start: int) -> Node:
        sign = self._peek()
        limits: tuple[int, int | None]
        if sign in ("*", "+", "?"):
            limits = {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
            self.at += 1
        elif sign == "{":
            limits = self._counts()
        else:
            return part
        if self._peek() == "?":  # as few as possible: another order, the same texts
            self.at += 1
        if self._peek() in ("+", "*", "?", "{"):  # possessive ones never go back, and have their own meaning
            raise Unreadable
        return Repeat(part, *limits, self._text[start : self.at])

    def _counts(self) -> tuple[int, int | None]:
        match = _COUNTS.match(self._text, self.at)
        if match is None:
            raise Unreadable
        self.at = match.end()
        least = int(match[1])
        return least, (None if match[2] and not match[3] else int(match[3] or match[1]))

    def _escape(self, flags: _Flags) -> Node:
        sign = self._peek()
        if sign in ("A", "z", "Z"):
            self.at += 1
            return Edge("^" if sign == "A" else "$")
        if sign == "b":
            self.at += 1
            return Edge("b")
        ranges, name = self._escaped()
        if flags.any_case and name:
            raise Unreadable
        return Chars(chars.fold_case(ranges) if flags.any_case else ranges, (name,) if name else ())

    def _escaped(self) -> tuple[Ranges, str]:
        """What stands after a backslash, as ranges and the name of a category."""
        sign = self._peek()
        for pattern, read in ((_HEX, _hexadecimal), (_PROPERTY, _property)):
            match = pattern.match(self._text, self.at)
            if match is not None:
                self.at = match.end()
                return read(match)
        self.at += 1
        if sign.lower() in chars.ESCAPES:
            ranges = chars.ESCAPES[sign.lower()]
            return (ranges if sign.islower() else chars.negate(ranges)), ""
        if sign in chars.SIGNS:
            return ((chars.SIGNS[sign], chars.SIGNS[sign]),), ""
        if not sign or (sign.isalnum() and sign.isascii()):
            raise Unreadable
        return ((ord(sign), ord(sign)),), ""

    def _class(self, flags: _Flags) -> Chars:
        negated = self._peek() == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        estimate: list[tuple[int, int]] = []
        names: list[str] = []
        while self._peek() != "]" or not (ranges or names):
            item, name = self._class_item()
            names += [name] if name else []
            estimate += item if name else []
            ranges += [] if name else self._span(item) if self._spans(item) else item
        self.at += 1
        if flags.any_case and names:
            raise Unreadable
        exact = chars.fold_case(chars.merge(ranges)) if flags.any_case else chars.merge(ranges)
        if not names:
            return Chars(chars.negate(exact) if negated else exact)
        beyond = [(0x80, chars.LAST)] if negated else []  # an estimate on either side
        whole = chars.merge([*exact, *estimate])
        return Chars(chars.merge([*(chars.negate(whole) if negated else whole), *beyond]), tuple(names), exact, negated)

    def _class_item(self) -> tuple[Ranges, str]:
        sign = self._peek()
        if sign in ("", "[", "]") or self._text.startswith("&&", self.at):  # unions and intersections are Java's own
            raise Unreadable
        self.at += 1
        return self._escaped() if sign == "\\" else (((ord(sign), ord(sign)),), "")

    def _spans(self, item: Ranges) -> bool:
        after = self._text[self.at + 1 : self.at + 2]
        return self._peek() == "-" and after not in ("", "]") and len(item) == 1 and item[0][0] == item[0][1]

    def _span(self, start: Ranges) -> list[tuple[int, int]]:
        self.at += 1
        end, name = self._class_item()
        if name or len(end) != 1 or end[0][0] != end[0][1] or end[0][0] < start[0][0]:
            raise Unreadable
        return [(start[0][0], end[0][0])]

    def _peek(self) -> str:
        return self._text[self.at : self.at + 1]


def _char(point: int, flags: _Flags) -> Chars:
    ranges = ((point, point),)
    return Chars(chars.fold_case(ranges) if flags.any_case else ranges)


def _hexadecimal(match: re.Match[str]) -> tuple[Ranges, str]:
    point = int(match[1] or match[2] or match[3], 16)
    if point > chars.LAST:
        raise Unreadable
    return ((point, point),), ""


def _property(match: re.Match[str]) -> tuple[Ranges, str]:
    word, negated = match[1] or match[2], match[0].startswith("P")
    if word in chars.POSIX:
        ranges = chars.POSIX[word]
        return (chars.negate(ranges) if negated else ranges), ""
    if word not in chars.CATEGORIES:
        raise Unreadable
    ranges = chars.CATEGORIES[word]
    if negated:  # beyond ASCII a character may be on either side of the estimate
        ranges = chars.merge((*chars.negate(ranges), (0x80, chars.LAST)))
    return ranges, f"\\{match[0][0]}{{{word}}}"
