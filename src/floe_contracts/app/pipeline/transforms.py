"""The transforms of a run: dbt builds, Spark scripts and ingestions, each started, awaited and committed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...adapters.dbt.commands import DbtProgram, failure_words
from ...adapters.dbt.graph import GraphNode
from ...adapters.dbt.results import broken_results, built_steps
from ...adapters.process.child import ChildEnd, run_child
from ...adapters.spark_submit.submit import Script, find_spark_submit, submit
from ...contract.model import SchemaObject
from ...errors import FloeError, UsageError
from ...monitor.pipeline.plan import PlannedStep
from ...monitor.pipeline.step import Dataset, End, StepRun
from ...monitor.store.protocol import Claim
from ...product.transforms import IngestionTransform, PysparkTransform
from .ledger import RunLedger
from .product import RunProduct, dataset_of, port_tables

Tell = Callable[[StepRun], None]


class StepFailed(Exception):
    """A transform did not complete; what it says has been committed already."""

    def __init__(self, step: str, message: str) -> None:
        super().__init__(message)
        self.step, self.message = step, message


@dataclass(frozen=True, slots=True)
class Transforms:
    """Everything that transforms run with."""

    product: RunProduct
    ledger: RunLedger
    programs: Mapping[int, DbtProgram]
    environ: Mapping[str, str]
    tables: Mapping[str, SchemaObject]  # promised by the contracts, by the last part of the table's name
    now_us: Callable[[], int]
    tell: Tell

    def run(self, steps: Sequence[PlannedStep]) -> None:
        """One transform of floe.yaml: the models of a dbt project together, anything else alone."""
        first = steps[0]
        if first.type == "dbt":
            self._build(steps)
        elif first.type == "pyspark":
            self._submit(first)
        else:
            self._ingest(first)

    def _build(self, steps: Sequence[PlannedStep]) -> None:
        index = steps[0].transform
        graph, program = self.product.graphs[index], self.programs[index]
        whole = len(steps) == len(graph.built)
        by_id = {node.id: node for node in graph.nodes}
        nodes = [by_id[step.node] for step in steps]
        end, results = program.build([] if whole else _selectors(nodes), self.environ)
        by_node = {step.node: step for step in steps}
        built = list(built_steps(graph, nodes, results, self.product.layer_of)) if results else []
        broken = [*(broken_results(results) if results else []), failure_words(end)][0] if end.code else ""
        if broken and len(built) == len(nodes) and all(ran.end is End.COMPLETE for _, ran in built):
            node, last = built[-1]
            built[-1] = node, replace(last, end=End.FAIL, message=broken)  # a hook failed: dbt must come again
        for node, ran in built:
            claim = self.ledger.claim(by_node[node.id], self.now_us())
            if claim is not None:
                self._commit(claim, self._with_promises(node, ran))
        failed = [ran for _, ran in built if ran.end is not End.COMPLETE]
        if failed:
            raise StepFailed(failed[0].name, failed[0].message)
        if broken:
            raise StepFailed("dbt build", broken)

    def _with_promises(self, node: GraphNode, ran: StepRun) -> StepRun:
        """With the tables of contracts, in which the classifications of dbt are merged already."""

        def promised(data: Dataset, *names: str) -> Dataset:
            return replace(data, table=next(filter(None, map(self.tables.get, names)), data.table))

        inputs = tuple(promised(data, data.name.rpartition(".")[2]) for data in ran.inputs)
        outputs = tuple(promised(data, node.alias, node.name) for data in ran.outputs)
        return replace(ran, inputs=inputs, outputs=outputs)

    def _submit(self, step: PlannedStep) -> None:
        transform = self.product.product.transforms[step.transform]
        assert isinstance(transform, PysparkTransform)  # noqa: S101 - by its type
        claim, start_us = self._claim(step), self.now_us()
        script = Script(transform.path, transform.master, transform.options)
        layer = self.product.layer_of(step.name)
        texts = {"type": "pyspark", "model": step.name, "layer": layer}
        ran = StepRun("transform", step.job, start_us, start_us, End.ABORT, attributes=_attributes("transform", texts))
        with self._closing(claim, ran):
            parent = self.ledger.script_parent(claim, start_us, self.environ)
            end, work = submit(script, self.product.folder, self.environ, parent)
            writes = transform.writes or port_tables(self.product, step.name) or work.writes
            self._end(
                claim,
                ran,
                end,
                inputs=self._datasets(transform.reads or work.reads),
                outputs=self._datasets(writes, work.rows, work.bytes),
                rows=work.rows,
                bytes=work.bytes,
                engine=("spark", work.version) if work.version else None,
            )

    def _ingest(self, step: PlannedStep) -> None:
        transform = self.product.product.transforms[step.transform]
        assert isinstance(transform, IngestionTransform)  # noqa: S101 - by its type
        claim, start_us = self._claim(step), self.now_us()
        texts = {
            "type": transform.plugin,
            "source": transform.source,
            "destination": transform.destination,
            "write_disposition": transform.write_disposition,
        }
        attributes = (
            *_attributes("ingestion", texts),
            *_attributes("transform", {"type": "ingestion", "model": step.job}),
        )
        ran = StepRun("transform", step.job, start_us, start_us, End.ABORT, attributes=attributes)
        with self._closing(claim, ran):
            end = run_child(transform.command, self.product.folder, self.environ, step.name)
            outputs = self._datasets((transform.destination,) if transform.destination else ())
            self._end(claim, ran, end, inputs=(Dataset(transform.source),), outputs=outputs)

    def _claim(self, step: PlannedStep) -> Claim:
        claim = self.ledger.claim(step, self.now_us())
        if claim is None:
            raise FloeError(f"the step {step.name} was completed by another run in the meantime", fix="Run again.")
        return claim

    def _closing(self, claim: Claim, ran: StepRun) -> _Closing:
        return _Closing(self, claim, ran)

    def _end(self, claim: Claim, ran: StepRun, end: ChildEnd, **more: object) -> None:
        how = End.FAIL if end.code else End.COMPLETE
        message = f"it ended with exit code {end.code}: {end.reason}" if end.code else ""
        done = replace(ran, end=how, message=message, end_us=self.now_us(), **more)  # type: ignore[arg-type]
        self._commit(claim, done)
        if how is End.FAIL:
            raise StepFailed(ran.name, message)

    def _commit(self, claim: Claim, ran: StepRun) -> None:
        self.ledger.commit(claim, ran, self.now_us())
        self.tell(ran)

    def _datasets(self, names: Sequence[str], rows: int | None = None, size: int | None = None) -> tuple[Dataset, ...]:
        """Rows and bytes are those of all tables together, so only one that is alone has them."""
        alone = len(names) == 1
        known = (rows, size) if alone else (None, None)
        return tuple(dataset_of(self.product, self.tables, name, *known) for name in names)


def refuse_unrunnable(product: RunProduct, steps: Sequence[PlannedStep], environ: Mapping[str, str]) -> None:
    """What can be seen to fail before anything has run."""
    for step in steps:
        transform = product.product.transforms[step.transform] if step.transform >= 0 else None
        if isinstance(transform, IngestionTransform) and not transform.command:
            raise UsageError(
                f"the ingestion {transform.source} has no command", fix="Write command: [python, load.py] at it."
            )
        if isinstance(transform, IngestionTransform):
            _refuse_missing_program(transform, product.folder, environ)
        if isinstance(transform, PysparkTransform):
            find_spark_submit(environ)
            if not Path(product.folder, transform.path).is_file():
                raise UsageError(f"there is no script {transform.path}", fix="Correct `path` of the transform.")


def _refuse_missing_program(transform: IngestionTransform, folder: str, environ: Mapping[str, str]) -> None:
    """A name is looked for on the run's PATH, a path from the product's folder, as the system does when it starts."""
    program = transform.command[0]
    places = environ.get("PATH", os.defpath).split(os.pathsep)
    path = os.pathsep.join(os.path.join(folder, place) for place in places)
    alone = not os.path.dirname(program)
    if shutil.which(program if alone else os.path.join(folder, program), path=path) is None:
        where = "on PATH" if alone else "in the product's folder"
        what = f"the ingestion {transform.source} starts {program}, which is not a program {where}"
        fix = "Name a program that is installed here, or a file such as ./load.sh that may be executed."
        raise UsageError(what, fix=fix)


def _selectors(nodes: Sequence[GraphNode]) -> list[str]:
    """Some nodes, and what they read from outside: dbt would not test that by itself."""
    return list(
        dict.fromkeys([*(node.selector for node in nodes), *(source for node in nodes for source in node.sources)])
    )


class _Closing:
    """Commits a step as aborted when the run is stopped while it runs, and as failed when it cannot be started."""

    def __init__(self, transforms: Transforms, claim: Claim, ran: StepRun) -> None:
        self._transforms, self._claim, self._ran = transforms, claim, ran

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if isinstance(error, KeyboardInterrupt):
            self._commit(End.ABORT, "the run was stopped")
        elif isinstance(error, FloeError):
            self._commit(End.FAIL, error.message)

    def _commit(self, end: End, message: str) -> None:
        ran = replace(self._ran, end=end, message=message, end_us=self._transforms.now_us())
        self._transforms.ledger.commit(self._claim, ran, ran.end_us)


def _attributes(group: str, texts: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((f"floe.{group}.{key}", text) for key, text in texts.items() if text)
