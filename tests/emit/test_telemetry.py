"""The span of an attempt and the identity of a process, as plain values."""

from __future__ import annotations

from typing import Any

import pytest
from support.lineage_told import HOUR, MESH, NOW, PEOPLE, Desk, people, told_by, told_customers

from floe_contracts import __version__
from floe_contracts.checks.verdict import Check
from floe_contracts.emit.lineage_names import run_id
from floe_contracts.emit.telemetry import Identity, Trace, resource_of, span_of, spans_of, trace_of
from floe_contracts.product.observability import Observability, Product

PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_ids_are_those_of_the_slot() -> None:
    first, again = (span_of(told_customers("freshness", HOUR)) for _ in range(2))
    assert first == again
    assert first.trace_id == run_id(told_customers("freshness", HOUR).outcome).bytes
    assert (len(first.trace_id), len(first.span_id)) == (16, 8)


def test_another_attempt_is_another_span() -> None:
    desk = Desk()
    desk.engine.tables["customers"] = people(HOUR)
    first = span_of(told_by(desk, "freshness", PEOPLE))
    second = span_of(told_by(desk, "freshness", PEOPLE, recheck=True))
    assert first.span_id != second.span_id


def test_a_span_says_what_was_checked_and_when() -> None:
    span = span_of(told_customers("quality", HOUR, HOUR))
    assert (span.name, span.start_us, span.end_us) == ("floe.contract.check", NOW, NOW + 1_500_000)
    assert span.attributes == {
        "floe.contract.name": "sales-customers",
        "floe.contract.version": "2.1.0",
        "floe.contract.check_type": "quality",
        "floe.contract.slot": "2026-01-03T06:00:00Z",
        "floe.contract.outcome": "violated",
        "floe.contract.enforcement": "alert_only",
        "floe.contract.attempt": 1,
        "floe.contract.violations": 2,
        "floe.quality.score": 75.0,
        "floe.quality.coverage": 50.0,
        "openlineage.run_id": str(run_id(told_customers("quality", HOUR, HOUR).outcome)),
        "openlineage.job": "contract_check.sales-customers",
    }


@pytest.mark.parametrize(
    ("check", "ages", "more", "failed"),
    [
        pytest.param("freshness", (HOUR,), {}, "", id="a kept promise"),
        pytest.param("freshness", (8 * HOUR,), {}, "Data is 8 hours old, SLA is 6 hours", id="a broken one"),
        pytest.param(
            "freshness",
            (),
            {"down": "permission denied"},
            "placed_at could not be measured: permission denied",
            id="one that nobody could look at",
        ),
    ],
)
def test_a_span_fails_with_its_check(check: Check, ages: tuple[int, ...], more: Any, failed: str) -> None:
    assert span_of(told_customers(check, *ages, **more)).failed == failed


def test_rules_are_spans_below_their_check() -> None:
    check, *tests = spans_of(told_customers("quality", HOUR, HOUR))
    assert {(one.name, one.trace_id, one.parent_id) for one in tests} == {
        ("floe.quality.test", check.trace_id, check.span_id)
    }
    assert len({one.span_id for one in (check, *tests)}) == 1 + len(tests)
    assert {(one.start_us, one.end_us) for one in tests} == {(check.start_us, check.end_us)}
    assert {
        "floe.quality.test_name": "not_null",
        "floe.quality.model": "customers",
        "floe.quality.column": "e_mail",
        "floe.quality.result": "fail",
    } in [dict(one.attributes) for one in tests]
    assert [one.attributes["floe.contract.violation.type"] for one in check.events] == ["quality_violation"] * 2


def test_other_checks_have_no_tests_below_them() -> None:
    assert len(spans_of(told_customers("freshness", HOUR))) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            PARENT,
            Trace(bytes.fromhex("4bf92f3577b34da6a3ce929d0e0e4736"), bytes.fromhex("00f067aa0ba902b7")),
            id="as W3C writes it",
        ),
        pytest.param("", Trace(), id="nothing"),
        pytest.param("00-xyz-00f067aa0ba902b7-01", Trace(), id="no hexadecimal"),
        pytest.param(f"00-{'0' * 32}-00f067aa0ba902b7-01", Trace(), id="nobody's trace"),
        pytest.param(f"ff{PARENT[2:]}", Trace(), id="a version that is none"),
    ],
)
def test_a_trace_of_the_caller(text: str, found: Trace) -> None:
    assert trace_of(text) == found


def test_a_span_hangs_below_the_callers() -> None:
    span = span_of(told_customers("freshness", HOUR), trace_of(PARENT))
    assert span.trace_id.hex() == "4bf92f3577b34da6a3ce929d0e0e4736"
    assert span.parent_id.hex() == "00f067aa0ba902b7"


def test_the_resource_has_the_seeds_attributes() -> None:
    found = dict(resource_of(Identity(MESH), "sales.customer-360"))
    assert found.pop("service.instance.id")
    assert found == {
        "service.name": "floe",
        "service.version": __version__,
        "floe.namespace": "sales.customer-360",
        "floe.product.name": "customer-360",
        "floe.product.version": "3.2.1",
        "floe.mode": "mesh",
        "floe.version": __version__,
        "floe.domain": "sales",
        "floe.enterprise": "acme",
    }


def test_domain_and_enterprise_are_of_a_mesh_alone() -> None:
    said = Observability(mode="simple", domain="sales", enterprise="acme", product=Product(name="p", version="1"))
    assert {"floe.domain", "floe.enterprise"} & set(resource_of(Identity(said), "p")) == set()


def test_an_instance_is_the_same_in_every_run_and_another_for_another_namespace() -> None:
    ids = [resource_of(Identity(), name)["service.instance.id"] for name in ("a", "a", "b")]
    assert ids[0] == ids[1] != ids[2]


def test_what_the_environment_says_wins() -> None:
    found = resource_of(Identity(more={"floe.namespace": "mine", "team": "x"}), "floe")
    assert (found["floe.namespace"], found["team"]) == ("mine", "x")
