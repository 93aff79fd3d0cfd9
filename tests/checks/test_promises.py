"""Which service level concerns which table, and which clock tells its age."""

from __future__ import annotations

import pytest
from support.builders import column, contract, table
from support.judgements import orders, promise_of, sla

from floe_contracts.checks.moments import DAY, HOUR, MINUTE
from floe_contracts.checks.promises.options import SlaOptions, options_of
from floe_contracts.checks.promises.promise import clock_of, promises, unchecked_slas
from floe_contracts.contract.load import load
from floe_contracts.contract.model import CustomProperty, Property, Sla

STAMPED = (column("id"), column("updated_at", "timestamp", physical_name="UPD_TS"))
TWO = (table(*STAMPED, name="orders", physical_name="shop.orders"), table(column("a.b", "timestamp"), name="lines"))


def _found(element: str | None, default: str | None = None) -> dict[str, list[object]]:
    one = contract(*TWO, slas=(sla("freshness", "PT6H", element=element),), sla_default_element=default)
    return {each.name: [promise.path for promise in promises(one, each)] for each in one.objects}


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        pytest.param(None, {"orders": [None], "lines": [None]}, id="no element: every table"),
        pytest.param("orders", {"orders": [None], "lines": []}, id="a table"),
        pytest.param("shop.orders", {"orders": [None], "lines": []}, id="a table by its physical name"),
        pytest.param("orders.updated_at", {"orders": [("UPD_TS",)], "lines": []}, id="a column of a table"),
        pytest.param("updated_at", {"orders": [("UPD_TS",)], "lines": []}, id="a column that only one table has"),
        pytest.param("lines.a.b", {"orders": [], "lines": [("a.b",)]}, id="a name with a dot"),
        pytest.param("orders.loaded_at", {"orders": [("loaded_at",)], "lines": []}, id="a column that is not listed"),
        pytest.param("loaded_at", {"orders": [("loaded_at",)], "lines": [("loaded_at",)]}, id="nobody's column"),
        pytest.param("orders.updated_at, lines", {"orders": [("UPD_TS",)], "lines": [None]}, id="several"),
    ],
)
def test_an_element_chooses_tables_and_columns(element: str | None, expected: dict[str, list[object]]) -> None:
    assert _found(element) == expected


def test_a_column_that_is_called_like_its_table_is_meant() -> None:
    named = contract(
        table(column("orders", "timestamp"), name="orders"), slas=(sla("freshness", "PT6H", element="orders"),)
    )
    assert [promise.path for promise in promises(named, named.objects[0])] == [("orders",)]


def test_the_default_element_stands_in() -> None:
    assert _found(None, "orders.updated_at") == {"orders": [("UPD_TS",)], "lines": []}


def test_the_seeds_element_names_a_column_that_the_contract_does_not_list() -> None:
    promise = promise_of(orders(sla("freshness", "PT6H", element="updated_at"), columns=(column("id"),)))
    assert (promise.element, promise.path) == ("updated_at", ("updated_at",))


CREATED = column("created_at", "timestamp")
NO_COLUMN = "the SLA names no column and the table has {} timestamp columns"


@pytest.mark.parametrize(
    ("element", "bound", "columns", "path", "said"),
    [
        pytest.param("updated_at", "x", STAMPED, ("UPD_TS",), "the SLA names it", id="first the SLA's element"),
        pytest.param(None, "loaded", STAMPED, ("loaded",), "the connection names it", id="then the connection's"),
        pytest.param(None, None, STAMPED, ("UPD_TS",), "it is the only timestamp column", id="then the only one"),
        pytest.param(
            None,
            None,
            (column("at", "date", physical_type="timestamp"), column("day", "date", physical_type="date")),
            ("at",),
            "it is the only timestamp column",
            id="by its physical type, as ODCS 3.0 has to",
        ),
        pytest.param(
            None,
            None,
            (column("at", None, physical_type="TIMESTAMP_NTZ"), column("id")),
            ("at",),
            "it is the only timestamp column",
            id="by its physical type alone",
        ),
        pytest.param(None, None, (*STAMPED, CREATED), None, NO_COLUMN.format(2), id="with two of them, commits"),
        pytest.param(None, None, (column("id"),), None, NO_COLUMN.format(0), id="without any, commits"),
    ],
)
def test_the_clock_is_chosen_in_order(
    element: str | None, bound: str | None, columns: tuple[Property, ...], path: tuple[str, ...] | None, said: str
) -> None:
    one = orders(sla("freshness", "PT6H", element=element), columns=columns)
    choice = clock_of(one, promise_of(one), bound)
    assert (choice.path, choice.why) == (path, said)


def test_a_level_may_ask_for_the_time_of_commits() -> None:
    one = orders(sla("freshness", "PT6H", clock="commit"))
    assert clock_of(one, promise_of(one)).path is None


@pytest.mark.parametrize(
    ("prop", "options", "zone", "declared"),
    [
        pytest.param(column("t", "timestamp"), {}, "UTC", False, id="UTC, and nobody said so"),
        pytest.param(column("t", "timestamp", timezone="Europe/Berlin"), {}, "Europe/Berlin", True, id="the column's"),
        pytest.param(
            column("t", "timestamp", default_timezone="Asia/Tokyo"), {}, "Asia/Tokyo", True, id="ODCS's default"
        ),
        pytest.param(
            column("t", "timestamp", timezone="Europe/Berlin"), {"timezone": "UTC"}, "UTC", True, id="the SLA's wins"
        ),
    ],
)
def test_times_without_a_zone_need_one(prop: Property, options: dict[str, str], zone: str, declared: bool) -> None:
    one = orders(sla("freshness", "PT6H", element="t", **options), columns=(prop,))
    choice = clock_of(one, promise_of(one))
    assert (choice.zone, choice.zone_declared) == (zone, declared)


def test_a_date_may_mean_its_end() -> None:
    one = orders(sla("freshness", "PT6H", day="end"))
    assert clock_of(one, promise_of(one)).day_end


def test_levels_that_no_check_measures_are_listed() -> None:
    one = orders(sla("retention", "P1Y"), sla("freshness", "PT6H"), sla("sparkle", "high"))
    assert unchecked_slas(one) == ("retention", "sparkle")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param({}, SlaOptions(), id="defaults"),
        pytest.param({"grace": "PT30M"}, SlaOptions(grace_us=30 * MINUTE), id="grace"),
        pytest.param({"lag": "1d"}, SlaOptions(lag_us=DAY), id="lag"),
        pytest.param({"skew": "PT0S"}, SlaOptions(skew_us=0), id="skew"),
        pytest.param({"window": "P7D"}, SlaOptions(window_us=7 * DAY), id="window"),
        pytest.param({"on_empty": "Skip"}, SlaOptions(on_empty="skip"), id="on_empty"),
        pytest.param({"group_by": "region"}, SlaOptions(group_by="region"), id="group_by"),
        pytest.param({"arrival": "loaded_at"}, SlaOptions(arrival="loaded_at"), id="arrival"),
    ],
)
def test_options_are_custom_properties_of_the_level(given: dict[str, str], expected: SlaOptions) -> None:
    assert options_of(sla("freshness", "PT6H", **given)) == expected


def test_the_prefix_wins_over_the_bare_spelling() -> None:
    custom = (CustomProperty("floe.grace", "PT1H"), CustomProperty("grace", "PT2H"))
    assert options_of(Sla("freshness", custom=custom)).grace_us == HOUR


@pytest.mark.parametrize(
    ("given", "part"),
    [
        pytest.param({"grace": "a while"}, "the option grace", id="no length of time"),
        pytest.param({"grace": "P1M"}, "a month has no fixed length", id="a month"),
        pytest.param({"on_empty": "explode"}, "one of fail, warn, skip", id="no such choice"),
        pytest.param({"timezone": "Mars"}, "not a time zone", id="no such zone"),
        pytest.param({"calendar": " "}, "it is empty", id="nothing"),
    ],
)
def test_an_option_that_cannot_be_meant_is_said(given: dict[str, str], part: str) -> None:
    assert part in options_of(sla("freshness", "PT6H", **given)).problem


FIELDS = """
schema: a
version: 1.0.0
owner: t
sla: {element: s, freshness_minutes: 5}
fields: [{name: s, type: BIGINT"""
FLOE = """
name: a
version: 1.0.0
owner: t
slaProperties: {freshness: {value: 5, unit: m, element: a.s}}
models: {a: {elements: {s: {type: integer"""
ODCS = """
apiVersion: v3.1.0
kind: DataContract
id: a
version: 1.0.0
status: active
slaProperties: [{property: freshness, value: 5, unit: m, element: a.s}]
schema: [{name: a, properties: [{name: s, logicalType: integer"""


@pytest.mark.parametrize(
    ("text", "unit_us"),
    [
        pytest.param(f"{FIELDS}, unit: seconds}}]", 1_000_000, id="seconds"),
        pytest.param(f"{FIELDS}, unit: ms}}]", 1_000, id="milliseconds"),
        pytest.param(f"{FLOE}, unit: micros}}}}}}}}", 1, id="microseconds, in the floe dialect"),
        pytest.param(
            f"{ODCS}, customProperties: [{{property: floe.unit, value: Millis}}]}}]}}]", 1_000, id="in the standard"
        ),
        pytest.param(f"{FIELDS}, unit: EUR}}]", 0, id="no unit of time"),
        pytest.param(f"{FIELDS}}}]", 0, id="no unit"),
    ],
)
def test_a_number_counts_in_the_unit_of_its_column(text: str, unit_us: int) -> None:
    one = load(text.encode(), "a.yaml").contract
    assert one is not None
    (promise,) = promises(one, one.objects[0])
    assert clock_of(one, promise).unit_us == unit_us
