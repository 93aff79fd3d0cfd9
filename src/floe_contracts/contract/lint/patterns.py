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
    """A remark on a pattern that Python cannot compile."""
    problem = _problem(pattern)
    if problem is None:
        return
    common = _JAVA_ONLY.sub(lambda match: "(?P<" if match[0] == "(?<" else "a", pattern)
    worse = _problem(common)
    certain = isinstance(worse, re.error) and _is_certain(worse, common)
    verdict = "is no regular expression" if certain else "cannot be read as a regular expression"
    yield Remark(
        "pattern-unreadable",
        f"the pattern {pattern!r} {verdict}: {worse if certain else problem}",
        at,
        severity=Severity.ERROR if certain else Severity.WARNING,
        element=element,
        actual=pattern,
        suggestion="Check brackets and escapes; in YAML, single quotes keep backslashes as they are.",
    )


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
