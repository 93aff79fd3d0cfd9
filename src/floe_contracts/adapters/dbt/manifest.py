"""manifest.json as values: the project's own models with the tests that are attached to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import FloeError
from ...product.dbt import DbtColumn, DbtNode, DbtProject, NodeTest
from .views import KNOWN_MANIFESTS, ManifestNode, ManifestSource, ManifestView, read_artifact, schema_version

_TABLES = ("model", "seed", "snapshot")
_ASIDE = frozenset({"model", "column_name"})  # arguments of a test that only say what it looks at


def read_manifest(data: bytes, path: str) -> DbtProject:
    """The project that a manifest describes; models of installed packages are not the team's, and left out."""
    manifest = read_artifact(data, path, ManifestView)
    number = schema_version(manifest.metadata, "manifest", path)
    if number < KNOWN_MANIFESTS[0]:
        raise FloeError(
            f"{path} is a manifest v{number}, floe reads v{KNOWN_MANIFESTS[0]} and later",
            fix="Use dbt 1.6 or newer, and run dbt parse.",
        )
    own = manifest.metadata.project_name
    tests = _tests_by_model(manifest)
    models = [
        _model(unique_id, node, tests.get(unique_id, ()), manifest)
        for unique_id, node in manifest.nodes.items()
        if node.resource_type in _TABLES and (not own or node.package_name == own) and _enabled(node.config)
    ]
    return DbtProject(
        own,
        tuple(sorted(models, key=lambda model: (model.path, model.name, model.alias))),
        path,
        f"v{number}",
        manifest.metadata.dbt_version,
        manifest.metadata.adapter_type,
        () if number in KNOWN_MANIFESTS else (f"{path} is a manifest v{number}, which is newer than floe knows",),
    )


def _model(unique_id: str, node: ManifestNode, tests: tuple[NodeTest, ...], manifest: ManifestView) -> DbtNode:
    sources = list(_sources(unique_id, manifest))
    return DbtNode(
        node.name,
        tuple(
            DbtColumn(column.name or name, column.data_type, column.description, _meta(column.meta, column.config))
            for name, column in node.columns.items()
        ),
        _meta(node.meta, node.config),
        tests,
        alias=node.alias,
        description=node.description,
        kind=node.resource_type,
        materialized=str(node.config.get("materialized") or ""),
        path=node.original_file_path.replace("\\", "/"),
        sources=tuple(sorted({source.source_name for source in sources})),
        fresh=any(map(_has_freshness, sources)),
        checksum=node.checksum.checksum,
        compiled_path=node.compiled_path.replace("\\", "/"),
        latest=node.latest_version is None or node.version == node.latest_version,
    )


def _meta(written: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    """`meta` beside the name, which older dbt writes, and `config.meta`, which counts."""
    return {**written, **_map(config.get("meta"))}


def _map(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _enabled(config: Mapping[str, Any]) -> bool:
    return config.get("enabled") is not False


def _sources(unique_id: str, manifest: ManifestView) -> Iterator[ManifestSource]:
    """The sources that a node reads, directly or through other nodes."""
    waiting, seen = [unique_id], {unique_id}
    while waiting:
        node = manifest.nodes.get(waiting.pop())
        for name in node.depends_on.nodes if node else ():
            if name in manifest.sources and name not in seen:
                yield manifest.sources[name]
            elif name not in seen:
                waiting.append(name)
            seen.add(name)


def _has_freshness(source: ManifestSource) -> bool:
    limits = {**source.freshness, **_map(source.config.get("freshness"))}
    return any(_map(limits.get(key)).get("count") is not None for key in ("warn_after", "error_after"))


def _tests_by_model(manifest: ManifestView) -> dict[str, tuple[NodeTest, ...]]:
    """Every test under each model that it looks at."""
    tests: dict[str, list[NodeTest]] = {}
    for unique_id, node in manifest.nodes.items():
        if node.resource_type == "test" and _enabled(node.config):
            for model in tested_models(node, manifest):
                tests.setdefault(model, []).append(_test(unique_id, node))
    for unit in manifest.unit_tests.values():
        for model in unit.depends_on.nodes[:1]:
            tests.setdefault(model, []).append(NodeTest(unit.name))
    return {model: tuple(sorted(listed, key=lambda test: (test.column, test.name))) for model, listed in tests.items()}


def tested_models(node: ManifestNode, manifest: ManifestView) -> list[str]:
    """The model that a generic test is written at, or all that a singular test reads."""
    if node.attached_node:
        return [node.attached_node]
    models = [name for name in node.depends_on.nodes if name in manifest.nodes]
    if node.test_metadata is None:
        return models
    name = node.file_key_name.rpartition(".")[2]
    return [model for model in models if manifest.nodes[model].name == name] or models[-1:]


def _test(unique_id: str, node: ManifestNode) -> NodeTest:
    generic = node.test_metadata
    binding = str(node.config.get("severity") or "error").lower() == "error" and not node.config.get("where")
    if generic is None:
        return NodeTest(node.name or unique_id, "", binding=binding)
    column = node.column_name or str(generic.kwargs.get("column_name") or "")
    arguments = {**generic.kwargs, **_map(generic.kwargs.get("arguments"))}
    return NodeTest(generic.name, column, {key: arguments[key] for key in arguments if key not in _ASIDE}, binding)
