"""Between floe's results and what plugins and alerts speak: violations with a type, a severity and a timestamp."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from .. import codes
from ..checks.moments import moment
from ..codes import Code, ViolationType, find_code
from ..results import CheckResult, Finding, finding
from .plugin import ContractViolation

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


def finding_of(violation: ContractViolation) -> Finding:
    """A plugin's violation as a finding; a code that does not fit its type gives way to the type's own."""
    known = find_code(violation.code) if violation.code else None
    code = known if known and known.violation_type is violation.violation_type else _CODES[violation.violation_type]
    return finding(
        code,
        violation.rule or "plugin",
        violation.message,
        severity=violation.severity,
        contract=violation.contract_name,
        element=violation.element,
        expected=violation.expected_value,
        actual=violation.actual_value,
        context=violation.context,
    )


def worst_first(violations: Iterable[ContractViolation]) -> tuple[ContractViolation, ...]:
    """By severity, then element, then message: the same order for the same violations."""
    return tuple(sorted(violations, key=lambda one: (-one.severity.rank, one.element, one.rule, one.message)))
