"""Contracts of a product held to parents: by their own key, in every layer, with the texts that people know."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.builds import ROOT

from floe_contracts.cli.main import main

FOLDER = Path("products/customer-360")
HEAD = "apiVersion: v3.0.2\nkind: DataContract\nversion: 1.0.0\nowner: crm@acme.com\n"
PARENT = (
    f"{HEAD}name: base\n"
    "models: {customers: {elements: {email: {type: string, classification: pii}}}}\n"
    "slaProperties: {freshness: {value: PT6H}}\n"
)


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples/platform", tmp_path / "p")
    monkeypatch.chdir(tmp_path / "p")
    monkeypatch.delenv("CI", raising=False)
    for manifest in (Path("enterprise/manifest.yaml"), Path("domains/sales/manifest.yaml")):
        lines = manifest.read_text().splitlines(keepends=True)  # SQL is not what is tested here
        manifest.write_text("".join(line for line in lines if "sql_linting" not in line))
    (FOLDER / "parents").mkdir()
    (FOLDER / "parents/base.yaml").write_text(PARENT)
    return tmp_path / "p" / FOLDER


def compiled(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["compile", str(FOLDER)])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def write_child(text: str) -> None:
    (FOLDER / "datacontract.yaml").write_text(f"{HEAD}name: customers\nparent: parents/base.yaml\n{text}")


MODELS = "models: {customers: {elements: {email: {type: string%s}}}}\n"


def test_the_blocks_of_a_weaker_contract(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_child(MODELS % ", classification: public" + "slaProperties: {freshness: {value: PT12H}}\n")
    code, text = compiled(capsys)
    assert code == 1
    lines = [line.strip() for line in text.splitlines()]
    start = lines.index("✗ FLOE-E510: Child contract weakens 'freshness' SLA")
    assert lines[start + 1 : start + 3] == [
        "Parent requires PT6H, child specifies PT12H",
        "Suggestion: Strengthen 'freshness' to at least match parent: PT6H",
    ]
    start = lines.index("✗ FLOE-E511: Classification weakening for field 'customers.email'")
    assert lines[start + 1 : start + 3] == [
        "Parent requires 'pii', child specifies 'public'",
        "Suggestion: Use classification 'pii' or stronger for 'customers.email'",
    ]


def test_a_weaker_value_of_the_port_counts_where_the_file_is_silent(
    product: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    floe = product / "floe.yaml"
    floe.write_text(floe.read_text().replace("value: PT6H", "value: PT7H"))
    write_child(MODELS % "")
    code, text = compiled(capsys)
    assert code == 1
    assert "Parent requires PT6H, child specifies PT7H" in text
    assert f"at {FOLDER}/floe.yaml:39:16" in text


def test_a_weaker_classification_of_dbt_counts_where_nobody_else_says_one(
    product: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    floe = product / "floe.yaml"
    floe.write_text(floe.read_text().replace("        classification: pii\n", ""))
    write_child(MODELS % "")
    write_dbt(product, {"email": {"name": "email", "meta": {"classification": "internal"}}})
    code, text = compiled(capsys)
    assert code == 1
    assert "Parent requires 'pii', child specifies 'internal'" in text
    assert f"at {FOLDER}/models/gold_customers.sql" in text


def test_a_silent_contract_inherits(product: Path, capsys: pytest.CaptureFixture[str]) -> None:
    floe = product / "floe.yaml"
    floe.write_text(floe.read_text().replace("        classification: pii\n", ""))
    write_child(MODELS % "")
    code, text = compiled(capsys)
    assert code == 0, text
    entry = json.loads((product / "target/floe/compiled.json").read_text())["data_contracts"][0]
    assert entry["provenance"]["schema.customers.email.classification"] == "parent"


def write_dbt(product: Path, columns: dict[str, Any]) -> None:
    """A project with one model that is tested and documented."""
    for column in ("customer_id", "email"):
        columns.setdefault(column, {"name": column})
        columns[column]["description"] = "Something."
    model = "model.shop.gold_customers"
    nodes: dict[str, Any] = {
        model: {
            "name": "gold_customers",
            "resource_type": "model",
            "package_name": "shop",
            "original_file_path": "models/gold_customers.sql",
            "description": "Customers",
            "config": {"materialized": "table"},
            "columns": columns,
        }
    }
    for test in ("unique", "not_null"):
        nodes[f"test.shop.{test}"] = {
            "resource_type": "test",
            "attached_node": model,
            "column_name": "customer_id",
            "test_metadata": {"name": test},
        }
    version = "https://schemas.getdbt.com/dbt/manifest/v12.json"
    manifest = {"metadata": {"dbt_schema_version": version, "project_name": "shop"}, "nodes": nodes}
    (product / "models").mkdir()
    (product / "models/gold_customers.sql").write_text("select 1\n")
    (product / "dbt_project.yml").write_text("name: shop\n")
    (product / "target").mkdir()
    (product / "target/manifest.json").write_text(json.dumps(manifest))
