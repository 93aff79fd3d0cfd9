"""The lineage events of one attempt: that of its start and that of its end, as the bytes that go out.

FAIL when a promise is broken, COMPLETE when it is kept, when there was nothing to check or only something to note,
ABORT when it could not be checked. The same outcome gives the same bytes, wherever and whenever they are made.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ..checks.moments import SECOND, iso, moment
from ..checks.names import is_column, name_in_table
from ..contract.model import Contract, Json, Property, SchemaObject
from ..monitor.plugin.results import violations_in
from ..monitor.run.delivery import NewResult
from ..monitor.run.targets import Target
from ..monitor.source.binding import Binding, bind
from ..monitor.store.protocol import SlotOutcome
from ..results import Outcome
from .lineage_assertions import Assertion, assertions_facet, quality_facet, tests_facet, tests_of
from .lineage_facets import (
    PRODUCER,
    SPEC,
    Facet,
    Speaker,
    contract_status,
    contract_violation,
    custom_text,
    error_message,
    floe_facet,
    floe_head,
    job_type,
    nominal_time,
    ownership,
    parent_facet,
    processing_engine,
    recovery,
    standard_head,
    tags,
    violation_message,
)
from .lineage_names import dataset_name, run_id

_PII = ("pii", "personal", "sensitive")  # classifications under which a column's format says what kind it is
RUN_EVENT = f"{SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent"
_END = {
    Outcome.PASSED: "COMPLETE",
    Outcome.SKIPPED: "COMPLETE",
    Outcome.VIOLATED: "FAIL",
    Outcome.ERRORED: "ABORT",
}


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its type, for people, and its bytes, for the wire."""

    type: str
    body: bytes


def lineage_events(new: NewResult, speaker: Speaker) -> tuple[Event, Event]:
    """START and the one end of an attempt; both have the same job, run, inputs and facets about who and when."""
    outcome = new.outcome
    ended_us = outcome.as_of_us + int(outcome.seconds * SECOND)
    about, tests = _about(new, speaker), _tests(new)
    kind, facets = terminal_event(new, tests)
    start = _event(new, speaker, "START", outcome.as_of_us, about)
    return start, _event(new, speaker, kind, ended_us, {**about, **facets}, tests)


def encode(event: dict[str, Json]) -> bytes:
    """Sorted, in ASCII and with the separators of OpenLineage's own client, so that it sends these very bytes."""
    return json.dumps(event, sort_keys=True, allow_nan=False).encode()


def _event(
    new: NewResult,
    speaker: Speaker,
    kind: str,
    when_us: int,
    facets: dict[str, Json],
    tests: tuple[Assertion, ...] = (),
) -> Event:
    key = new.outcome.key
    job_facets = {"jobType": job_type(), "ownership": ownership(new.target.contract, "Job")}
    event: dict[str, Json] = {
        "eventType": kind,
        "eventTime": iso(when_us),
        "producer": PRODUCER,
        "schemaURL": RUN_EVENT,
        "run": {"runId": str(run_id(new.outcome)), "facets": facets},
        "job": {
            "namespace": key.namespace,
            "name": job_name(new.outcome),
            "facets": {name: facet for name, facet in job_facets.items() if facet},
        },
        "inputs": _inputs(new.target, speaker, key.namespace, tests),
        "outputs": [],
    }
    return Event(kind, encode(event))


def job_name(outcome: SlotOutcome) -> str:
    return f"contract_check.{outcome.label}"


def _about(new: NewResult, speaker: Speaker) -> dict[str, Json]:
    outcome, key = new.outcome, new.outcome.key
    facets = {
        "floe": floe_facet("FloeRunFacet", speaker, key.namespace),
        "nominalTime": nominal_time(key),
        "parent": parent_facet(speaker.parent),
        "processing_engine": processing_engine(speaker.engine),
        "tags": tags(
            check_type=key.check_type,
            contract_version=outcome.version,
            enforcement=new.target.enforcement.value,
            attempt=str(outcome.claim.attempt),
            run_id=key.run_id,
        ),
    }
    return {name: facet for name, facet in facets.items() if facet}


def terminal_event(new: NewResult, tests: tuple[Assertion, ...] | None = None) -> tuple[str, dict[str, Json]]:
    """Type and facets of the event that ends an attempt; one that could not check says why, and no more."""
    outcome, result, contract = new.outcome, new.outcome.result, new.target.contract
    kind = _END[result.outcome]
    if result.outcome is Outcome.ERRORED:
        return kind, {"errorMessage": error_message(result)}
    violations = violations_in(result, outcome.version, outcome.as_of_us)
    facets: dict[str, Facet | None] = {
        "contractViolation": contract_violation(violations) if violations else None,
        "quality": quality_facet(result, contract),
        "test": tests_facet(_tests(new) if tests is None else tests),
    }
    if result.outcome is Outcome.VIOLATED:
        facets["errorMessage"] = violation_message(violations) if violations else None
    else:
        status = contract_status(result, outcome.version, moment(outcome.as_of_us))
        facets["contractStatus"] = {**status, **recovery(outcome, new.before)}
    return kind, {name: facet for name, facet in facets.items() if facet}


def _tests(new: NewResult) -> tuple[Assertion, ...]:
    result = new.outcome.result
    return () if result.outcome is Outcome.ERRORED else tests_of(result, new.target.contract)


def _inputs(target: Target, speaker: Speaker, namespace: str, tests: Sequence[Assertion] = ()) -> list[Json]:
    """Every table whose place is known; the same for the start and the end of a run but for the tests.

    Never as outputs: a receiver would take the checker for a writer. The columns are those that the contract promises,
    in every event, so that no receiver sees a new version of a table because another check looked at it.
    """
    inputs: list[Json] = []
    for table in target.contract.objects:
        binding = bind(target.contract, table, target.where)
        if isinstance(binding, Binding):
            inputs.append(_input(target.contract, binding, speaker, namespace, tests))
    return inputs


def _input(
    contract: Contract, binding: Binding, speaker: Speaker, namespace: str, tests: Sequence[Assertion]
) -> dict[str, Json]:
    table = binding.table
    named = dataset_name(binding, namespace, speaker.folder)
    facets = {
        "schema": schema_facet(table),
        "ownership": ownership(contract, "Dataset"),
        "dataClassification": classification_facet(table),
        "floe": floe_facet("FloeDatasetFacet", speaker, namespace, table),
    }
    assertions = assertions_facet(tests, table.name)
    known: dict[str, Json] = {key: facet for key, facet in facets.items() if facet}
    checked: dict[str, Json] = {"dataQualityAssertions": assertions} if assertions else {}
    # Empty or not, it is there: the client's own objects have it, and send the same bytes with it.
    return {"namespace": named.namespace, "name": named.name, "facets": known, "inputFacets": checked}


def schema_facet(table: SchemaObject) -> Facet | None:
    """The columns that a contract promises."""
    fields: list[Json] = [_field(prop) for prop in table.properties if is_column(prop)]
    return {**standard_head("SchemaDatasetFacet", "1-2-0"), "fields": fields} if fields else None


def _field(prop: Property) -> dict[str, Json]:
    kind = prop.physical_type or prop.logical_type
    nested: list[Json] = [_field(child) for child in prop.properties]
    return {
        "name": name_in_table(prop),
        **({"type": kind} if kind else {}),
        **({"fields": nested} if nested else {}),
    }


def classification_facet(table: SchemaObject) -> Facet | None:
    """Every column with a classification, nested ones by their path; what is not known is left out."""
    listed: list[Json] = [
        _classify(path, prop) for path, prop in table.columns() if prop.classification and is_column(prop)
    ]
    return {**floe_head("DataClassificationDatasetFacet"), "columns": listed} if listed else None


def _classify(path: tuple[str, ...], prop: Property) -> dict[str, Json]:
    word = prop.classification or ""
    kind = prop.pii_type or (prop.options.format if word.casefold() in _PII else None)
    name = ".".join((*path[:-1], name_in_table(prop)))
    known = {
        "name": name,
        "classification": word,
        "pii_type": kind or "",
        "sensitivity": custom_text(prop.custom, "sensitivity"),
    }
    return {key: text for key, text in known.items() if text}
