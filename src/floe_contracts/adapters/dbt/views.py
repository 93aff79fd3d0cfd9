"""The few fields of dbt's artifacts that floe reads; dbt adds others with every patch release, and they are ignored."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from ...errors import FloeError

KNOWN_MANIFESTS = (10, 11, 12, 20)  # dbt 1.6, 1.7, 1.8 and later, Fusion
_VERSION = re.compile(r"/(manifest|catalog|run-results)/v(\d+)\.json")


class View(BaseModel):
    """A part of an artifact: null is the same as absent, and keys that nobody reads are nobody's business."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


def _or_empty(empty: Any) -> BeforeValidator:
    return BeforeValidator(lambda value: empty() if value is None else value)


Text = Annotated[str, _or_empty(str)]
Map = Annotated[dict[str, Any], _or_empty(dict)]
Names = Annotated[list[str], _or_empty(list)]


class ArtifactMetadata(View):
    dbt_schema_version: Text = ""
    dbt_version: Text = ""
    project_name: Text = ""
    adapter_type: Text = ""
    invocation_id: Text = ""


class NodeColumn(View):
    name: Text = ""
    description: Text = ""
    data_type: Text = ""
    meta: Map = {}
    config: Map = {}
    constraints: Annotated[list[Map], _or_empty(list)] = []


class DependsOn(View):
    nodes: Names = []


class GenericTest(View):
    name: Text = ""
    kwargs: Map = {}


class NodeChecksum(View):
    checksum: Text = ""


class ManifestNode(View):
    """A model, seed, snapshot or test."""

    unique_id: Text = ""
    name: Text = ""
    resource_type: Text = ""
    package_name: Text = ""
    fqn: Names = []
    alias: Text = ""
    description: Text = ""
    original_file_path: Text = ""
    compiled_path: Text = ""
    columns: Annotated[dict[str, NodeColumn], _or_empty(dict)] = {}
    meta: Map = {}
    config: Map = {}
    checksum: Annotated[NodeChecksum, _or_empty(NodeChecksum)] = NodeChecksum()
    depends_on: Annotated[DependsOn, _or_empty(DependsOn)] = DependsOn()
    test_metadata: GenericTest | None = None
    column_name: Text = ""
    attached_node: Text = ""
    file_key_name: Text = ""
    version: Any = None
    latest_version: Any = None


class ManifestSource(View):
    source_name: Text = ""
    name: Text = ""
    place: Text = Field(default="", alias="schema")
    identifier: Text = ""
    freshness: Map = {}
    config: Map = {}


class ModelUnitTest(View):
    name: Text = ""
    package_name: Text = ""
    depends_on: Annotated[DependsOn, _or_empty(DependsOn)] = DependsOn()


class ManifestView(View):
    metadata: ArtifactMetadata
    nodes: dict[str, ManifestNode]
    sources: Annotated[dict[str, ManifestSource], _or_empty(dict)] = {}
    unit_tests: Annotated[dict[str, ModelUnitTest], _or_empty(dict)] = {}


class CatalogColumn(View):
    name: Text = ""
    type: Text = ""
    index: int = 0


class CatalogNode(View):
    columns: dict[str, CatalogColumn] = {}


class CatalogView(View):
    metadata: ArtifactMetadata
    nodes: dict[str, CatalogNode] = {}
    sources: dict[str, CatalogNode] = {}


class StepTiming(View):
    name: Text = ""
    started_at: Text = ""
    completed_at: Text = ""


class NodeResult(View):
    unique_id: Text = ""
    status: Text = ""
    message: Text = ""
    failures: int | None = None
    execution_time: float = 0.0
    timing: Annotated[list[StepTiming], _or_empty(list)] = []
    adapter_response: Map = {}


class RunResultsView(View):
    metadata: ArtifactMetadata
    results: list[NodeResult]


Artifact = TypeVar("Artifact", ManifestView, CatalogView, RunResultsView)


def read_artifact(data: bytes, path: str, kind: type[Artifact]) -> Artifact:
    """The artifact in these bytes; FloeError where they are none of that kind."""
    try:
        return kind.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise FloeError(
            f"{path} is not what dbt writes: {place}: {first['msg']}", fix="Run dbt parse, which writes it again."
        ) from None


def schema_version(metadata: ArtifactMetadata, kind: str, path: str) -> int:
    """The number in `dbt_schema_version`; FloeError for a file of another kind, or one that says nothing."""
    match = _VERSION.search(metadata.dbt_schema_version)
    if match is None or match[1] != kind:
        raise FloeError(
            f"{path} says dbt_schema_version {metadata.dbt_schema_version or 'nothing'!r}, not {kind}",
            fix=f"Name the {kind.replace('-', '_')}.json that dbt wrote.",
        )
    return int(match[2])
