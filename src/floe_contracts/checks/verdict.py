"""From findings to one result per contract and check: violated, errored, passed or skipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

from .. import codes
from ..codes import Severity
from ..contract.model import Contract
from ..results import CheckResult, Finding, Outcome
from ..results.facts import CheckFacts, DriftFacts, FindingFacts, FreshnessFacts, facts_pairs

Check = Literal["availability", "freshness", "schema_drift", "quality", "lifecycle"]


@dataclass(frozen=True, slots=True)
class PartResult:
    """What one promise or one table contributes; `outcome` is that of the part alone."""

    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    overrun: int = -1  # measured over promised in thousandths, to find the worst of several; below 0: not known
    freshness: FreshnessFacts | None = None
    drift: DriftFacts | None = None


def measured_part(*findings: Finding, overrun: int = -1, freshness: FreshnessFacts | None = None) -> PartResult:
    """A part that was measured: violated by any finding that says more than info."""
    return PartResult(outcome_by_severity(findings), findings, overrun, freshness)


def skipped_part(freshness: FreshnessFacts | None = None) -> PartResult:
    """A part that there was no reason to measure; its facts say why."""
    return PartResult(Outcome.SKIPPED, freshness=freshness)


def errored_part(element: str, reason: str, facts: FindingFacts | None = None) -> PartResult:
    """A part that could not be measured, with the reason in one line."""
    return PartResult(Outcome.ERRORED, (not_measured(element, reason, facts),))


def gone_part(element: str, reason: str) -> PartResult:
    """A table that is not there any more: nothing was measured, and nobody should take it for a hiccup."""
    gone = not_measured(element, f"{reason}; it was there before")
    return PartResult(Outcome.ERRORED, (replace(gone, severity=Severity.ERROR),))


def not_measured(element: str, reason: str, facts: FindingFacts | None = None) -> Finding:
    """The finding for what could not be measured."""
    return Finding.of(
        codes.E560,
        "not-measured",
        f"{element} could not be measured: {reason}" if element else f"could not be measured: {reason}",
        element=element,
        actual=reason,
        facts=facts,
    )


def outcome_by_severity(findings: Iterable[Finding]) -> Outcome:
    """Violated by any violation above info; info is listed and counted, and the check passes all the same."""
    counted = any(item.severity.rank > Severity.INFO.rank and item.violation_type for item in findings)
    return Outcome.VIOLATED if counted else Outcome.PASSED


_WORST_FIRST = (Outcome.VIOLATED, Outcome.ERRORED, Outcome.PASSED, Outcome.SKIPPED)


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The worst of several outcomes; skipped where there is none."""
    seen = set(outcomes)
    return next((outcome for outcome in _WORST_FIRST if outcome in seen), Outcome.SKIPPED)


def conclude(
    check: Check,
    contract: Contract,
    parts: Iterable[PartResult],
    facts: CheckFacts | None = None,
    order: tuple[str, ...] = (),
) -> CheckResult:
    """One result: a violation counts even when another part could not be measured, and that is said beside it."""
    parts = tuple(parts)
    return CheckResult(
        check=check,
        contract=contract.label,
        outcome=worst(part.outcome for part in parts),
        findings=tuple(replace(item, contract=contract.label) for part in parts for item in part.findings),
        key=contract.key,
        contract_version=contract.version,
        facts=facts if any(facts_pairs(facts)) else None,
        order=order,
    )


def thousandths(actual: int, allowed: int) -> int:
    """How far a promise is used up, in thousandths."""
    return actual * 1000 // max(1, allowed)


WARNING_UP_TO = Fraction(3, 2)
ERROR_UP_TO = Fraction(3)
SLOTS_IN_A_ROW = 3  # the third violated slot in a row is critical

Streaks: TypeAlias = "Mapping[tuple[str, str], int]"  # (code, element) -> violated slots directly before this one


def rate_overrun(actual: int | Fraction, allowed: int | Fraction) -> Severity | None:
    """The severity of an overrun; None while the promise is kept, and equality keeps it."""
    if actual <= allowed:
        return None
    if actual <= allowed * WARNING_UP_TO:
        return Severity.WARNING
    return Severity.ERROR if actual <= allowed * ERROR_UP_TO else Severity.CRITICAL


def escalate(severity: Severity, before: int) -> Severity:
    """Critical once this slot is the third in a row."""
    return Severity.CRITICAL if before + 1 >= SLOTS_IN_A_ROW else severity


def count_streaks(history: Sequence[Iterable[Finding]]) -> dict[tuple[str, str], int]:
    """How often each violation stood in the slots before this one, without a gap; the newest slot comes first."""
    counted: dict[tuple[str, str], int] = {}
    running: set[tuple[str, str]] | None = None
    for findings in history:
        seen = {(item.code.id, item.element) for item in findings if item.severity is not Severity.INFO}
        running = seen if running is None else running & seen
        if not running:
            break
        for key in running:
            counted[key] = counted.get(key, 0) + 1
    return counted


_WORDS = {
    word: severity
    for severity, words in (
        (Severity.INFO, "info information low minor trivial"),
        (Severity.WARNING, "warning warn medium moderate"),
        (Severity.ERROR, "error high major"),
        (Severity.CRITICAL, "critical blocker fatal"),
    )
    for word in words.split()
}


def read_severity(word: str | None) -> Severity:
    """The severity that a rule asks for; a rule that asks for none, or for a word nobody knows, is an error."""
    return _WORDS.get((word or "").strip().casefold(), Severity.ERROR)
