"""Every lineage event of the tests is held against OpenLineage's own schemas and against those of floe's facets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from support.needs import cannot_run

ROOT = Path(__file__).parents[2]
OURS = ROOT / "src/floe_contracts/emit/schemas"


def official() -> Path:
    """The folder with the official schemas."""
    said = os.environ.get("FLOE_OPENLINEAGE_SPEC", "../shared/openlineage-spec")
    folder = (ROOT / said).resolve()
    return folder if (folder / "OpenLineage.json").is_file() else cannot_run("the OpenLineage schemas are not here")


def problems(event: dict[str, Any]) -> list[str]:
    """What is wrong with an event, facets included; a facet that no schema knows is wrong too."""
    core, by_key = _validators()
    found = [_told("event", error) for error in core.iter_errors(event)]
    for place, facets in _facet_objects(event):
        for key, facet in facets.items():
            known = [one for entity, one in by_key.get(key, ()) if entity == place]
            if not known:
                found.append(f"{place}.{key}: no schema knows it")
            found += [_told(f"{place}.{key}", error) for one in known for error in one.iter_errors({key: facet})]
    return found


def read(body: bytes) -> dict[str, Any]:
    """An event of the wire, which must be strict JSON."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    event: dict[str, Any] = json.loads(body, parse_constant=refuse)
    return event


def conforms(body: bytes) -> dict[str, Any]:
    """The event, after it was held against all schemas."""
    event = read(body)
    assert problems(event) == []
    return event


def _told(where: str, error: Any) -> str:
    return f"{where}/{'/'.join(str(step) for step in error.instance_path)}: {error.message[:200]}"


def _facet_objects(event: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "run", event.get("run", {}).get("facets", {})
    yield "job", event.get("job", {}).get("facets", {})
    for side in ("inputs", "outputs"):
        for dataset in event.get(side, ()):
            yield "dataset", dataset.get("facets", {})
            yield "input", dataset.get("inputFacets", {})
            yield "output", dataset.get("outputFacets", {})


_ENTITIES = {
    "RunFacet": "run",
    "JobFacet": "job",
    "DatasetFacet": "dataset",
    "InputDatasetFacet": "input",
    "OutputDatasetFacet": "output",
}


@lru_cache
def _validators() -> tuple[Any, dict[str, list[tuple[str, Any]]]]:
    """That of a run event, and by key those of facets with the entity they belong to."""
    folder = official()
    core = json.loads((folder / "OpenLineage.json").read_text())
    paths = [*folder.glob("facets/*.json"), *folder.glob("registry/*/facets/*.json"), *OURS.glob("*.json")]
    schemas = [json.loads(path.read_text()) for path in sorted(paths)]
    registry = jsonschema_rs.Registry([(one["$id"], one) for one in (core, *schemas)])
    by_key: dict[str, list[tuple[str, Any]]] = {}
    for schema in schemas:
        made = _validator({"$ref": schema["$id"]}, registry)
        for key, pointer in schema.get("properties", {}).items():
            by_key.setdefault(key, []).extend((entity, made) for entity in _entities(schema, pointer))
    return _validator({"$ref": f"{core['$id']}#/$defs/RunEvent"}, registry), by_key


def _validator(schema: dict[str, Any], registry: Any) -> Any:
    return jsonschema_rs.Draft202012Validator(schema, registry=registry, validate_formats=True)


def _entities(schema: dict[str, Any], pointer: dict[str, Any]) -> Iterator[str]:
    """Which kind of facet it is, by the schema of the core that it extends."""
    for one in pointer.get("anyOf", [pointer]):
        for part in schema["$defs"][one["$ref"].rpartition("/")[2]].get("allOf", ()):
            name = str(part.get("$ref", "")).rpartition("/")[2]
            if name in _ENTITIES:
                yield _ENTITIES[name]
