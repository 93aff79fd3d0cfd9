"""The three-tier example in a folder of its own, edited and compiled; and dbt projects for it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from floe_contracts.cli.main import main
from support.builds import ROOT

TOP, DOMAIN, PRODUCT = "enterprise/manifest.yaml", "domains/sales/manifest.yaml", "products/customer-360/floe.yaml"
FOLDER = "products/customer-360"
TARGET = Path(FOLDER, "target/floe/compiled.json")


def copy_platform(folder: Path, without: str = "") -> Path:
    """The example in a folder, without what compiling or dbt left in it, and without one of its products."""
    ignored = shutil.ignore_patterns("target", "logs", "*.duckdb", *([without] if without else []))
    shutil.copytree(ROOT / "examples/platform", folder, ignore=ignored, dirs_exist_ok=True)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) >= 1, old
    path.write_text(text.replace(old, new, 1), "utf-8")


def run_compile(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    code = main(["compile", *(argv or (FOLDER,))])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def manifest_json(models: dict[str, dict[str, Any]]) -> str:
    """A manifest of dbt with these models; `tests` are names of generic tests by column."""
    nodes: dict[str, Any] = {}
    for name, model in models.items():
        unique = f"model.shop.{name}"
        nodes[unique] = {
            "unique_id": unique, "name": name, "resource_type": "model", "package_name": "shop", "alias": name,
            "original_file_path": f"models/{name}.sql", "config": {"materialized": "table", "enabled": True},
            "description": model.get("description", ""), "columns": model.get("columns", {}),
            "compiled_path": f"target/compiled/{name}.sql", "meta": model.get("meta", {}),
            "depends_on": {"nodes": model.get("reads", [])},
        }  # fmt: skip
        for column, test in model.get("tests", []):
            key = f"test.shop.{test}_{name}_{column}"
            nodes[key] = {
                "unique_id": key, "name": key, "resource_type": "test", "package_name": "shop", "config": {},
                "attached_node": unique, "column_name": column, "test_metadata": {"name": test, "kwargs": {}},
                "depends_on": {"nodes": [unique]},
            }  # fmt: skip
    sources = {"source.shop.crm.people": {"source_name": "crm", "name": "people"}}
    version = "https://schemas.getdbt.com/dbt/manifest/v12.json"
    metadata = {
        "dbt_schema_version": version,
        "dbt_version": "1.10.0",
        "project_name": "shop",
        "adapter_type": "duckdb",
    }
    return json.dumps({"metadata": metadata, "nodes": nodes, "sources": sources})


GOOD: dict[str, Any] = {
    "description": "Customers",
    "columns": {"customer_id": {"name": "customer_id", "description": "Number"}},
    "tests": [("customer_id", "unique"), ("customer_id", "not_null")],
}


BRONZE: dict[str, Any] = {"tests": [("id", "not_null")]}


def write_dbt(
    platform: Path, models: dict[str, dict[str, Any]] | None, *, linted: bool = False, below: str = ""
) -> None:
    """A dbt project of the product; without models one of which only the files are there."""
    folder = platform / FOLDER / below
    if not (linted or below):  # sqlfluff takes a second
        edit(platform / TOP, "  sql_linting: WARN\n", "")
        edit(platform / DOMAIN, "  sql_linting: ERROR\n", "")
    (folder / "models").mkdir(parents=True)
    (folder / "dbt_project.yml").write_text("name: shop\n")
    for name in models or {"gold_customers": {}}:
        (folder / f"models/{name}.sql").write_text("select 1\n")
    if models is not None:
        (folder / "target").mkdir()
        (folder / "target/manifest.json").write_text(manifest_json(models))
