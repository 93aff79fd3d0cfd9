"""Results of `dbt build` as steps of a run, over the manifest that a real dbt wrote."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from floe_contracts.adapters.dbt.graph import DbtGraph, GraphNode, GraphTest, read_graph
from floe_contracts.adapters.dbt.results import broken_results, built_steps
from floe_contracts.adapters.dbt.views import RunResultsView
from floe_contracts.monitor.pipeline.step import End, StepRun

FIXTURES = Path(__file__).parents[2] / "fixtures" / "dbt"
TIMING = [{"name": "execute", "started_at": "2026-01-03T06:00:00Z", "completed_at": "2026-01-03T06:00:02.500000Z"}]


@pytest.fixture(scope="module")
def graph() -> DbtGraph:
    return read_graph(FIXTURES / "manifest-v12.json")


def _results(*results: dict[str, Any]) -> RunResultsView:
    metadata = {"dbt_schema_version": "https://schemas.getdbt.com/dbt/run-results/v6.json"}
    return RunResultsView.model_validate({"metadata": metadata, "results": list(results)})


def _steps(graph: DbtGraph, *results: dict[str, Any]) -> dict[str, StepRun]:
    listed = built_steps(graph, graph.nodes, _results(*results), lambda name: name.partition("_")[0])
    return {node.name: step for node, step in listed}


def _tested(graph: DbtGraph) -> tuple[str, str]:
    """A node and one of its tests."""
    return next((node.id, test.id) for node in graph.nodes for test in graph.tests_by_node([node.id]).get(node.id, ()))


def test_nodes_come_after_what_they_read(graph: DbtGraph) -> None:
    place = {node.id: index for index, node in enumerate(graph.nodes)}
    assert len(place) > 1
    assert all(place[above] < place[node.id] for node in graph.nodes for above in node.parents if above in place)


@pytest.mark.parametrize(
    ("answer", "rows", "size"),
    [
        pytest.param({"rows_affected": 7, "bytes_processed": 90}, 7, 90, id="said"),
        pytest.param({"_message": "OK"}, None, None, id="not said, as DuckDB"),
        pytest.param({"rows_affected": -1}, None, None, id="not known"),
    ],
)
def test_numbers_are_those_that_the_adapter_says(
    graph: DbtGraph, answer: dict[str, Any], rows: int | None, size: int | None
) -> None:
    node = graph.nodes[0]
    steps = _steps(graph, {"unique_id": node.id, "status": "success", "timing": TIMING, "adapter_response": answer})
    step = steps[node.name]
    assert (step.end, step.rows, step.bytes, step.end_us - step.start_us) == (End.COMPLETE, rows, size, 2_500_000)


@pytest.mark.parametrize(
    ("node_status", "test_status", "end", "result"),
    [
        pytest.param("success", "pass", End.COMPLETE, "pass", id="all is well"),
        pytest.param("success", "warn", End.COMPLETE, "warn", id="a test warns"),
        pytest.param("success", "fail", End.FAIL, "fail", id="a test fails"),
        pytest.param("success", "error", End.FAIL, "fail", id="a test cannot run"),
        pytest.param("error", "skipped", End.FAIL, None, id="the node fails"),
        pytest.param("skipped", "fail", End.FAIL, "fail", id="a unit test fails before the node is built"),
    ],
)
def test_a_step_is_its_node_with_its_tests(
    graph: DbtGraph, node_status: str, test_status: str, end: End, result: str | None
) -> None:
    node, test = _tested(graph)
    (step,) = _steps(
        graph,
        {"unique_id": node, "status": node_status, "timing": TIMING, "message": "Runtime Error\n  no such column"},
        {"unique_id": test, "status": test_status, "timing": TIMING, "message": "Got 3 results"},
    ).values()
    assert (step.end, [one.result for one in step.tests]) == (end, [result] if result else [])
    assert bool(step.message) is (end is End.FAIL)


def test_a_skipped_node_has_not_run(graph: DbtGraph) -> None:
    assert _steps(graph, {"unique_id": graph.nodes[0].id, "status": "skipped"}) == {}


def test_what_broke_is_told_in_a_line_each() -> None:
    results = _results(
        {"unique_id": "operation.shop.on-run-end-0", "status": "error", "message": "no\n  such hook"},
        {"unique_id": "model.shop.good", "status": "success"},
    )
    assert broken_results(results) == ["on-run-end-0: no such hook"]


def test_thousands_of_nodes_take_seconds() -> None:
    count = 3_000
    nodes = tuple(GraphNode(f"{at}", f"m{at}", "model", "table", "", (), (), (), None) for at in range(count))
    tests = tuple(GraphTest(f"t{at}", "unique", "", (f"{at % count}",)) for at in range(4 * count))
    ended = [{"unique_id": node.id, "status": "success"} for node in nodes]
    results = _results(*ended, *({"unique_id": test.id, "status": "pass"} for test in tests))
    before = time.process_time()
    steps = list(built_steps(DbtGraph(nodes, tests), nodes, results, str))
    assert time.process_time() - before < 10  # each test compared with each node would take minutes
    assert [len(step.tests) for _, step in steps] == [4] * count
