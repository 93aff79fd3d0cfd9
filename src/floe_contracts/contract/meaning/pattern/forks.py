"""Counts how often a pattern without repeats in a row can fork: `a?a?a?aaa` reads a text in ways that double each time.

A fork is a place from which two ways over the same characters lead to one place again. So many forks one after the
other are so many doublings, however short the text; an exponential or steep repeat has more of them than any text.
"""

from __future__ import annotations

from .places import PlaceAutomaton

_FORKS = 8  # more are not counted
_WAYS = 1_000_000  # fewer ways are tried in no time
Pair = tuple[int, int]


def has_many_ways(places: PlaceAutomaton) -> bool:
    """Whether the ways to read one text go beyond what a matcher tries in good time."""
    return _count_ways(places) > _WAYS and _count_forks(places) >= _FORKS


def _count_ways(places: PlaceAutomaton) -> int:
    """The most ways from the beginning to one place over so many characters; each repeat is gone through once."""
    ways = {(place, 1): 1 for place in places.first}
    most = 1
    for length in range(1, len(places.chars) + 1):
        for place in [place for place, so_far in ways if so_far == length]:
            for step in places.after.get(place, ()):
                places.effort.count()
                if place not in places.reach[step]:
                    key = (step, length + 1)
                    ways[key] = ways.get(key, 0) + ways[place, length]
                    most = max(most, ways[key])
        if most > _WAYS:
            break
        ways = {key: count for key, count in ways.items() if key[1] > length}
    return most


def _count_forks(places: PlaceAutomaton) -> int:
    """The longest row of forks, each of which begins where the one before has ended."""
    forks: dict[Pair, int] = {(place, place): 0 for place in places.reach}
    most, waiting = 0, list(forks)
    while waiting and most < _FORKS:
        pair = waiting.pop()
        for left in places.after.get(pair[0], ()):
            for right in places.after.get(pair[1], ()):
                places.effort.count()
                if not places.chars[left].meets(places.chars[right]):
                    continue
                step = (min(left, right), max(left, right))
                count = forks[pair] + (left == right and pair[0] != pair[1])
                if count > forks.get(step, -1):
                    forks[step] = count
                    most = max(most, count)
                    waiting.append(step)
    return most
