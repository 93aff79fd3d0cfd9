"""Semantic Versioning 2.0: the exact grammar, the order of precedence, and which version comes next.

Written out here because importing the `semver` package alone would cost a hook a fifth of its time; a test compares
the two on random versions.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..frozen import dataclass
from ..results import Bump

_NUMBER = r"(?:0|[1-9][0-9]*)"
_WORD = r"(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_GRAMMAR = (
    rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})(?:-({_WORD}(?:\.{_WORD})*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?"
)
_Precedence = tuple[int, int, int, bool, tuple[tuple[int, int, str], ...]]
_MAX_LENGTH = 255  # a longer one is an attack on the reader or on `int`


@dataclass(frozen=True, slots=True)
class Version:
    """A version; equality is exact, order is SemVer's precedence, which does not look at build metadata."""

    major: int
    minor: int
    patch: int
    prerelease: str = ""
    build: str = ""

    @property
    def is_prerelease(self) -> bool:
        return bool(self.prerelease)

    def __str__(self) -> str:
        text = f"{self.major}.{self.minor}.{self.patch}"
        return text + (f"-{self.prerelease}" if self.prerelease else "") + (f"+{self.build}" if self.build else "")

    @property
    def precedence(self) -> _Precedence:
        """What SemVer compares: a release follows its pre-releases, numbers sort before words."""
        words = tuple(
            (0, int(word), "") if word.isdecimal() else (1, 0, word) for word in self.prerelease.split(".") if word
        )
        return self.major, self.minor, self.patch, not self.prerelease, words

    def __lt__(self, other: Version) -> bool:
        return self.precedence < other.precedence

    def __le__(self, other: Version) -> bool:
        return self.precedence <= other.precedence

    def __gt__(self, other: Version) -> bool:
        return self.precedence > other.precedence

    def __ge__(self, other: Version) -> bool:
        return self.precedence >= other.precedence

    def bumped(self, bump: Bump) -> Version:
        """The smallest release that far up; a pre-release of exactly that step is released as it is."""
        if bump in (Bump.MAJOR, Bump.BLOCK):
            opens = self.minor == 0 and self.patch == 0 and self.is_prerelease
            return Version(self.major + (0 if opens else 1), 0, 0)
        if bump is Bump.MINOR:
            opens = self.patch == 0 and self.is_prerelease
            return Version(self.major, self.minor + (0 if opens else 1), 0)
        if bump is Bump.PATCH:
            return Version(self.major, self.minor, self.patch + (0 if self.is_prerelease else 1))
        return self


@lru_cache(maxsize=1_024)  # every change of a contract is weighed against the same two versions
def parse_version(text: str) -> Version | None:
    """A version, or None when the text is not exactly MAJOR.MINOR.PATCH with its optional suffixes."""
    match = re.fullmatch(_GRAMMAR, text) if len(text) <= _MAX_LENGTH else None
    if match is None:
        return None
    major, minor, patch = (int(match[group]) for group in (1, 2, 3))
    return Version(major, minor, patch, match[4] or "", match[5] or "")


def declared_bump(old: Version, new: Version) -> Bump:
    """The step that two version numbers declare; NONE when the new one is not above the old."""
    if new <= old:
        return Bump.NONE
    if new.major != old.major:
        return Bump.MAJOR
    if new.minor != old.minor:
        return Bump.MINOR
    return Bump.PATCH


def needed_bump(old: Version, required: Bump) -> Bump:
    """What a change costs from this version on: below 1.0.0 a break needs MINOR and everything else PATCH."""
    if old.major > 0 or required in (Bump.NONE, Bump.BLOCK):
        return required
    return Bump.MINOR if required is Bump.MAJOR else Bump.PATCH


def next_version(old: Version, required: Bump) -> Version:
    """The smallest version that covers a change of this cost."""
    return old.bumped(needed_bump(old, required))


_SCALAR = re.compile(r"""(?P<quote>["']?)(?P<text>[^"'\s#,}\]]+)(?P=quote)""")


def replace_version(text: str, line: int, column: int, version: str) -> str | None:
    """The text with another version at this place, counted from 1; None when no simple scalar stands there."""
    lines = text.split("\n")  # keeps \r where it is; the reader counts lines by line feeds too
    if not 1 <= line <= len(lines):
        return None
    before, after = lines[line - 1][: column - 1], lines[line - 1][column - 1 :]
    scalar = _SCALAR.match(after)
    if scalar is None:
        return None
    quote = scalar.group("quote")
    lines[line - 1] = f"{before}{quote}{version}{quote}{after[scalar.end() :]}"
    return "\n".join(lines)
