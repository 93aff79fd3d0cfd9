"""What lineage is told of one attempt: the event of its start and the one of its end, as the bytes that go out.

FAIL when a promise is broken, COMPLETE when it is kept, when there was nothing to check or only something to note,
ABORT when nobody could look. The same outcome gives the same bytes, wherever and whenever they are made.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ..checks.moments import SECOND, iso, moment
from ..contract.model import Json
from ..monitor.plugin.protocol import ContractViolation
from ..monitor.plugin.results import violations_in, worst_first
from ..monitor.run.delivery import NewResult
from ..monitor.run.facets import PRODUCER, Facet, contract_status, contract_violation, error_message, recovery
from ..monitor.store.protocol import SlotOutcome
from ..results import Outcome
from .lineage_assertions import Assertion, quality_facet, tests_facet, tests_of
from .lineage_datasets import inputs_of
from .lineage_facets import (
    SPEC,
    Speaker,
    floe_facet,
    job_type,
    nominal_time,
    ownership,
    parent_facet,
    processing_engine,
    standard_head,
    tags,
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
    tests = tests_of(outcome.result, new.target.contract) if outcome.result.outcome is not Outcome.ERRORED else ()
    about = _about(new, speaker)
    start = _event(new, speaker, "START", outcome.as_of_us, about)
    facets = {**about, **_results(new, tests)}
    end = _event(new, speaker, _END[outcome.result.outcome], ended_us, facets, tests)
    return start, end


def encoded(event: dict[str, Json]) -> bytes:
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
    return Event(kind, encoded(event))


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


def _results(new: NewResult, tests: tuple[Assertion, ...]) -> dict[str, Json]:
    """What came of it: an attempt in which nobody could look says why, and nothing about the data."""
    outcome = new.outcome
    result = outcome.result
    if result.outcome is Outcome.ERRORED:
        return {"errorMessage": error_message(result)}
    violations = violations_in(result, outcome.version, outcome.as_of_us)
    facets: dict[str, Facet | None] = {
        "contractViolation": contract_violation(violations) if violations else None,
        "quality": quality_facet(result, new.target.contract),
        "test": tests_facet(tests),
    }
    if result.outcome is Outcome.VIOLATED:
        facets["errorMessage"] = _summary(worst_first(violations))
    else:
        status = contract_status(result, outcome.version, moment(outcome.as_of_us))
        facets["contractStatus"] = {**status, **recovery(outcome, new.before)}
    return {name: facet for name, facet in facets.items() if facet}


def _summary(broken: Sequence[ContractViolation]) -> Facet:
    """The worst in one line, and how many more there are."""
    more = f" (and {len(broken) - 1} more)" if len(broken) > 1 else ""
    head = standard_head("ErrorMessageRunFacet", "1-0-1")
    return {**head, "message": f"{broken[0].message}{more}", "programmingLanguage": "python"}
