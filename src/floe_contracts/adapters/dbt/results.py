"""What a `dbt build` did, as steps of a run: each node with its times, its numbers and its tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timezone

from ...checks.moments import SECOND, micros
from ...monitor.pipeline.step import Dataset, End, StepRun, TestResult, TestRun
from .graph import DbtGraph, GraphNode, GraphTest
from .views import NodeResult, RunResultsView

_TESTS: dict[str, TestResult] = {"pass": "pass", "warn": "warn", "fail": "fail", "error": "fail"}
_BROKEN = ("error", "fail", "runtime error")


def built_steps(
    graph: DbtGraph, nodes: Sequence[GraphNode], results: RunResultsView, layer_of: Callable[[str], str]
) -> Iterator[tuple[GraphNode, StepRun]]:
    """Every node that dbt tried, and those it left out for a unit test of theirs; what others broke has not run."""
    by_id = {result.unique_id: result for result in results.results}
    tests_by_node = graph.tests_by_node([node.id for node in nodes])
    for node in nodes:
        result = by_id.get(node.id)
        tests = [(test, by_id[test.id]) for test in tests_by_node.get(node.id, ()) if test.id in by_id]
        if result is not None and (result.status != "skipped" or any(ended.status in _BROKEN for _, ended in tests)):
            yield node, _step(node, result, tests, graph, layer_of)


def broken_results(results: RunResultsView) -> list[str]:
    """What failed, a line each: nodes, tests and hooks."""
    return [
        f"{result.unique_id.split('.')[-1]}: {_first_line(result)}"
        for result in results.results
        if result.status in _BROKEN
    ]


def _step(
    node: GraphNode,
    result: NodeResult,
    tests: Sequence[tuple[GraphTest, NodeResult]],
    graph: DbtGraph,
    layer_of: Callable[[str], str],
) -> StepRun:
    rows, size = _number(result, "rows_affected"), _number(result, "bytes_processed")
    broken = [pair for pair in tests if pair[1].status in _BROKEN]
    failed = result.status not in ("success", "skipped")
    start_us, end_us = _times(broken[0][1] if result.status == "skipped" else result)
    message = _first_line(result) if failed else "; ".join(_tell_test(*pair) for pair in broken)
    layer = layer_of(node.name)
    texts = {
        "floe.transform.type": "dbt",
        "floe.transform.model": node.name,
        "floe.transform.layer": layer,
        "floe.transform.materialization": node.materialization,
    }
    return StepRun(
        "transform",
        node.name,
        start_us,
        end_us,
        End.FAIL if failed or broken else End.COMPLETE,
        message,
        tuple((key, text) for key, text in texts.items() if text),
        tuple(Dataset(name, layer=layer_of(name)) for name in node.reads),
        (Dataset(node.name, layer=layer, table=node.table, rows=rows, bytes=size),),
        tuple(_test(node, test, ended) for test, ended in tests if ended.status in _TESTS),
        rows,
        size,
        ("dbt", graph.dbt_version) if graph.dbt_version else None,
    )


def _test(node: GraphNode, test: GraphTest, result: NodeResult) -> TestRun:
    return TestRun(test.name, node.name, test.column, _TESTS[result.status], *_times(result))


def _tell_test(test: GraphTest, result: NodeResult) -> str:
    where = f" on {test.column}" if test.column else ""
    return f"test {test.name}{where} failed: {_first_line(result)}"


def _first_line(result: NodeResult) -> str:
    return " ".join(result.message.split())[:500] or result.status


def _times(result: NodeResult) -> tuple[int, int]:
    """From the first to the last moment that dbt noted; without any, the time that it took."""
    moments = [_moment_us(text) for part in result.timing for text in (part.started_at, part.completed_at) if text]
    if moments:
        return min(moments), max(moments)
    now_us = micros(datetime.now(timezone.utc))
    return now_us - int(result.execution_time * SECOND), now_us


def _moment_us(text: str) -> int:
    when = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return micros(when if when.tzinfo else when.replace(tzinfo=timezone.utc))


def _number(result: NodeResult, name: str) -> int | None:
    """A number of the adapter; some say -1 for what they do not know."""
    value = result.adapter_response.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
