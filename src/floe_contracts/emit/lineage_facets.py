"""The facets of runs and jobs as plain values: who ran what, when and with which parts, and what came of it.

Values of a violation are text, durations in ISO 8601; those of a status are numbers (hours, percent, score). A field
that is not known is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal

from .. import __version__
from ..checks.moments import iso
from ..contract.model import Contract, CustomProperty, Json, SchemaObject
from ..monitor.plugin.protocol import ContractViolation
from ..monitor.plugin.results import worst_first
from ..monitor.store.protocol import SlotOutcome
from ..monitor.store.slots import SlotKey
from ..product.observability import Observability
from ..results import CheckResult, Outcome
from ..results.facts import threshold_and_value
from .lineage_parent import Parent, RunName

SPEC = "https://openlineage.io/spec"
PRODUCER = f"https://github.com/floe-dev/floe-contracts/tree/v{__version__}/floe"  # not ending with the version
SCHEMAS = "https://floe.dev/schemas/facets/1-0-0"
_MOST_LISTED = 100  # a broker takes messages of about a megabyte
_STATUS = {Outcome.PASSED: "pass", Outcome.VIOLATED: "fail", Outcome.SKIPPED: "skip", Outcome.ERRORED: "error"}

Facet = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Speaker:
    """The sender of events: the platform's identity, the engine below, and the run that started this one."""

    observability: Observability = Observability()
    engine: tuple[str, str] | None = None  # name and version
    parent: Parent | None = None
    folder: str = ""  # where the job runs


def standard_head(name: str, version: str) -> Facet:
    """The first two fields of every facet of the standard."""
    return {"_producer": PRODUCER, "_schemaURL": f"{SPEC}/facets/{version}/{name}.json#/$defs/{name}"}


def floe_head(name: str) -> Facet:
    """The first two fields of each of our own facets."""
    return {"_producer": PRODUCER, "_schemaURL": f"{SCHEMAS}/{name}.json#/$defs/{name}"}


def floe_facet(name: str, speaker: Speaker, namespace: str, table: SchemaObject | None = None) -> Facet:
    """Mode, namespace, product and domain, as the settings say them; a layer where the contract names one."""
    settings = speaker.observability
    product = {"name": settings.product.name, "version": settings.product.version}
    known: dict[str, Json] = {
        "version": __version__,
        "mode": settings.mode,
        "namespace": namespace,
        "product": {key: text for key, text in product.items() if text},
        "domain": settings.domain,
        "enterprise": settings.enterprise,
        "layer": custom_text(table.custom, "layer") if table is not None else "",
    }
    return {**floe_head(name), **{key: value for key, value in known.items() if value}}


def custom_text(custom: tuple[CustomProperty, ...], key: str) -> str:
    """A text among the contract's own extensions: `floe.<key>`, or the bare key."""
    texts = {extra.property: extra.value for extra in custom if isinstance(extra.value, str)}
    return str(texts.get(f"floe.{key}", texts.get(key, "")))


def nominal_time(key: SlotKey) -> Facet | None:
    """The slot; a check after a pipeline's run has none."""
    if key.run_id:
        return None
    head = standard_head("NominalTimeRunFacet", "1-0-1")
    return {**head, "nominalStartTime": iso(key.start_us), "nominalEndTime": iso(key.end_us)}


def processing_engine(engine: tuple[str, str] | None) -> Facet | None:
    if engine is None:
        return None
    name, version = engine
    head = standard_head("ProcessingEngineRunFacet", "1-1-1")
    return {**head, "name": name, "version": version, "openlineageAdapterVersion": __version__}


def parent_facet(parent: Parent | None) -> Facet | None:
    if parent is None:
        return None
    root = {"root": _name_run(parent.root)} if parent.root else {}
    return {**standard_head("ParentRunFacet", "1-2-0"), **_name_run(parent.run), **root}


def _name_run(run: RunName) -> dict[str, Json]:
    return {"run": {"runId": run.run_id}, "job": {"namespace": run.namespace, "name": run.job}}


def tags(**texts: str) -> Facet:
    """What receivers can filter runs by; ours begin with `floe.`."""
    listed: list[Json] = [
        {"key": f"floe.{key}", "value": text, "source": "FLOE"} for key, text in sorted(texts.items()) if text
    ]
    return {**standard_head("TagsRunFacet", "1-0-0"), "tags": listed}


def job_type(kind: str = "CONTRACT_CHECK") -> Facet:
    """BATCH also for topics: receivers take the runs of streaming jobs to be endless."""
    head = standard_head("JobTypeJobFacet", "2-0-4")
    return {**head, "processingType": "BATCH", "integration": "FLOE", "jobType": kind}


def ownership(contract: Contract, entity: str) -> Facet | None:
    """The contract's owner, of its job and of its tables alike."""
    if not contract.owner:
        return None
    return {
        **standard_head(f"Ownership{entity}Facet", "1-0-1"),
        "owners": [{"name": contract.owner, "type": "OWNER"}],
    }


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
    return failure_message(reasons or "unknown")


def violation_message(violations: Sequence[ContractViolation]) -> Facet:
    """The worst violation in one line, and how many more there are."""
    ordered = worst_first(violations)
    more = f" (and {len(ordered) - 1} more)" if len(ordered) > 1 else ""
    return failure_message(f"{ordered[0].message}{more}")


def failure_message(message: str) -> Facet:
    """The standard facet for why a run did not end well."""
    return {**standard_head("ErrorMessageRunFacet", "1-0-1"), "message": message, "programmingLanguage": "python"}


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
