"""Sets of characters as ranges of code points, by the meaning that Java gives to classes and escapes."""

from __future__ import annotations

from collections.abc import Iterable

from ....frozen import dataclass

LAST = 0x10FFFF
Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Chars:
    """Characters that may stand at one place; with categories in it, `ranges` are an estimate of all of them."""

    ranges: Ranges
    named: tuple[str, ...] = ()  # categories, as they are written
    exact: Ranges = ()  # beside categories: the other members of the class
    negated: bool = False  # beside categories: the class is written as [^…]

    def meets(self, other: Chars) -> bool:
        """Whether a character belongs to both."""
        return any(low <= top and bottom <= high for low, high in self.ranges for bottom, top in other.ranges)

    def covers(self, other: Chars) -> bool:
        """Whether every character of the other belongs here; categories cover only themselves."""
        if self.named:
            return self == other
        return all(any(low <= bottom and top <= high for low, high in self.ranges) for bottom, top in other.ranges)


def merge(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The same characters in order, without overlaps."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return tuple(merged)


def negate(ranges: Ranges) -> Ranges:
    """Every other character."""
    gaps, start = [], 0
    for low, high in merge(ranges):
        if low > start:
            gaps.append((start, low - 1))
        start = high + 1
    return tuple([*gaps, (start, LAST)] if start <= LAST else gaps)


def fold_case(ranges: Ranges) -> Ranges:
    """With the other case of ASCII letters, as `(?i)` means in Java."""
    more = []
    for low, high in ranges:
        for first, last, step in ((0x41, 0x5A, 32), (0x61, 0x7A, -32)):
            if low <= last and first <= high:
                more.append((max(low, first) + step, min(high, last) + step))
    return merge((*ranges, *more))


def _of(text: str) -> Ranges:
    return merge((ord(sign), ord(sign)) for sign in text)


_DIGITS: Ranges = ((0x30, 0x39),)
_UPPER: Ranges = ((0x41, 0x5A),)
_LOWER: Ranges = ((0x61, 0x7A),)
BEYOND: Ranges = ((0x80, LAST),)
LETTERS = merge((*_UPPER, *_LOWER))
_ALNUM = merge((*LETTERS, *_DIGITS))
_PUNCTUATION = _of("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_SPACES = _of(" \t\n\x0b\f\r")
LINE_ENDS = _of("\n\r\x85\u2028\u2029")

ESCAPES: dict[str, Ranges] = {
    "d": _DIGITS,
    "w": merge((*_ALNUM, (0x5F, 0x5F))),
    "s": _SPACES,
    "h": merge((*_of(" \t\xa0\u1680\u180e\u202f\u205f\u3000"), (0x2000, 0x200A))),
    "v": _of("\n\x0b\f\r\x85\u2028\u2029"),
}
SIGNS = {"t": 9, "n": 10, "r": 13, "f": 12, "a": 7, "e": 27}

# Java's POSIX classes are ASCII alone, so exact.
POSIX: dict[str, Ranges] = {
    "Lower": _LOWER,
    "Upper": _UPPER,
    "Alpha": LETTERS,
    "Digit": _DIGITS,
    "Alnum": _ALNUM,
    "Punct": _PUNCTUATION,
    "Space": _SPACES,
    "Blank": _of(" \t"),
    "ASCII": ((0, 0x7F),),
    "XDigit": merge((*_DIGITS, (0x41, 0x46), (0x61, 0x66))),
}
# Categories of Unicode: their ASCII part, and all beyond it where any is.
CATEGORIES: dict[str, Ranges] = {
    "L": merge((*LETTERS, *BEYOND)),
    "Lu": merge((*_UPPER, *BEYOND)),
    "Ll": merge((*_LOWER, *BEYOND)),
    "M": BEYOND,
    "N": merge((*_DIGITS, *BEYOND)),
    "Nd": merge((*_DIGITS, *BEYOND)),
    "P": merge((*_PUNCTUATION, *BEYOND)),
    "S": merge((*_PUNCTUATION, *BEYOND)),
    "Z": merge((*_of(" "), *BEYOND)),
    "Zs": merge((*_of(" "), *BEYOND)),
}
