"""Plans made of bare measures, for tests that measure and do not judge."""

from __future__ import annotations

from floe_contracts.checks.measure import Measure
from floe_contracts.checks.promises.promise import ClockChoice
from floe_contracts.checks.rules.check import QualityCheck, TableRules
from floe_contracts.monitor.run.plan import TablePlan, plan_rules


def plan(*measures: Measure, clock: ClockChoice | None = None) -> TablePlan:
    return plan_rules(TableRules("orders", rules(*measures)), clock=clock)


def rules(*measures: Measure) -> tuple[QualityCheck, ...]:
    return tuple(QualityCheck(f"r{number}", "", "", one) for number, one in enumerate(measures))
