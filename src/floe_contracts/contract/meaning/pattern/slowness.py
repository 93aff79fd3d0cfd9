"""Whether a backtracking matcher may never come to an end with a pattern, and why."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from ....frozen import dataclass
from .ambiguity import find_exponential
from .forks import has_many_ways
from .places import Effort, PlaceAutomaton
from .reader import read_pattern
from .steepness import count_shared
from .tree import Atomic, Choice, LookAround, Node, Repeat, Sequence, Unreadable

_STEPS = 300_000  # of looking at one pattern: half a second
_SHARED = 2  # repeats that may share a text with one before: more, and a long text takes a matcher minutes
_BEARABLE = 3  # more, and a short text does


@dataclass(frozen=True, slots=True)
class Slowness:
    """What can take a matcher too long."""

    kind: Literal["exponential", "steep", "forks", "unknown"]
    part: str = ""
    is_bearable: bool = False  # on texts of usual length

    @property
    def reason(self) -> str:
        if self.kind == "exponential":
            return f"the pattern can take exponential time, because {self.part} can read one text in two ways"
        if self.kind == "steep":
            return f"the pattern can take hours, because its repeats {self.part} can all read the same text"
        if self.kind == "forks":
            return "the pattern can take hours, because what is optional in it can read one text in millions of ways"
        return "nobody can tell how long the pattern takes, because it is too large or written in a rare way"


def slowness_of(pattern: str) -> Slowness | None:
    """Why the pattern is slow; None when every text is matched in good time."""
    return examine(pattern)[0]


@lru_cache(maxsize=256)
def examine(pattern: str) -> tuple[Slowness | None, int]:
    """The slowness of a pattern, and the steps that it took to find out."""
    effort = Effort(_STEPS)
    try:
        return _examine(pattern, effort), effort.steps
    except (Unreadable, RecursionError):
        return Slowness("unknown"), effort.steps


def _examine(pattern: str, effort: Effort) -> Slowness | None:
    roots = list(_roots(read_pattern(pattern)))
    if not any(map(_may_fork, roots)):
        return None
    automata = [PlaceAutomaton(root, effort) for root in roots]
    part = next((text for places in automata if (text := find_exponential(places))), "")
    if part:
        return Slowness("exponential", part)
    shared, repeats = max(map(count_shared, automata), key=lambda item: item[0])
    if shared >= _SHARED:
        return Slowness("steep", " ".join(repeats), is_bearable=shared <= _BEARABLE)
    return Slowness("forks") if any(map(has_many_ways, automata)) else None


def _roots(tree: Node) -> Iterator[Node]:
    """The tree, and every part that is matched on its own: what is only looked at, and what keeps its match."""
    yield tree
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (Sequence, Choice)):
            waiting += node.parts
        elif isinstance(node, (Repeat, LookAround, Atomic)):
            waiting.append(node.part)
            if isinstance(node, LookAround):
                yield node.part
            elif isinstance(node, Atomic):  # each turn of `(…)*+` is matched on its own too
                turns = isinstance(node.part, Repeat) and node.part.least < 2
                yield node.part.part if turns and isinstance(node.part, Repeat) else node.part


def _may_fork(node: Node) -> bool:
    """Whether there is more than a choice between texts: something optional, repeated, or chosen twice."""
    if isinstance(node, Sequence):
        return sum(isinstance(part, Choice) for part in node.parts) > 1 or any(map(_may_fork, node.parts))
    if isinstance(node, Choice):
        return any(map(_may_fork, node.parts))
    if isinstance(node, Repeat):
        return node.least != node.most or isinstance(node.part, Choice) or _may_fork(node.part)
    return isinstance(node, (LookAround, Atomic)) and _may_fork(node.part)
