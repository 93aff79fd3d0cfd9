"""Kept counts add up, and are forgotten when there is any doubt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from floe_contracts.monitor.store.states import (
    PartState,
    TableState,
    add_counts,
    compare_state,
    decode_state,
    encode_state,
)

A = PartState("a", "1", (10, 2), newest=5, nulls=0)
B = PartState("b", "1", (20, None))
STATE = TableState((A, B), ((1, 2), None))


@pytest.mark.parametrize(
    ("now", "kept", "fresh", "only_added"),
    [
        pytest.param({"a": "1", "b": "1"}, (A,), ("b",), False, id="what was not measured is measured again"),
        pytest.param({"a": "2"}, (), ("a",), False, id="a part that changed"),
        pytest.param({}, (), (), False, id="an empty table"),
    ],
)
def test_parts_are_compared_by_their_files(
    now: dict[str, str], kept: tuple[PartState, ...], fresh: tuple[str, ...], only_added: bool
) -> None:
    found = compare_state(STATE, now)
    assert (found.kept, found.fresh, found.only_added) == (kept, fresh, only_added)


def test_a_part_that_came_takes_nothing_away() -> None:
    found = compare_state(TableState((A,)), {"a": "1", "c": "1"})
    assert (found.kept, found.fresh, found.only_added) == ((A,), ("c",), True)


def test_without_a_state_everything_is_fresh() -> None:
    found = compare_state(None, {"b": "1", "a": "1"})
    assert (found.fresh, found.only_added) == (("a", "b"), False)


def test_an_unknown_number_makes_the_sum_unknown() -> None:
    assert add_counts((A, B), 2) == (30, None)
    assert add_counts((), 2) == (0, 0)


def test_a_store_gives_back_what_it_got() -> None:
    assert decode_state(encode_state(STATE, "orders", "sha256:1")) == STATE


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="no JSON"),
        pytest.param(b"7", id="a number"),
        pytest.param(b'[["x"],null,null]', id="text for a count"),
        pytest.param(b"[[true],null,null]", id="a truth for a count"),
    ],
)
def test_a_damaged_state_is_no_state(damage: bytes) -> None:
    entries = encode_state(STATE, "orders", "sha256:1")
    assert decode_state([entries[0], replace(entries[1], state=damage)]) is None
    assert decode_state(entries[1:]) is None
