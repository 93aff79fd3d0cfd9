"""Age: every definition of how old data may be, one row each."""

from __future__ import annotations

import pytest
from support.builders import column
from support.judgements import NOW, at, clock, judged, orders, promise_of, said, sla, told

from floe_contracts.checks.freshness.judge import MeasuredPromise, judge_freshness
from floe_contracts.checks.measured import Clock, Failure
from floe_contracts.checks.promises.promise import promises
from floe_contracts.contract.model import Property, Sla
from floe_contracts.results import Outcome

SIX_HOURS = sla("freshness", "PT6H")


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        pytest.param("2026-01-03 09:59", [], id="a minute old"),
        pytest.param("2026-01-03 04:00", [], id="exactly six hours old passes"),
        pytest.param("2026-01-03 03:59:59.999999", ["E550 warning"], id="one microsecond older"),
        pytest.param("2026-01-03 02:00", ["E550 warning"], id="the seeds' eight hours"),
        pytest.param("2026-01-03 01:00", ["E550 warning"], id="one and a half times"),
        pytest.param("2026-01-02 16:00", ["E550 error"], id="three times"),
        pytest.param("2026-01-02 15:59", ["E550 critical"], id="beyond three times"),
        pytest.param("2026-01-03 10:04", [], id="four minutes ahead, within the skew of clocks"),
        pytest.param("0001-01-01 00:00", ["E550 critical"], id="two thousand years old"),
    ],
)
def test_data_may_be_six_hours_old(last: str, expected: list[str]) -> None:
    assert told(judged(SIX_HOURS, clock(last))) == expected


def test_the_message_is_the_one_of_the_seeds() -> None:
    (found,) = judged(SIX_HOURS, clock("2026-01-03 02:00")).findings
    assert found.message == "Data is 8 hours old, SLA is 6 hours"
    assert (found.element, found.expected, found.actual) == ("updated_at", "PT6H", "PT8H")
    assert found.violation_type == "freshness_violation"


@pytest.mark.parametrize(
    ("last", "message", "actual"),
    [
        pytest.param("2026-01-03 01:47", "Data is 8 hours 13 minutes old, SLA is 6 hours", "PT8H13M", id="two units"),
        pytest.param("2026-01-01 06:59", "Data is 2 days 3 hours old, SLA is 6 hours", "P2DT3H1M", id="days"),
        pytest.param(
            "2026-01-03 03:59:59.500",
            "Data is 6 hours 0.5 seconds old, SLA is 6 hours",
            "PT6H0.5S",
            id="exact where rounding would hide the violation",
        ),
    ],
)
def test_lengths_are_short_unless_that_misleads(last: str, message: str, actual: str) -> None:
    (found,) = judged(SIX_HOURS, clock(last)).findings
    assert (found.message, found.actual) == (message, actual)


@pytest.mark.parametrize(
    ("promised", "last", "expected"),
    [
        pytest.param(sla("freshness", 30, unit="minutes"), "2026-01-03 09:30", [], id="30 minutes, exactly"),
        pytest.param(sla("freshness", 30, unit="minutes"), "2026-01-03 09:29", ["E550 warning"], id="30 minutes"),
        pytest.param(sla("freshness", "P1M"), "2025-12-03 10:00", [], id="a month of the calendar, exactly"),
        pytest.param(sla("freshness", "P1M"), "2025-12-03 09:59", ["E550 warning"], id="a month of the calendar"),
        pytest.param(sla("frequency", "daily"), "2026-01-02 10:00", [], id="a daily update, a day ago"),
        pytest.param(sla("frequency", 1, unit="d"), "2026-01-02 09:00", ["E550 warning"], id="a daily update, overdue"),
        pytest.param(sla("freshness", "PT6H", grace="PT30M"), "2026-01-03 03:40", [], id="within the grace"),
        pytest.param(
            sla("freshness", "PT6H", grace="PT30M"), "2026-01-03 03:29", ["E550 warning"], id="past the grace"
        ),
    ],
)
def test_the_promise_may_be_written_in_many_ways(promised: Sla, last: str, expected: list[str]) -> None:
    assert told(judged(promised, clock(last))) == expected


def test_a_month_is_told_as_a_month() -> None:
    (found,) = judged(sla("freshness", "P1M"), clock("2025-11-03 10:00")).findings
    assert found.message == "Data is 61 days old, SLA is 1 month"


def test_a_continuous_frequency_is_no_promise_that_a_check_could_see() -> None:
    result = judged(sla("frequency", "continuous"), clock("2026-01-03 09:00"))
    assert (result.outcome, said(result, "status")) == (Outcome.SKIPPED, "continuous")


def test_a_row_dated_2999_is_a_fault_of_quality_and_does_not_make_the_table_fresh() -> None:
    result = judged(SIX_HOURS, clock("2026-01-02 00:00", future=1))
    assert told(result) == ["E550 critical", "E557 warning"]
    assert [item.violation_type for item in result.findings] == ["freshness_violation", "quality_violation"]


def test_times_in_the_future_are_told_even_when_the_rest_is_fresh() -> None:
    result = judged(SIX_HOURS, clock("2026-01-03 09:00", future=1))
    assert told(result) == ["E557 warning"]
    assert (result.outcome, said(result, "future_rows")) == (Outcome.VIOLATED, "1")


@pytest.mark.parametrize(
    ("measured", "reason"),
    [
        pytest.param(clock(None, rows=0), "no_rows", id="an empty table"),
        pytest.param(clock(None, rows=7), "all_null", id="only nulls"),
        pytest.param(clock(None, rows=7, nulls=5, future=2), "all_future", id="only times in the future"),
        pytest.param(clock(None, rows=None, nulls=None), "no_time", id="nobody counted the rows"),
    ],
)
@pytest.mark.parametrize(
    ("choice", "severity"),
    [
        pytest.param({}, "E550 error", id="by default it fails"),
        pytest.param({"on_empty": "warn"}, "E550 warning", id="warn"),
        pytest.param({"on_empty": "skip"}, None, id="skip"),
    ],
)
def test_without_a_time_the_age_is_unknown(
    measured: Clock, reason: str, choice: dict[str, str], severity: str | None
) -> None:
    result = judged(sla("freshness", "PT6H", **choice), measured)
    assert said(result, "status") == reason
    assert said(result, "freshness_seconds") is None, "an unknown age moves no gauge"
    if severity is None:
        assert (result.outcome, result.findings) == (Outcome.SKIPPED, ())
    else:
        assert told(result)[0] == severity
        assert result.findings[0].actual == reason


def test_the_message_says_whose_age_is_unknown() -> None:
    (found,) = judged(SIX_HOURS, clock(None, rows=0)).findings
    assert found.message == "The age of orders is not known: the table has no rows"
    groups = {"eu": "2026-01-03 09:00", "us": None}
    (found,) = judged(sla("freshness", "PT6H", group_by="region"), clock("2026-01-03 09:00", groups=groups)).findings
    assert found.message == "The age of region us is not known: no row has a time"


@pytest.mark.parametrize(
    ("groups", "expected", "element"),
    [
        pytest.param({"eu": "2026-01-03 09:00", "us": "2026-01-03 08:00"}, [], "", id="every group is fresh"),
        pytest.param(
            {"eu": "2026-01-03 09:00", "us": "2026-01-02 09:00"},
            ["E550 critical"],
            "updated_at (region us)",
            id="one dead",
        ),
        pytest.param(
            {"eu": "2026-01-03 09:00", "us": None}, ["E550 error"], "updated_at (region us)", id="one without times"
        ),
    ],
)
def test_with_group_by_the_worst_group_counts(groups: dict[str, str | None], expected: list[str], element: str) -> None:
    result = judged(sla("freshness", "PT6H", group_by="region"), clock("2026-01-03 09:00", groups=groups))
    assert told(result) == expected
    assert [item.element for item in result.findings] == ([element] if element else [])


def test_late_groups_are_counted() -> None:
    groups = {"eu": "2026-01-03 09:00", "us": "2026-01-02 09:00", "apac": "2026-01-01 09:00"}
    result = judged(sla("freshness", "PT6H", group_by="region"), clock("2026-01-03 09:00", groups=groups))
    assert said(result, "late_groups") == "2"
    assert said(result, "freshness_seconds") == str(49 * 3600)


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param([column("patient", classification="restricted")], id="classified"),
        pytest.param([column("patient", classification="internal")], id="internal"),
        pytest.param([column("patient", pii_type="name")], id="personal"),
        pytest.param([column("patient", encrypted_name="patient_enc")], id="kept encrypted elsewhere"),
        pytest.param(
            [column("who", physical_name="Patient", pii_type="name")], id="personal, by its name in the table"
        ),
        pytest.param([column("patient"), column("who", physical_name="patient", pii_type="name")], id="two of a name"),
        pytest.param([], id="not in the contract"),
    ],
)
def test_values_of_a_column_that_is_not_open_are_not_told(columns: list[Property]) -> None:
    one = orders(sla("freshness", "PT6H", group_by="patient"), columns=(column("updated_at", "timestamp"), *columns))
    (found,) = judged(one, clock("2026-01-03 09:00", groups={"Jane Doe": "2026-01-01 09:00"})).findings
    assert "Jane" not in repr(found)
    assert found.element == "updated_at (one patient)"


@pytest.mark.parametrize(
    ("group_by", "told"),
    [
        pytest.param("address.region", "updated_at (address.region eu)", id="open"),
        pytest.param("address.street", "updated_at (one address.street)", id="personal"),
        pytest.param("address.planet", "updated_at (one address.planet)", id="not in the contract"),
        pytest.param("secret.region", "updated_at (one secret.region)", id="inside a classified column"),
    ],
)
def test_values_of_a_field_are_told_where_it_is_open(group_by: str, told: str) -> None:
    fields = (column("region"), column("street", pii_type="address"))
    columns = (
        column("updated_at", "timestamp"),
        column("address", "object", properties=fields),
        column("secret", "object", properties=fields, classification="restricted"),
    )
    one = orders(sla("freshness", "PT6H", group_by=group_by), columns=columns)
    (found,) = judged(one, clock("2026-01-03 09:00", groups={"eu": "2026-01-01 09:00"})).findings
    assert found.element == told


def test_the_third_slot_in_a_row_is_critical() -> None:
    assert told(judged(SIX_HOURS, clock("2026-01-03 02:00"), streak=1)) == ["E550 warning"]
    assert told(judged(SIX_HOURS, clock("2026-01-03 02:00"), streak=2)) == ["E550 critical"]


def test_a_past_slot_is_not_judged_with_the_data_of_today() -> None:
    result = judged(SIX_HOURS, clock("2026-01-01 00:00"), past=True)
    assert (result.outcome, said(result, "status")) == (Outcome.SKIPPED, "past_slot")


def test_what_could_not_be_measured_is_neither_good_nor_bad() -> None:
    result = judged(SIX_HOURS, Failure("column updated_at does not exist"))
    assert result.outcome is Outcome.ERRORED
    assert result.findings[0].message == "updated_at could not be measured: column updated_at does not exist"


def test_an_unreadable_promise_is_said() -> None:
    result = judged(sla("freshness", "soon"), clock("2026-01-03 09:00"))
    assert (result.outcome, told(result)) == (Outcome.ERRORED, ["E560 warning"])


def test_the_context_carries_what_metrics_and_lineage_need() -> None:
    result = judged(SIX_HOURS, clock("2026-01-03 07:30"))
    assert dict(result.context) == {
        "key": "orders",
        "version": "1.0.0",
        "freshness_seconds": "9000",
        "how": "column updated_at by scan",
        "threshold": "6",
        "value": "2.5",
    }


def test_one_result_tells_the_worst_of_several_promises() -> None:
    one = orders(sla("freshness", "PT6H"), sla("frequency", "daily"))
    fresh, daily = promises(one, one.objects[0])
    answers = [MeasuredPromise(fresh, clock("2026-01-03 02:00")), MeasuredPromise(daily, clock("2026-01-03 09:00"))]
    result = judge_freshness(one, answers, as_of_us=at(NOW))
    assert told(result) == ["E550 warning"]
    assert (said(result, "freshness_seconds"), said(result, "threshold")) == (str(8 * 3600), "6")


def test_a_contract_without_such_promises_is_skipped() -> None:
    result = judge_freshness(orders(), [], as_of_us=at(NOW))
    assert (result.outcome, said(result, "status")) == (Outcome.SKIPPED, "no_promise")


def test_a_violation_counts_beside_a_table_that_could_not_be_read() -> None:
    promise = promise_of(orders(SIX_HOURS))
    answers = [MeasuredPromise(promise, clock("2026-01-03 02:00")), MeasuredPromise(promise, Failure("gone"))]
    result = judge_freshness(orders(SIX_HOURS), answers, as_of_us=at(NOW))
    assert result.outcome is Outcome.VIOLATED
    assert sorted(told(result)) == ["E550 warning", "E560 warning"]
