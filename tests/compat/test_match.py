"""Items of two lists are paired by key, and where a key is not unique, by what they are."""

from __future__ import annotations

import pytest

from floe_contracts.compat.facts.match import best_pairs, match
from floe_contracts.contract.model import Consumer

A, B, C = Consumer("a"), Consumer("b"), Consumer("c")
TWIN = Consumer("a", "ann", ("x", "y"))
TURNED = Consumer("a", "ann", ("y", "x"))
CHANGED = Consumer("a", "bob")

ROWS: tuple[tuple[str, tuple[Consumer, ...], tuple[Consumer, ...], list[tuple[Consumer, Consumer]]], ...] = (
    ("by name in any order", (A, B), (B, A), [(A, A), (B, B)]),
    ("without partner", (A, B), (B, C), [(B, B)]),
    ("equal twins belong together", (A, TWIN), (TWIN, A), [(A, A), (TWIN, TWIN)]),
    ("so do twins whose lists are turned", (A, TWIN), (TURNED, A), [(A, A), (TWIN, TURNED)]),
    ("what is left of twins pairs in its order", (TWIN, A), (A, CHANGED), [(TWIN, CHANGED), (A, A)]),
)


@pytest.mark.parametrize(("old", "new", "pairs"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_items_are_paired(
    old: tuple[Consumer, ...], new: tuple[Consumer, ...], pairs: list[tuple[Consumer, Consumer]]
) -> None:
    found = match(old, new, lambda item: item.name)
    assert list(found.pairs) == pairs
    assert len(found.removed) == len(old) - len(pairs)
    assert len(found.added) == len(new) - len(pairs)


def test_a_later_key_serves_what_earlier_ones_left() -> None:
    found = match((A, B), (B, CHANGED), lambda item: item.owner, lambda item: item.name)
    assert list(found.pairs) == [(A, CHANGED), (B, B)]


def test_the_best_scores_are_taken_first_and_each_place_once() -> None:
    assert best_pairs([(0.5, 0, 0), (0.9, 0, 1), (0.8, 1, 1), (0.4, 1, 0)]) == [(0, 1), (1, 0)]
