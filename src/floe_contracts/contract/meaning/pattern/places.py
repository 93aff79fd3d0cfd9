"""The automaton of a pattern's tree (Glushkov): a place for each character, an edge for each way to the next."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from ....frozen import dataclass
from . import chars
from .chars import Chars
from .tree import Atomic, Choice, Edge, LookAround, Node, Repeat, Sequence, Unreadable

_PLACES = 1_000  # a pattern with more is not looked at
QUICK = 8  # edges that are looked at in the time of one step of a search
_MANY = 8  # a repeat that may come so often is taken for one without an end


@dataclass(frozen=True, slots=True)
class _Span:
    """PlaceAutomaton at which a part can begin and end, and whether it can be empty."""

    first: frozenset[int]
    last: frozenset[int]
    empty: bool


_NOTHING = _Span(frozenset(), frozenset(), True)


class Effort:
    """Counts the steps that looking at a pattern takes, and ends it after so many."""

    def __init__(self, most: int) -> None:
        self._most, self.steps = most, 0

    def count(self, steps: int = 1) -> None:
        self.steps += steps
        if self.steps > self._most:
            raise Unreadable


class PlaceAutomaton:
    """The automaton of one tree; an edge counts the ways from a place to the next."""

    def __init__(self, tree: Node, effort: Effort) -> None:
        self.effort = effort
        self.chars: list[Chars] = []
        self.ways: Counter[tuple[int, int]] = Counter()
        self._loops: list[tuple[int, int, str]] = []  # first and last place of a repeat, and how it is written
        self._greedy: dict[int, Chars] = {}  # places of repeats that keep all they can get, and what that is
        self._depth = 0  # repeats around the part that is walked
        self.first = self._walk(tree).first
        self.after: dict[int, list[int]] = {}
        for start, end in self.ways:
            self.after.setdefault(start, []).append(end)
        self.reach = {place: self._reachable(place) for place in range(len(self.chars))}

    def written(self, start: int, end: int) -> str:
        """The smallest repeat around two places."""
        low, high = min(start, end), max(start, end)
        around = [loop for loop in self._loops if loop[0] <= low and high <= loop[1]]
        nested = [loop for loop in around if any(_is_inside(other, loop) for other in around)] or around
        return min(nested, key=lambda loop: loop[1] - loop[0])[2] if nested else ""

    def _walk(self, node: Node) -> _Span:
        if isinstance(node, Chars):
            return self._place(node)
        if isinstance(node, Sequence):
            return self._join([self._walk(part) for part in node.parts])
        if isinstance(node, Choice):
            parts = [self._walk(part) for part in node.parts]
            first = frozenset().union(*(part.first for part in parts))
            last = frozenset().union(*(part.last for part in parts))
            return _Span(first, last, any(part.empty for part in parts))
        if isinstance(node, Repeat):
            return self._repeat(node)
        if isinstance(node, Atomic):
            return self._atomic(node.part)
        if isinstance(node, (Edge, LookAround)):
            return _NOTHING
        raise AssertionError(node)

    def _place(self, node: Chars) -> _Span:
        if len(self.chars) == _PLACES:
            raise Unreadable
        self.chars.append(node)
        here = frozenset({len(self.chars) - 1})
        return _Span(here, here, empty=False)

    def _join(self, parts: list[_Span]) -> _Span:
        whole = _NOTHING
        for part in parts:
            self._link(whole.last, part.first)
            first = whole.first | part.first if whole.empty else whole.first
            last = whole.last | part.last if part.empty else part.last
            whole = _Span(first, last, whole.empty and part.empty)
        return whole

    def _repeat(self, node: Repeat) -> _Span:
        if node.most is not None and node.most < _MANY:
            return self._copy(node, node.most)
        start = len(self.chars)
        self._depth += 1
        part = self._walk(node.part)
        self._depth -= 1
        self._link(part.last, part.first)
        self._loops.append((start, len(self.chars) - 1, node.text))
        return _Span(part.first, part.last, part.empty or node.least == 0)

    def _copy(self, node: Repeat, most: int) -> _Span:
        """A few repeats as so many copies, each of which only the next can follow."""
        copies = [self._walk(node.part) for _ in range(most)]
        if not copies:
            return _NOTHING
        for before, after in pairwise(copies):
            self._link(before.last, after.first)
        empty = copies[0].empty or node.least == 0
        last = frozenset[int]().union(*(copy.last for copy in copies[0 if empty else node.least - 1 :]))
        return _Span(copies[0].first, last, empty)

    def _atomic(self, part: Node) -> _Span:
        """What keeps its match has one way only, so outside of repeats it is a place that reads anything in it."""
        while isinstance(part, Sequence) and len(part.parts) == 1:
            part = part.parts[0]
        if isinstance(part, Repeat) and part.most is None and isinstance(part.part, Chars):
            span = self._repeat(part)
            self._greedy |= dict.fromkeys(span.last, part.part)
            return span
        if self._depth:
            return self._walk(part)
        span = self._place(Chars(((0, chars.LAST),)))
        return _Span(span.first, span.last, empty=True)

    def _link(self, before: frozenset[int], after: frozenset[int]) -> None:
        for start in before:
            kept = self._greedy.get(start)
            self.effort.count(len(after) // QUICK + 1)
            for end in after:
                if kept is None or not kept.covers(self.chars[end]):
                    self.ways[start, end] += 1

    def _reachable(self, place: int) -> frozenset[int]:
        seen: set[int] = set()
        waiting = [*self.after.get(place, ())]
        while waiting:
            step = waiting.pop()
            if step not in seen:
                seen.add(step)
                following = self.after.get(step, ())
                self.effort.count(len(following) // QUICK + 1)
                waiting += following
        return frozenset(seen)


def _is_inside(inner: tuple[int, int, str], outer: tuple[int, int, str]) -> bool:
    return inner is not outer and len(inner[2]) < len(outer[2])
