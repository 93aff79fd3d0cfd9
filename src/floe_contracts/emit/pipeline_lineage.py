"""The lineage events of a step of a pipeline: its start and its one end, with what was read and written."""

from __future__ import annotations

from ..checks.moments import iso
from ..contract.model import Json
from ..monitor.pipeline.step import Dataset, End
from ..monitor.run.delivery import Attempt, NewStep
from .lineage import RUN_EVENT, Event, classification_facet, encode, schema_facet
from .lineage_assertions import Assertion, tests_facet
from .lineage_facets import (
    PRODUCER,
    Facet,
    Speaker,
    failure_message,
    floe_facet,
    job_type,
    parent_facet,
    processing_engine,
    standard_head,
    tags,
)
from .lineage_names import attempt_id, run_id
from .lineage_parent import Parent, RunName

_TYPE = "floe.transform.type"


def step_events(new: NewStep, speaker: Speaker) -> tuple[Event, Event]:
    """START and the end of a step."""
    step = new.step
    about = _about(new, speaker)
    facets: dict[str, Json] = {} if step.end is End.COMPLETE else {"errorMessage": failure_message(step.message)}
    if step.tests:
        facets["test"] = tests_facet(_tests(new))
    start = _event(new, speaker, "START", step.start_us, about)
    return start, _event(new, speaker, step.end.value, step.end_us, {**about, **facets})


def pipeline_run(pipeline: Attempt) -> RunName:
    """A pipeline's run as the parent of others names it."""
    made = attempt_id(pipeline.claim, pipeline.start_us)
    return RunName(pipeline.claim.key.namespace, pipeline.claim.key.contract, str(made))


def _event(new: NewStep, speaker: Speaker, kind: str, when_us: int, facets: dict[str, Json]) -> Event:
    step, namespace = new.step, new.outcome.key.namespace
    written = kind == End.COMPLETE.value
    event: dict[str, Json] = {
        "eventType": kind,
        "eventTime": iso(when_us),
        "producer": PRODUCER,
        "schemaURL": RUN_EVENT,
        "run": {"runId": str(run_id(new.outcome)), "facets": facets},
        "job": {"namespace": namespace, "name": step.name, "facets": {"jobType": job_type(_job_kind(new))}},
        "inputs": [{**_dataset(data, speaker, namespace), "inputFacets": {}} for data in step.inputs],
        "outputs": [
            {**_dataset(data, speaker, namespace), "outputFacets": _statistics(data) if written else {}}
            for data in step.outputs
        ],
    }
    return Event(kind, encode(event))


def _job_kind(new: NewStep) -> str:
    ingests = dict(new.step.attributes).get(_TYPE) == "ingestion"
    return "PIPELINE" if new.step.kind == "pipeline" else "INGESTION" if ingests else "TRANSFORM"


def _about(new: NewStep, speaker: Speaker) -> dict[str, Json]:
    key, attributes = new.outcome.key, dict(new.step.attributes)
    facets = {
        "floe": floe_facet("FloeRunFacet", speaker, key.namespace),
        "parent": parent_facet(_parent(new, speaker)),
        "processing_engine": processing_engine(new.step.engine),
        "tags": tags(
            run_id=key.run_id,
            attempt=str(new.outcome.claim.attempt),
            trigger=attributes.get("floe.pipeline.trigger", ""),
            transform_type=attributes.get(_TYPE, ""),
        ),
    }
    return {name: facet for name, facet in facets.items() if facet}


def _parent(new: NewStep, speaker: Speaker) -> Parent | None:
    """A transform's parent is its pipeline, a pipeline's is whoever started it."""
    if new.pipeline is None:
        return speaker.parent
    run = pipeline_run(new.pipeline)
    above = speaker.parent
    return Parent(run, (above.root or above.run) if above else run)


def _dataset(data: Dataset, speaker: Speaker, namespace: str) -> dict[str, Json]:
    layer = {"layer": data.layer} if data.layer else {}
    facets: dict[str, Facet | None] = {
        "schema": schema_facet(data.table) if data.table else None,
        "dataClassification": classification_facet(data.table) if data.table else None,
        "floe": {**floe_facet("FloeDatasetFacet", speaker, namespace, data.table), **layer},
    }
    known: dict[str, Json] = {key: facet for key, facet in facets.items() if facet}
    return {"namespace": data.namespace or namespace, "name": data.name, "facets": known}


def _statistics(data: Dataset) -> dict[str, Json]:
    known: dict[str, Json] = {}
    if data.rows is not None:
        known["rowCount"] = data.rows
    if data.bytes is not None:
        known["size"] = data.bytes
    head = standard_head("OutputStatisticsOutputDatasetFacet", "1-0-2")
    return {"outputStatistics": {**head, **known}} if known else {}


def _tests(new: NewStep) -> tuple[Assertion, ...]:
    return tuple(
        Assertion(test.name, "dbt", "pass" if test.result == "pass" else "fail", test.model, test.column)
        for test in new.step.tests
    )
