"""A run: one slot and one verdict per contract, whatever happens to the others."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from support.monitored import FRESH, HOUR, MINUTE, NOW, Desk, codes, orders, said, settings, targets

from floe_contracts.checks.moments import DAY
from floe_contracts.codes import E501, Severity, ViolationType
from floe_contracts.errors import EngineGone, FloeError, UsageError
from floe_contracts.monitor.run.context import CheckContext, Checked
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.monitor.run.targets import label_targets
from floe_contracts.monitor.store.protocol import Claim
from floe_contracts.monitor.store.slots import Series, SlotKey
from floe_contracts.monitor.store.totals import list_statuses
from floe_contracts.product.data_contracts import Mode, Monitoring
from floe_contracts.render.machine import json_report
from floe_contracts.results import ExitCode, Finding, Outcome, Report, decide

SERIES = Series("shop", "orders", 1, "freshness")


@pytest.fixture
def desk() -> Desk:
    return Desk()


def outcomes(report: Report) -> dict[str, str]:
    return {result.contract: result.outcome.value for result in report.results}


def test_a_verdict_with_its_slot_attempt_and_enforcement(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    found = desk.check("freshness", orders(FRESH))
    assert (found.outcome, codes(found)) == (Outcome.VIOLATED, ["E550 warning"])
    assert (found.contract, found.path) == ("orders", "orders.yaml")
    assert {key: said(found, key) for key in ("slot", "attempt", "enforcement")} == {
        "slot": "2026-01-03T10:15:00Z",
        "attempt": "1",
        "enforcement": "alert_only",
    }


def test_the_outcome_is_written_with_violations_gauges_and_duration(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    desk.check("freshness", orders(FRESH))
    totals = desk.store.totals("shop")[SERIES]
    assert totals.counters == {(ViolationType.FRESHNESS, Severity.WARNING): 1}
    assert {name: int(value) for name, value in totals.gauges.items()} == {
        "freshness_seconds": 8 * 3600,
        "future_rows": 0,
        "status": 0,
        "interval_seconds": 900,
        "updated_seconds": NOW // 1_000_000 - 8 * 3600,
    }
    assert (str(totals.duration_sum), totals.label, totals.version) == ("1.5", "orders", "1.0.0")


def test_the_same_slot_again_measures_nothing_and_says_the_same(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    first = desk.check("freshness", orders(FRESH))
    desk.put("orders", 0)
    again = desk.check("freshness", orders(FRESH))
    assert (again.findings, said(again, "repeated")) == (first.findings, "true")
    assert desk.engine.asked == ["clock orders"]
    assert desk.store.totals("shop")[SERIES].counters == {(ViolationType.FRESHNESS, Severity.WARNING): 1}


def test_a_recheck_is_a_new_attempt_that_counts_nothing_twice(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    desk.check("freshness", orders(FRESH))
    again = desk.check("freshness", orders(FRESH), recheck=True)
    assert said(again, "attempt") == "2"
    assert sum(desk.store.totals("shop")[SERIES].counters.values()) == 1


def test_the_third_violated_slot_in_a_row_is_critical(desk: Desk) -> None:
    found = []
    for _ in range(3):
        desk.put("orders", 7 * HOUR)
        found += codes(desk.check("freshness", orders(FRESH)))
        desk.later(15 * MINUTE)
    assert found == ["E550 warning", "E550 warning", "E550 critical"]


def test_a_slot_that_could_not_be_checked_does_not_break_the_row(desk: Desk) -> None:
    found = []
    for down in ("", "connection refused", "", ""):
        desk.put("orders", 7 * HOUR, down=down)
        found += codes(desk.check("freshness", orders(FRESH)))
        desk.later(15 * MINUTE)
    assert found == ["E550 warning", "E560 warning", "E550 warning", "E550 critical"]


def test_a_good_slot_breaks_the_row(desk: Desk) -> None:
    found = []
    for age in (7 * HOUR, 7 * HOUR, 0, 7 * HOUR):
        desk.put("orders", age)
        found += codes(desk.check("freshness", orders(FRESH)))
        desk.later(15 * MINUTE)
    assert found == ["E550 warning"] * 3


def test_one_contract_in_trouble_stops_no_other(desk: Desk) -> None:
    desk.put("a", 0)
    desk.put("b", 0, crash=RuntimeError("row 17 holds hunter2"))
    desk.put("c", 0, down="permission denied")
    desk.put("d", 8 * HOUR)
    report = desk.run("freshness", targets(*(orders(FRESH, name=name) for name in "abcd")))
    assert outcomes(report) == {"a": "passed", "b": "errored", "c": "errored", "d": "violated"}
    assert decide(report) is ExitCode.PASS


def test_an_unforeseen_error_is_told_without_its_words(desk: Desk) -> None:
    desk.put("orders", 0, crash=RuntimeError("row 17 holds hunter2"))
    found = desk.check("freshness", orders(FRESH))
    assert found.findings[0].message == (
        "orders could not be measured: RuntimeError inside floe; the log of the job has the trace"
    )
    assert "hunter2" not in repr(found)
    assert [str(error) for error in desk.crashes] == ["row 17 holds hunter2"]


def test_an_error_of_floes_own_is_told_in_one_line(desk: Desk) -> None:
    desk.put("orders", 0, crash=FloeError("the driver\nis missing"))
    assert "the driver is missing" in desk.check("freshness", orders(FRESH)).findings[0].message


def test_an_errored_slot_is_tried_again_by_the_next_run(desk: Desk) -> None:
    desk.put("orders", 0, down="connection refused")
    assert desk.check("freshness", orders(FRESH)).outcome is Outcome.ERRORED
    desk.put("orders", 0)
    found = desk.check("freshness", orders(FRESH))
    assert (found.outcome, said(found, "attempt")) == (Outcome.PASSED, "2")


def test_a_slot_that_another_run_works_on_is_left_alone(desk: Desk) -> None:
    key = SlotKey("shop", "orders", 1, "freshness", 15 * MINUTE, NOW)
    assert isinstance(desk.store.claim(key, now_us=NOW), Claim)
    found = desk.check("freshness", orders(FRESH))
    assert (found.outcome, said(found, "status"), desk.engine.asked) == (Outcome.SKIPPED, "busy", [])


@pytest.mark.parametrize(("enforcement", "code"), [("block", ExitCode.COULD_NOT_CHECK), ("alert_only", ExitCode.PASS)])
def test_a_crashed_run_lets_nothing_through_that_must_block(desk: Desk, enforcement: str, code: ExitCode) -> None:
    desk.put("orders", 12 * HOUR)
    key = SlotKey("shop", "orders", 1, "freshness", run_id="etl/7")
    assert isinstance(desk.store.claim(key, now_us=NOW), Claim)
    config = settings(data_contracts={"enforcement": enforcement})
    assert decide(desk.run("freshness", targets(orders(FRESH), config=config), run_id="etl/7")) is code


def test_who_is_alone_takes_over_the_slot_of_a_dead_process(desk: Desk) -> None:
    desk.put("orders", 0)
    key = SlotKey("shop", "orders", 1, "freshness", run_id="stream:orders:7")
    assert isinstance(desk.store.claim(key, now_us=NOW), Claim)
    found = desk.check("freshness", orders(FRESH), run_id="stream:orders:7", alone=True)
    assert (found.outcome, said(found, "attempt")) == (Outcome.PASSED, "2")


def test_a_result_whose_slot_was_taken_meanwhile_is_not_kept(desk: Desk) -> None:
    def overtaken() -> None:
        desk.later(2 * HOUR)  # longer than the lease
        assert isinstance(desk.store.claim(key, now_us=desk.now_us), Claim)

    key = SlotKey("shop", "orders", 1, "freshness", 15 * MINUTE, NOW)
    desk.put("orders", 0)
    desk.engine.meanwhile = overtaken
    found = desk.check("freshness", orders(FRESH))
    assert (found.outcome, "was not kept" in found.findings[0].message) == (Outcome.ERRORED, True)
    assert desk.store.history(SERIES, 0) == ()


def test_intervals_of_contracts_give_them_slots_of_their_own(desk: Desk) -> None:
    desk.put("a", 0)
    desk.put("b", 0)
    config = settings(contracts={"a": {"freshness": {"check_interval": "1h"}}})
    report = desk.run("freshness", targets(orders(FRESH, name="a"), orders(FRESH, name="b"), config=config))
    assert [said(one, "slot") for one in report.results] == ["2026-01-03T10:00:00Z", "2026-01-03T10:15:00Z"]


def test_the_schedulers_slot_wins(desk: Desk) -> None:
    desk.put("orders", 0)
    found = desk.check("freshness", orders(FRESH), slot_us=NOW - 15 * MINUTE)
    assert (said(found, "slot"), found.outcome) == ("2026-01-03T10:00:00Z", Outcome.PASSED)


@pytest.mark.parametrize("check", ["availability", "freshness", "schema_drift", "quality"])
def test_yesterday_is_not_judged_with_the_data_of_today(desk: Desk, check: Any) -> None:
    desk.put("orders", 8 * HOUR)
    found = desk.check(check, orders(FRESH), slot_us=NOW - DAY)
    assert (found.outcome, said(found, "status")) == (Outcome.SKIPPED, "past_slot")


@pytest.mark.parametrize("check", ["availability", "freshness", "schema_drift", "quality"])
def test_a_refused_back_fill_is_not_remembered_and_leaves_no_missed_slots(desk: Desk, check: Any) -> None:
    desk.put("orders", 0)
    desk.check(check, orders(FRESH), slot_us=NOW - 3 * DAY)
    assert list_statuses(desk.store, since_us=NOW - 7 * DAY, now_us=NOW) == ()
    desk.check(check, orders(FRESH))
    (status,) = list_statuses(desk.store, since_us=NOW - 7 * DAY, now_us=NOW)
    assert (status.missed, status.totals.errors) == (0, 0)
    again = desk.check(check, orders(FRESH), slot_us=NOW - 3 * DAY)
    assert (again.outcome, said(again, "status")) == (Outcome.SKIPPED, "past_slot")


def test_yesterday_is_judged_where_the_table_remembers_it(desk: Desk) -> None:
    desk.put("orders", DAY + 8 * HOUR, remembers=True)
    found = desk.check("freshness", orders(FRESH), slot_us=NOW - DAY)
    assert (found.outcome, said(found, "freshness_seconds")) == (Outcome.VIOLATED, str(8 * 3600 + 900))


def test_the_lifecycle_of_yesterday_needs_no_data(desk: Desk) -> None:
    assert desk.check("lifecycle", orders(), slot_us=NOW - 3 * DAY).outcome is Outcome.PASSED


def test_a_slot_in_the_future_stops_the_run(desk: Desk) -> None:
    with pytest.raises(UsageError, match="lies in the future"):
        desk.run("freshness", targets(orders(FRESH)), slot_us=NOW + DAY)


def test_a_check_after_a_run_belongs_to_that_run(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    first = desk.check("freshness", orders(FRESH), run_id="manual__7")
    desk.later(DAY)
    again = desk.check("freshness", orders(FRESH), run_id="manual__7")
    other = desk.check("freshness", orders(FRESH), run_id="manual__8")
    assert [said(one, "slot") for one in (first, again, other)] == ["run manual__7", "run manual__7", "run manual__8"]
    assert [said(one, "repeated") for one in (first, again, other)] == ["", "true", ""]


def test_violations_of_runs_are_in_a_row_whatever_was_scheduled_between_them(desk: Desk) -> None:
    found = []
    for day in range(3):
        desk.put("orders", 7 * HOUR)
        found += codes(desk.check("freshness", orders(FRESH), run_id=f"manual__{day}"))
        for _ in range(21):
            desk.later(15 * MINUTE)
            desk.put("orders", 0)
            desk.check("freshness", orders(FRESH))
    assert found == ["E550 warning", "E550 warning", "E550 critical"]


def test_a_recheck_of_a_run_counts_nothing_twice(desk: Desk) -> None:
    for age in (8 * HOUR, 0, 8 * HOUR):  # attempts that find nothing forget nothing
        desk.put("orders", age)
        desk.check("freshness", orders(FRESH), run_id="manual__7", recheck=True)
        desk.later()
    assert sum(desk.store.totals("shop")[SERIES].counters.values()) == 1


def test_a_dry_run_leaves_no_trace(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    report = desk.run("freshness", targets(orders(FRESH)), dry_run=True)
    assert (outcomes(report), report.notes[0][:7]) == ({"orders": "violated"}, "Dry run")
    assert (desk.store.totals("shop"), desk.store.history(SERIES, 0)) == ({}, ())


def test_only_what_was_asked_for(desk: Desk) -> None:
    desk.put("a", 0)
    desk.put("b", 0)
    report = desk.run("freshness", targets(orders(FRESH, name="a"), orders(FRESH, name="b")), only=("b",))
    assert outcomes(report) == {"b": "passed"}


@pytest.mark.parametrize(
    ("monitoring", "asked", "note"),
    [
        pytest.param(Monitoring(enabled=False), {}, "switched off", id="switched off"),
        pytest.param(Monitoring(mode=Mode.ON_DEMAND), {}, "on demand", id="on demand, started by a scheduler"),
        pytest.param(Monitoring(enabled=False), {"scheduled": False}, "switched off", id="switched off for people too"),
    ],
)
def test_when_nothing_is_checked_it_is_said_and_all_is_well(
    desk: Desk, monitoring: Monitoring, asked: dict[str, Any], note: str
) -> None:
    report = desk.run("freshness", targets(orders(FRESH)), monitoring=monitoring, **asked)
    assert (report.results, decide(report)) == ((), ExitCode.PASS)
    assert note in report.notes[0]


@pytest.mark.parametrize("asked", [{"scheduled": False}, {"run_id": "r"}], ids=["by a person", "after a run"])
def test_on_demand_means_when_somebody_asks(desk: Desk, asked: dict[str, Any]) -> None:
    desk.put("orders", 0)
    report = desk.run("freshness", targets(orders(FRESH)), monitoring=Monitoring(mode=Mode.ON_DEMAND), **asked)
    assert outcomes(report) == {"orders": "passed"}


def test_off_is_not_checked(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    found = desk.run("freshness", targets(orders(FRESH), config=settings(data_contracts={"enforcement": "off"})))
    assert (outcomes(found), desk.engine.asked) == ({"orders": "skipped"}, [])
    assert desk.store.history(SERIES, 0) == ()


def test_warn_is_remembered_and_not_counted(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    desk.run("freshness", targets(orders(FRESH), config=settings(data_contracts={"enforcement": "warn"})))
    assert desk.store.totals("shop")[SERIES].counters == {}
    assert len(desk.store.history(SERIES, 0)) == 1


@pytest.mark.parametrize(
    ("enforcement", "age", "asked", "code"),
    [
        pytest.param("alert_only", 40 * HOUR, {}, ExitCode.PASS, id="alert_only: critical violations alert"),
        pytest.param("block", 7 * HOUR, {}, ExitCode.PASS, id="block: a warning does not block"),
        pytest.param("block", 12 * HOUR, {}, ExitCode.BLOCKED, id="block: an error does"),
        pytest.param("warn", 12 * HOUR, {}, ExitCode.PASS, id="warn: nothing does"),
    ],
)
def test_what_violations_do_to_the_exit_code(
    desk: Desk, enforcement: str, age: int, asked: dict[str, Any], code: ExitCode
) -> None:
    desk.put("orders", age)
    config = settings(data_contracts={"enforcement": enforcement})
    assert decide(desk.run("freshness", targets(orders(FRESH), config=config), **asked)) is code


@pytest.mark.parametrize(
    ("others", "enforcement", "asked", "code"),
    [
        pytest.param(("good",), "alert_only", {}, ExitCode.PASS, id="errors leave exit 0"),
        pytest.param(("good",), "alert_only", {"fail_on_error": True}, ExitCode.COULD_NOT_CHECK, id="unless asked"),
        pytest.param(("good",), "block", {}, ExitCode.COULD_NOT_CHECK, id="or under block"),
        pytest.param((), "alert_only", {}, ExitCode.COULD_NOT_CHECK, id="or when nothing could be checked"),
    ],
)
def test_what_errors_do_to_the_exit_code(
    desk: Desk, others: tuple[str, ...], enforcement: str, asked: dict[str, Any], code: ExitCode
) -> None:
    desk.put("good", 0)
    desk.put("broken", 0, down="connection refused")
    config = settings(data_contracts={"enforcement": enforcement})
    found = targets(*(orders(FRESH, name=name) for name in (*others, "broken")), config=config)
    assert decide(desk.run("freshness", found, **asked)) is code


def test_a_blocked_contract_blocks_again_when_its_slot_is_run_again(desk: Desk) -> None:
    desk.put("orders", 12 * HOUR)
    found = targets(orders(FRESH), config=settings(data_contracts={"enforcement": "block"}))
    assert [decide(desk.run("freshness", found)) for _ in range(2)] == [ExitCode.BLOCKED] * 2


def test_no_contracts_at_all_is_no_pass(desk: Desk) -> None:
    assert decide(desk.run("freshness", ())) is ExitCode.COULD_NOT_CHECK


def test_contracts_that_say_nothing_are_skipped_and_all_is_well(desk: Desk) -> None:
    report = desk.run("freshness", targets(orders()))
    assert (outcomes(report), decide(report)) == ({"orders": "skipped"}, ExitCode.PASS)


def test_a_contract_with_a_problem_is_errored_before_anything_is_asked(desk: Desk) -> None:
    config = settings(contracts={"orders": {"thresholds": {"freshness": "1d"}}})
    found = desk.run("freshness", targets(orders(FRESH), config=config))
    assert (outcomes(found), desk.engine.asked) == ({"orders": "errored"}, [])
    assert "weaker than the contract's PT6H" in found.results[0].findings[0].message


def test_a_stricter_threshold_is_judged(desk: Desk) -> None:
    desk.put("orders", 2 * HOUR)
    config = settings(contracts={"orders": {"thresholds": {"freshness": "1h"}}})
    assert outcomes(desk.run("freshness", targets(orders(FRESH), config=config))) == {"orders": "violated"}


def test_two_majors_are_counted_apart(desk: Desk) -> None:
    desk.put("orders", 8 * HOUR)
    report = desk.run("freshness", targets(orders(FRESH), orders(FRESH, version="2.0.0")))
    assert outcomes(report) == {"orders": "violated", "orders.v2": "violated"}
    assert sorted(totals.label for totals in desk.store.totals("shop").values()) == ["orders", "orders.v2"]


def test_contracts_may_be_worked_through_at_once(desk: Desk) -> None:
    names = [f"t{number:02}" for number in range(20)]
    for name in names:
        desk.put(name, 8 * HOUR)
    with ThreadPoolExecutor(4) as pool:
        tools = replace(desk.tools(), spread=pool.map)
        report = run_check(
            Request("freshness", "shop"), targets(*(orders(FRESH, name=name) for name in names)), Monitoring(), tools
        )
    assert list(outcomes(report)) == names
    assert len(desk.store.totals("shop")) == 20


def test_a_report_is_read_back_with_the_same_verdict(desk: Desk) -> None:
    desk.put("good", 0)
    desk.put("broken", 0, down="connection refused")
    report = desk.run(
        "freshness", targets(orders(FRESH, name="good"), orders(FRESH, name="broken")), fail_on_error=True
    )
    again = json_report.parse(json_report.render(report))
    assert (again, decide(again)) == (report, ExitCode.COULD_NOT_CHECK)


def test_who_is_told_cannot_undo_what_was_found(desk: Desk) -> None:
    def broken(*_: object) -> None:
        raise ConnectionError

    desk.put("orders", 0)
    tools = replace(desk.tools(), committed=broken)
    report = run_check(Request("freshness", "shop"), targets(orders(FRESH)), Monitoring(), tools)
    assert (outcomes(report), len(desk.crashes)) == ({"orders": "passed"}, 1)


class _DyingEngine:
    """A judge whose engine ends after some verdicts."""

    def __init__(self, desk: Desk, verdicts: int) -> None:
        self.left, self._judge = verdicts, desk.tools().judge

    def __call__(self, now: CheckContext) -> Checked:
        if self.left == 0:
            raise EngineGone
        self.left -= 1
        return self._judge(now)


@pytest.mark.parametrize(
    ("enforcement", "verdicts", "code"),
    [
        pytest.param("warn", 0, ExitCode.COULD_NOT_CHECK, id="warn, nothing checked"),
        pytest.param("warn", 1, ExitCode.COULD_NOT_CHECK, id="warn, a violation"),
        pytest.param("alert_only", 1, ExitCode.COULD_NOT_CHECK, id="alert_only, a violation"),
        pytest.param("block", 0, ExitCode.COULD_NOT_CHECK, id="block, nothing checked"),
        pytest.param("block", 1, ExitCode.BLOCKED, id="block, a violation"),
    ],
)
def test_an_engine_that_ends_leaves_slots_free_and_says_so(
    desk: Desk, enforcement: str, verdicts: int, code: ExitCode
) -> None:
    config = settings(data_contracts={"enforcement": enforcement})
    found = targets(orders(FRESH, name="a"), orders(FRESH, name="b"), config=config)
    desk.put("a", 48 * HOUR)
    desk.put("b", HOUR)
    tools = replace(desk.tools(), judge=_DyingEngine(desk, verdicts))
    report = run_check(Request("freshness", "shop"), found, Monitoring(), tools)
    assert decide(report) is code
    assert outcomes(report)["b"] == "errored"
    assert not desk.crashes
    again = desk.run("freshness", found)
    assert outcomes(again) == {"a": "violated", "b": "passed"}


@pytest.mark.parametrize("more", [{}, {"recheck": True}, {"run_id": "r1"}], ids=["a slot", "a recheck", "after a run"])
@pytest.mark.parametrize("backwards", [False, True], ids=["in order", "the other way round"])
def test_a_slot_never_has_two_files(desk: Desk, more: dict[str, Any], backwards: bool) -> None:
    desk.put("orders", MINUTE)
    own, copy = targets(orders(FRESH), orders(FRESH, version="1.1.0"))
    first, second = label_targets([own, replace(copy, path="orders.v1.yaml", problem="", rival="")])
    report = desk.run("freshness", [second, first] if backwards else [first, second], **more)
    results = {result.path: result for result in report.results}
    assert results["orders.yaml"].outcome is Outcome.PASSED
    assert results["orders.v1.yaml"].outcome is Outcome.ERRORED
    assert "orders.yaml is monitored for the same contract and MAJOR already" in str(results["orders.v1.yaml"].findings)
    assert (said(results["orders.v1.yaml"], "slot"), desk.engine.asked) == ("", ["clock orders"])
    assert desk.store.totals("shop")[SERIES].version == "1.0.0"


def test_a_copy_that_cannot_be_read_does_not_take_the_slot(desk: Desk) -> None:
    desk.put("orders", MINUTE)
    broken = Finding.of(E501, "yaml-syntax", "this is not YAML")
    own, copy = targets(orders(FRESH), orders(FRESH))
    unreadable = replace(copy, path="a.yaml", problem="the contract cannot be read", findings=(broken,), rival="")
    report = desk.run("freshness", label_targets([unreadable, own]))
    assert {result.path: result.outcome for result in report.results} == {
        "a.yaml": Outcome.ERRORED,
        "orders.yaml": Outcome.PASSED,
    }
