"""Versions of contracts by Semantic Versioning 2.0.

Plain releases, which nearly all of them are, are read and compared here: the `semver` package brings argparse and
inspect, a tenth of what the gate takes for one changed contract. Whatever has a suffix is left to it. See
docs/adr/0030.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..frozen import dataclass, field
from ..results import Bump

TYPE_CHECKING = False
if TYPE_CHECKING:
    import semver

_MAX_LENGTH = 255  # a longer one is an attack on the reader or on `int`
_RELEASE = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Version:
    """MAJOR.MINOR.PATCH and its suffixes; two that differ in build metadata alone are equal."""

    major: int
    minor: int
    patch: int
    prerelease: str | None = None
    build: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        suffixes = (f"-{self.prerelease}" if self.prerelease else "", f"+{self.build}" if self.build else "")
        return f"{self.major}.{self.minor}.{self.patch}{''.join(suffixes)}"

    def __lt__(self, other: Version) -> bool:
        return self._compare(other) < 0

    def __le__(self, other: Version) -> bool:
        return self._compare(other) <= 0

    def __gt__(self, other: Version) -> bool:
        return self._compare(other) > 0

    def __ge__(self, other: Version) -> bool:
        return self._compare(other) >= 0

    def _compare(self, other: Version) -> int:
        mine, theirs = (self.major, self.minor, self.patch), (other.major, other.minor, other.patch)
        if mine != theirs or self.prerelease == other.prerelease:
            return (mine > theirs) - (mine < theirs)
        return _semver_of(self).compare(_semver_of(other))


@lru_cache(maxsize=1_024)  # every change of a contract is weighed against the same two versions
def parse_version(text: str) -> Version | None:
    """A version, or None when the text is not exactly MAJOR.MINOR.PATCH with its optional suffixes."""
    if len(text) > _MAX_LENGTH or not (text.isascii() and text.isprintable()):  # semver 3.0 lets digits of any script
        return None  # and a line end pass
    if release := _RELEASE.fullmatch(text):
        return Version(int(release[1]), int(release[2]), int(release[3]))
    if not ("-" in text or "+" in text):
        return None
    import semver

    try:
        return _from_semver(semver.Version.parse(text))
    except ValueError:
        return None


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
    """The smallest release that covers a change of this cost; a pre-release of exactly that step is released as it is.

    Build metadata is dropped.
    """
    needed = needed_bump(old, required)
    if needed is Bump.NONE:
        return old
    if old.prerelease:
        return _from_semver(_semver_of(old).next_version("major" if needed is Bump.BLOCK else needed.value))
    if needed is Bump.PATCH:
        return Version(old.major, old.minor, old.patch + 1)
    return Version(old.major, old.minor + 1, 0) if needed is Bump.MINOR else Version(old.major + 1, 0, 0)


def _semver_of(version: Version) -> semver.Version:
    """The version as the package knows it, without its build metadata, which semver 3.0 takes for a pre-release."""
    import semver

    return semver.Version(version.major, version.minor, version.patch, version.prerelease)


def _from_semver(version: semver.Version) -> Version:
    return Version(version.major, version.minor, version.patch, version.prerelease, version.build)


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
