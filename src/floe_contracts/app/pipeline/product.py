"""A product as a run sees it: its steps, the dbt projects behind them, and the layers of its models."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...adapters.dbt.commands import DbtProgram, dbt_program
from ...adapters.dbt.graph import DbtGraph, read_graph
from ...adapters.dbt.project import find_project, load_project
from ...compiler.inputs import ALONE
from ...contract.model import SchemaObject
from ...errors import UsageError
from ...monitor.pipeline.plan import CHECKS, COMPILE, PlannedStep
from ...monitor.pipeline.step import Dataset
from ...policy.naming import architecture_of
from ...product.data_product import DataProduct
from ...product.manifest import Manifest
from ...product.transforms import DbtTransform, IngestionTransform, PysparkTransform
from ..policy import describe_first, load_policy
from .request import PipelineRequest


@dataclass(frozen=True, slots=True)
class RunProduct:
    """The product of a folder; graphs are those of its dbt transforms, by their place, once dbt has parsed."""

    folder: str  # absolute
    product: DataProduct
    manifest: Manifest
    graphs: Mapping[int, DbtGraph]

    @property
    def steps(self) -> tuple[PlannedStep, ...]:
        steps = (PlannedStep(COMPILE, "compile"), *self._transforms(), PlannedStep(CHECKS, "checks"))
        twice = next((job for job, count in Counter(step.job for step in steps).items() if count > 1), None)
        if twice in (COMPILE, CHECKS):
            raise UsageError(f"a model or script is called {twice!r}, as a step of every run", fix="Rename it.")
        if twice is not None:
            fix = "Give every model and script its own name, and ingestions of one source different destinations."
            raise UsageError(f"two steps are called {twice!r}", fix=fix)
        return steps

    def layer_of(self, name: str) -> str:
        """The layer that a model's name shows; empty when it shows none."""
        return architecture_of(self.manifest).layer_of(name)

    def dbt_folder(self, index: int) -> Path:
        transform = self.product.transforms[index]
        return Path(self.folder, getattr(transform, "path", ".")).resolve()

    def _transforms(self) -> Iterator[PlannedStep]:
        for index, transform in enumerate(self.product.transforms):
            if isinstance(transform, DbtTransform):
                yield from self._models(index)
            elif isinstance(transform, PysparkTransform):
                stem = Path(transform.path).stem
                writes = transform.writes or port_tables(self, stem)
                yield PlannedStep(stem, "pyspark", index, parents=transform.reads, writes=writes)
            elif isinstance(transform, IngestionTransform):
                writes = (transform.destination,) if transform.destination else ()
                yield PlannedStep(self._ingestion_name(transform), "ingestion", index, writes=writes)

    def _ingestion_name(self, ingestion: IngestionTransform) -> str:
        """Its source; where several load from one source, the destination beside it."""
        alike = [
            other
            for other in self.product.transforms
            if isinstance(other, IngestionTransform) and other.source == ingestion.source
        ]
        named = len(alike) > 1 and ingestion.destination
        return f"{ingestion.source}.{ingestion.destination}" if named else ingestion.source

    def _models(self, index: int) -> Iterator[PlannedStep]:
        graph, owner = self.graphs.get(index), self._owner(index)
        if graph is not None:
            for node in graph.built:
                if owner(node.path) == index:
                    yield PlannedStep(node.name, "dbt", index, node.id, node.reads)
            return
        for model in load_project(self.dbt_folder(index)).models:  # before dbt has parsed: names of files
            if owner(model.path) == index:
                yield PlannedStep(model.name, "dbt", index)

    def _owner(self, index: int) -> Callable[[str], int]:
        """Which transform builds a file, where several lead to one project: the nearest above it, else the first."""
        root = self._root(index)
        folders = {
            other: self.dbt_folder(other)
            for other, transform in enumerate(self.product.transforms)
            if isinstance(transform, DbtTransform) and self._root(other) == root
        }

        def owner(path: str) -> int:
            above = [other for other, folder in folders.items() if path and Path(root, path).is_relative_to(folder)]
            return max(above, key=lambda other: len(folders[other].parts), default=min(folders))

        return owner

    def _root(self, index: int) -> Path:
        project = find_project(self.dbt_folder(index), {})
        return project.root if project else self.dbt_folder(index)


def open_run_product(request: PipelineRequest) -> RunProduct:
    """The product of a folder, without its graphs."""
    path = request.compile.path
    if not os.path.lexists(path):
        raise UsageError(f"there is no {path}", fix="Name the folder of the product.")
    loaded = load_policy(path, request.refs, allow_http=request.allow_http)
    read = loaded.product
    if read is None or read.product is None:
        fix = "Run floe compile, which lists everything."
        raise describe_first(loaded.findings, f"{path} is not a DataProduct", fix)
    return RunProduct(os.path.abspath(request.folder or "."), read.product, loaded.manifest or ALONE, {})


def dbt_programs(product: RunProduct, environ: Mapping[str, str]) -> dict[int, DbtProgram]:
    """The dbt of each dbt transform."""
    return {
        index: dbt_program(product.dbt_folder(index), environ)
        for index, transform in enumerate(product.product.transforms)
        if isinstance(transform, DbtTransform)
    }


def read_graphs(product: RunProduct, environ: Mapping[str, str], *, required: bool) -> dict[int, DbtGraph]:
    """The graphs of what dbt parsed; without a manifest there is none, which only a run refuses."""
    graphs = {}
    for index, transform in enumerate(product.product.transforms):
        folder = find_project(product.dbt_folder(index), environ) if isinstance(transform, DbtTransform) else None
        if folder is not None and (required or folder.manifest.is_file()):
            graphs[index] = read_graph(folder.manifest)
    return graphs


def port_tables(product: RunProduct, name: str) -> tuple[str, ...]:
    """Output ports whose table has this name."""
    return tuple(table for table in _offered(product) if table.rpartition(".")[2] == name)


def port_datasets(
    product: RunProduct, tables: Mapping[str, SchemaObject]
) -> tuple[tuple[Dataset, ...], tuple[Dataset, ...]]:
    """What the product reads from outside, ports of others and sources of its ingestions, and what it offers."""
    ports = []
    for port in product.product.input_ports:
        namespace, _, name = port.ref.rpartition(".")
        ports.append(Dataset(name or port.name, namespace))
    sources = [Dataset(each.source) for each in product.product.transforms if isinstance(each, IngestionTransform)]
    inputs = tuple(dict.fromkeys((*ports, *sources)))
    return inputs, tuple(dataset_of(product, tables, table) for table in _offered(product))


def dataset_of(
    product: RunProduct, tables: Mapping[str, SchemaObject], name: str, rows: int | None = None, size: int | None = None
) -> Dataset:
    """A table in the product's own namespace; what Spark names by its place stands under the file system's."""
    scheme, colon, path = name.partition(":/")
    if colon:
        return Dataset(f"/{path.lstrip('/')}", scheme, rows=rows, bytes=size)
    last = name.rpartition(".")[2]
    return Dataset(name, layer=product.layer_of(last), table=tables.get(last), rows=rows, bytes=size)


def _offered(product: RunProduct) -> tuple[str, ...]:
    return tuple(port.table or port.name for port in product.product.output_ports)
