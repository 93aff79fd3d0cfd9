"""What lineage is told of one attempt: the event of its start and the one of its end, as the bytes that go out.

FAIL when a promise is broken, COMPLETE when it is kept, when there was nothing to check or only something to note,
ABORT when nobody could look. The same outcome gives the same bytes, wherever and whenever they are made.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from ..checks.moments import SECOND, iso, moment
from ..contract.model import Json
from ..monitor.plugin.results import violations_in
from ..monitor.run.delivery import NewResult
from ..monitor.store.protocol import SlotOutcome
from ..results import Outcome
from .lineage_assertions import Assertion, quality_facet, tests_facet, tests_of
from .lineage_datasets import inputs_of
from .lineage_facets import (
    PRODUCER,
    SPEC,
    Facet,
    Speaker,
    contract_status,
    contract_violation,
    error_message,
    floe_facet,
    job_type,
    nominal_time,
    ownership,
    parent_facet,
    processing_engine,
    recovery,
    tags,
    violation_message,
)
from .lineage_names import run_id

_SCHEMA = f"{SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent"
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
        "schemaURL": _SCHEMA,
        "run": {"runId": str(run_id(new.outcome)), "facets": facets},
        "job": {
            "namespace": key.namespace,
            "name": job_name(new.outcome),
            "facets": {name: facet for name, facet in job_facets.items() if facet},
        },
        "inputs": inputs_of(new.target, speaker, key.namespace, tests),
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
        "parent": parent_facet(speaker),
        "processing_engine": processing_engine(speaker),
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
    """Type and facets of the event that ends an attempt; one in which nobody could look says why, and no more."""
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
