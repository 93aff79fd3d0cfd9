"""Verdicts of checks as the results that plugins give."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from ... import codes
from ...checks.moments import moment
from ...codes import Code, ViolationType, find_code
from ...results import CheckResult, Finding, Outcome, Report
from ...results.facts import QualityFacts, RuleFact, read_finding, shown, status_of, threshold_and_value
from .protocol import ContractViolation, SchemaComparisonResult, SLACheckResult

_STATUSES = {"pass": Outcome.PASSED, "fail": Outcome.VIOLATED, "error": Outcome.ERRORED, "skip": Outcome.SKIPPED}


def to_comparison(result: CheckResult, version: str, now_us: int) -> SchemaComparisonResult:
    """A verdict on columns as the result of a comparison."""
    violations = violations_in(result, version, now_us)
    return SchemaComparisonResult(result.contract, result.outcome, violations, reason_of(result), result.context)


def to_sla_result(result: CheckResult, version: str, now_us: int) -> SLACheckResult:
    """A verdict on one promise or a group of them as the result of a check."""
    threshold, value = threshold_and_value(result.facts)
    return SLACheckResult(
        contract_name=result.contract,
        check_type=result.check,
        outcome=result.outcome,
        violations=violations_in(result, version, now_us),
        threshold=shown(threshold),
        actual_value=shown(value),
        message=reason_of(result),
        context=result.context,
    )


def to_rule_results(result: CheckResult, version: str, now_us: int) -> list[SLACheckResult]:
    """A verdict on quality: one result per rule, and last that of the whole, with promises that are not rules."""
    whole = to_sla_result(result, version, now_us)
    left = list(whole.violations)
    names = [item.facts.rule_name if item.facts else None for item in result.findings if item.violation_type]
    unclaimed = list(zip(names, left, strict=True))
    tests = result.facts.tests if isinstance(result.facts, QualityFacts) else ()
    rules = [_rule(whole, test, unclaimed) for test in tests]
    left = [violation for _, violation in unclaimed]
    return [*rules, replace(whole, violations=tuple(left))]


def reason_of(result: CheckResult) -> str:
    """Why nothing, or not everything, could be said."""
    reasons = [item.message for item in result.findings if item.code is codes.E560]
    skipped = (result.run.skipped.value,) if result.run and result.run.skipped else ()
    return "; ".join(reasons) or ", ".join((*skipped, *status_of(result.facts)))


def _rule(
    whole: SLACheckResult, test: RuleFact, unclaimed: list[tuple[str | None, ContractViolation]]
) -> SLACheckResult:
    """The result of one rule, with its violation taken from those that no rule has claimed."""
    outcome = _STATUSES[test.status]
    fitting = (pair for pair in unclaimed if pair[0] == test.name and test.column in ("", pair[1].element))
    own = next(fitting, None) if outcome is Outcome.VIOLATED else None
    if own is not None:
        unclaimed.remove(own)
    return SLACheckResult(whole.contract_name, "quality", outcome, (own[1],) if own else (), test.name)


# The code of a violation that a plugin reports without one.
_CODES: dict[ViolationType, Code] = {
    ViolationType.SCHEMA_MISMATCH: codes.E530,
    ViolationType.SCHEMA_DRIFT: codes.E534,
    ViolationType.FRESHNESS: codes.E550,
    ViolationType.AVAILABILITY: codes.E552,
    ViolationType.QUALITY: codes.E553,
    ViolationType.BREAKING_CHANGE: codes.E533,
    ViolationType.DEPRECATION_WARNING: codes.E558,
    ViolationType.DEPRECATION_ERROR: codes.E559,
}


def violations_in(result: CheckResult, version: str, at: datetime | int) -> tuple[ContractViolation, ...]:
    """Every finding that is a violation; what could not be measured is none."""
    when = moment(at) if isinstance(at, int) else at
    return tuple(
        ContractViolation(
            contract_name=result.contract,
            contract_version=version,
            violation_type=item.violation_type,
            severity=item.severity,
            message=item.message,
            element=item.element,
            expected_value=item.expected,
            actual_value=item.actual,
            timestamp=when,
            code=item.code.id,
            rule=item.rule,
            context=item.context,
        )
        for item in result.findings
        if item.violation_type is not None
    )


def violations_of(report: Report) -> dict[str, list[ContractViolation]]:
    """What a report found, by contract; one that keeps its promises has an empty list."""
    violations: dict[str, list[ContractViolation]] = {result.contract: [] for result in report.results}
    for result in report.results:
        checked_at = result.run.checked_at if result.run else ""
        when = datetime.fromisoformat(checked_at.replace("Z", "+00:00")) if checked_at else 0
        violations[result.contract] += violations_in(result, result.contract_version, when)
    return violations


def finding_of(violation: ContractViolation) -> Finding:
    """A plugin's violation as a finding; a code that does not fit its type gives way to the type's own."""
    known = find_code(violation.code) if violation.code else None
    code = known if known and known.violation_type is violation.violation_type else _CODES[violation.violation_type]
    item = Finding.of(
        code,
        violation.rule or "plugin",
        violation.message,
        severity=violation.severity,
        contract=violation.contract_name,
        element=violation.element,
        expected=violation.expected_value,
        actual=violation.actual_value,
    )
    return read_finding(item, violation.context)


def worst_first(violations: Iterable[ContractViolation]) -> tuple[ContractViolation, ...]:
    """By severity, then element, then message: the same order for the same violations."""
    return tuple(sorted(violations, key=lambda item: (-item.severity.rank, item.element, item.rule, item.message)))
