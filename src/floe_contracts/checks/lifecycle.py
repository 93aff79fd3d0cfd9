"""Judges the stage of a contract's life, by the same function as the gate."""

from __future__ import annotations

from datetime import date

from .. import codes
from ..codes import Severity
from ..contract.lifecycle import Lifecycle, Stage, lifecycle, way_on
from ..contract.meaning.phrase import plural
from ..contract.model import Contract
from ..results import CheckResult, Finding
from ..results.facts import FindingFacts, LifecycleFacts
from .verdict import PartResult, conclude, measured_part


def judge_lifecycle(contract: Contract, today: date) -> CheckResult:
    """A warning from the announcement on, an error from the sunset date on, critical once retired."""
    now = lifecycle(contract, today)
    facts = LifecycleFacts(now.stage.value, str(now.sunset or ""), str(now.retires or ""))
    return conclude("lifecycle", contract, [_judge(contract, now, today)], facts)


def _judge(contract: Contract, now: Lifecycle, today: date) -> PartResult:
    if now.stage is Stage.ACTIVE:
        return measured_part()
    ending = now.stage in (Stage.SUNSET, Stage.RETIRED)
    advice = way_on(contract)
    ending_soon = Finding.of(
        codes.E559 if ending else codes.E558,
        now.stage.value,
        _message(contract, now, today),
        severity=_SEVERITY[now.stage],
        element=contract.label,
        expected=Stage.ACTIVE.value,
        actual=now.stage.value,
        suggestions=(advice,) if advice else (),
        facts=FindingFacts(sunset_date=str(now.sunset)) if now.sunset else None,
    )
    return measured_part(ending_soon)


_SEVERITY = {
    Stage.DEPRECATED: Severity.WARNING,
    Stage.SUNSET: Severity.ERROR,
    Stage.RETIRED: Severity.CRITICAL,
}


def _message(contract: Contract, now: Lifecycle, today: date) -> str:
    name = f"{contract.label} {contract.version}"
    if now.stage is Stage.RETIRED:
        return f"{name} is retired" + (f" since {now.retires}" if now.retires and now.retires <= today else "")
    if now.stage is Stage.SUNSET:
        return f"{name} has reached its sunset" + (f" and is retired on {now.retires}" if now.retires else "")
    if now.sunset is None:
        return f"{name} is deprecated"
    left = (now.sunset - today).days
    return f"{name} is deprecated and ends on {now.sunset}, in {plural(left, 'day')}"
