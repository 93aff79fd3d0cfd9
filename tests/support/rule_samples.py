"""Rules with their results in a line each, for tests of the quality judge."""

from __future__ import annotations

from typing import Any

from floe_contracts.checks import measure as m
from floe_contracts.checks.measured import Failure, Number
from floe_contracts.checks.quality import TableQuality, judge_quality
from floe_contracts.checks.rules.check import QualityCheck
from floe_contracts.checks.rules.results import RuleResult, judge_rules
from floe_contracts.contract.model import Sla, Threshold
from floe_contracts.results import CheckResult
from support.builders import column, contract, table

NULLS = m.NullCount(("amount",))
BELOW_FIVE = ((Threshold.LESS_THAN, 5),)


def rule(name: str = "not_null", measure: m.Measure = NULLS, **more: Any) -> QualityCheck:
    more.setdefault("columns", ("amount",))
    more.setdefault("column", ("amount",))
    return QualityCheck(f"orders.amount.{name}", name, "amount", measure, says=f"amount is {name}", **more)


def quality(*results: RuleResult, slas: tuple[Sla, ...] = (), **more: Any) -> CheckResult:
    one = contract(table(column(), column("note")), slas=slas)
    return judge_quality(one, [TableQuality(one.objects[0], results, **more)])


def one_result(value: Any, **more: Any) -> RuleResult:
    values: dict[m.Measure, Number | Failure] = {NULLS: value, m.RowCount(): more.pop("rows", 0)}
    (found,) = judge_rules([rule(**more)], values)
    return found
