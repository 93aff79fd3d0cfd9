"""The nodes of a dbt project in the order in which they are built, with what each reads and which tests look at it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from ...contract.model import Property, SchemaObject
from ...errors import FloeError
from .manifest import tested_models
from .views import ManifestNode, ManifestView, read_artifact

_BUILT = ("model", "seed", "snapshot")


@dataclass(frozen=True, slots=True)
class GraphTest:
    """A test, by its id in dbt's results; `models` are the ids of the nodes that it looks at."""

    id: str
    name: str
    column: str
    models: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A model, seed or snapshot that `dbt build` builds."""

    id: str
    name: str
    kind: str
    materialization: str
    selector: str
    reads: tuple[str, ...]  # names of tables: of nodes, and `schema.table` of sources, as ingestions name them
    sources: tuple[str, ...]  # selectors, for their tests
    parents: tuple[str, ...]  # ids
    table: SchemaObject | None
    path: str = ""  # of its file, below the folder of the project
    alias: str = ""  # what its table is called


@dataclass(frozen=True, slots=True)
class DbtGraph:
    """All of a project; nodes come after those that they read."""

    nodes: tuple[GraphNode, ...]
    tests: tuple[GraphTest, ...]
    dbt_version: str = ""

    @property
    def built(self) -> tuple[GraphNode, ...]:
        """Those that dbt makes anything of: an ephemeral one is part of its readers."""
        return tuple(node for node in self.nodes if node.materialization != "ephemeral")

    def tests_by_node(self, built: Collection[str]) -> dict[str, list[GraphTest]]:
        """The tests of what is built: each test belongs to the first of its nodes among those."""
        known, listed = frozenset(built), dict[str, list[GraphTest]]()
        for test in self.tests:
            node = next((model for model in test.models if model in known), None)
            if node is not None:
                listed.setdefault(node, []).append(test)
        return listed


def read_graph(path: Path) -> DbtGraph:
    """The graph that a manifest describes."""
    try:
        data = path.read_bytes()
    except OSError as error:
        fix = "Run without --from, so that dbt parses; where dbt writes elsewhere, set DBT_TARGET_PATH."
        raise FloeError(f"{path} cannot be read: {error.strerror}", fix=fix) from error
    manifest = read_artifact(data, str(path), ManifestView)
    built = {
        key: node
        for key, node in manifest.nodes.items()
        if node.resource_type in _BUILT and node.config.get("enabled") is not False
    }
    folders = {".".join(node.fqn[:end]) for node in built.values() for end in range(len(node.fqn))}
    return DbtGraph(
        tuple(_node(key, built[key], manifest, folders) for key in _order(built)),
        tuple(_tests(manifest)),
        manifest.metadata.dbt_version,
    )


def _order(built: dict[str, ManifestNode]) -> Iterator[str]:
    """Parents first, and those that wait for nothing by name."""
    above = {key: [name for name in node.depends_on.nodes if name in built] for key, node in built.items()}
    sorter = TopologicalSorter(above)
    try:
        sorter.prepare()
    except CycleError:  # dbt refuses it too
        raise FloeError("the dbt project has a cycle", fix="Run dbt parse, which names it.") from None
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=lambda key: (built[key].name, key))
        yield from ready
        sorter.done(*ready)


def _node(key: str, node: ManifestNode, manifest: ManifestView, folders: Collection[str]) -> GraphNode:
    own = node.package_name == manifest.metadata.project_name
    reads = _read_ids(node.depends_on.nodes, manifest)
    return GraphNode(
        key,
        _name(node),
        node.resource_type,
        str(node.config.get("materialized") or ""),
        _selector(node, folders if own else ()),
        tuple(_read_names(reads, manifest)),
        tuple(f"source:{_source_name(key, manifest)}" for key in reads if key in manifest.sources),
        tuple(node.depends_on.nodes),
        _table(node),
        node.original_file_path.replace("\\", "/") if own else "",
        node.alias or node.name,
    )


def _name(node: ManifestNode) -> str:
    return node.name if node.version is None else f"{node.name}.v{node.version}"


def _selector(node: ManifestNode, folders: Collection[str]) -> str:
    """By its place in the project; dbt takes that of a folder for all that is in it, so there the file is named too."""
    place = ".".join(node.fqn)
    file = f",path:{node.original_file_path}" if place in folders else ""
    return f"fqn:{place}{file}" if place else node.name


def _source_name(key: str, manifest: ManifestView) -> str:
    return f"{manifest.sources[key].source_name}.{manifest.sources[key].name}"


def _read_ids(ids: Sequence[str], manifest: ManifestView) -> list[str]:
    """The tables behind some nodes: an ephemeral model is none, and is where those are that it reads."""
    read: dict[str, None] = {}
    waiting, seen = list(reversed(ids)), set[str]()
    while waiting:
        key = waiting.pop()
        node = manifest.nodes.get(key)
        if node is None or node.config.get("materialized") != "ephemeral":
            read[key] = None
        elif key not in seen:
            seen.add(key)
            waiting += reversed(node.depends_on.nodes)
    return list(read)


def _read_names(ids: Sequence[str], manifest: ManifestView) -> Iterator[str]:
    for key in ids:
        if key in manifest.nodes:
            yield _name(manifest.nodes[key])
        elif key in manifest.sources:
            source = manifest.sources[key]
            yield f"{source.place or source.source_name}.{source.identifier or source.name}"


def _table(node: ManifestNode) -> SchemaObject | None:
    columns = tuple(
        Property(
            column.name or name,
            physical_type=column.data_type or None,
            classification=str({**column.meta, **(column.config.get("meta") or {})}.get("classification") or "")
            or None,
        )
        for name, column in node.columns.items()
    )
    return SchemaObject(node.name, properties=columns) if columns else None


def _tests(manifest: ManifestView) -> Iterator[GraphTest]:
    for key, node in manifest.nodes.items():
        if node.resource_type == "test":
            generic = node.test_metadata
            column = node.column_name or (str(generic.kwargs.get("column_name") or "") if generic else "")
            models = tuple(_read_ids(tested_models(node, manifest), manifest))
            yield GraphTest(key, generic.name if generic else node.name, column, models)
    for key, unit in manifest.unit_tests.items():
        yield GraphTest(key, unit.name, "", tuple(_read_ids(unit.depends_on.nodes[:1], manifest)))
