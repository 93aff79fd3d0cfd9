"""Versions of contracts by Semantic Versioning 2.0, as the `semver` package reads, orders and raises them."""

from __future__ import annotations

import re
from functools import lru_cache

from semver import Version

from ..results import Bump

__all__ = ["Version", "declared_bump", "needed_bump", "next_version", "parse_version", "replace_version"]

_MAX_LENGTH = 255  # a longer one is an attack on the reader or on `int`


@lru_cache(maxsize=1_024)  # every change of a contract is weighed against the same two versions
def parse_version(text: str) -> Version | None:
    """A version, or None when the text is not exactly MAJOR.MINOR.PATCH with its optional suffixes."""
    if len(text) > _MAX_LENGTH or not (text.isascii() and text.isprintable()):  # semver 3.0 lets digits of any script
        return None  # and a line end pass
    try:
        return Version.parse(text)
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

    Build metadata is dropped first, because semver 3.0 takes a version with it for a pre-release.
    """
    needed = needed_bump(old, required)
    if needed is Bump.NONE:
        return old
    return old.replace(build=None).next_version("major" if needed is Bump.BLOCK else needed.value)


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
