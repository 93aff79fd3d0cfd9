"""What datacontract-cli leaves to floe is answered as in a run of floe's own: with its history and its limit."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace

import pytest
from support.monitored import HOUR, MINUTE, Desk, codes, orders, said, targets
from support.row_engine import RowEngine

from floe_contracts.adapters.datacontract.plugin import DatacontractCliPlugin
from floe_contracts.checks.measured import Failure, Probe
from floe_contracts.checks.verdict import Check
from floe_contracts.contract.model import Contract, Sla
from floe_contracts.monitor.plugin.judge import plugin_judge
from floe_contracts.monitor.plugin.odcs import OdcsPlugin
from floe_contracts.monitor.run.run import Request, run_check
from floe_contracts.monitor.settings.model import MonitoringConfig
from floe_contracts.monitor.source.binding import Binding
from floe_contracts.product.data_contracts import Monitoring
from floe_contracts.results import CheckResult


@dataclass
class WatchedEngine(RowEngine):
    """Remembers how long it was given."""

    limits: list[float] = field(default_factory=list)

    def probe(self, binding: Binding, *, limit_s: float) -> Probe:
        self.limits.append(limit_s)
        return super().probe(binding, limit_s=limit_s)


@pytest.fixture
def desk() -> Desk:
    return Desk(engine=WatchedEngine())


def checked(desk: Desk, check: Check, one: Contract, limit_s: float = 600.0) -> CheckResult:
    ours = OdcsPlugin(desk.engine, read=lambda _: b"", judge_bump=lambda _, __: (True, ""), now_us=lambda: desk.now_us)
    theirs = DatacontractCliPlugin(
        ours, MonitoringConfig(), lambda _: nullcontext(Failure("it is not asked here")), lambda _: b""
    )
    tools = replace(desk.tools(), judge=plugin_judge(theirs))
    (result,) = run_check(Request(check, "shop", limit_s=limit_s), targets(one), Monitoring(), tools).results
    return result


def test_the_second_failed_probe_in_a_row_is_an_error(desk: Desk) -> None:
    found = []
    for up in (True, False, False):
        desk.put("orders", 0, down="" if up else "connection refused")
        found += codes(checked(desk, "availability", orders()))
        desk.later(5 * MINUTE)
    assert found == ["E552 warning", "E552 error"]


def test_the_window_of_probes_comes_from_the_store(desk: Desk) -> None:
    for number in range(101):
        desk.put("orders", 0, down="connection refused" if number in (10, 20) else "")
        found = checked(desk, "availability", orders(Sla("availability", "99%")))
        desk.later(5 * MINUTE)
    assert (said(found, "error_budget_left"), said(found, "probe_coverage")) == ("-1", "100.00")
    assert said(found, "answered_by") == "odcs"


def test_the_limit_of_the_run_counts(desk: Desk) -> None:
    desk.put("orders", 0)
    checked(desk, "availability", orders(), limit_s=7.0)
    assert desk.engine.limits == [7.0]  # type: ignore[attr-defined]


def test_what_stands_for_long_gets_worse(desk: Desk) -> None:
    found = []
    for _ in range(3):
        desk.put("orders", 30 * HOUR)
        found += codes(checked(desk, "freshness", orders(Sla("frequency", "0 6 * * *", element="orders.placed_at"))))
        desk.later(HOUR)
    assert found == ["E550 warning", "E550 warning", "E550 critical"]
