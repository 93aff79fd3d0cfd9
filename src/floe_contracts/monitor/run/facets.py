"""What lineage says about a check: the facets contractViolation and contractStatus as plain values.

Values of a violation are text, durations in ISO 8601; those of a status are numbers (hours, percent, score). A field
that is not known is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from decimal import Decimal

from ... import __version__
from ...checks.moments import iso
from ...contract.model import Json
from ...results import CheckResult, Outcome
from ...results.facts import threshold_and_value
from ..plugin.protocol import ContractViolation
from ..plugin.results import worst_first
from ..store.protocol import SlotOutcome

PRODUCER = f"https://github.com/floe-dev/floe-contracts/tree/v{__version__}/floe"  # not ending with the version
SCHEMAS = "https://floe.dev/schemas/facets/1-0-0"
_MOST_LISTED = 100  # a broker takes messages of about a megabyte
_STATUS = {Outcome.PASSED: "pass", Outcome.VIOLATED: "fail", Outcome.SKIPPED: "skip", Outcome.ERRORED: "error"}

Facet = dict[str, Json]


def contract_violation(violations: Sequence[ContractViolation]) -> Facet:
    """The worst violation in the seed's fields, all of them below it: a run has one facet of each kind."""
    ordered = worst_first(violations)
    listed: list[Json] = [dict(_violation(violation)) for violation in ordered[:_MOST_LISTED]]
    return {
        **floe_head("ContractViolationRunFacet"),
        **_violation(ordered[0]),
        "violationCount": len(ordered),
        "violations": listed,
    }


def contract_status(result: CheckResult, version: str, checked_at: datetime) -> Facet:
    """How a promise stands, with its threshold and what was measured where these are numbers."""
    threshold, value = threshold_and_value(result.facts)
    numbers = {"threshold": _number(threshold), "actualValue": _number(value)}
    return {
        **floe_head("ContractStatusRunFacet"),
        "contractName": result.contract,
        "contractVersion": version,
        "checkType": result.check,
        "status": _STATUS[result.outcome],
        **{name: number for name, number in numbers.items() if number is not None},
        "checkedAt": _iso(checked_at),
    }


def error_message(result: CheckResult) -> Facet:
    """Why a check could not be done, as the standard facet of that name says it."""
    reasons = "; ".join(dict.fromkeys(item.message for item in result.findings))
    url = "https://openlineage.io/spec/facets/1-0-1/ErrorMessageRunFacet.json#/$defs/ErrorMessageRunFacet"
    return {"_producer": PRODUCER, "_schemaURL": url, "message": reasons or "unknown", "programmingLanguage": "python"}


def recovery(outcome: SlotOutcome, before: Callable[[], tuple[SlotOutcome, ...]]) -> Facet:
    """Since when and for how many slots the promise was broken, in the first slot that keeps it again; else nothing."""
    if outcome.result.outcome is not Outcome.PASSED:
        return {}
    broken: list[SlotOutcome] = []
    for earlier in before():
        if earlier.result.outcome is Outcome.PASSED:
            break
        broken += [earlier] if earlier.result.outcome is Outcome.VIOLATED else []
    if not broken:
        return {}
    return {"recovery": {"violatedSince": iso(broken[-1].slot_us), "violatedSlots": len(broken)}}


def floe_head(name: str) -> Facet:
    """What each of our own facets begins with."""
    return {"_producer": PRODUCER, "_schemaURL": f"{SCHEMAS}/{name}.json#/$defs/{name}"}


def _violation(violation: ContractViolation) -> Facet:
    fields = {
        "contractName": violation.contract_name,
        "contractVersion": violation.contract_version,
        "violationType": violation.violation_type.value,
        "severity": violation.severity.value,
        "message": violation.message,
        "element": violation.element,
        "expectedValue": violation.expected_value,
        "actualValue": violation.actual_value,
        "timestamp": _iso(violation.timestamp),
    }
    return {key: text for key, text in fields.items() if text}


def _iso(when: datetime) -> str:
    return when.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _number(number: Decimal | None) -> float | None:
    return None if number is None else float(number)
