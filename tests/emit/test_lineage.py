"""Lineage events as pure values: which there are, which bytes they have, and what their facets say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.builders import column, contract, table
from support.lineage_spec import conforms
from support.lineage_told import HOUR, NOW, PEOPLE, SPEAKER, Desk, people, placed, told_by, told_customers

from floe_contracts.checks.moments import moment
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import Server
from floe_contracts.emit.lineage import lineage_events
from floe_contracts.emit.lineage_facets import Speaker
from floe_contracts.emit.lineage_names import run_id
from floe_contracts.monitor.run.delivery import NewResult


def told_events(told: NewResult, speaker: Speaker = SPEAKER) -> list[dict[str, Any]]:
    return [conforms(one.body) for one in lineage_events(told, speaker)]


def end_of(told: NewResult, speaker: Speaker = SPEAKER) -> dict[str, Any]:
    return told_events(told, speaker)[1]


@pytest.mark.parametrize(
    ("check", "ages", "more", "end"),
    [
        pytest.param("freshness", (HOUR,), {}, "COMPLETE", id="fresh data completes"),
        pytest.param("freshness", (8 * HOUR,), {}, "FAIL", id="old data fails"),
        pytest.param("freshness", (), {"down": "permission denied"}, "ABORT", id="what nobody could open aborts"),
        pytest.param("availability", (), {"down": "permission denied"}, "FAIL", id="a failed probe fails"),
        pytest.param("availability", (HOUR,), {}, "COMPLETE", id="a good probe completes"),
        pytest.param("quality", (HOUR, HOUR), {}, "FAIL", id="a broken rule fails"),
        pytest.param("quality", (HOUR,), {}, "COMPLETE", id="kept rules complete"),
        pytest.param("schema_drift", (HOUR,), {}, "COMPLETE", id="the promised schema completes"),
        pytest.param("lifecycle", (), {}, "COMPLETE", id="an active contract completes"),
    ],
)
def test_an_attempt_has_one_start_and_one_end(check: Check, ages: tuple[int, ...], more: Any, end: str) -> None:
    told = told_customers(check, *ages, **more)
    assert [one["eventType"] for one in told_events(told)] == ["START", end]


def test_both_events_share_run_job_and_inputs() -> None:
    start, end = told_events(told_customers("quality", HOUR, HOUR))
    assert start["run"]["runId"] == end["run"]["runId"]
    assert start["job"] == end["job"]
    assert start["job"]["name"] == "contract_check.sales-customers"
    assert start["job"]["namespace"] == "sales.customer-360"
    assert start["inputs"] == [{**one, "inputFacets": {}} for one in end["inputs"]]
    assert start["outputs"] == end["outputs"] == []


def test_the_same_outcome_gives_the_same_bytes() -> None:
    first, second = told_customers("quality", HOUR, HOUR), told_customers("quality", HOUR, HOUR)
    assert lineage_events(first, SPEAKER) == lineage_events(second, SPEAKER)


def test_info_is_listed_and_completes() -> None:
    wider = (*people().columns, column_seen("extra"))
    end = end_of(told_customers("schema_drift", HOUR, columns=wider))
    assert end["eventType"] == "COMPLETE"
    assert end["run"]["facets"]["contractViolation"]["severity"] == "info"
    assert end["run"]["facets"]["contractStatus"]["status"] == "pass"


def column_seen(name: str) -> Any:
    from support.row_engine import actual

    (found,) = actual(**{name: "string"})
    return found


def test_a_check_with_nothing_to_check_completes_as_skipped() -> None:
    desk = Desk()
    desk.engine.tables["customers"] = people(HOUR)
    end = end_of(told_by(desk, "freshness", replace(PEOPLE, slas=())))
    assert (end["eventType"], end["run"]["facets"]["contractStatus"]["status"]) == ("COMPLETE", "skip")


def test_the_worst_violation_stands_in_the_seeds_fields() -> None:
    facet = end_of(told_customers("freshness", 8 * HOUR))["run"]["facets"]["contractViolation"]
    listed = facet.pop("violations")
    assert {key: text for key, text in facet.items() if key[0] != "_"} == {
        "contractName": "sales-customers",
        "contractVersion": "2.1.0",
        "violationType": "freshness_violation",
        "severity": "warning",
        "message": "Data is 8 hours old, SLA is 6 hours",
        "element": "placed_at",
        "expectedValue": "PT6H",
        "actualValue": "PT8H",
        "timestamp": "2026-01-03T10:15:00Z",
        "violationCount": 1,
    }
    assert [one.items() <= facet.items() for one in listed] == [True]


def test_status_has_numbers() -> None:
    facet = end_of(told_customers("freshness", 2 * HOUR + HOUR // 2))["run"]["facets"]["contractStatus"]
    assert (facet["threshold"], facet["actualValue"], facet["status"]) == (6.0, 2.5, "pass")


def test_a_hundred_violations_are_listed_and_all_are_counted() -> None:
    columns = tuple(column(f"c{index}", required=True) for index in range(120))
    wide = contract(table(*columns, name="customers"), name="wide", servers=(Server("here", "custom"),))
    desk = Desk()
    desk.engine.tables["customers"] = people(HOUR)
    facet = end_of(told_by(desk, "quality", wide))["run"]["facets"]["contractViolation"]
    assert (facet["violationCount"], len(facet["violations"])) == (120, 100)


def test_the_first_kept_slot_says_how_long_it_was_broken() -> None:
    desk = Desk()
    desk.engine.tables["customers"] = people(8 * HOUR)
    told_by(desk, "freshness", PEOPLE)
    desk.later(HOUR)
    told_by(desk, "freshness", PEOPLE)
    desk.later(HOUR)
    desk.engine.tables["customers"] = people(-2 * HOUR)
    recovered = end_of(told_by(desk, "freshness", PEOPLE))
    desk.later(HOUR)
    after = end_of(told_by(desk, "freshness", PEOPLE))
    said = recovered["run"]["facets"]["contractStatus"]["recovery"]
    assert said == {"violatedSince": "2026-01-03T10:15:00Z", "violatedSlots": 2}
    assert "recovery" not in after["run"]["facets"]["contractStatus"]


def test_quality_is_told_in_our_facet_and_in_the_standard_ones() -> None:
    end = end_of(told_customers("quality", HOUR, HOUR))
    quality, tests = end["run"]["facets"]["quality"], end["run"]["facets"]["test"]["tests"]
    assert {"name": "not_null", "table": "customers", "column": "e_mail", "status": "fail"} in quality["tests"]
    assert (quality["coverage"], quality["score"]) == (50.0, 75.0)
    assert {one["name"]: one["status"] for one in tests}["customers.e_mail.not_null"] == "fail"
    (assertions,) = [one["inputFacets"]["dataQualityAssertions"]["assertions"] for one in end["inputs"]]
    broken = [one for one in assertions if not one["success"] and one["assertion"] == "not_null"]
    assert broken == [
        {
            "assertion": "not_null",
            "name": "not_null",
            "success": False,
            "column": "e_mail",
            "severity": "error",
            "expected": "exactly 0 rows",
            "actual": "1 row",
        }
    ]


def test_tests_stand_at_the_table_they_are_about() -> None:
    two = contract(
        table(column("id", required=True), name="customers"),
        table(column("id", required=True), name="shops"),
        name="both",
        servers=(Server("here", "custom"),),
    )
    desk = Desk()
    desk.engine.tables["customers"] = people(HOUR)
    desk.engine.tables["shops"] = replace(people(), rows=[{"id": None}])
    inputs = end_of(told_by(desk, "quality", two))["inputs"]
    found = {
        one["name"]: [(each["column"], each["success"]) for each in assertions]
        for one in inputs
        for assertions in [one["inputFacets"]["dataQualityAssertions"]["assertions"]]
    }
    assert found == {"customers": [("id", True)], "shops": [("id", False)]}


def test_classifications_come_with_what_is_known_of_them() -> None:
    (one,) = end_of(told_customers("freshness", HOUR))["inputs"]
    assert one["facets"]["dataClassification"]["columns"] == [
        {"name": "id", "classification": "identifier"},
        {"name": "e_mail", "classification": "pii", "pii_type": "email"},
        {"name": "phone", "classification": "pii", "pii_type": "mobile", "sensitivity": "high"},
    ]
    assert one["facets"]["floe"]["layer"] == "gold"
    assert one["facets"]["ownership"]["owners"] == [{"name": "team-sales", "type": "OWNER"}]


def test_an_abort_says_why_and_nothing_about_the_data() -> None:
    end = end_of(told_customers("quality", down="permission denied"))
    assert "permission denied" in end["run"]["facets"]["errorMessage"]["message"]
    assert {"contractViolation", "contractStatus", "quality", "test"} & set(end["run"]["facets"]) == set()


def test_what_is_not_known_is_left_out() -> None:
    desk = Desk()
    desk.engine.tables["customers"] = people(HOUR)
    bare = contract(table(name="customers"), name="bare", servers=(Server("here", "custom"),))
    start, _ = told_events(told_by(desk, "availability", bare), Speaker())
    assert set(start["run"]["facets"]) == {"floe", "nominalTime", "tags"}
    assert set(start["job"]["facets"]) == {"jobType"}
    assert set(start["inputs"][0]["facets"]) == {"schema", "floe"}


def test_a_check_after_a_run_names_it_and_has_no_nominal_time() -> None:
    desk = Desk()
    desk.engine.tables["customers"] = people(HOUR)
    start, _ = told_events(told_by(desk, "freshness", PEOPLE, run_id="manual__2026"))
    assert "nominalTime" not in start["run"]["facets"]
    assert {"key": "floe.run_id", "value": "manual__2026", "source": "FLOE"} in start["run"]["facets"]["tags"]["tags"]


def test_a_newer_major_has_a_job_of_its_own() -> None:
    target = replace(placed(PEOPLE, "custom"), label="sales-customers.v2")
    desk = Desk()
    desk.engine.tables["customers"] = people(HOUR)
    (start, _) = told_events(told_by(desk, "freshness", PEOPLE, target))
    assert start["job"]["name"] == "contract_check.sales-customers.v2"


def test_another_attempt_is_another_run() -> None:
    desk = Desk()
    desk.engine.tables["customers"] = people(HOUR)
    first = told_by(desk, "freshness", PEOPLE)
    second = told_by(desk, "freshness", PEOPLE, recheck=True)
    assert run_id(first.outcome) != run_id(second.outcome)


def test_run_ids_are_those_of_openlineage() -> None:
    from openlineage.client.uuid import generate_static_uuid

    outcome = told_customers("freshness", HOUR).outcome
    expected = generate_static_uuid(moment(NOW), f"{outcome.key}|{outcome.claim.promise}|1".encode())
    assert run_id(outcome) == expected
    assert run_id(outcome).version == 7
