"""How the work of pairing, comparing and rendering grows with a change: calls are counted, so no clock has a say."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from types import FrameType

import pytest

from floe_contracts.app.report import FORMATS, Shape, render_report
from floe_contracts.compat.gate import Comparison
from floe_contracts.compat.gate import gate as compare
from floe_contracts.compat.pairing import pair
from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.compat.verdict import GatePolicy
from floe_contracts.contract.load import Loaded, load
from floe_contracts.results import Report

FEW, TIMES = 60, 6
DAY = date(2026, 1, 1)
Files = list[Loaded]


def contract(place: int, columns: str, *, name: str = "", version: str = "1.0.0", more: str = "") -> Loaded:
    text = f"schema: {name or f't{place}'}\nversion: {version}\nowner: shop\nfields:\n{columns}{more}"
    return load(text.encode(), f"contracts/{place:05}.yaml")


def column(name: str, kind: str = "STRING") -> str:
    return f"  - {{name: {name}, type: {kind}}}\n"


def many_files(number: int) -> tuple[Files, Files]:
    """Every contract breaks."""
    return (
        [contract(place, column("a") + column("b")) for place in range(number)],
        [contract(place, column("a", "INT")) for place in range(number)],
    )


def moved_files(number: int) -> tuple[Files, Files]:
    """Every contract lies elsewhere, in the opposite order."""
    before = [contract(place, column("a")) for place in range(number)]
    return before, [contract(number - place, column("a"), name=f"t{place}") for place in range(number)]


def one_line(number: int) -> tuple[Files, Files]:
    """All files claim to be one contract."""
    return [contract(0, column("a"), name="t")], [contract(place, column("a"), name="t") for place in range(number)]


def many_columns(number: int) -> tuple[Files, Files]:
    """All columns of one table have new names."""
    sides = ("".join(column(f"{word}_{place}") for place in range(number)) for word in ("old", "new"))
    before, after = ([contract(0, columns)] for columns in sides)
    return before, after


def many_rules(number: int) -> tuple[Files, Files]:
    """All rules of one table are replaced, and none has a name."""

    def rules(word: str) -> str:
        query = "SELECT count(*) FROM t WHERE {word}_{place} < {place}"
        lines = (
            f"  - {{type: sql, query: '{query.format(word=word, place=place)}', mustBe: 0}}\n"
            for place in range(number)
        )
        return f"quality:\n{''.join(lines)}"

    before, after = ([contract(0, column("a"), more=rules(word))] for word in ("old", "new"))
    return before, after


SHAPES = {
    "many files that break": many_files,
    "many files that moved": moved_files,
    "many files of one line": one_line,
    "many columns with new names": many_columns,
    "many rules that are replaced": many_rules,
}


def count_calls(work: Callable[[], object]) -> int:
    """How many calls a piece of work takes, of Python's functions and of built-in ones."""
    calls = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def judge(sides: tuple[Files, Files]) -> Report:
    comparison = Comparison(tuple(sides[0]), tuple(sides[1]), GatePolicy(make_ruleset()), DAY)
    return compare(comparison, tool_version="0")


def assert_linear(small: int, large: int) -> None:
    assert large <= small * TIMES * 1.35, (small, large)  # quadratic would be 36 times as much


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
def test_pairing_and_comparing_grow_with_the_change(make: Callable[[int], tuple[Files, Files]]) -> None:
    judge(make(2))  # what is loaded and remembered once
    few, many = make(FEW), make(FEW * TIMES)
    assert_linear(count_calls(lambda: pair(*few)) + 1_000, count_calls(lambda: pair(*many)) + 1_000)
    few, many = make(FEW), make(FEW * TIMES)
    assert_linear(count_calls(lambda: judge(few)), count_calls(lambda: judge(many)))


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
def test_rendering_grows_with_the_report(make: Callable[[int], tuple[Files, Files]], form: str) -> None:
    shape = Shape(today=DAY)
    render_report(judge(make(2)), form, shape)
    few, many = judge(make(FEW)), judge(make(FEW * TIMES))
    small, large = (count_calls(lambda report=report: render_report(report, form, shape)) for report in (few, many))  # type: ignore[misc]
    assert large <= small * TIMES * 1.35, (small, large)  # a page of limited size may take less
