"""Each check from question to verdict, on plain rows."""

from __future__ import annotations

import pytest
from support.builders import column, contract, table
from support.monitored import FRESH, HOUR, MINUTE, NOW, PLACED, Desk, codes, orders, said
from support.row_engine import RowTable, actual

from floe_contracts.checks.moments import DAY, SECOND
from floe_contracts.contract.model import CustomProperty, Deprecation, Dialect, Relationship, Server, Sla
from floe_contracts.results import Outcome


@pytest.fixture
def desk() -> Desk:
    return Desk()


def custom(name: str, value: str) -> CustomProperty:
    return CustomProperty(f"floe.{name}", value)


# --- availability


def test_a_table_that_opens_is_up(desk: Desk) -> None:
    desk.put("orders", 0)
    found = desk.check("availability", orders())
    assert (found.outcome, said(found, "up")) == (Outcome.PASSED, "1")


def test_a_table_that_does_not_open_is_the_measurement(desk: Desk) -> None:
    found = desk.check("availability", orders())
    assert (found.outcome, codes(found), said(found, "up")) == (Outcome.VIOLATED, ["E552 warning"], "0")


def test_the_second_failed_probe_in_a_row_is_an_error(desk: Desk) -> None:
    found = []
    for up in (True, False, False):
        desk.put("orders", 0, down="" if up else "connection refused")
        found += codes(desk.check("availability", orders()))
        desk.later(5 * MINUTE)
    assert found == ["E552 warning", "E552 error"]


def test_failed_probes_are_counted_by_table(desk: Desk) -> None:
    both = contract(table(name="orders"), table(name="items"), servers=(Server("here", "custom"),))
    found = []
    for down in ("orders", "items", "items"):
        for name in ("orders", "items"):
            desk.put(name, 0, down="connection refused" if name == down else "")
        found += [one.message for one in desk.check("availability", both).findings]
        desk.later(5 * MINUTE)
    assert found == [
        "orders is not available: connection refused",
        "items is not available: connection refused",
        "items is not available, for the 2nd time in a row: connection refused",
    ]


def test_the_window_of_probes_comes_from_the_store(desk: Desk) -> None:
    promised = Sla("availability", "99%")
    for number in range(101):
        desk.put("orders", 0, down="connection refused" if number in (10, 20) else "")
        found = desk.check("availability", orders(promised))
        desk.later(5 * MINUTE)
    assert (said(found, "error_budget"), said(found, "error_budget_left")) == ("1", "-1")
    assert (said(found, "probe_coverage"), codes(found)) == ("100.00", ["E552 critical"])


def test_probes_that_were_not_made_are_not_counted_as_good(desk: Desk) -> None:
    promised = Sla("availability", "99%")
    for pause in (5 * MINUTE, DAY, 5 * MINUTE):
        desk.put("orders", 0)
        found = desk.check("availability", orders(promised))
        desk.later(pause)
    assert said(found, "status") == "sparse"


def test_a_contract_without_a_source_is_not_probed(desk: Desk) -> None:
    found = desk.check("availability", orders(servers=()))
    assert (found.outcome, said(found, "status")) == (Outcome.SKIPPED, "no_source")


def test_a_promise_without_a_source_cannot_be_checked(desk: Desk) -> None:
    found = desk.check("availability", orders(Sla("availability", "99%"), servers=()))
    assert (found.outcome, codes(found)) == (Outcome.ERRORED, ["E560 warning"])


def test_several_servers_and_none_chosen_is_an_error_that_lists_them(desk: Desk) -> None:
    found = desk.check("availability", orders(servers=(Server("dev", "custom"), Server("prod", "custom"))))
    assert found.outcome is Outcome.ERRORED
    assert "choose one with --server: dev, prod" in found.findings[0].message


# --- freshness


@pytest.mark.parametrize(
    ("age", "outcome", "told"),
    [
        pytest.param(6 * HOUR, Outcome.PASSED, [], id="exactly the threshold"),
        pytest.param(6 * HOUR + SECOND, Outcome.VIOLATED, ["E550 warning"], id="a second more"),
        pytest.param(8 * HOUR, Outcome.VIOLATED, ["E550 warning"], id="the seeds' 8 hours against 6"),
        pytest.param(10 * HOUR, Outcome.VIOLATED, ["E550 error"], id="more than one and a half times"),
        pytest.param(19 * HOUR, Outcome.VIOLATED, ["E550 critical"], id="more than three times"),
    ],
)
def test_age(desk: Desk, age: int, outcome: Outcome, told: list[str]) -> None:
    desk.put("orders", age, 20 * HOUR)
    found = desk.check("freshness", orders(FRESH))
    assert (found.outcome, codes(found)) == (outcome, told)


@pytest.mark.parametrize(
    ("sla", "how"),
    [
        pytest.param(FRESH, "column placed_at by scan (the SLA names it)", id="the SLA's element"),
        pytest.param(
            Sla("freshness", "PT6H"),
            "column placed_at by scan (it is the only timestamp column)",
            id="the only timestamp",
        ),
        pytest.param(
            Sla("freshness", "PT6H", custom=(custom("clock", "commit"),)),
            "commit time of the newest snapshot (the SLA asks for the time of commits)",
            id="the time of commits",
        ),
    ],
)
def test_which_clock_was_read_is_said(desk: Desk, sla: Sla, how: str) -> None:
    desk.put("orders", HOUR, committed_us=NOW - HOUR)
    assert said(desk.check("freshness", orders(sla)), "how") == how


def test_a_table_without_any_clock_is_an_error_with_the_fix(desk: Desk) -> None:
    desk.put("orders", HOUR)
    found = desk.check("freshness", orders(Sla("freshness", "PT6H", custom=(custom("clock", "commit"),))))
    assert found.outcome is Outcome.ERRORED
    assert "timestamp_column: under connections.orders" in found.findings[0].message


def test_two_promises_about_one_clock_cost_one_look(desk: Desk) -> None:
    desk.put("orders", HOUR)
    desk.check("freshness", orders(FRESH, Sla("frequency", "P1D", element="placed_at")))
    assert desk.engine.asked == ["clock orders"]


def test_rows_from_the_future_do_not_make_old_data_fresh(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR, -DAY)
    assert codes(desk.check("freshness", orders(FRESH))) == ["E550 warning", "E557 warning"]


@pytest.mark.parametrize(
    ("committed", "told"),
    [
        pytest.param(NOW - 5 * HOUR, [], id="on time"),
        pytest.param(NOW - HOUR, ["E551 warning"], id="late"),
        pytest.param(None, ["E551 warning"], id="not there"),
    ],
)
def test_deadlines_are_judged_by_the_history_of_commits(desk: Desk, committed: int | None, told: list[str]) -> None:
    desk.put("orders", 5 * HOUR if committed else 20 * HOUR, committed_us=committed)
    assert codes(desk.check("freshness", orders(Sla("timeOfAvailability", "06:00", element="placed_at")))) == told


@pytest.mark.parametrize(
    ("dialect", "fix"),
    [
        pytest.param(Dialect.ODCS, "add the custom property floe.arrival", id="odcs"),
        pytest.param(Dialect.FLOE, "add the custom property floe.arrival", id="floe"),
        pytest.param(Dialect.FIELDS, "add arrival: under sla:", id="fields"),
    ],
)
def test_latency_needs_a_column_of_arrival_and_says_how_to_name_it(desk: Desk, dialect: Dialect, fix: str) -> None:
    desk.put("orders", HOUR)
    bare = Sla("latency_p99", "2s", element="placed_at")
    (found,) = desk.check("freshness", orders(bare, dialect=dialect)).findings
    assert fix in found.message


@pytest.mark.parametrize(
    ("ago", "run_id", "found"),
    [
        pytest.param(10 * MINUTE, "", ["E556 warning"], id="as long as a slot, up to now"),
        pytest.param(10 * MINUTE, "nightly", ["E556 warning"], id="after a run too"),
        pytest.param(20 * MINUTE, "", [], id="and no longer"),
        pytest.param(-MINUTE, "", [], id="nothing that is still to come"),
    ],
)
def test_latency_looks_as_far_back_as_a_slot_is_long(desk: Desk, ago: int, run_id: str, found: list[str]) -> None:
    first = NOW - ago
    arrived = [{"placed_at": first + number, "arrived": first + number + 3 * SECOND} for number in range(1000)]
    desk.engine.tables["orders"] = RowTable(list(arrived), PLACED)
    promised = Sla("latency", "2s", element="placed_at", custom=(custom("arrival", "arrived"),))
    assert codes(desk.check("freshness", orders(promised), run_id=run_id)) == found


FIVE_HOURS = 5 * HOUR  # New York is behind UTC in January


@pytest.mark.parametrize(
    ("placed", "arrived", "options"),
    [
        pytest.param(("America/New_York", FIVE_HOURS), (None, 0), (), id="of the event"),
        pytest.param((None, 0), ("America/New_York", FIVE_HOURS), (), id="of the arrival"),
        pytest.param(
            (None, FIVE_HOURS), (None, FIVE_HOURS), (custom("timezone", "America/New_York"),), id="of the SLA"
        ),
    ],
)
def test_latency_heeds_the_zone(
    desk: Desk,
    placed: tuple[str | None, int],
    arrived: tuple[str | None, int],
    options: tuple[CustomProperty, ...],
) -> None:
    first = NOW - 10 * MINUTE
    times = [{"placed_at": first + n - placed[1], "came": first + n + 3 * SECOND - arrived[1]} for n in range(1000)]
    desk.engine.tables["orders"] = RowTable(list(times), actual(placed_at="timestamp", came="timestamp"))
    columns = (column("placed_at", "timestamp", timezone=placed[0]), column("came", "timestamp", timezone=arrived[0]))
    promised = Sla("latency", "2s", element="placed_at", custom=(custom("arrival", "came"), *options))
    one = contract(table(*columns), slas=(promised,), servers=(Server("here", "custom"),))
    assert said(desk.check("freshness", one), "latency_seconds") == "3.000"


def test_a_calendar_that_the_settings_lack_is_an_error(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    sla = Sla("freshness", "PT6H", element="placed_at", custom=(custom("calendar", "office"),))
    assert "no calendar called 'office'" in desk.check("freshness", orders(sla)).findings[0].message


def test_freshness_of_a_missing_table_is_an_error_not_a_violation(desk: Desk) -> None:
    assert desk.check("freshness", orders(FRESH)).outcome is Outcome.ERRORED


# --- schema drift


def test_a_table_as_promised_has_no_drift(desk: Desk) -> None:
    desk.put("orders")
    found = desk.check("schema_drift", orders())
    assert (found.outcome, said(found, "schema_drift_detected")) == (Outcome.PASSED, "0")


def test_drift_against_the_contract(desk: Desk) -> None:
    desk.put("orders", columns=actual(order_id="int", note="string"))
    found = desk.check("schema_drift", orders())
    assert (found.outcome, sorted(codes(found))) == (Outcome.VIOLATED, ["E530 error", "E531 error", "E532 info"])


def test_an_extra_column_is_told_and_passes(desk: Desk) -> None:
    desk.put("orders", columns=(*PLACED, *actual(note="string")))
    found = desk.check("schema_drift", orders())
    assert (found.outcome, codes(found), said(found, "schema_drift_detected")) == (Outcome.PASSED, ["E532 info"], "1")


def test_drift_against_the_last_seen_schema(desk: Desk) -> None:
    desk.put("orders", columns=(*PLACED, *actual(note="string")))
    desk.check("schema_drift", orders())
    desk.later(HOUR)
    desk.put("orders", columns=PLACED)
    assert codes(desk.check("schema_drift", orders())) == ["E534 info"]
    desk.later(HOUR)
    assert codes(desk.check("schema_drift", orders())) == []


def test_a_schema_that_cannot_be_read_is_an_error_and_forgets_nothing(desk: Desk) -> None:
    desk.put("orders")
    desk.check("schema_drift", orders())
    desk.later(HOUR)
    desk.put("orders", down="permission denied")
    assert desk.check("schema_drift", orders()).outcome is Outcome.ERRORED
    desk.later(HOUR)
    desk.put("orders", columns=PLACED[:1])
    assert codes(desk.check("schema_drift", orders())) == ["E531 error"]


def test_two_contracts_on_one_table_remember_apart(desk: Desk) -> None:
    for name in ("a", "b"):
        desk.put(name)
        desk.check("schema_drift", orders(name=name))
    desk.later(HOUR)
    for name in ("a", "b"):
        desk.put(name, columns=(*PLACED, *actual(note="string")))
    told = [codes(desk.check("schema_drift", orders(name=name))) for name in ("a", "b")]
    assert told == [["E532 info", "E534 info"]] * 2


# --- quality


def test_rules_are_measured_and_scored(desk: Desk) -> None:
    desk.engine.tables["orders"] = RowTable([{"order_id": "1"}, {"order_id": "1"}, {"order_id": None}], PLACED)
    found = desk.check("quality", orders())
    assert (found.outcome, sorted(codes(found)), said(found, "score")) == (
        Outcome.VIOLATED,
        ["E553 error", "E553 error"],
        "0.00",
    )


def test_foreign_keys_look_at_the_other_table(desk: Desk) -> None:
    to_orders = Relationship(to=("orders.order_id",))
    both = contract(
        table(column("order_id"), name="orders"),
        table(column("order_id", relationships=(to_orders,)), name="items"),
        name="shop",
        servers=(Server("here", "custom"),),
    )
    desk.engine.tables["orders"] = RowTable([{"order_id": "1"}])
    desk.engine.tables["items"] = RowTable([{"order_id": "1"}, {"order_id": "2"}])
    assert codes(desk.check("quality", both)) == ["E553 error"]


def test_the_row_floor_looks_at_yesterday(desk: Desk) -> None:
    floor = Sla("min_rows_per_day", 2, element="placed_at")
    desk.put("orders", HOUR, 20 * HOUR, 2 * DAY)
    found = desk.check("quality", orders(floor))
    assert ("E555 error" in codes(found), said(found, "rows_of_day"), said(found, "day")) == (True, "1", "2026-01-02")


def test_a_row_floor_without_a_column_of_time_is_an_error_with_the_fix(desk: Desk) -> None:
    bare = contract(column("order_id"), slas=(Sla("min_rows_per_day", 2),), servers=(Server("here", "custom"),))
    desk.put("orders", HOUR)
    assert "timestamp_column: under connections.orders" in desk.check("quality", bare).findings[0].message


def test_states_are_kept_for_the_next_run(desk: Desk) -> None:
    desk.put("orders", HOUR, 2 * HOUR)
    desk.check("quality", orders())
    desk.later(6 * HOUR)
    desk.check("quality", orders())
    assert desk.engine.asked == ["measure orders", "measure orders", "kept 2 rows"]


def test_quality_of_an_unreadable_table_is_an_error(desk: Desk) -> None:
    desk.put("orders", HOUR, down="corrupt parquet file")
    found = desk.check("quality", orders())
    assert (found.outcome, "corrupt parquet file" in found.findings[0].message) == (Outcome.ERRORED, True)


def test_a_contract_without_rules_is_skipped_without_a_look(desk: Desk) -> None:
    bare = contract(column("note"), servers=(Server("here", "custom"),))
    found = desk.check("quality", bare)
    assert (found.outcome, said(found, "status"), desk.engine.asked) == (Outcome.SKIPPED, "no_promise", [])


# --- lifecycle


def test_lifecycle_needs_no_source(desk: Desk) -> None:
    notice = Deprecation(announced="2025-12-20", sunset_date="2026-02-20", replacement="orders-v2")
    found = desk.check("lifecycle", orders(servers=(), deprecation=notice))
    assert (found.outcome, codes(found), said(found, "stage")) == (Outcome.VIOLATED, ["E558 warning"], "deprecated")
