"""Judges the stage of a contract's life, by the same function as the gate."""

from __future__ import annotations

from datetime import date

from .. import codes
from ..codes import Severity
from ..contract.lifecycle import Lifecycle, Stage, lifecycle
from ..contract.model import Contract
from ..results import CheckResult, finding
from . import context_keys as keys
from .verdict import PartResult, concluded, judged


def judge_lifecycle(contract: Contract, today: date) -> CheckResult:
    """A warning from the announcement on, an error from the sunset date on, critical once retired."""
    now = lifecycle(contract, today)
    context = {
        keys.STAGE: now.stage.value,
        keys.SUNSET: str(now.sunset or ""),
        keys.RETIRES: str(now.retires or ""),
    }
    return concluded("lifecycle", contract, [_judge(contract, now, today)], context)


def _judge(contract: Contract, now: Lifecycle, today: date) -> PartResult:
    if now.stage is Stage.ACTIVE:
        return judged()
    ending = now.stage in (Stage.SUNSET, Stage.RETIRED)
    replacement = contract.deprecation.replacement if contract.deprecation else None
    found = finding(
        codes.E559 if ending else codes.E558,
        now.stage.value,
        _message(contract, now, today),
        severity=_SEVERITY[now.stage],
        element=contract.label,
        expected=Stage.ACTIVE.value,
        actual=now.stage.value,
        suggestions=(f"Read {replacement} instead.",) if replacement else (),
        context=tuple((key, value) for key, value in ((keys.SUNSET, str(now.sunset or "")),) if value),
    )
    return judged(found)


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
    return f"{name} is deprecated and ends on {now.sunset}, in {left} {'day' if left == 1 else 'days'}"
