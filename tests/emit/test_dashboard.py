"""The dashboard for Grafana: every expression and variable finds something in a real Prometheus."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from support.monitored import NOW
from support.prometheus_servers import Gateway, Prometheus, both

from floe_contracts.adapters.sinks.pushgateway import from_environment
from floe_contracts.checks.verdict import Check
from floe_contracts.emit.dashboard import ROWS, dashboard
from floe_contracts.emit.metrics import BY_NAME
from floe_contracts.monitor.run.delivery import Delivered
from floe_contracts.monitor.run.outcome import GAUGES
from floe_contracts.monitor.settings.model import CHECKS, MonitoringConfig
from floe_contracts.monitor.store.outbox import Backlog, MetricsGroup
from floe_contracts.monitor.store.protocol import DURATION_BOUNDS, SeriesTotals
from floe_contracts.monitor.store.slots import Series
from floe_contracts.results import Outcome

PANELS = {one.title: one for _, panels in ROWS for one in panels}
VARIABLES = {"$namespace": "shop|other", "$contract": ".*", "$__rate_interval": "1m"}


def whole() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(dashboard(), allow_nan=False))
    return found


def filled_in(expr: str) -> str:
    for name, text in VARIABLES.items():
        expr = expr.replace(name, text)
    assert "$" not in expr
    return expr


def totals(check: Check, runs: int) -> SeriesTotals:
    names = (*GAUGES[check], "status", "interval_seconds", "updated_seconds")
    return SeriesTotals(
        label="orders",
        version="1.0.0",
        gauges={name: Decimal(1) for name in names},
        durations=(runs, *(0,) * len(DURATION_BOUNDS)),
        duration_sum=Decimal(runs) / 5,
        errors=runs,
        last_run_us=NOW,
        last_done_us=NOW,
        state=Outcome.PASSED,
        since_us=NOW,
    )


def push_all(gateway: Gateway, runs: int) -> None:
    mirror = from_environment(MonitoringConfig(), {"FLOE_PUSHGATEWAY_URL": gateway.url})
    assert mirror is not None
    for check in CHECKS:
        group = {Series("shop", "orders", 1, check): totals(check, runs)}
        assert mirror.push(MetricsGroup("shop", check, runs), group, (Backlog("x", 1, 1, NOW),), 10.0) == Delivered()


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    with pytest.MonkeyPatch.context() as patch, both(tmp_path_factory.mktemp("dashboard")) as (gateway, running):
        patch.setenv("no_proxy", "127.0.0.1")
        patch.setenv("NO_PROXY", "127.0.0.1")
        for runs in (1, 2):  # what grows is seen only between two scrapes
            push_all(gateway, runs)
            running.wait_for('floe_contract_check_errors_total{check_type="lifecycle"}', runs)
        yield running


@pytest.mark.service
@pytest.mark.parametrize("title", PANELS)
def test_every_panel_shows_something(prometheus: Prometheus, title: str) -> None:
    assert prometheus.ask(filled_in(PANELS[title].expr)) != []


@pytest.mark.service
def test_every_variable_finds_values(prometheus: Prometheus) -> None:
    asked = [one["query"]["query"] for one in whole()["templating"]["list"] if one["type"] == "query"]
    for query in asked:
        series, label = re.fullmatch(r"label_values\((.*), (\w+)\)", query).groups()  # type: ignore[union-attr]
        assert {labels[label] for labels, _ in prometheus.ask(filled_in(series))} <= {"shop", "orders"}
        assert prometheus.ask(filled_in(series)) != []


def test_every_metric_of_a_panel_is_in_the_table() -> None:
    asked = {name for one in PANELS.values() for name in re.findall(r"floe_contract_\w+", one.expr)}
    assert {name.removesuffix("_bucket") for name in asked} <= set(BY_NAME)


def test_every_metric_of_the_seeds_has_a_panel() -> None:
    asked = " ".join(one.expr for one in PANELS.values())
    assert [name for name in list(BY_NAME)[:6] if name not in asked] == []


def test_panels_lie_side_by_side_and_on_no_other() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in whole()["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells


def test_panels_have_ids_of_their_own_and_take_the_chosen_source() -> None:
    panels = whole()["panels"]
    assert len({one["id"] for one in panels}) == len(panels)
    assert {one["datasource"]["uid"] for one in panels if one["type"] != "row"} == {"$datasource"}
