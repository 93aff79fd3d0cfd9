"""The plugin of our own, method by method, and others as judges of a run."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

import pytest
from support.builders import column, contract
from support.contracts import DANGLING, MISSPELT, ORDERS
from support.monitored import FRESH, HOUR, NOW, PLACED, Desk, codes, orders, said, targets
from support.row_engine import RowTable, actual

from floe_contracts.codes import Severity, ViolationType
from floe_contracts.contract.model import Contract, Server, Sla
from floe_contracts.errors import FloeError, UsageError
from floe_contracts.monitor.plugin.judge import plugin_judge
from floe_contracts.monitor.plugin.odcs import OdcsPlugin
from floe_contracts.monitor.plugin.protocol import (
    ContractViolation,
    DataContractPlugin,
    SchemaComparisonResult,
    SLACheckResult,
)
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.monitor.source.connection import connection_from
from floe_contracts.product.data_contracts import Monitoring
from floe_contracts.results import CheckResult, Outcome

HERE = {"type": "dataframe"}
FILES = {"orders.yaml": ORDERS, "misspelt.yaml": MISSPELT, "dangling.yaml": DANGLING}
TWELVE = [
    "parse_contract",
    "generate_contract_from_ports",
    "merge_contracts",
    "validate_contract",
    "lint_contract_file",
    "detect_schema_drift",
    "compare_schemas",
    "check_freshness",
    "check_availability",
    "check_quality",
    "validate_version_bump",
    "check_breaking_changes",
]


@pytest.fixture
def desk() -> Desk:
    return Desk()


def plugin(desk: Desk) -> OdcsPlugin:
    def bump(old: Contract, new: Contract) -> tuple[bool, str]:
        return new.version > old.version, f"write more than {old.version}"

    return OdcsPlugin(desk.engine, read=lambda path: FILES[path].encode(), judge_bump=bump, now_us=lambda: desk.now_us)


def test_our_plugin_has_the_twelve_methods_with_the_arguments_of_the_protocol(desk: Desk) -> None:
    ours: DataContractPlugin = plugin(desk)
    for name in TWELVE:
        asked = list(inspect.signature(getattr(DataContractPlugin, name)).parameters)[1:]
        assert list(inspect.signature(getattr(ours, name)).parameters) == asked, name
    assert (ours.name, ours.version) == ("odcs", "1.0.0")


def test_a_contract_is_parsed(desk: Desk) -> None:
    assert plugin(desk).parse_contract("orders.yaml").version == "1.2.0"


def test_a_contract_with_errors_is_not_parsed_and_the_place_is_told(desk: Desk) -> None:
    with pytest.raises(FloeError, match=r"misspelt.yaml:\d+:\d+: ") as refused:
        plugin(desk).parse_contract("misspelt.yaml")
    assert refused.value.code.id == "FLOE-E501"


@pytest.mark.parametrize(
    ("path", "valid", "warnings"),
    [
        pytest.param("orders.yaml", True, 0, id="in order"),
        pytest.param("dangling.yaml", True, 1, id="a warning"),
        pytest.param("misspelt.yaml", False, 0, id="an error"),
    ],
)
def test_files_are_linted(desk: Desk, path: str, valid: bool, warnings: int) -> None:
    found = plugin(desk).lint_contract_file(path)
    assert (found.valid, len(found.warnings), found.contract is not None) == (valid, warnings, valid)


def test_a_contract_is_validated_alone_and_against_columns(desk: Desk) -> None:
    ours = plugin(desk)
    assert ours.validate_contract(orders()).valid
    found = ours.validate_contract(orders(), {"orders": actual(order_id="int", placed_at="timestamp")})
    assert [one.code.id for one in found.errors] == ["FLOE-E530"]


def test_ports_become_contracts_and_written_ones_win(desk: Desk) -> None:
    ours = plugin(desk)
    made = ours.generate_contract_from_ports([{"name": "orders"}], [], {"name": "shop", "version": "1.0.0"})
    assert (made.name, ours.merge_contracts(made, orders()).name) == ("shop-orders", "orders")


def test_drift_is_detected(desk: Desk) -> None:
    desk.put("orders", columns=actual(order_id="int", placed_at="timestamp", note="string"))
    found = plugin(desk).detect_schema_drift(orders(), HERE)
    assert [(one.violation_type, one.element) for one in found.violations] == [
        (ViolationType.SCHEMA_MISMATCH, "order_id"),
        (ViolationType.SCHEMA_DRIFT, "note"),
    ]
    assert (found.matches, [one.element for one in found.breaking]) == (False, ["order_id"])


def test_only_what_breaks_readers_is_a_breaking_change(desk: Desk) -> None:
    desk.put("orders", columns=(*PLACED[:1], *actual(note="string")))
    assert [one.code for one in plugin(desk).check_breaking_changes(orders(), HERE)] == ["FLOE-E531"]


@pytest.mark.parametrize(
    ("new", "types"),
    [
        pytest.param({"id": "int", "name": "string"}, [], id="the same"),
        pytest.param({"id": "bigint", "name": "string"}, ["breaking_change"], id="another type"),
        pytest.param({"id": "int"}, ["breaking_change"], id="a column less"),
        pytest.param({"id": "int", "name": "string", "x": "date"}, ["schema_drift"], id="a column more"),
    ],
)
def test_two_schemas_are_compared(desk: Desk, new: dict[str, str], types: list[str]) -> None:
    found = plugin(desk).compare_schemas(actual(id="int", name="string"), actual(**new))
    assert [one.violation_type.value for one in found.violations] == types


def test_freshness_by_the_column_that_the_caller_names(desk: Desk) -> None:
    desk.engine.tables["orders"] = RowTable([{"placed_at": NOW, "loaded_at": NOW - 8 * HOUR}], PLACED)
    found = plugin(desk).check_freshness(orders(Sla("freshness", "PT6H")), HERE, "loaded_at")
    assert (found.passed, found.threshold, found.actual_value) == (False, "6", "8")
    (violation,) = found.violations
    assert violation == ContractViolation(
        contract_name="orders",
        contract_version="1.0.0",
        violation_type=ViolationType.FRESHNESS,
        severity=Severity.WARNING,
        message="Data is 8 hours old, SLA is 6 hours",
        element="orders",
        expected_value="PT6H",
        actual_value="PT8H",
        timestamp=datetime(2026, 1, 3, 10, 15, tzinfo=timezone.utc),
        code="FLOE-E550",
        rule="too-old",
        context=violation.context,
    )


def test_availability(desk: Desk) -> None:
    assert not plugin(desk).check_availability(orders(), HERE).passed
    desk.put("orders")
    assert plugin(desk).check_availability(orders(), HERE).passed


def test_quality_has_a_result_per_rule_and_one_for_the_whole(desk: Desk) -> None:
    desk.engine.tables["orders"] = RowTable([{"order_id": "1"}, {"order_id": "1"}], PLACED)
    found = plugin(desk).check_quality(orders(Sla("quality", "90%")), HERE)
    assert [(one.name, one.outcome.value, len(one.violations)) for one in found] == [
        ("not_null", "passed", 0),
        ("primary_key", "violated", 1),
        ("", "violated", 1),
    ]
    assert found[-1].violations[0].code == "FLOE-E554"


def test_what_cannot_be_measured_says_why(desk: Desk) -> None:
    desk.put("orders", down="permission denied")
    found = plugin(desk).check_freshness(orders(FRESH), HERE, None)
    assert (found.outcome, "permission denied" in found.message, found.violations) == (Outcome.ERRORED, True, ())


def test_the_version_is_judged_by_the_gate(desk: Desk) -> None:
    ours = plugin(desk)
    assert ours.validate_version_bump(orders(), orders(version="2.0.0")) == (True, "write more than 1.0.0")


@pytest.mark.parametrize(
    ("connection", "reason"),
    [
        pytest.param({"typ": "local"}, "typ: no such key", id="an unknown key"),
        pytest.param({"options": {"password": "hunter2"}}, "options: password: it is a secret", id="a secret"),
        pytest.param({"type": "postgress"}, "did you mean postgres", id="an unknown type"),
    ],
)
def test_a_connection_that_cannot_be_used_is_refused(connection: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as refused:
        connection_from(connection)
    assert "hunter2" not in refused.value.message


# --- another plugin as the judge of a run


@dataclass
class OtherPlugin:
    """A test double: a plugin that is not ours, with the answers that a test gives it."""

    answers: dict[str, Any]
    calls: list[tuple[str, Any]] = field(default_factory=list)
    name: str = "other"
    version: str = "9"

    def __getattr__(self, method: str) -> Any:
        if method not in self.answers:
            raise AttributeError(method)

        def answer(_: Contract, *arguments: Any) -> Any:
            self.calls.append((method, arguments))
            return self.answers[method]

        return answer


def judged(other: OtherPlugin, check: Any, one: Contract, **asked: Any) -> CheckResult:
    desk = Desk()
    tools = replace(desk.tools(), judge=plugin_judge(other))
    (result,) = run_check(Request(check, "shop", **asked), targets(one), Monitoring(), tools).results
    return result


def test_another_plugin_gets_whole_paths_because_it_knows_no_folders() -> None:
    other = OtherPlugin({"check_availability": SLACheckResult("orders", "availability", Outcome.PASSED)})
    server = Server("lake", "local", coordinates={"path": "../data/orders", "format": "parquet"})
    (target,) = targets(orders(servers=(server,)))
    placed = replace(target, where=replace(target.where, folder="/shop/contracts"))
    tools = replace(Desk().tools(), judge=plugin_judge(other))
    run_check(Request("availability", "shop"), [placed], Monitoring(), tools)
    assert other.calls == [("check_availability", ({"tables": {"orders": {"location": "/shop/data/orders"}}},))]


LATE = ContractViolation(
    "orders", "1.0.0", ViolationType.FRESHNESS, Severity.ERROR, "too old", "placed_at", "PT6H", "PT9H",
    datetime(2026, 1, 3, tzinfo=timezone.utc),
)  # fmt: skip


def test_violations_of_another_plugin_become_findings() -> None:
    other = OtherPlugin(
        {"check_freshness": SLACheckResult("orders", "freshness", Outcome.VIOLATED, (LATE,), "", "6", "9")}
    )
    found = judged(other, "freshness", orders(FRESH))
    assert (found.outcome, codes(found), said(found, "threshold"), said(found, "value")) == (
        Outcome.VIOLATED,
        ["E550 error"],
        "6",
        "9",
    )
    assert other.calls == [("check_freshness", ({}, "placed_at"))]


def test_several_answers_are_one_result() -> None:
    good = SLACheckResult("orders", "quality", Outcome.PASSED, name="unique")
    broken = SLACheckResult("orders", "quality", Outcome.ERRORED, name="sql", message="no such column")
    found = judged(OtherPlugin({"check_quality": [good, broken]}), "quality", orders())
    assert (found.outcome, found.findings[0].message) == (
        Outcome.ERRORED,
        "sql could not be measured: no such column",
    )


@pytest.mark.parametrize(
    ("check", "method", "answer"),
    [
        pytest.param("schema_drift", "detect_schema_drift", SchemaComparisonResult("o", Outcome.PASSED), id="drift"),
        pytest.param("availability", "check_availability", SLACheckResult("o", "x", Outcome.PASSED), id="availability"),
    ],
)
def test_each_check_asks_its_method(check: str, method: str, answer: object) -> None:
    other = OtherPlugin({method: answer})
    assert (judged(other, check, orders()).outcome, [name for name, _ in other.calls]) == (Outcome.PASSED, [method])


def answer(check: str, outcome: str, **more: Any) -> SLACheckResult:
    return SLACheckResult("orders", check, outcome, **more)  # type: ignore[arg-type]  # words, as authors write them


GAUGES = {
    "hours since the last update": ("freshness", answer("freshness", "violated", actual_value=8.5), "30600"),
    "an age that is not a number": ("freshness", answer("freshness", "violated", actual_value="PT8H"), None),
    "a check that was skipped": ("freshness", answer("freshness", "skipped", actual_value="8"), None),
    "up": ("availability", answer("availability", "passed", actual_value="99.95"), "1"),
    "down": ("availability", answer("availability", "violated"), "0"),
    "a probe that could not be made": ("availability", answer("availability", "errored"), None),
    "no drift": ("schema_drift", SchemaComparisonResult("orders", Outcome.PASSED), "0"),
    "a score": ("quality", [answer("quality", "passed", actual_value="95.5")], "95.50"),
    "a rule that counts rows": ("quality", [answer("quality", "passed", name="unique", actual_value="3")], "100.00"),
    "two rules of three": (
        "quality",
        [answer("quality", word, name=word) for word in ("passed", "passed", "violated", "errored")],
        "66.66",
    ),
    "what the plugin itself says": (
        "quality",
        [answer("quality", "passed", name="a", context=(("score", "42"),)), answer("quality", "violated", name="b")],
        "42",
    ),
}
OF_CHECK = {
    "freshness": ("check_freshness", "freshness_seconds"),
    "availability": ("check_availability", "up"),
    "schema_drift": ("detect_schema_drift", "schema_drift_detected"),
    "quality": ("check_quality", "score"),
}


@pytest.mark.parametrize(("check", "given", "value"), GAUGES.values(), ids=GAUGES)
def test_plain_answers_of_another_plugin_set_the_gauge_of_the_check(check: str, given: Any, value: str | None) -> None:
    method, gauge = OF_CHECK[check]
    assert said(judged(OtherPlugin({method: given}), check, orders(FRESH)), gauge) == (value or "")


def test_a_difference_that_another_plugin_sees_is_drift() -> None:
    gone = replace(LATE, violation_type="schema_mismatch", severity="error")  # type: ignore[arg-type]
    other = OtherPlugin({"detect_schema_drift": SchemaComparisonResult("orders", Outcome.VIOLATED, (gone,))})
    result = judged(other, "schema_drift", orders())
    assert (said(result, "schema_drift_detected"), codes(result)) == ("1", ["E530 error"])


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda: answer("freshness", "late"), id="outcome"),
        pytest.param(lambda: SchemaComparisonResult("orders", "drifted"), id="outcome of columns"),  # type: ignore[arg-type]
        pytest.param(lambda: replace(LATE, severity="awful"), id="severity"),  # type: ignore[arg-type]
        pytest.param(lambda: replace(LATE, violation_type="late"), id="type"),  # type: ignore[arg-type]
    ],
)
def test_a_word_that_no_result_knows_is_refused_where_it_is_written(write: Any) -> None:
    with pytest.raises(ValueError, match="is not a valid"):
        write()


def test_lifecycle_needs_no_plugin() -> None:
    assert judged(OtherPlugin({}), "lifecycle", orders()).outcome is Outcome.PASSED


def test_a_plugin_that_breaks_is_the_contracts_error_alone() -> None:
    found = judged(OtherPlugin({}), "availability", orders())
    assert found.outcome is Outcome.ERRORED
    assert "AttributeError inside the plugin 'other'" in found.findings[0].message


def test_a_plugin_is_not_asked_about_yesterday() -> None:
    other = OtherPlugin({"check_freshness": SLACheckResult("o", "freshness", Outcome.PASSED)})
    found = judged(other, "freshness", orders(FRESH), slot_us=NOW - 48 * HOUR)
    assert (found.outcome, other.calls) == (Outcome.SKIPPED, [])


def test_a_promise_without_a_server_is_an_error_that_says_what_to_write(desk: Desk) -> None:
    bare = contract(column("placed_at", "timestamp"), slas=(FRESH,), servers=(Server("a", "x"), Server("b", "y")))
    assert "choose one with --server: a, b" in plugin(desk).check_freshness(bare, {}, None).message
