"""What stands after a backslash: characters by their numbers, categories of Unicode, quotations."""

from __future__ import annotations

import re
from collections.abc import Callable

from . import chars
from .chars import Ranges
from .tree import Unreadable

_HEX = re.compile(r"x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})")
_CONTROL = re.compile(r"c(.)", re.DOTALL)
_OCTAL = re.compile(r"0([0-3]?[0-7]{1,2})")
_PROPERTY = re.compile(r"[pP](?:([A-Za-z])|\{([^}]*)\})")
_QUOTED = re.compile(r"\\Q(.*?)(?:\\E|\Z)|\\.", re.DOTALL)


def open_quotes(pattern: str) -> str:
    """The pattern with what stands between backslash Q and backslash E written sign by sign, as Java reads it."""
    return _QUOTED.sub(lambda match: match[0] if match[1] is None else _escape_all(match[1]), pattern)


def read_escape(text: str, at: int) -> tuple[int, Ranges | None, str]:
    """Where an escape ends, its characters (None where they are not known), and the name of its category."""
    for pattern, read in _ESCAPES:
        match = pattern.match(text, at)
        if match is not None:
            known = read(match)
            return match.end(), *(known or (None, ""))
    sign = text[at : at + 1]
    if sign.lower() in chars.ESCAPES:
        ranges = chars.ESCAPES[sign.lower()]
        return at + 1, ranges if sign.islower() else chars.negate(ranges), ""
    if sign in chars.SIGNS:
        return at + 1, ((chars.SIGNS[sign], chars.SIGNS[sign]),), ""
    if not sign or (sign.isalnum() and sign.isascii()):
        raise Unreadable
    return at + 1, ((ord(sign), ord(sign)),), ""


def _escape_all(text: str) -> str:
    return "".join(sign if sign.isalnum() or not sign.isascii() else f"\\{sign}" for sign in text)


def _hexadecimal(match: re.Match[str]) -> tuple[Ranges, str]:
    point = int(match[1] or match[2] or match[3], 16)
    if point > chars.LAST:
        raise Unreadable
    return ((point, point),), ""


def _control(match: re.Match[str]) -> tuple[Ranges, str]:
    point = ord(match[1]) ^ 64
    return ((point, point),), ""


def _octal(match: re.Match[str]) -> tuple[Ranges, str]:
    point = int(match[1], 8)
    return ((point, point),), ""


def _property(match: re.Match[str]) -> tuple[Ranges, str] | None:
    """The characters of a category; None where floe does not know it."""
    word, negated = (match[1] or match[2]).removeprefix("Is"), match[0].startswith("P")
    if word in chars.POSIX:
        ranges = chars.POSIX[word]
        return (chars.negate(ranges) if negated else ranges), ""
    if word not in chars.CATEGORIES:
        return None
    category = chars.CATEGORIES[word]
    if negated:  # beyond ASCII a character may be on either side of the estimate
        category = chars.merge((*chars.negate(category), *chars.BEYOND))
    return category, f"\\{match[0][0]}{{{word}}}"


_Read = Callable[["re.Match[str]"], "tuple[Ranges, str] | None"]
_ESCAPES: tuple[tuple[re.Pattern[str], _Read], ...] = (
    (_HEX, _hexadecimal),
    (_OCTAL, _octal),
    (_CONTROL, _control),
    (_PROPERTY, _property),
)
