"""Which file of the base is the same contract as which file of the head."""

from __future__ import annotations

import pytest
from support.contracts import ORDERS
from support.orders import BROKEN, orders, side

from floe_contracts.compat.pairing import Pairing, pair

A, B, V1, V2, V3 = "a.yaml", "b.yaml", "orders.v1.yaml", "orders.v2.yaml", "orders.v3.yaml"
Files = dict[str, str]


def told(pairing: Pairing) -> list[str]:
    """In short: `old > new`, `+` added, `-` deleted, `!` unreadable, `?` illegible base, `=` double, `x` clash."""
    return [
        *(f"{old.path} > {new.path}" for old, new in pairing.pairs),
        *(f"+ {item.path}" for item in pairing.added),
        *(f"- {item.path}" for item in pairing.deleted),
        *(f"! {item.path}" for item in pairing.unreadable),
        *(f"? {item.path}" for item in pairing.illegible),
        *(f"= {item.path}" for item in pairing.doubles),
        *(f"x {' '.join(item.path for item in files)}" for files in pairing.clashes),
    ]


NAMELESS = ORDERS.replace("name: orders\n", "", 1)  # the standard asks for an id only

CASES = {
    "nothing": ({}, {}, []),
    "the same file": ({A: orders()}, {A: orders("1.1.0")}, ["a.yaml > a.yaml"]),
    "a moved file": ({A: orders()}, {B: orders()}, ["a.yaml > b.yaml"]),
    "a new contract": ({}, {A: orders()}, ["+ a.yaml"]),
    "a deleted contract": ({A: orders()}, {}, ["- a.yaml"]),
    "two contracts that swap files": (
        {A: orders(key="x", name="x"), B: orders(key="y", name="y")},
        {A: orders(key="y", name="y"), B: orders(key="x", name="x")},
        ["b.yaml > a.yaml", "a.yaml > b.yaml"],
    ),
    "a file moves and another contract takes its place": (
        {A: orders(key="x", name="x")},
        {A: orders(key="y", name="y"), B: orders(key="x", name="x")},
        ["a.yaml > b.yaml", "+ a.yaml"],
    ),
    "an unsuffixed file raises its major in place": ({A: orders()}, {A: orders("2.0.0")}, ["a.yaml > a.yaml"]),
    "a major beside the other": (
        {V2: orders("2.1.0")},
        {V2: orders("2.1.0"), V3: orders("3.0.0")},
        ["orders.v2.yaml > orders.v2.yaml", "+ orders.v3.yaml"],
    ),
    "renaming v2 to v3 deletes v2": (
        {V2: orders("2.1.0")},
        {V3: orders("3.0.0")},
        ["+ orders.v3.yaml", "- orders.v2.yaml"],
    ),
    "an unsuffixed file replaced by the next major's": (
        {A: orders()},
        {V2: orders("2.0.0")},
        ["+ orders.v2.yaml", "- a.yaml"],
    ),
    "a suffix added": ({A: orders()}, {V1: orders("1.1.0")}, ["a.yaml > orders.v1.yaml"]),
    "a suffix dropped": ({V1: orders()}, {A: orders("1.1.0")}, ["orders.v1.yaml > a.yaml"]),
    "a suffix added while the plain file goes on": (
        {A: orders()},
        {A: orders("2.0.0"), V1: orders()},
        ["a.yaml > a.yaml", "+ orders.v1.yaml"],
    ),
    "an id gained": ({A: orders(key=None)}, {A: orders()}, ["a.yaml > a.yaml"]),
    "an id gained on the way to another file": ({A: orders(key=None)}, {B: orders()}, ["a.yaml > b.yaml"]),
    "an id lost on the way to another file": ({A: orders()}, {B: orders(key=None)}, ["a.yaml > b.yaml"]),
    "an id changed in its file": ({A: orders(key="x")}, {A: orders(key="y")}, ["a.yaml > a.yaml"]),
    "another id in another file is another contract": (
        {A: orders(key="x")},
        {B: orders(key="y")},
        ["+ b.yaml", "- a.yaml"],
    ),
    "contracts without names are not alike": (
        {A: NAMELESS},
        {B: NAMELESS.replace("id: orders", "id: sales")},
        ["+ b.yaml", "- a.yaml"],
    ),
    "two files claim one line": (
        {A: orders()},
        {A: orders(), B: orders("1.1.0")},
        ["a.yaml > a.yaml", "+ b.yaml", "x a.yaml b.yaml"],
    ),
    "the older file keeps its partner, whatever the order of names": (
        {B: orders()},
        {A: orders("1.1.0"), B: orders()},
        ["b.yaml > b.yaml", "+ a.yaml", "x a.yaml b.yaml"],
    ),
    "one of two files on a line is deleted": (
        {A: orders(), B: orders()},
        {B: orders()},
        ["b.yaml > b.yaml", "= a.yaml"],
    ),
    "a head that cannot be read": ({A: orders()}, {A: BROKEN}, ["! a.yaml"]),
    "a base that cannot be read": ({A: BROKEN}, {A: orders()}, ["+ a.yaml", "? a.yaml"]),
    "a broken file on both sides": ({A: BROKEN}, {A: BROKEN}, ["! a.yaml", "? a.yaml"]),
}


@pytest.mark.parametrize(("base", "head", "expected"), CASES.values(), ids=CASES)
def test_pairs(base: Files, head: Files, expected: list[str]) -> None:
    assert told(pair(side(base), side(head))) == expected


def test_order_of_files_does_not_matter() -> None:
    base = {A: orders(), B: orders(key="y", name="y")}
    head = {A: orders("1.1.0"), V2: orders("2.0.0"), B: BROKEN}
    forwards = told(pair(side(base), side(head)))
    backwards = told(pair(reversed(side(base)), reversed(side(head))))
    assert forwards == backwards
