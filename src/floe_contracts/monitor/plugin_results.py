"""Verdicts of checks as the results that plugins give."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from .. import codes
from ..checks import context_keys as keys
from ..results import CheckResult, Outcome
from .plugin import ContractViolation, SchemaComparisonResult, SLACheckResult
from .violations import violations_in

_STATUSES = {"pass": Outcome.PASSED, "fail": Outcome.VIOLATED, "error": Outcome.ERRORED, "skip": Outcome.SKIPPED}


def compared(result: CheckResult, version: str, now_us: int) -> SchemaComparisonResult:
    """A verdict on columns."""
    found = violations_in(result, version, now_us)
    return SchemaComparisonResult(result.contract, result.outcome, found, why(result), result.context)


def promised(result: CheckResult, version: str, now_us: int) -> SLACheckResult:
    """A verdict on one promise or a group of them."""
    said = dict(result.context)
    return SLACheckResult(
        contract_name=result.contract,
        check_type=result.check,
        outcome=result.outcome,
        violations=violations_in(result, version, now_us),
        threshold=said.get(keys.THRESHOLD, ""),
        actual_value=said.get(keys.VALUE, ""),
        message=why(result),
        context=result.context,
    )


def by_rule(result: CheckResult, version: str, now_us: int) -> list[SLACheckResult]:
    """A verdict on quality: one result per rule, and last that of the whole, with promises that are no rule."""
    whole = promised(result, version, now_us)
    left = list(whole.violations)
    rules = [_rule(whole, test, left) for test in json.loads(dict(result.context).get(keys.TESTS, "[]"))]
    return [*rules, replace(whole, violations=tuple(left))]


def why(result: CheckResult) -> str:
    """Why nothing, or not everything, could be said."""
    reasons = [item.message for item in result.findings if item.code is codes.E560]
    return "; ".join(reasons) or dict(result.context).get(keys.STATUS, "")


def _rule(whole: SLACheckResult, test: Mapping[str, str], left: list[ContractViolation]) -> SLACheckResult:
    """The result of one rule, with its violation taken from those that are left."""
    name, column = test["name"], test.get("column")
    outcome = _STATUSES[test["status"]]
    fitting = (one for one in left if dict(one.context).get(keys.RULE_NAME) == name and column in (None, one.element))
    own = next(fitting, None) if outcome is Outcome.VIOLATED else None
    if own is not None:
        left.remove(own)
    return SLACheckResult(whole.contract_name, "quality", outcome, (own,) if own else (), name)
