"""Counts the repeats of a pattern that can share one text, each of which multiplies the ways to read it by its length.

`a*a*` reads a text of n characters in n ways, `a*a*a*` in n² (Weber and Seidl: polynomial degree of ambiguity). Two
repeats share a text when the first can read it, the second can, and the way from the one to the other can.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from .places import PlaceAutomaton

Triple = tuple[int, int, int]


def count_shared(places: PlaceAutomaton) -> tuple[int, tuple[str, ...]]:
    """How many times a repeat shares its text with one before it, along the worst way; and these repeats."""
    loops = _loops(places)
    search = _Search(places)
    best: list[tuple[int, tuple[str, ...]]] = []
    for number, loop in enumerate(loops):  # in the order of the ways through the pattern
        most = 0
        names: tuple[str, ...] = (_written(places, loop),)
        for before in range(number):
            if not places.reach[min(loops[before])] & loop:
                continue
            degree, earlier = best[before]
            shares = search.can_share(loops[before], loop)
            if degree + shares > most:
                most, names = degree + shares, (*earlier, _written(places, loop)) if shares else earlier
        best.append((most, names))
    return max(best, key=lambda item: item[0], default=(0, ()))


def _loops(places: PlaceAutomaton) -> list[frozenset[int]]:
    """PlaceAutomaton that lead to each other, those first that lead to the others."""
    cyclic = [place for place, reached in places.reach.items() if place in reached]
    groups = {
        frozenset(other for other in cyclic if other in places.reach[p] and p in places.reach[other]) for p in cyclic
    }
    return sorted(groups, key=lambda group: (-len(places.reach[min(group)]), min(group)))


def _written(places: PlaceAutomaton, loop: frozenset[int]) -> str:
    return places.written(min(loop), max(loop))


class _Search:
    """Looks for a text that one repeat can read, the next can, and the way from the one to the other can."""

    def __init__(self, places: PlaceAutomaton) -> None:
        self._places = places

    def can_share(self, first: frozenset[int], second: frozenset[int]) -> bool:
        return any(self._leads(start, end, first, second) for start in first for end in second)

    def _leads(self, start: int, end: int, first: frozenset[int], second: frozenset[int]) -> bool:
        """Whether one text leads from (start, start, end) to (start, end, end), each step over one character."""
        goal = (start, end, end)
        seen: set[Triple] = set()
        waiting: list[Triple] = [(start, start, end)]
        while waiting and goal not in seen:
            for step in self._steps(waiting.pop()):
                if step not in seen and step[0] in first and step[2] in second:
                    seen.add(step)
                    waiting.append(step)
        return goal in seen

    def _steps(self, triple: Triple) -> Iterator[Triple]:
        """All steps that read one character at each of the three."""
        self._places.effort.count()
        lefts, middles, rights = (self._places.after.get(place, ()) for place in triple)
        chars = self._places.chars
        for left, right in product(lefts, rights):
            self._places.effort.count()
            if chars[left].meets(chars[right]):
                for middle in middles:
                    self._places.effort.count()
                    if chars[middle].meets(chars[left]) and chars[middle].meets(chars[right]):
                        yield left, middle, right
