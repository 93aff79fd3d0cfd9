"""Finds patterns that a backtracking matcher can take exponential time for.

A matcher that goes back tries every way to read a text before it says no. Where a repeat can read the same text in two
ways, each further character doubles the ways. In the automaton of the pattern two different ways from a place back to
itself over the same characters are what is looked for (Weber and Seidl: exponential degree of ambiguity).
"""

from __future__ import annotations

from collections.abc import Iterator

from .places import QUICK, Effort, PlaceAutomaton

Pair = tuple[int, int]


def find_exponential(places: PlaceAutomaton) -> str:
    """The repeat that can read one text in two ways, as it is written; empty when there is none."""
    for (start, end), ways in places.ways.items():
        if ways > 1 and start in places.reach[end]:
            return places.written(start, end)
    return next((places.written(*pair) for pair in _forked(_pairs(places), places.effort)), "")


def _pairs(places: PlaceAutomaton) -> dict[Pair, set[Pair]]:
    """Pairs of places that two ways from one place lead to over the same characters, each with those that follow."""
    looped = {
        place: [step for step in places.after.get(place, ()) if place in places.reach[step]]
        for place in places.reach
        if place in places.reach[place]
    }
    pairs: dict[Pair, set[Pair]] = {}
    waiting = [(place, place) for place in looped]
    while waiting:
        pair = waiting.pop()
        if pair in pairs:
            continue
        pairs[pair] = set()
        for left in looped[pair[0]]:
            for right in looped[pair[1]]:
                places.effort.count()
                if places.chars[left].meets(places.chars[right]):
                    pairs[pair].add((min(left, right), max(left, right)))
        waiting += pairs[pair]
    return pairs


def _forked(pairs: dict[Pair, set[Pair]], effort: Effort) -> Iterator[Pair]:
    """Pairs of different places that a pair of equal ones leads to and back from."""
    back: dict[Pair, set[Pair]] = {}
    for pair, steps in pairs.items():
        for step in steps:
            back.setdefault(step, set()).add(pair)
    for start in [pair for pair in pairs if pair[0] == pair[1]]:
        there, here = _spread(start, pairs, effort), _spread(start, back, effort)
        yield from sorted(pair for pair in there & here if pair[0] != pair[1])


def _spread(start: Pair, steps: dict[Pair, set[Pair]], effort: Effort) -> set[Pair]:
    seen = {start}
    waiting = [start]
    while waiting:
        following = steps.get(waiting.pop(), ())
        effort.count(len(following) // QUICK + 1)
        waiting += [step for step in following if step not in seen]
        seen.update(following)
    return seen
