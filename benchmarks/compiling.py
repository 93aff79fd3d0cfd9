"""What `floe compile` costs as a process: a product of many ports over dbt models, and one of many files."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from . import lint

PORTS = 100
MODELS = 200
FILES = lint.MANY
_HEAD = "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: bench, version: 1.0.0, owner: a@example.com}\n"
_MANIFEST = """apiVersion: floe.dev/v1
kind: Manifest
metadata: {name: acme, version: 1.0.0}
scope: enterprise
governance:
  quality_gates: {minimum_test_coverage: 80, required_tests: {gold: [not_null_pk, unique_pk]}}
data_architecture: {pattern: medallion, naming: {enforcement: strict}}
"""
_DBT = {
    "dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json",
    "dbt_version": "1.10.0",
    "project_name": "bench",
    "adapter_type": "duckdb",
}


def product_of_ports(place: Path) -> Path:
    """A product with a platform, ports and a dbt project whose models have tests."""
    (place / "target").mkdir(parents=True)
    (place / "manifest.yaml").write_text(_MANIFEST)
    (place / "dbt_project.yml").write_text("name: bench\n")
    ports = "".join(_port(number) for number in range(PORTS))
    text = f"{_HEAD}platform: manifest.yaml\noutput_ports:\n{ports}transforms: [{{type: dbt, path: .}}]\n"
    (place / "floe.yaml").write_text(text)
    nodes = {key: node for number in range(MODELS) for key, node in _nodes(number).items()}
    (place / "target/manifest.json").write_text(json.dumps({"metadata": _DBT, "nodes": nodes, "sources": {}}))
    return place


def product_of_files(place: Path) -> Path:
    """A product whose contracts are files."""
    place.mkdir()
    (place / "floe.yaml").write_text(_HEAD)
    lint.contracts(place / "contracts")
    return place


def repository(place: Path, products: int = 0) -> Path:
    """A repository with the example of three tiers, or with nothing but a file."""
    place.mkdir()
    (place / "README.md").write_text("bench\n")
    if products:
        shutil.copytree("examples/platform", place, dirs_exist_ok=True)
    subprocess.run(["git", "init", "--quiet", place], check=True)
    return place


def _port(number: int) -> str:
    columns = "".join(f"      - {{name: column_{at}, type: string}}\n" for at in range(1, lint.COLUMNS))
    key = "      - {name: id, type: string, primaryKey: true, required: true, unique: true}\n"
    return f"  - name: table_{number}\n    table: gold_table_{number}\n    schema:\n{key}{columns}"


def _nodes(number: int) -> dict[str, object]:
    name = f"gold_table_{number}"
    unique_id = f"model.bench.{name}"
    columns = {text: {"name": text, "description": "A column"} for text in ("id", "column_1", "column_2")}
    model = {
        "resource_type": "model",
        "name": name,
        "package_name": "bench",
        "original_file_path": f"models/{name}.sql",
        "description": "A table",
        "columns": columns,
        "config": {"materialized": "table", "enabled": True, "meta": {"primary_key": "id"}},
        "depends_on": {"nodes": []},
    }
    tests = {
        f"test.bench.{test}_{name}": {
            "resource_type": "test",
            "name": f"{test}_{name}",
            "package_name": "bench",
            "attached_node": unique_id,
            "column_name": "id",
            "test_metadata": {"name": test, "kwargs": {"column_name": "id"}},
            "config": {"enabled": True},
            "depends_on": {"nodes": [unique_id]},
        }
        for test in ("unique", "not_null")
    }
    return {unique_id: model, **tests}
