"""Remarks about regular expressions that do not compile: an error where no engine could read them.

Engines differ: Java has \\p{L}, possessive repeats and flags in the middle, ECMAScript has [^]. What Python refuses is
therefore only certain to be wrong for mistakes that all of them refuse.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator

from ...codes import Severity
from ..model import Pointer
from .remark import Remark

_JAVA_ONLY = re.compile(r"\\[pP](?:\{[^}]*\}|\w)|\(\?<(?![=!])")  # \p{L} and (?<name>, which Python spells otherwise


def pattern_remarks(pattern: str, at: Pointer, element: str) -> Iterator[Remark]:
    """Remarks on a pattern that Python cannot compile, and on classes of POSIX, which mean something else in Java."""
    if "[:" in pattern:
        yield from _posix_remarks(pattern, at, element)
    problem = _problem(pattern)
    if problem is None:
        return
    common = _JAVA_ONLY.sub(lambda match: "(?P<" if match[0] == "(?<" else "a", pattern)
    worse = _problem(common)
    certain = isinstance(worse, re.error) and _is_certain(worse, common)
    verdict = "is not a regular expression" if certain else "cannot be read as a regular expression"
    yield Remark(
        "pattern-unreadable",
        f"the pattern {pattern!r} {verdict}: {worse if certain else problem}",
        at,
        severity=Severity.ERROR if certain else Severity.WARNING,
        element=element,
        actual=pattern,
        suggestion="Check brackets and escapes; in YAML, single quotes keep backslashes as they are.",
    )


_SETS: dict[str, str] = {  # as every engine reads them, inside the brackets of a set
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1F\x7F",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\s",
    "upper": "A-Z",
    "word": r"\w",
    "xdigit": "0-9A-Fa-f",
}
_POSIX = re.compile(rf"\[:(\^?)({'|'.join(_SETS)}):\]")


def _posix_remarks(pattern: str, at: Pointer, element: str) -> Iterator[Remark]:
    """A remark on `[[:alpha:]]`, which Java, Python and ECMAScript read as a set of a few letters and a colon."""
    first = _POSIX.search(pattern)
    if first is None:
        return
    yield Remark(
        "pattern-posix-class",
        f"the pattern {pattern!r} has the class {first[0]}, which is read as the characters : "
        f"{' '.join(dict.fromkeys(first[2]))}",
        at,
        severity=Severity.WARNING,
        element=element,
        actual=pattern,
        suggestion=f"Write {_without_posix(pattern)}.",
    )


def _without_posix(pattern: str) -> str:
    """The pattern with the sets that are meant: inside brackets a part of them, outside a set of its own."""
    parts, inside, at = [], False, 0
    while at < len(pattern):
        match = _POSIX.match(pattern, at)
        if match:
            part = f"\\P{{{match[2].capitalize().replace('Xd', 'XD')}}}" if inside and match[1] else _SETS[match[2]]
            parts.append(part if inside else f"[{match[1]}{part}]")
            at = match.end()
            continue
        width = 2 if pattern[at] == "\\" else 1
        inside = pattern[at] != "]" and (inside or pattern[at] == "[")
        parts.append(pattern[at : at + width])
        at += width
    return "".join(parts)


def _problem(pattern: str) -> re.error | RecursionError | OverflowError | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python may read otherwise one day is no matter of the contract
            re.compile(pattern)
    except (re.error, RecursionError, OverflowError) as problem:
        return problem
    return None


def _is_certain(problem: re.error, pattern: str) -> bool:
    return any(
        problem.msg.startswith(start) and holds(pattern, problem.pos or 0, problem.msg)
        for start, holds in _CERTAIN.items()
    )


def _always(_pattern: str, _at: int, _message: str) -> bool:
    return True


def _no_empty_set(pattern: str, _at: int, _message: str) -> bool:
    return "[]" not in pattern and "[^]" not in pattern  # ECMAScript reads both as whole sets


def _repeats_nothing(pattern: str, at: int, _message: str) -> bool:
    return pattern[:at].endswith(("(", "|", "(?:")) or at == 0  # Java lets `^*` pass


def _is_repeated_star(pattern: str, at: int, _message: str) -> bool:
    return pattern[at : at + 1] == "*"  # `a++` and `a{2}{3}` mean something elsewhere


def _is_reversed(_pattern: str, _at: int, message: str) -> bool:
    ends = re.fullmatch(r"bad character range (\w)-(\w)", message.partition(" at position")[0])
    return ends is not None and ends[1] > ends[2]


_CERTAIN: dict[str, Callable[[str, int, str], bool]] = {
    "bad character range": _is_reversed,
    "bad escape (end of pattern)": _always,
    "min repeat greater than max repeat": _always,
    "missing )": _no_empty_set,
    "multiple repeat": _is_repeated_star,
    "nothing to repeat": _repeats_nothing,
    "unbalanced parenthesis": _no_empty_set,
    "unterminated character set": _no_empty_set,
}
