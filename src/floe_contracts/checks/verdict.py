"""From findings to one result per contract and check: violated, errored, passed or skipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from .. import codes
from ..codes import Severity
from ..contract.model import Contract
from ..results import CheckResult, Finding, Outcome, finding
from . import context_keys as keys

Check = Literal["availability", "freshness", "schema_drift", "quality", "lifecycle"]


@dataclass(frozen=True, slots=True)
class Part:
    """What one promise or one table contributes; `outcome` is that of the part alone."""

    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    context: Mapping[str, str] | None = None
    overrun: int = -1  # measured over promised in thousandths, to find the worst of several; below 0: not known

    @property
    def said(self) -> Mapping[str, str]:
        return self.context or {}


def judged(*found: Finding, overrun: int = -1, **context: str) -> Part:
    """A part that was measured: violated by any finding that says more than info."""
    return Part(outcome_by_severity(found), found, context, overrun)


def skipped(status: str, **context: str) -> Part:
    return Part(Outcome.SKIPPED, (), {keys.STATUS: status, **context})


def errored(element: str, reason: str, **context: str) -> Part:
    """A part that could not be measured, with the reason in one line."""
    return Part(Outcome.ERRORED, (not_measured(element, reason, **context),))


def not_measured(element: str, reason: str, **context: str) -> Finding:
    return finding(
        codes.E560,
        "not-measured",
        f"{element} could not be measured: {reason}" if element else f"could not be measured: {reason}",
        element=element,
        actual=reason,
        context=tuple(context.items()),
    )


def outcome_by_severity(found: Iterable[Finding]) -> Outcome:
    """Info is listed and counted, and the check passes all the same."""
    counted = any(item.severity.rank > Severity.INFO.rank and item.violation_type for item in found)
    return Outcome.VIOLATED if counted else Outcome.PASSED


_WORST_FIRST = (Outcome.VIOLATED, Outcome.ERRORED, Outcome.PASSED, Outcome.SKIPPED)


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """Of several parts; skipped where there is none."""
    seen = set(outcomes)
    return next((outcome for outcome in _WORST_FIRST if outcome in seen), Outcome.SKIPPED)


def concluded(check: Check, contract: Contract, parts: Iterable[Part], context: Mapping[str, str]) -> CheckResult:
    """One result: a violation counts even when another part could not be measured, and that is said beside it."""
    parts = tuple(parts)
    found = tuple(replace(item, contract=contract.label) for part in parts for item in part.findings)
    said = {keys.KEY: contract.key, keys.VERSION: contract.version, **context}
    return CheckResult(
        check=check,
        contract=contract.label,
        outcome=worst(part.outcome for part in parts),
        findings=found,
        context=tuple((key, value) for key, value in said.items() if value != ""),
    )


def thousandths(actual: int, allowed: int) -> int:
    """How far a promise is used up."""
    return actual * 1000 // max(1, allowed)


def joined(parts: Iterable[Part], key: str, separator: str = "; ") -> str:
    """What several parts say under one key, each text once."""
    return separator.join(dict.fromkeys(part.said[key] for part in parts if part.said.get(key)))
