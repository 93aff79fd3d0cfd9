"""docs/facets.md, from the JSON schemas of floe's own facets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any

from ...emit.lineage_facets import SCHEMAS

_ORDER = (
    "ContractViolationRunFacet",
    "ContractStatusRunFacet",
    "QualityRunFacet",
    "FloeRunFacet",
    "FloeDatasetFacet",
    "DataClassificationDatasetFacet",
)
_INTRODUCTION = """\
# Lineage

Every attempt of a check is a run of the job `contract_check.<contract>` (`contract_check.<contract>.v2` where a second
MAJOR is monitored beside the first) in the namespace of the settings. A run has two events: START, and one end.

| end | when |
|---|---|
| `COMPLETE` | The promise is kept, there was nothing to check, or there is only something to note. |
| `FAIL` | A promise is broken, by a warning or worse. |
| `ABORT` | Nobody could look: the table could not be read, or a rule could not be measured. |

The id of a run is a UUIDv7 made from the slot and the attempt, and the events are stored as bytes with the result. So a
receiver that was away gets what it missed, in order, and one that gets an event twice gets the same bytes. A check that
is run again in the same slot tells nothing new; a recheck is a run of its own.

The tables of the contract are the inputs, called as OpenLineage calls them (`s3://bucket`, `postgres://host:5432`,
`kafka://host:9092`, `file` …), never the outputs: a check writes nothing.

## Where it goes

As OpenLineage's own client is configured: `OPENLINEAGE_URL` with `OPENLINEAGE_ENDPOINT` and `OPENLINEAGE_API_KEY`,
variables `OPENLINEAGE__TRANSPORT__…`, or a file `openlineage.yml` (`OPENLINEAGE_CONFIG` names another), which wins. The
transports are those of the client: http, kafka, file, console and the others. Every receiver of a composite has its own
backlog. Without any of these, nothing is sent. `filters` hide jobs; `tags` and `facets` of that file add nothing here.

| variable | meaning |
|---|---|
| `OPENLINEAGE_NAMESPACE` | Namespace of jobs, slots and metrics; wins over the settings. |
| `OPENLINEAGE_DISABLED` | `true` switches lineage off. |
| `OPENLINEAGE_CONTEXT` | The run that started this one, as JSON. |
| `OPENLINEAGE_PARENT_ID`, `OPENLINEAGE_ROOT_PARENT_ID` | The same as `namespace/job/run id`. |
| `AIRFLOW_CTX_…`, `DAGSTER_RUN_ID`, `DAGSTER_RUN_JOB_NAME` | The same, where none of the above is set. |

The settings `data_contracts.alerting.openlineage_events: false` and `observability.lineage: false` switch lineage off.

Answers 400, 413, 415 and 422 are about the event: it becomes a dead letter. Everything else waits for the next run.

## Standard facets

| facet | of | content |
|---|---|---|
| `nominalTime` | run | The slot. |
| `test` | run | Every rule or promise with what came of it. |
| `errorMessage` | run | The worst violation in a sentence, or why nobody could look. |
| `parent`, `processing_engine`, `tags` | run | Who started it, Spark's version; check type, version and attempt. |
| `jobType`, `ownership` | job | `BATCH`, `FLOE`, `CONTRACT_CHECK`; the contract's owner. |
| `schema`, `ownership` | input | The columns that the contract promises; its owner. |
| `dataQualityAssertions` | input | The tests of this table that were run. |

## Floe's facets

No field holds a value from the data. The schemas come with the package, in `floe_contracts/emit/schemas`.
"""
_TELEMETRY = """\

## Traces

With `OTEL_EXPORTER_OTLP_ENDPOINT` each attempt is also a span `floe.contract.check`, and metrics go there under the
names of [metrics](metrics.md). Port 4317 is taken for gRPC and any other for HTTP unless `OTEL_EXPORTER_OTLP_PROTOCOL`
says `grpc` or `http/protobuf`; the variables for headers, certificates, compression and single signals hold as
OpenTelemetry describes them. `TRACEPARENT` hangs the spans below the caller's. Use either a gateway or OpenTelemetry
for metrics of one backend, not both: their sums would double.

The resource has `service.name` (`OTEL_SERVICE_NAME`, else `floe`), a `service.instance.id` that is the same in every
run, `floe.namespace`, `floe.product.name`, `floe.product.version`, `floe.mode`, `floe.version`, and in a mesh
`floe.domain` and `floe.enterprise`. A span has `floe.contract.*`, `floe.quality.score` and `floe.quality.coverage`, and
`openlineage.run_id`; violations and quality tests are its events.
"""


def facet_page(notice: str) -> str:
    """docs/facets.md as text."""
    lines = [notice, *_INTRODUCTION.splitlines()]
    for name in _ORDER:
        lines += ["", *_section(name, facet_schema(name))]
    return "\n".join([*lines, *_TELEMETRY.splitlines()]) + "\n"


def facet_schema(name: str) -> dict[str, Any]:
    """The published schema of a facet."""
    folder = resources.files("floe_contracts.emit.schemas")
    schema: dict[str, Any] = json.loads((folder / f"{name}.json").read_text("utf-8"))
    return schema


def _section(name: str, schema: dict[str, Any]) -> Iterator[str]:
    (key,) = schema["properties"]
    entity = "input" if name.endswith("DatasetFacet") else "run"
    whole = schema["$defs"][name]
    yield f"### {key} ({entity})"
    yield ""
    yield f"{whole['description']} `{SCHEMAS}/{name}.json`"
    yield ""
    yield from _fields(whole["allOf"][1])
    for part, definition in schema["$defs"].items():
        if part != name:
            yield ""
            yield f"`{part}`: {definition['description']}"
            yield ""
            yield from _fields(definition)


def _fields(definition: dict[str, Any]) -> Iterator[str]:
    yield "| field | type | meaning |"
    yield "|---|---|---|"
    required = definition.get("required", ())
    for field, kind in definition["properties"].items():
        words = ", ".join(f"`{word}`" for word in kind.get("enum", ()))
        meaning = kind.get("description", "") + (f" One of {words}." if words else "")
        optional = "" if field in required else ", optional"
        yield f"| `{field}` | {_type(kind)}{optional} | {meaning} |"


def _type(kind: dict[str, Any]) -> str:
    if "$ref" in kind:
        return f"`{kind['$ref'].rpartition('/')[2]}`"
    if kind["type"] == "array":
        return f"list of {_type(kind['items'])}"
    return "time" if kind.get("format") == "date-time" else str(kind["type"])
