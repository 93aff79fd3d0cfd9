"""Which quality rule is which: names that differ never pair, and unnamed queries pair by tokens in linear time."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from floe_contracts.compat.facts.quality import match_rules
from floe_contracts.contract.model import QualityRule

COUNT = "SELECT count(*) FROM orders WHERE total < 0 AND state = 'open'"
PAIRS = {
    "texts with other names": (QualityRule("text", name="a"), QualityRule("text", name="b"), False),
    "one text, two names": (
        QualityRule("text", name="a", docs={"description": "x"}),
        QualityRule("text", name="b", docs={"description": "x"}),
        False,
    ),
    "one metric, two names": (
        QualityRule("library", name="a", metric="rowCount"),
        QualityRule("library", name="b", metric="rowCount"),
        False,
    ),
    "a name for the first time": (
        QualityRule("sql", query=COUNT),
        QualityRule("sql", name="open", query=COUNT),
        True,
    ),
    "another name with one id": (QualityRule("text", id="q", name="a"), QualityRule("text", id="q", name="b"), True),
    "a query in other case and spacing": (
        QualityRule("sql", query=COUNT),
        QualityRule("sql", query=COUNT.lower().replace(" ", "\n  ")),
        True,
    ),
    "a query with another limit": (
        QualityRule("sql", query=COUNT),
        QualityRule("sql", query=COUNT.replace("0", "5")),
        True,
    ),
    "another query": (
        QualityRule("sql", query=COUNT),
        QualityRule("sql", query="SELECT max(placed_at) FROM refunds"),
        False,
    ),
}


@pytest.mark.parametrize(("old", "new", "pairs"), PAIRS.values(), ids=PAIRS)
def test_which_rules_are_one(old: QualityRule, new: QualityRule, pairs: bool) -> None:
    assert bool(match_rules((old,), (new,)).pairs) is pairs
    assert bool(match_rules((new,), (old,)).pairs) is pairs


rules = st.builds(
    QualityRule,
    st.sampled_from(("sql", "text", "library")),
    name=st.sampled_from((None, "a", "b", "c")),
    metric=st.sampled_from((None, "rowCount")),
    query=st.sampled_from((None, COUNT, COUNT.lower(), "SELECT 1", COUNT + " LIMIT 1")),
)
lists = st.lists(rules, max_size=6).map(tuple)


@given(lists, lists)
def test_names_that_differ_never_pair_and_nothing_gets_lost(
    old: tuple[QualityRule, ...], new: tuple[QualityRule, ...]
) -> None:
    matched = match_rules(old, new)
    assert all(not a.name or not b.name or a.name == b.name for a, b in matched.pairs)
    assert len(matched.pairs) + len(matched.removed) == len(old)
    assert len(matched.pairs) + len(matched.added) == len(new)


def calls(count: int, size: int) -> int:
    """How many functions are called when `count` queries of `size` words are replaced."""
    sides = [
        tuple(
            QualityRule("sql", query=" ".join(f"{side}{place}x{word % 97}" for word in range(size)))
            for place in range(count)
        )
        for side in "ab"
    ]
    total = 0

    def count_call(frame: Any, event: str, argument: Any) -> None:
        nonlocal total
        total += event in ("call", "c_call")

    sys.setprofile(count_call)
    try:
        match_rules(*sides)
    finally:
        sys.setprofile(None)
    return total


def test_longer_queries_cost_no_more_than_their_length() -> None:
    assert calls(20, 800) < 2.5 * calls(20, 400)
    assert calls(20, 1600) < 2.5 * calls(20, 800)


def test_more_queries_are_bounded() -> None:
    assert calls(160, 100) < 2.5 * calls(80, 100)
    assert calls(20, 700) < 400_000  # 20 rules of 5 kB
