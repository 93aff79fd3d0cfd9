"""Alert rules from contracts: promtool accepts them, and they fire and keep silent as they should."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.monitored import orders, settings, targets
from support.prometheus_servers import promtool

from floe_contracts.codes import Severity
from floe_contracts.contract.model import Contract, CustomProperty, Sla
from floe_contracts.emit.alert_thresholds import contract_alerts
from floe_contracts.emit.alerts import Alert, AlertOptions, duration, general_alerts, plain, rules_document

MINUTE, HOUR = 60, 3600
PROMISES = (
    Sla("freshness", "PT1H", element="placed_at"),
    Sla("availability", "99.9%"),
    Sla("quality", "95%"),
    Sla("min_rows_per_day", "500"),
    Sla("latency_p99", "PT10M", element="placed_at"),
)
GROUP = 'job="floe_contracts",floe_namespace="shop"'


def own_alerts(one: Contract, **blocks: Any) -> tuple[Alert, ...]:
    (target,) = targets(one, config=settings(**blocks))
    return contract_alerts("shop", target, target.name, AlertOptions()).alerts


def named(alerts: tuple[Alert, ...], name: str) -> list[Alert]:
    return [one for one in alerts if one.name == name]


def series(name: str, check: str = "freshness", **labels: str) -> str:
    said = {"contract": "orders", "check_type": check, **labels}
    return f"{name}{{{GROUP},{','.join(f'{label}={json.dumps(text)}' for label, text in said.items())}}}"


def running(check: str = "freshness", every: int = 15) -> dict[str, str]:
    """A check that runs on and on, every so many minutes."""
    return {
        series("floe_contract_check_last_run_timestamp_seconds", check): f"0+{MINUTE}x600",
        series("floe_contract_check_interval_seconds", check): f"{every * MINUTE}x600",
    }


def stopped(check: str = "freshness", every: int = 15) -> dict[str, str]:
    return {
        series("floe_contract_check_last_run_timestamp_seconds", check): "0x600",
        series("floe_contract_check_interval_seconds", check): f"{every * MINUTE}x600",
    }


STATUS = series("floe_contract_check_status")
ERRORED = series("floe_contract_check_errored")
SINCE = series("floe_contract_check_since_timestamp_seconds")
UPDATED = series("floe_contract_last_update_timestamp_seconds")
UP = series("floe_contract_availability_up", "availability")
LEFT = series("floe_contract_availability_budget_left", "availability")
BUDGET = series("floe_contract_availability_budget", "availability")
BURN = series("floe_contract_availability_burn_rate", "availability")
COVERED = series("floe_contract_probe_coverage_ratio", "availability")
SCORE = series("floe_contract_quality_score", "quality")
ROWS = series("floe_contract_last_day_rows", "quality")
DRIFT = series("floe_contract_schema_drift_detected", "schema_drift")
COUNTED = series("floe_contract_violations_total", type="freshness_violation", severity="critical")
LISTED = series("floe_contract_violations_total", "schema_drift", type="schema_drift", severity="info")
PROBED = {BUDGET: "8x600", COVERED: "1x600", **running("availability", 5)}


def pushed(check: str, values: str) -> dict[str, str]:
    return {f'push_time_seconds{{{GROUP},check_type="{check}"}}': values}


def waiting(check: str, values: str, name: str = "oldest_timestamp_seconds") -> dict[str, str]:
    return {f'floe_contract_outbox_{name}{{{GROUP},check_type="{check}"}}': values}


Case = tuple[str, Mapping[str, str], str, list[str]]  # alert, series, when, severities that fire

CASES: dict[str, Case] = {
    "a violation counted is news": ("NewViolation", {COUNTED: "0x9 1x20"}, "15m", ["critical"]),
    "and no news later": ("NewViolation", {COUNTED: "0x9 1x90"}, "40m", []),
    "a counter that stands is none": ("NewViolation", {COUNTED: "7x40"}, "30m", []),
    "info is listed and wakes nobody": ("NewViolation", {LISTED: "0x9 1x20"}, "15m", []),
    "a promise not kept": ("Violated", {STATUS: "0x60", **running()}, "30m", ["warning"]),
    "a promise kept": ("Violated", {STATUS: "1x60", **running()}, "30m", []),
    "a promise kept again": ("Violated", {STATUS: "0x20 1x40", **running()}, "30m", []),
    "a verdict that is too old to be one": ("Violated", {STATUS: "0x200", **stopped()}, "90m", []),
    "a verdict after a run, which has no interval": ("Violated", {STATUS: "0x200"}, "90m", ["warning"]),
    "three slots in a row": (
        "ViolatedInARow",
        {STATUS: "0x99", ERRORED: "0x99", SINCE: "0x99", **running()},
        "30m",
        ["critical"],
    ),
    "two slots in a row": ("ViolatedInARow", {STATUS: "0x99", ERRORED: "0x99", SINCE: "0x99", **running()}, "15m", []),
    "a row of slots that nobody could check": (
        "ViolatedInARow",
        {STATUS: "0x99", ERRORED: "1x99", SINCE: "0x99", **running()},
        "60m",
        [],
    ),
    "drift": ("SchemaDrift", {DRIFT: "1x60", **running("schema_drift", 60)}, "30m", ["info"]),
    "no drift": ("SchemaDrift", {DRIFT: "0x60", **running("schema_drift", 60)}, "30m", []),
    "a budget overspent": ("BudgetOverspent", {LEFT: "-1x60", **PROBED}, "30m", ["critical"]),
    "a budget spent to the last": ("BudgetOverspent", {LEFT: "0x60", **PROBED}, "30m", []),
    "too little history for a budget": ("BudgetOverspent", {**PROBED, LEFT: "-1x60", BUDGET: "0x60"}, "30m", []),
    "too few probes for a budget": ("BudgetOverspent", {**PROBED, LEFT: "-1x60", COVERED: "0.9x60"}, "30m", []),
    "a budget that will not last": (
        "BudgetWillNotLast",
        {BURN: "1.5x200", LEFT: "2x200", **PROBED},
        "90m",
        ["warning"],
    ),
    "a budget that will last": ("BudgetWillNotLast", {BURN: "0.9x200", LEFT: "2x200", **PROBED}, "90m", []),
    "a check that fails": ("NotChecked", {ERRORED: "1x60"}, "20m", ["warning"]),
    "a check that failed once": ("NotChecked", {ERRORED: "1x5 0x60"}, "20m", []),
    "a check that stopped": ("CheckMissed", stopped(), "55m", ["error"]),
    "a check that is late": ("CheckMissed", stopped(), "45m", []),
    "a check that runs": ("CheckMissed", running(), "200m", []),
    "data within its promise": ("Stale", {UPDATED: "0x999"}, "60m", []),
    "data that grew older than promised": ("Stale", {UPDATED: "0x999"}, "80m", ["warning"]),
    "data three times older than promised": ("Stale", {UPDATED: "0x999"}, "200m", ["critical", "warning"]),
    "data that comes in": ("Stale", {UPDATED: f"0+{MINUTE}x999"}, "200m", []),
    "a source that is down": ("AvailabilityBurning", {UP: "1x360 0x60", **PROBED}, "380m", ["critical", "warning"]),
    "one failed probe": ("AvailabilityBurning", {UP: "1x360 0x4 1x60", **PROBED}, "365m", []),
    "a source that is back": ("AvailabilityBurning", {UP: "1x360 0x30 1x120", **PROBED}, "460m", []),
    "a dead prober that left it down": (
        "AvailabilityBurning",
        {UP: "1x360 0x60", BUDGET: "8x600", COVERED: "1x600", **stopped("availability", 5)},
        "380m",
        [],
    ),
    "a score below its promise": ("QualityBelowPromise", {SCORE: "94.9x60", **running("quality")}, "30m", ["error"]),
    "a score as promised": ("QualityBelowPromise", {SCORE: "95x60", **running("quality")}, "30m", []),
    "too few rows": ("TooFewRows", {ROWS: "499x60", **running("quality")}, "30m", ["error"]),
    "enough rows": ("TooFewRows", {ROWS: "500x60", **running("quality")}, "30m", []),
    "data that arrives late": (
        "Late",
        {series("floe_contract_latency_seconds"): "601x60", **running()},
        "30m",
        ["warning"],
    ),
    "data that arrives in time": ("Late", {series("floe_contract_latency_seconds"): "600x60", **running()}, "30m", []),
    "a contract that nobody checks": ("NeverChecked", {}, "70m", ["error"] * 4),
    "one that was checked once": ("NeverChecked", {**stopped("freshness")}, "70m", ["error"] * 3),
    "messages that wait": (
        "Backlog",
        {**pushed("freshness", f"0+{MINUTE}x99"), **waiting("freshness", "0x99")},
        "65m",
        ["warning"],
    ),
    "messages that wait since a moment ago": (
        "Backlog",
        {**pushed("freshness", f"0+{MINUTE}x99"), **waiting("freshness", f"0+{MINUTE}x99")},
        "80m",
        [],
    ),
    "messages that waited when a slow check was pushed": (
        "Backlog",
        {**pushed("quality", "4000x99"), **waiting("quality", "100x99"), **pushed("freshness", f"4000+{MINUTE}x99")},
        "80m",
        [],
    ),
    "messages refused": (
        "Refused",
        {**pushed("freshness", f"0+{MINUTE}x99"), **waiting("freshness", "2x99", "dead")},
        "10m",
        ["warning"],
    ),
    "a push that the gateway refuses": (
        "PushFailing",
        {**pushed("freshness", "100x99"), f'push_failure_time_seconds{{{GROUP},check_type="freshness"}}': "200x99"},
        "10m",
        ["warning"],
    ),
}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    often = {check: {"check_interval": "15m"} for check in ("schema_drift", "quality")}
    (target,) = targets(orders(*PROMISES), config=settings(data_contracts={"monitoring": often}))
    groups = (general_alerts("shop", AlertOptions()), contract_alerts("shop", target, "orders", AlertOptions()))
    path = tmp_path_factory.mktemp("alerts") / "rules.json"
    path.write_text(json.dumps(rules_document(groups)))  # YAML, too
    return path


@pytest.mark.service
def test_promtool_accepts_the_rules(rules: Path) -> None:
    code, said = promtool("check", "rules", str(rules))
    assert (code, "SUCCESS" in said) == (0, True), said


def rule_test(case: str) -> dict[str, Any]:
    """One case as promtool reads it: which severities of the alert fire at that moment."""
    name, given, when, severities = CASES[case]
    short = {"Backlog": "FloeOutboxBacklog", "Refused": "FloeOutboxRefused", "PushFailing": "FloePushFailing"}
    alert = short.get(name, f"FloeContract{name}")
    # promtool prints the expression of what fails, so the name of the case is in it; no alert has such a label.
    firing = f'count by (severity) (ALERTS{{alertname="{alert}",alertstate="firing",case!="{case}"}})'
    counted = {severity: severities.count(severity) for severity in severities}
    samples = [{"labels": f'{{severity="{severity}"}}', "value": number} for severity, number in counted.items()]
    return {
        "interval": "1m",
        "input_series": [{"series": one, "values": values} for one, values in given.items()],
        "promql_expr_test": [{"expr": firing, "eval_time": when, "exp_samples": samples}],
    }


@pytest.fixture(scope="module")
def answers(rules: Path) -> str:
    """What promtool says of all cases; one run, because starting it takes longer than a case."""
    told = {"rule_files": [str(rules)], "evaluation_interval": "5m", "tests": [rule_test(case) for case in CASES]}
    path = rules.with_name("test.json")
    path.write_text(json.dumps(told))
    code, said = promtool("test", "rules", str(path))
    assert ("SUCCESS" in said) is (code == 0), said
    return said


@pytest.mark.service
@pytest.mark.parametrize("case", CASES)
def test_an_alert_fires_when_it_should(answers: str, case: str) -> None:
    assert f'case!=\\"{case}\\"' not in answers, answers


def test_every_alert_is_tried_both_ways() -> None:
    (target,) = targets(orders(*PROMISES))
    groups = (general_alerts("shop", AlertOptions()), contract_alerts("shop", target, "orders", AlertOptions()))
    names = {one.name.removeprefix("FloeContract").removeprefix("FloeOutbox").removeprefix("Floe")
             for group in groups for one in group.alerts}  # fmt: skip
    assert names == {case[0] for case in CASES.values()}
    fires = {name: {bool(severities) for each, _, _, severities in CASES.values() if each == name} for name in names}
    assert {name for name, seen in fires.items() if True not in seen} == set()


@pytest.mark.parametrize(
    ("slas", "alert", "wanted"),
    [
        pytest.param((Sla("freshness", "PT6H"),), "FloeContractStale", [" > 22620", " > 65820"], id="own threshold"),
        pytest.param((Sla("freshness", "2d"),), "FloeContractStale", [" > 173820", " > 519420"], id="another one"),
        pytest.param((Sla("quality", "99.5%"),), "FloeContractQualityBelowPromise", [" < 99.5"], id="score"),
        pytest.param((Sla("availability", "100%"),), "FloeContractAvailabilityBurning", [], id="no budget to burn"),
        pytest.param((), "FloeContractStale", [], id="no promise"),
        pytest.param(
            (Sla("freshness", "PT6H", custom=(CustomProperty("floe.calendar", "work"),)),),
            "FloeContractStale",
            [],
            id="working days, which only the check counts",
        ),
        pytest.param(
            (Sla("quality", "99%", element="order_id"),), "FloeContractQualityBelowPromise", [], id="a column"
        ),
        pytest.param((Sla("freshness", "P1M"),), "FloeContractStale", [], id="a month has no length"),
    ],
)
def test_thresholds_are_those_of_the_contract(slas: tuple[Sla, ...], alert: str, wanted: list[str]) -> None:
    found = [one.expr for one in named(own_alerts(orders(*slas)), alert)]
    assert len(found) == len(wanted)
    assert all(part in expr for part, expr in zip(wanted, found, strict=True)), found


def test_a_stricter_threshold_of_the_settings_counts() -> None:
    strict = {"contracts": {"orders": {"thresholds": {"freshness": "PT1H"}}}}
    (warning, _) = named(own_alerts(orders(Sla("freshness", "PT6H")), **strict), "FloeContractStale")
    assert warning.expr.endswith("> 4620")


def test_an_alert_names_the_owner() -> None:
    assert {one.labels.get("owner") for one in own_alerts(orders(*PROMISES, owner="checkout"))} == {"checkout"}


def test_words_of_a_contract_are_no_template() -> None:
    evil = '{{ printf "x" }}" } or up{'
    found = own_alerts(orders(*PROMISES, name=evil, owner=evil))
    assert not any("{{ printf" in f"{one.summary} {one.action} {dict(one.labels)}" for one in found)
    assert plain("a{{b}}\nc") == "a((b)) c"


@pytest.mark.service
def test_promtool_accepts_whatever_a_contract_is_called(tmp_path: Path) -> None:
    (target,) = targets(orders(*PROMISES, name='a"b\\c{{d}}\né'))
    groups = (general_alerts('x"y', AlertOptions()), contract_alerts('x"y', target, target.name, AlertOptions()))
    (tmp_path / "rules.json").write_text(json.dumps(rules_document(groups)))
    code, said = promtool("check", "rules", str(tmp_path / "rules.json"))
    assert code == 0, said


@pytest.mark.parametrize(
    ("seconds", "text"), [(45, "45s"), (900, "15m"), (5400, "90m"), (7200, "2h"), (86400, "1d"), (0, "0s")]
)
def test_lengths_are_written_as_prometheus_reads_them(seconds: int, text: str) -> None:
    assert duration(seconds) == text


def test_severities_are_those_of_violations() -> None:
    found = {one.severity for one in own_alerts(orders(*PROMISES))}
    assert found <= set(Severity)
