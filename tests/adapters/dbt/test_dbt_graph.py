"""The graph of a manifest: what a node reads, how dbt is asked for it alone, and which tests look at it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from floe_contracts.adapters.dbt.graph import DbtGraph, read_graph


def _model(name: str, folder: str = "", *reads: str, **more: Any) -> dict[str, Any]:
    parts = [part for part in folder.split("/") if part]
    return {
        "name": name,
        "resource_type": "model",
        "package_name": "shop",
        "fqn": ["shop", *parts, name],
        "original_file_path": "/".join(("models", *parts, f"{name}.sql")),
        "depends_on": {"nodes": list(reads)},
        **more,
    }


_EPHEMERAL = {"config": {"materialized": "ephemeral"}}
NODES = {
    "orders": _model("orders", "", "source.crm.o"),
    "daily": _model("daily", "orders", "orders", alias="orders_daily"),
    "eph": _model("eph", "", "orders", "source.crm.e", **_EPHEMERAL),
    "eph2": _model("eph2", "", "eph", "daily", **_EPHEMERAL),
    "below": _model("below", "", "eph2"),
    "dim.v1": _model("dim", "dim", version=1),
    "dim.v2": _model("dim", "dim", version=2),
    "reader": _model("reader", "", "dim.v1", "dim.v2"),
    "foreign": {**_model("foreign"), "package_name": "other", "fqn": ["shop"]},
    "at-eph": {"name": "t", "resource_type": "test", "attached_node": "eph", "test_metadata": {"name": "unique"}},
}
SOURCES = {
    "source.crm.o": {"source_name": "crm", "name": "o", "schema": "raw"},
    "source.crm.e": {"source_name": "crm", "name": "e"},
}


@pytest.fixture
def graph(tmp_path: Path) -> DbtGraph:
    path = tmp_path / "manifest.json"
    version = "https://schemas.getdbt.com/dbt/manifest/v12.json"
    metadata = {"dbt_schema_version": version, "project_name": "shop"}
    path.write_text(json.dumps({"metadata": metadata, "nodes": NODES, "sources": SOURCES}))
    return read_graph(path)


@pytest.mark.parametrize(
    ("name", "reads", "sources"),
    [
        pytest.param("orders", ("raw.o",), ("source:crm.o",), id="a source"),
        pytest.param("daily", ("orders",), (), id="a model"),
        pytest.param("below", ("orders", "crm.e", "daily"), ("source:crm.e",), id="what ephemeral models read"),
        pytest.param("reader", ("dim.v1", "dim.v2"), (), id="versions, as their own steps are called"),
    ],
)
def test_a_node_reads_the_tables_that_other_steps_write(
    graph: DbtGraph, name: str, reads: tuple[str, ...], sources: tuple[str, ...]
) -> None:
    node = next(node for node in graph.nodes if node.name == name)
    assert (node.reads, node.sources) == (reads, sources)


@pytest.mark.parametrize(
    ("name", "selector"),
    [
        pytest.param("daily", "fqn:shop.orders.daily", id="a model"),
        pytest.param("orders", "fqn:shop.orders,path:models/orders.sql", id="called as a folder"),
        pytest.param("foreign", "fqn:shop", id="of a package, whose files are elsewhere"),
    ],
)
def test_dbt_is_asked_for_the_node_alone(graph: DbtGraph, name: str, selector: str) -> None:
    assert next(node for node in graph.nodes if node.name == name).selector == selector


def test_a_test_of_an_ephemeral_model_looks_at_the_tables_behind_it(graph: DbtGraph) -> None:
    tests = graph.tests_by_node(["orders", "below"])
    assert {node: [test.name for test in listed] for node, listed in tests.items()} == {"orders": ["unique"]}
