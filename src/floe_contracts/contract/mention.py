"""Whether a text may hold a name, by its bytes: reading YAML takes long, and most files are about something else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

_FOLDED: Final = re.compile(r"[\s']+")  # what YAML may write in another way without an escape


def look_for(names: Iterable[str]) -> Callable[[bytes], bool]:
    """A test of contents: False is certain to hold no contract with one of these keys, ids or names."""
    wanted = [_pieces(name.rpartition("/")[2]) for name in names if name]  # of a key, which may begin with its domain

    def may_hold(content: bytes) -> bool:
        return any(all(piece in content for piece in pieces) for pieces in wanted) or may_escape(content)

    return may_hold


def may_escape(content: bytes) -> bool:
    """Whether letters may be written by their numbers, as only text between double quotes has them."""
    return b"\\" in content and b'"' in content


def _pieces(name: str) -> list[bytes]:
    return [piece.encode("utf-8", "surrogateescape") for piece in _FOLDED.split(name)]
