"""Reads a regular expression into its tree, as Java reads it.

Where Java's meaning is more than the tree can hold, the tree allows more than the pattern does, and is not exact: that
is enough to tell how long a matcher may take, and not to spell the pattern for another one.
"""

from __future__ import annotations

import re

from ....frozen import dataclass, replace
from . import chars
from .chars import Chars, Ranges
from .escapes import open_quotes, read_escape
from .tree import Atomic, Choice, Edge, LookAround, Node, Repeat, Sequence, Unreadable

LONGEST = 10_000  # characters of a pattern that is looked at
_DEEPEST = 60  # groups inside groups
_COUNTS = re.compile(r"\{(\d{1,9})(?:(,)(\d{1,9})?)?\}")
_GROUP = re.compile(
    r"\((?:\?(?:(?P<ahead><?[=!])|(?P<atomic>>)|<(?P<name>[A-Za-z][A-Za-z0-9]*)>"
    r"|(?P<flags>[a-zA-Z]*)(?:-(?P<off>[a-zA-Z]+))?(?P<end>[:)])))?"
)
_REFERENCE = re.compile(r"([1-9]\d*)|k<([A-Za-z][A-Za-z0-9]*)>")
_ANYTHING = Chars(((0, chars.LAST),))
_BLANKS = re.compile(r"(?:[ \t\n\x0b\f\r]|#[^\n\r\x85\u2028\u2029]*)*")
_CLUSTERS: dict[str, Node] = {
    "R": Choice((Sequence((_ANYTHING, _ANYTHING)), _ANYTHING)),
    "X": Repeat(_ANYTHING, 1, None, r"\X"),
}


def read_pattern(pattern: str, *, exactly: bool = False) -> Node:
    """The tree of a pattern, or Unreadable; without `exactly` it may allow more than the pattern."""
    if len(pattern) > LONGEST:
        raise Unreadable
    text = open_quotes(pattern)
    reader = _Reader(text)
    tree = reader.choice(_Flags(), 0)
    if reader.at < len(text) or (exactly and not reader.is_exact):
        raise Unreadable
    return tree


@dataclass(frozen=True, slots=True)
class _Flags:
    any_case: bool = False
    all_signs: bool = False  # `.` is a line break too
    lines: bool = False  # `^` and `$` are the edges of lines
    wide: bool = False  # classes and cases are those of Unicode, or of its lines
    comments: bool = False  # blanks mean nothing


class _Reader:
    """Reads from left to right; `at` is the next character."""

    def __init__(self, pattern: str) -> None:
        self._text, self.at, self.is_exact = pattern, 0, True
        self._groups: list[Node | None] = []  # by their numbers; None while one is open
        self._names: dict[str, int] = {}
        self._nested = 0  # classes in classes
        self._skips = False  # blanks and comments

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
            self.is_exact = self.is_exact and not flags.lines
            return Edge(sign), flags
        if sign == ".":
            self.is_exact = self.is_exact and not flags.wide
            everything = flags.all_signs or flags.wide
            return _ANYTHING if everything else Chars(chars.negate(chars.LINE_ENDS)), flags
        if sign == "[":
            return self._widen(self._class(flags), flags), flags
        if sign == "\\":
            return self._escape(flags), flags
        if sign in "*+?{":
            raise Unreadable
        return self._widen(_char(ord(sign), flags), flags), flags

    def _widen(self, node: Chars, flags: _Flags) -> Chars:
        """With what Unicode may add to it, where a flag says so."""
        if not flags.wide:
            return node
        self.is_exact = False
        return Chars(chars.merge((*node.ranges, *chars.BEYOND)))

    def _group(self, flags: _Flags, depth: int) -> tuple[Node | None, _Flags]:
        match = _GROUP.match(self._text, self.at)
        if match is None or (match.end() == self.at + 1 and self._text[match.end() : match.end() + 1] == "?"):
            raise Unreadable
        self.at = match.end()
        inner = self._change(flags, match["flags"] or "", match["off"] or "")
        self._skips = inner.comments
        if match["end"] == ")":
            return None, inner
        number = self._open(match["name"]) if match["name"] or match[0] == "(" else None
        part = self.choice(inner, depth + 1)
        if self._peek() != ")":
            raise Unreadable
        self.at += 1
        self._skips = flags.comments
        if number is not None:
            self._groups[number] = part
        if match["atomic"]:
            self.is_exact = False
            return Atomic(part), flags
        return LookAround(part) if match["ahead"] else part, flags

    def _open(self, name: str | None) -> int:
        self._groups.append(None)
        if name:
            self._names[name] = len(self._groups) - 1
        return len(self._groups) - 1

    def _change(self, flags: _Flags, on: str, off: str) -> _Flags:
        """The flags with those that a group turns on and off."""
        if set(on + off) - set("ismuUdx"):
            raise Unreadable
        self.is_exact = self.is_exact and "x" not in on
        flags = replace(
            flags,
            any_case=(flags.any_case or "i" in on) and "i" not in off,
            all_signs=(flags.all_signs or "s" in on) and "s" not in off,
            lines=(flags.lines or "m" in on) and "m" not in off,
            comments=(flags.comments or "x" in on) and "x" not in off,
        )
        return replace(flags, wide=True) if set(on) & set("uUd") else flags

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
        end, after = self.at, self._peek()
        if after in ("?", "+"):  # as few as possible: another order, the same texts
            self.at += 1
            end = self.at
        if self._peek() in ("+", "*", "?", "{"):
            raise Unreadable
        keeps = after == "+"  # never goes back
        repeat = Repeat(part, *limits, self._text[start:end])
        self.is_exact = self.is_exact and not keeps
        return Atomic(repeat) if keeps else repeat

    def _counts(self) -> tuple[int, int | None]:
        match = _COUNTS.match(self._text, self.at)
        if match is None:
            raise Unreadable
        self.at = match.end()
        least = int(match[1])
        return least, (None if match[2] and not match[3] else int(match[3] or match[1]))

    def _escape(self, flags: _Flags) -> Node:
        sign = self._peek_here()
        if sign in ("A", "z", "Z"):
            self.at += 1
            return Edge("^" if sign == "A" else "$")
        if sign in ("b", "B", "G"):
            self.at += 1
            self.is_exact = self.is_exact and sign == "b"
            return Edge("b")
        if sign in _CLUSTERS:
            self.at += 1
            self.is_exact = False
            return _CLUSTERS[sign]
        reference = _REFERENCE.match(self._text, self.at)
        if reference is not None:
            return self._referred(reference)
        ranges, name = self._escaped()
        if flags.any_case and name:
            self.is_exact = False
            return Chars(chars.merge((*ranges, *chars.LETTERS, *chars.BEYOND)))
        return self._widen(Chars(chars.fold_case(ranges) if flags.any_case else ranges, (name,) if name else ()), flags)

    def _referred(self, match: re.Match[str]) -> Node:
        """The group that a back reference repeats: it reads no more than the group could read again."""
        digits = match[1] or ""
        while len(digits) > 1 and int(digits) > len(self._groups):  # Java takes as many digits as there are groups
            digits = digits[:-1]
        number = int(digits) - 1 if digits else self._names.get(match[2], len(self._groups))
        part = self._groups[number] if number < len(self._groups) else None
        if part is None:
            raise Unreadable
        self.at += len(digits) if digits else len(match[0])
        self.is_exact = False
        return part

    def _escaped(self) -> tuple[Ranges, str]:
        """What stands after a backslash, as ranges and the name of a category."""
        self.at, ranges, name = read_escape(self._text, self.at)
        if ranges is None:
            self.is_exact = False
            return _ANYTHING.ranges, ""
        return ranges, name

    def _class(self, flags: _Flags) -> Chars:
        was_exact, self.is_exact = self.is_exact, True
        negated = self._peek() == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        estimate: list[tuple[int, int]] = []
        names: list[str] = []
        while self._peek() != "]" or not (ranges or names):
            item, name = self._class_item(flags)
            names += [name] if name else []
            estimate += item if name else []
            ranges += [] if name else self._span(item, flags) if self._spans(item) else item
        self.at += 1
        if flags.any_case and names:
            self.is_exact = False
        exact = chars.fold_case(chars.merge(ranges)) if flags.any_case else chars.merge(ranges)
        if not self.is_exact:
            return _ANYTHING if negated or names else Chars(exact)
        self.is_exact = was_exact
        if not names:
            return Chars(chars.negate(exact) if negated else exact)
        beyond = [(0x80, chars.LAST)] if negated else []  # an estimate on either side
        whole = chars.merge([*exact, *estimate])
        return Chars(chars.merge([*(chars.negate(whole) if negated else whole), *beyond]), tuple(names), exact, negated)

    def _class_item(self, flags: _Flags) -> tuple[Ranges, str]:
        sign = self._peek()
        if sign in ("", "]"):
            raise Unreadable
        self.at += 1
        if sign == "[":  # unions and intersections are Java's own
            self._nested += 1
            if self._nested > _DEEPEST:
                raise Unreadable
            inner = self._class(flags)
            self._nested -= 1
            self.is_exact = False
            return inner.ranges, ""
        if sign == "&" and self._peek() == "&":
            self.at += 1
            self.is_exact = False
            return (), ""
        return self._escaped() if sign == "\\" else (((ord(sign), ord(sign)),), "")

    def _spans(self, item: Ranges) -> bool:
        after = self._text[self.at + 1 : self.at + 2]
        return self._peek() == "-" and after not in ("", "]") and len(item) == 1 and item[0][0] == item[0][1]

    def _span(self, start: Ranges, flags: _Flags) -> list[tuple[int, int]]:
        self.at += 1
        end, name = self._class_item(flags)
        if name or len(end) != 1 or end[0][0] != end[0][1] or end[0][0] < start[0][0]:
            raise Unreadable
        return [(start[0][0], end[0][0])]

    def _peek(self) -> str:
        if self._skips:
            self.at = _BLANKS.match(self._text, self.at).end()  # type: ignore[union-attr]  # it matches nothing too
        return self._peek_here()

    def _peek_here(self) -> str:
        return self._text[self.at : self.at + 1]


def _char(point: int, flags: _Flags) -> Chars:
    ranges = ((point, point),)
    return Chars(chars.fold_case(ranges) if flags.any_case else ranges)
