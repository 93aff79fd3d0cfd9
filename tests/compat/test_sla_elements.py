"""Where the element of a service level is part of the promise, and where it is not."""

from __future__ import annotations

import pytest
from support.orders import loaded

from floe_contracts.compat.ruleset import make_ruleset
from floe_contracts.compat.verdict import GatePolicy, judge
from floe_contracts.contract.convert import convert
from floe_contracts.contract.digest import content_hash
from floe_contracts.contract.meaning.sla_kinds import ON_COLUMNS, TABLE, Kind, Measure
from floe_contracts.contract.model import Contract, Dialect
from floe_contracts.results import Bump

VALUES = {
    Measure.DURATION: "PT6H",
    Measure.CALENDAR: "P1Y",
    Measure.INTERVAL: "P1D",
    Measure.SHARE: "99%",
    Measure.PERCENT: "1%",
    Measure.COUNT: "10",
    Measure.CLOCK: "06:00 UTC",
    Measure.DAY: '"2030-01-01"',
}
ONE = "models: {orders: {elements: {a: {type: timestamp}, b: {type: timestamp}}}}\n"
TWO = "models: {orders: {elements: {a: {type: timestamp}}}, sales: {elements: {a: {type: timestamp}}}}\n"


def contract(level: str, element: str, tables: str = ONE, default: str = "") -> str:
    about = f", element: {element}" if element else ""
    more = f"slaDefaultElement: {default}\n" if default else ""
    return f"name: orders\nversion: 1.0.0\nstatus: active\n{tables}{more}slaProperties: {{{level[:-1]}{about}}}}}\n"


def bump(old: str, new: str) -> Bump:
    step = judge(loaded(old), loaded(new), GatePolicy(make_ruleset())).version
    assert step is not None
    return step.required


LEVELS = [
    pytest.param(row.kind, f"{row.kind.value}: {{value: {VALUES[row.measure]}}}", id=row.kind.value) for row in TABLE
]


@pytest.mark.parametrize(("kind", "level"), LEVELS)
def test_another_element_of_the_only_table(kind: Kind, level: str) -> None:
    expected = Bump.MAJOR if kind in ON_COLUMNS else Bump.NONE
    assert bump(contract(level, "a"), contract(level, "b")) is expected


@pytest.mark.parametrize(("kind", "level"), LEVELS)
def test_an_element_that_is_named_for_the_first_time(kind: Kind, level: str) -> None:
    expected = Bump.MINOR if kind in ON_COLUMNS else Bump.NONE
    assert bump(contract(level, ""), contract(level, "a")) is expected
    assert bump(contract(level, ""), contract(level, "", default="a")) in (expected, Bump.PATCH)


@pytest.mark.parametrize(("kind", "level"), LEVELS)
def test_an_element_that_is_no_longer_named(kind: Kind, level: str) -> None:
    expected = Bump.MAJOR if kind in ON_COLUMNS else Bump.NONE
    assert bump(contract(level, "a"), contract(level, "")) is expected


@pytest.mark.parametrize("level", ["freshness: {value: PT6H}", "availability: {value: 99%}"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("", "orders", id="from all tables to one of them"),
        pytest.param("orders", "sales", id="from one table to another"),
    ],
)
def test_a_promise_that_a_table_loses_is_major(level: str, old: str, new: str) -> None:
    assert bump(contract(level, old, TWO), contract(level, new, TWO)) is Bump.MAJOR


@pytest.mark.parametrize(("kind", "level"), LEVELS)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("orders", "", id="from one table to all"),
        pytest.param("orders", '"orders, sales"', id="from one table to two"),
        pytest.param("orders.a", '"orders.a, sales.a"', id="from one column to two"),
        pytest.param("orders", "orders.a", id="from a table to its clock"),
    ],
)
def test_a_promise_that_no_table_loses_is_never_major(kind: Kind, level: str, old: str, new: str) -> None:
    clock = kind not in ON_COLUMNS and new == "orders.a"  # which is not part of such a promise
    assert bump(contract(level, old, TWO), contract(level, new, TWO)) is (Bump.NONE if clock else Bump.MINOR)


@pytest.mark.parametrize(("kind", "level"), LEVELS)
def test_a_name_that_leads_nowhere_means_every_table_where_nothing_is_measured_on_it(kind: Kind, level: str) -> None:
    """As at run time; the defaults of the standard's own examples are such names."""
    expected = (Bump.MAJOR,) if kind in ON_COLUMNS else (Bump.NONE, Bump.PATCH)
    assert bump(contract(level, "", TWO, default="tab1.a"), contract(level, "", TWO)) in expected
    assert bump(contract(level, "tab1.a", TWO), contract(level, "", TWO)) in expected


def test_naming_the_clock_of_every_table_is_minor() -> None:
    level = "freshness: {value: PT6H}"
    assert bump(contract(level, "", TWO), contract(level, '"orders.a, sales.a"', TWO)) is Bump.MINOR


def test_naming_the_only_table_is_no_change() -> None:
    assert bump(contract("freshness: {value: PT6H}", ""), contract("freshness: {value: PT6H}", "orders")) is Bump.NONE


def read(text: str) -> Contract:
    read = loaded(text).contract
    assert read is not None
    return read


@pytest.mark.parametrize(
    ("levels", "element", "lost"),
    [
        pytest.param("freshness: {value: PT6H, element: a}, availability: {value: 99%}", "a", (), id="one is measured"),
        pytest.param("freshness: {value: PT6H}, availability: {value: 99%}", None, (), id="nothing is named"),
        pytest.param(
            "freshness: {value: PT6H, element: a}, latency_p99: {value: 30s}",
            None,
            ("slaProperties.freshness: element",),
            id="only one of two is named",
        ),
        pytest.param(
            "freshness: {value: PT6H, element: a}, latency_p99: {value: 30s, element: b}",
            None,
            ("slaProperties.freshness: element", "slaProperties.latency_p99: element"),
            id="two elements",
        ),
        pytest.param(
            "freshness: {value: PT6H}, availability: {value: 99%, element: a}",
            None,
            ("slaProperties.availability: element",),
            id="only an availability names one",
        ),
    ],
)
def test_fields_invent_no_element(levels: str, element: str | None, lost: tuple[str, ...]) -> None:
    whole = read(f"name: orders\nversion: 1.0.0\nstatus: active\n{ONE}slaProperties: {{{levels}}}\n")
    converted = convert(whole, Dialect.FIELDS)
    again = read(converted.text)
    assert again.sla_default_element == element
    assert converted.lost == lost
    if not lost or "availability" in lost[0]:
        assert content_hash(again) == content_hash(whole)
