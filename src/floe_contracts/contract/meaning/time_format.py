"""Formats of dates and times in the letters that the standard and Java have, out of those of other programs.

`YYYY-MM-DD` and `%Y-%m-%d` are how people, SQL and Python write what Java writes as `yyyy-MM-dd`. Java reads `YYYY` as
the year of a week, `DD` as the day of a year and `mm` as minutes, so a slip is another promise, or none.
"""

from __future__ import annotations

import re

_PART = re.compile(
    r"'(?:[^']|'')*'|%[-#]?.|HH24|HH12|FF\d?|MONTH|MON|MI|[AP]M|TZ(?:H:?TZM|[DR])|([A-Za-z])\1*|[^A-Za-z]"
)
_IN_JAVA = "yyyy yy MM MMM MMMM dd d DDD HH hh mm ss SSSSSS a xx VV % yyyy-MM-dd HH:mm:ss HH:mm MM/dd/yy"
_STRFTIME = dict(zip("YymbBdejHIMSfpzZ%FTRD", _IN_JAVA.split(" "), strict=True))
_SQL = {"HH24": "HH", "HH12": "hh", "MI": "mm", "MON": "MMM", "MONTH": "MMMM", "AM": "a", "PM": "a"}
_ROLES = {**dict.fromkeys("Yyu", "year"), **dict.fromkeys("Dd", "day"), "M": "month", "H": "hour", "h": "hour"}
_ROLES |= {"m": "minute", "Z": "offset"}
_JAVA = frozenset("GYyuDMLdQqwWEeFahKkHmsSAnNVzOXxZ")


def respell_time_format(text: str) -> str | None:
    """The format in Java's letters where it is clearly written in others; None where it is fine, or is not known."""
    parts = [match[0] for match in _PART.finditer(text)]
    is_strftime = any(part.startswith("%") for part in parts)
    pieces = [_of_strftime(part) for part in parts] if is_strftime else _of_letters(parts)
    if None in pieces or all(len(part) == 1 for part in parts):
        return None
    spelled = "".join(piece for piece in pieces if piece is not None)
    return spelled if spelled != text else None


def _of_strftime(part: str) -> str | None:
    if part.startswith("%"):
        return _STRFTIME.get(part[-1])
    return f"'{part}'" if part.isalpha() else part


def _of_letters(parts: list[str]) -> list[str | None]:
    """Each part in Java's letters: what stands around it tells months from minutes and seconds from fractions."""
    letters = [part for part in parts if part.isalnum() or part.startswith("TZ")]
    if any(part[0] in "wW" for part in letters):  # the year of a week is meant
        return list(parts)
    halves = any(part in ("a", "AM", "PM", "A", "HH12") for part in letters)
    foreign = any(part == "T" or part[0] == "Y" for part in letters)
    pieces: list[str | None] = []
    roles: list[str] = []
    for number, part in enumerate(parts):
        after = next((later for later in parts[number + 1 :] if later.isalnum()), "")
        role, piece = _role(part, roles, after, halves=halves)
        pieces.append("XXX" if role == "offset" and foreign else piece)
        roles += [role] if role else []
    if "month" in roles:
        return [part.lower() if part in ("D", "DD") else piece for part, piece in zip(parts, pieces, strict=True)]
    return pieces


def _role(part: str, roles: list[str], after: str, *, halves: bool) -> tuple[str, str | None]:
    """What a part stands for, empty for what stands for itself, and how Java writes it; None for no letter of Java."""
    if part.startswith("TZ"):
        return "offset", "xxx"
    if not part.isalnum() or part.isdecimal():
        return "", part
    if part in _SQL:
        return _ROLES.get(_SQL[part][0], ""), _SQL[part]
    if part.startswith("FF"):
        return "fraction", "S" * int(part[2:] or 6)
    if part == "T" or (part == "A" and halves):
        return "", "'T'" if part == "T" else "a"
    return _role_of_letter(part, roles[-1] if roles else "", after, halves=halves)


def _role_of_letter(part: str, last: str, after: str, *, halves: bool) -> tuple[str, str | None]:
    """The same for one letter, once or more often; `last` is the role before it, `after` what comes then."""
    first = part[0]
    if first in "Hh":
        return "hour", part.lower() if halves else part.upper()
    if first in "Mm":
        is_minute = len(part) < 3 and (last == "hour" or (last == "" and after[:1] in ("s", "S")))
        return ("minute", part.lower()) if is_minute else ("month", part.upper())
    if first in "Ss":
        return ("second", part.lower()) if last in ("minute", "") else ("fraction", part.upper())
    if first not in _JAVA:
        return "", None
    return _ROLES.get(first, ""), part.replace("Y", "y")
