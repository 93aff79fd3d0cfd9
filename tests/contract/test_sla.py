"""What service levels mean: kinds by every name, values by every spelling."""

from __future__ import annotations

import pytest

from floe_contracts.contract.meaning.quantity import compare
from floe_contracts.contract.meaning.sla import KNOWN_PROPERTIES, Kind, SlaDirection, meaning, meanings
from floe_contracts.contract.model import Contract, Json, SchemaObject, Sla


@pytest.mark.parametrize(
    ("names", "kind", "direction"),
    [
        pytest.param("availability av Availability", Kind.AVAILABILITY, SlaDirection.LARGER, id="availability"),
        pytest.param("throughput th", Kind.THROUGHPUT, SlaDirection.LARGER, id="throughput"),
        pytest.param("errorRate er error_rate", Kind.ERROR_RATE, SlaDirection.SMALLER, id="error rate"),
        pytest.param(
            "generalAvailability ga", Kind.GENERAL_AVAILABILITY, SlaDirection.EARLIER, id="general availability"
        ),
        pytest.param("endOfSupport es EndOfSupport", Kind.END_OF_SUPPORT, SlaDirection.LATER, id="end of support"),
        pytest.param("endOfLife el end-of-life", Kind.END_OF_LIFE, SlaDirection.LATER, id="end of life"),
        pytest.param("retention re RE", Kind.RETENTION, SlaDirection.LARGER, id="retention"),
        pytest.param("frequency fy", Kind.FREQUENCY, SlaDirection.SMALLER, id="frequency"),
        pytest.param("latency ly", Kind.LATENCY, SlaDirection.SMALLER, id="latency"),
        pytest.param("timeToDetect td", Kind.TIME_TO_DETECT, SlaDirection.SMALLER, id="time to detect"),
        pytest.param("timeToNotify tn", Kind.TIME_TO_NOTIFY, SlaDirection.SMALLER, id="time to notify"),
        pytest.param("timeToRepair tr", Kind.TIME_TO_REPAIR, SlaDirection.SMALLER, id="time to repair"),
        pytest.param("timeOfAvailability arrive_by", Kind.TIME_OF_AVAILABILITY, SlaDirection.EARLIER, id="deadline"),
        pytest.param("freshness freshness_minutes", Kind.FRESHNESS, SlaDirection.SMALLER, id="freshness"),
        pytest.param("min_rows_per_day minRowsPerDay", Kind.MIN_ROWS_PER_DAY, SlaDirection.LARGER, id="row floor"),
        pytest.param("quality", Kind.QUALITY, SlaDirection.LARGER, id="quality"),
        pytest.param("completeness cp", Kind.COMPLETENESS, SlaDirection.LARGER, id="completeness"),
        pytest.param("bananas", Kind.UNKNOWN, SlaDirection.NONE, id="unknown"),
    ],
)
def test_kinds_by_every_name(names: str, kind: Kind, direction: SlaDirection) -> None:
    found = {(meaning(Sla(name)).kind, meaning(Sla(name)).direction) for name in names.split()}
    assert found == {(kind, direction)}


@pytest.mark.parametrize("name", KNOWN_PROPERTIES)
def test_every_listed_property_is_known_under_its_own_name(name: str) -> None:
    assert meaning(Sla(name)).kind.value == name


@pytest.mark.parametrize(
    ("sla", "text"),
    [
        pytest.param(Sla("freshness", "PT6H"), "PT6H", id="ISO duration"),
        pytest.param(Sla("freshness", 360, unit="m"), "PT6H", id="minutes"),
        pytest.param(Sla("freshness_minutes", 30), "PT30M", id="unit in the name"),
        pytest.param(Sla("freshnessHours", 6), "PT6H", id="unit in a camel name"),
        pytest.param(Sla("retention", 3, unit="m"), "P3M", id="m is months for retention"),
        pytest.param(Sla("retention", "forever"), "unlimited", id="for ever"),
        pytest.param(Sla("frequency", "daily"), "P1D", id="frequency in a word"),
        pytest.param(Sla("frequency", "0 */6 * * *"), "PT6H", id="frequency as cron"),
        pytest.param(Sla("frequency", "@hourly"), "PT1H", id="frequency as short cron"),
        pytest.param(Sla("frequency", "continuous"), "PT0S", id="frequency without pauses"),
        pytest.param(Sla("availability", 0.999), "99.9%", id="share of one"),
        pytest.param(Sla("errorRate", 0.5), "0.5%", id="small percentage"),
        pytest.param(Sla("timeOfAvailability", "09:00-08:00"), "17:00Z", id="deadline with an offset"),
        pytest.param(Sla("endOfLife", "2042-05-12T09:30:10-08:00"), "2042-05-12T17:30:10Z", id="instant"),
        pytest.param(Sla("throughput", 10, unit="rows/s"), "864000 row/day", id="rate"),
        pytest.param(Sla("min_rows_per_day", "10,000"), "10000 row/day", id="row floor"),
        pytest.param(Sla("latency_p99", "500ms"), "PT0.5S", id="percentile"),
        pytest.param(Sla("completeness", "good"), "good", id="a dimension may be words"),
        pytest.param(Sla("bananas", 5.0, unit="kg"), "5 kg", id="unknown number"),
        pytest.param(Sla("bananas", "many   of them"), "many of them", id="unknown text"),
        pytest.param(Sla("bananas", True), "true", id="unknown truth value"),
    ],
)
def test_values(sla: Sla, text: str) -> None:
    found = meaning(sla)
    assert (found.quantity and found.quantity.text, found.problem) == (text, "")


@pytest.mark.parametrize(
    "sla",
    [
        pytest.param(Sla("freshness", "lots"), id="no duration"),
        pytest.param(Sla("freshness", 6), id="no unit"),
        pytest.param(Sla("freshness", None), id="no value"),
        pytest.param(Sla("freshness", "PT0S"), id="no time at all"),
        pytest.param(Sla("frequency", 0, unit="d"), id="without interval"),
        pytest.param(Sla("frequency", "0 30 * * *"), id="impossible schedule"),
        pytest.param(Sla("availability", "140 %"), id="more than all"),
        pytest.param(Sla("availability", "24/7"), id="no percentage"),
        pytest.param(Sla("retention", "7 years per compliance"), id="a sentence"),
        pytest.param(Sla("timeOfAvailability", "25:00"), id="no time of day"),
        pytest.param(Sla("endOfLife", "2042-02-30"), id="no date"),
        pytest.param(Sla("min_rows_per_day", 5, unit="bananas"), id="no rows"),
        pytest.param(Sla("throughput", "fast"), id="no number"),
    ],
)
def test_values_that_cannot_be_meant(sla: Sla) -> None:
    found = meaning(sla)
    assert found.quantity is None
    assert found.problem


def test_percentiles_are_promises_of_their_own() -> None:
    names = {meaning(Sla(name, "1s")).name for name in ("latency_p99", "latencyP99", "p99_latency", "latency_p99_ms")}
    assert names == {"latency_p99"}
    assert meaning(Sla("latency", "1s")).name == "latency"


def test_drivers_tell_two_deadlines_for_one_element_apart() -> None:
    one = meaning(Sla("timeOfAvailability", "09:00", element="t.a", driver="Regulatory"))
    other = meaning(Sla("timeOfAvailability", "08:00", element="t.a", driver="analytics"))
    assert one.identity == other.identity == ("timeOfAvailability", "t.a")
    assert one.variant != other.variant


def test_unknown_kinds_are_told_apart_by_name() -> None:
    assert meaning(Sla("bananas", 1)).identity != meaning(Sla("apples", 1)).identity
    assert meaning(Sla("Banana_Count", 1)).identity == meaning(Sla("bananacount", 1)).identity


@pytest.mark.parametrize(
    ("element", "default", "tables", "resolved"),
    [
        pytest.param("updated_at", None, ["orders"], "orders.updated_at", id="bare column of the only table"),
        pytest.param("orders.updated_at", None, ["orders"], "orders.updated_at", id="full name"),
        pytest.param("tbl_orders.updated_at", None, ["orders"], "orders.updated_at", id="physical name"),
        pytest.param("orders", None, ["orders"], "orders", id="the table itself"),
        pytest.param(None, "updated_at", ["orders"], "orders.updated_at", id="default element"),
        pytest.param(None, None, ["orders"], "", id="no element"),
        pytest.param("updated_at", None, ["orders", "items"], "updated_at", id="bare column of several tables"),
        pytest.param("b.x, a.x", None, ["a", "b"], "a.x, b.x", id="several elements in any order"),
    ],
)
def test_elements_are_written_out(element: str | None, default: str | None, tables: list[str], resolved: str) -> None:
    objects = tuple(SchemaObject(name, physical_name=f"tbl_{name}") for name in tables)
    sla = Sla("freshness", "PT6H", element=element)
    contract = Contract("c", "1.0.0", objects=objects, slas=(sla,), sla_default_element=default)
    assert meanings(contract)[0].element == resolved


@pytest.mark.parametrize(
    ("name", "better", "worse"),
    [
        pytest.param("freshness", "PT6H", "PT7H", id="freshness"),
        pytest.param("latency", "1.25 h", "1.75 h", id="fractions"),
        pytest.param("availability", "99.95%", "99.9%", id="availability"),
        pytest.param("retention", "3 years", "35 months", id="retention"),
        pytest.param("frequency", "@hourly", "@daily", id="frequency"),
        pytest.param("timeOfAvailability", "06:00+02:00", "06:00 UTC", id="deadline"),
        pytest.param("endOfSupport", "2030-01-01", "2029-01-01", id="end of support"),
        pytest.param("generalAvailability", "2025-01-01", "2026-01-01", id="start"),
        pytest.param("errorRate", "0.1%", "0.2%", id="error rate"),
        pytest.param("min_rows_per_day", 10, 9, id="row floor"),
    ],
)
def test_direction_says_which_value_is_better(name: str, better: Json, worse: Json) -> None:
    one, other = meaning(Sla(name, better)), meaning(Sla(name, worse))
    assert one.quantity is not None
    assert other.quantity is not None
    order = compare(one.quantity, other.quantity)
    assert order is not None
    assert order * one.direction.sign == 1


def test_a_frequency_written_as_cron_keeps_its_schedule() -> None:
    morning, evening = meaning(Sla("frequency", "0  6 * * *")), meaning(Sla("frequency", "0 18 * * *"))
    assert morning.quantity == evening.quantity
    assert (morning.schedule, evening.schedule) == ("0 6 * * *", "0 18 * * *")


def test_extended_values_are_kept_as_text() -> None:
    assert meaning(Sla("frequency", 1, value_ext=1.0, unit="d")).extended == "1"
