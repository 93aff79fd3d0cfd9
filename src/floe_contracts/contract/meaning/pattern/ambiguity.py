"""Finds patterns that a backtracking matcher can take exponential time for.

A matcher that goes back tries every way to read a text before it says no. Where a repeat can read the same text in two
ways, each further character doubles the ways. The tree becomes the automaton of its places (Glushkov); two different
ways from a place back to itself over the same characters are what is looked for (Weber and Seidl: exponential degree
of ambiguity).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from ....frozen import dataclass
from .chars import Chars
from .tree import Choice, Edge, LookAround, Node, Repeat, Sequence, Unreadable, read_pattern

_PLACES = 120  # a pattern with more is not looked at
_STEPS = 400_000  # edges of the product that are looked at
_MANY = 8  # a repeat that may come so often is taken for one without an end


@lru_cache(maxsize=256)
def exponential_part(pattern: str) -> str:
    """The repeat that can read one text in two ways, as it is written; empty when there is none, or nobody knows."""
    try:
        tree = read_pattern(pattern)
        return next((text for part in _roots(tree) if (text := _Places().find(part))), "")
    except (Unreadable, RecursionError):
        return ""


def _roots(tree: Node) -> Iterator[Node]:
    """The tree, and every part that is only looked at: each is matched on its own."""
    yield tree
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (Sequence, Choice)):
            waiting += node.parts
        elif isinstance(node, (Repeat, LookAround)):
            waiting.append(node.part)
            if isinstance(node, LookAround):
                yield node.part


@dataclass(frozen=True, slots=True)
class _Span:
    """Places at which a part can begin and end, and whether it can be empty."""

    first: frozenset[int]
    last: frozenset[int]
    empty: bool


_NOTHING = _Span(frozenset(), frozenset(), True)


class _Places:
    """The automaton of one tree; an edge counts the ways from a place to the next."""

    def __init__(self) -> None:
        self._chars: list[Chars] = []
        self._ways: Counter[tuple[int, int]] = Counter()
        self._loops: list[tuple[int, int, str]] = []  # first and last place of a repeat, and how it is written

    def find(self, tree: Node) -> str:
        self._walk(tree)
        after: dict[int, list[int]] = {}
        for start, end in self._ways:
            after.setdefault(start, []).append(end)
        reach = {place: _reachable(place, after) for place in range(len(self._chars))}
        for (start, end), ways in self._ways.items():
            if ways > 1 and start in reach[end]:
                return self._written(start, end)
        return self._fork(after, reach)

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
        if isinstance(node, (Edge, LookAround)):
            return _NOTHING
        raise AssertionError(node)

    def _place(self, node: Chars) -> _Span:
        if len(self._chars) == _PLACES:
            raise Unreadable
        self._chars.append(node)
        here = frozenset({len(self._chars) - 1})
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
        start = len(self._chars)
        part = self._walk(node.part)
        self._link(part.last, part.first)
        self._loops.append((start, len(self._chars) - 1, node.text))
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

    def _link(self, before: frozenset[int], after: frozenset[int]) -> None:
        for start in before:
            for end in after:
                self._ways[start, end] += 1

    def _fork(self, after: dict[int, list[int]], reach: dict[int, frozenset[int]]) -> str:
        """Two ways that part at a place and meet there again, reading the same."""
        looped = {
            place: [step for step in after.get(place, ()) if place in reach[step]]
            for place in reach
            if place in reach[place]
        }
        steps = 0
        pairs: dict[tuple[int, int], set[tuple[int, int]]] = {}
        waiting = [(place, place) for place in looped]
        while waiting:
            pair = waiting.pop()
            if pair in pairs:
                continue
            pairs[pair] = set()
            for left in looped[pair[0]]:
                for right in looped[pair[1]]:
                    steps += 1
                    if steps > _STEPS:
                        raise Unreadable
                    if self._chars[left].meets(self._chars[right]):
                        pairs[pair].add((min(left, right), max(left, right)))
            waiting += pairs[pair]
        return next((self._written(*pair) for pair in _forked(pairs)), "")

    def _written(self, start: int, end: int) -> str:
        """The smallest repeat around two places."""
        low, high = min(start, end), max(start, end)
        around = [loop for loop in self._loops if loop[0] <= low and high <= loop[1]]
        nested = [loop for loop in around if any(_is_inside(other, loop) for other in around)] or around
        return min(nested, key=lambda loop: loop[1] - loop[0])[2] if nested else ""


def _is_inside(inner: tuple[int, int, str], outer: tuple[int, int, str]) -> bool:
    return inner is not outer and len(inner[2]) < len(outer[2])


def _reachable(place: int, after: dict[int, list[int]]) -> frozenset[int]:
    seen: set[int] = set()
    waiting = [*after.get(place, ())]
    while waiting:
        step = waiting.pop()
        if step not in seen:
            seen.add(step)
            waiting += after.get(step, ())
    return frozenset(seen)


def _forked(pairs: dict[tuple[int, int], set[tuple[int, int]]]) -> Iterator[tuple[int, int]]:
    """Pairs of different places that a pair of equal ones leads to and back from."""
    back: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for pair, steps in pairs.items():
        for step in steps:
            back.setdefault(step, set()).add(pair)
    for start in [pair for pair in pairs if pair[0] == pair[1]]:
        there, here = _spread(start, pairs), _spread(start, back)
        yield from sorted(pair for pair in there & here if pair[0] != pair[1])


def _spread(start: tuple[int, int], steps: dict[tuple[int, int], set[tuple[int, int]]]) -> set[tuple[int, int]]:
    seen = {start}
    waiting = [start]
    while waiting:
        for step in steps.get(waiting.pop(), ()):
            if step not in seen:
                seen.add(step)
                waiting.append(step)
    return seen
