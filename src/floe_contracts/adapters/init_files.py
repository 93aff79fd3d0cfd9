"""Files that `floe init` proposes, and what becomes of each: nothing that exists is lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from enum import Enum

from ..errors import FloeError
from ..frozen import dataclass
from .outfile import write_whole


class Fate(str, Enum):
    """What became of a file."""

    WRITTEN = "written"
    REPLACED = "replaced"
    SAME = "as it is"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Proposed:
    """A file to be; `known` is a word by which an existing file shows that it has this already."""

    path: str
    text: str
    why: str = ""
    known: str = ""


def put(proposed: Proposed, folder: str, may_replace: Callable[[str], bool]) -> Fate:
    """Write the file, unless there is another one and nobody says that it may be replaced."""
    path = os.path.join(folder, proposed.path)
    there = _content(path)
    if there is not None:
        if there == proposed.text or (proposed.known and proposed.known in there):
            return Fate.SAME
        if not may_replace(proposed.path):
            return Fate.KEPT
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    except OSError as error:
        raise FloeError(
            f"{proposed.path} cannot be written: {error.strerror}", fix="Make room for its folder."
        ) from error
    write_whole(path, proposed.text)
    return Fate.WRITTEN if there is None else Fate.REPLACED


def indented(text: str, by: int = 4) -> Sequence[str]:
    """The lines that somebody should add to a file that was kept."""
    return [f"{' ' * by}{line}" for line in text.rstrip("\n").split("\n")]


def _content(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        return ""  # it is there, whatever it holds
