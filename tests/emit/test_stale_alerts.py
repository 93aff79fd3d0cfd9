"""FloeContractStale over lag, interval and SLA, by promtool: silent while data is in time, told of when it is not."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support.monitored import orders, settings, targets
from support.prometheus_servers import promtool

from floe_contracts.contract.model import Sla
from floe_contracts.emit.alert_thresholds import contract_alerts
from floe_contracts.emit.alerts import AlertGroup, AlertOptions, rules_document

SLAS, INTERVALS, LAGS = (30, 60, 360), (5, 15, 60), (0, 1, 4)  # in minutes
GOOD = 720  # for half a day the data comes in the last minute that the SLA allows; then no more
CASES = tuple((sla, interval, lag) for sla, interval, lag in product(SLAS, INTERVALS, LAGS) if lag < interval)


def _name(sla: int, interval: int, lag: int) -> str:
    return f"s{sla}i{interval}l{lag}"


def _rules(sla: int, interval: int, lag: int) -> AlertGroup:
    name = _name(sla, interval, lag)
    every = settings(data_contracts={"monitoring": {"freshness": {"check_interval": f"{interval}m"}}})
    (target,) = targets(orders(Sla("freshness", f"PT{sla}M"), name=name), config=every)
    group = contract_alerts("shop", target, name, AlertOptions())
    return AlertGroup(group.name, tuple(alert for alert in group.alerts if alert.name == "FloeContractStale"))


def _known(sla: int, interval: int, lag: int) -> str:
    """The newest update that was known in each minute: checks start some minutes after each boundary."""
    values = []
    for minute in range(GOOD + 2 * (max(SLAS) + max(INTERVALS))):
        checked = max(0, (minute - lag) // interval * interval + lag)
        values.append(str(min(checked, GOOD) // sla * sla * 60))
    return " ".join(values)


def _series(case: tuple[int, int, int]) -> dict[str, str]:
    labels = f'job="floe_contracts",floe_namespace="shop",contract="{_name(*case)}",check_type="freshness"'
    return {"series": f"floe_contract_last_update_timestamp_seconds{{{labels}}}", "values": _known(*case)}


def _looks(case: tuple[int, int, int]) -> tuple[dict[str, Any], ...]:
    """Nothing fired while the data was in time, and a warning fires as soon as nobody can excuse it."""
    sla, interval, _ = case
    firing = f'ALERTS{{alertname="FloeContractStale",alertstate="firing",contract="{_name(*case)}"'
    last = GOOD // sla * sla  # the last update
    quiet = {"expr": f"count_over_time({firing}}}[2d])", "eval_time": f"{last + sla}m", "exp_samples": []}
    told = [{"labels": "{}", "value": 1}]
    late = f"{last + sla + interval + 3}m"
    return quiet, {"expr": f'count({firing},severity="warning"}})', "eval_time": late, "exp_samples": told}


@pytest.mark.service
def test_it_allows_for_what_came_since_the_last_check(tmp_path: Path) -> None:
    (tmp_path / "rules.json").write_text(json.dumps(rules_document(_rules(*case) for case in CASES)))
    test = {
        "interval": "1m",
        "input_series": [_series(case) for case in CASES],
        "promql_expr_test": [look for case in CASES for look in _looks(case)],
    }
    tests = {"rule_files": ["rules.json"], "evaluation_interval": "1m", "tests": [test]}
    (tmp_path / "test.json").write_text(json.dumps(tests))
    code, said = promtool("test", "rules", str(tmp_path / "test.json"))
    assert code == 0, said[:3000]
