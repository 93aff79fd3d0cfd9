"""Contracts that grow: lint and comparison take as long as there is text, whatever it is full of."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest

from floe_contracts.compat.facts import facts_between
from floe_contracts.contract.load import load
from floe_contracts.contract.model import Contract

HEAD = "apiVersion: v3.1.0\nkind: DataContract\nid: c\nname: c\nversion: 1.0.0\nstatus: active\n"
TABLE = "schema:\n- name: t\n  logicalType: object\n  properties:\n"
SMALL, TIMES = 250, 8


def columns(count: int, more: str = "") -> str:
    return TABLE + "".join(f"  - {{name: col{place}, logicalType: string{more}}}\n" for place in range(count))


def levels(count: int, line: str) -> str:
    return "slaProperties:\n" + "".join(f"- {{property: latency, unit: d, {line}}}\n".replace("N", str(place))
                                        for place in range(count))  # fmt: skip


def unknown_elements(count: int) -> str:
    return HEAD + columns(count) + levels(count, "value: N, element: t.columnN")


def values_that_are_none(count: int) -> str:
    return HEAD + columns(1) + levels(count, "value: xN, zz: 1")


def promises(count: int, unit: str = "1") -> str:
    return HEAD + columns(count) + levels(count, f"value: {unit}, element: t.colN")


def links(count: int) -> str:
    return HEAD + columns(count, ", relationships: [{type: foreignKey, to: t.col0}]")


def links_by_id(count: int) -> str:
    return HEAD + columns(count, ", relationships: [{type: foreignKey, to: schema/t/properties/nowhere}]")


def seconds(work: Callable[[], object]) -> float:
    best = 60.0
    for _ in range(3):
        started = process_time()
        work()
        best = min(best, process_time() - started)
    return best


def assert_grows_evenly(work: Callable[[int], Callable[[], object]]) -> None:
    small, large = (seconds(work(size)) for size in (SMALL, SMALL * TIMES))
    assert large <= small * TIMES * 3 + 0.05  # quadratic would be 64 times as long


@pytest.mark.parametrize("text", [unknown_elements, values_that_are_none, promises, links, links_by_id])
def test_lint(text: Callable[[int], str]) -> None:
    def work(size: int) -> Callable[[], object]:
        content = text(size).encode()
        return lambda: load(content, "c.yaml")

    assert_grows_evenly(work)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(promises, lambda size: promises(size, "2"), id="service levels"),
        pytest.param(links, lambda size: HEAD + columns(size), id="foreign keys"),
        pytest.param(links_by_id, lambda size: HEAD + columns(size), id="foreign keys by id"),
    ],
)
def test_comparison(old: Callable[[int], str], new: Callable[[int], str]) -> None:
    def work(size: int) -> Callable[[], object]:
        before, after = read(old(size)), read(new(size))
        return lambda: facts_between(before, after)

    assert_grows_evenly(work)


def read(text: str) -> Contract:
    loaded = load(text.encode(), "c.yaml")
    contract = loaded.contract or loaded.named
    assert contract is not None
    return contract
