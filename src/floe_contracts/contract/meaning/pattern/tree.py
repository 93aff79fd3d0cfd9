"""A regular expression as a tree of parts."""

from __future__ import annotations

from typing import TypeAlias

from ....frozen import dataclass
from .chars import Chars


class Unreadable(Exception):
    """The pattern has parts that this tree has no place for."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after the other."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Parts of which one is taken."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part that may come several times; `text` is how it is written."""

    part: Node
    least: int
    most: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A place between characters: `^`, `$`, `b` for the edge of a word."""

    sign: str


@dataclass(frozen=True, slots=True)
class LookAround:
    """A part that is looked at and not taken."""

    part: Node


@dataclass(frozen=True, slots=True)
class Atomic:
    """A part that keeps what it has matched: `(?>…)` and `…*+`."""

    part: Node


Node: TypeAlias = "Chars | Sequence | Choice | Repeat | Edge | LookAround | Atomic"
