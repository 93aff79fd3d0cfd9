"""Step 4 of `floe compile`: names, gates, coverage, classification and SQL of dbt models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.platform_example import (
    BRONZE,
    DOMAIN,
    FOLDER,
    GOOD,
    PRODUCT,
    TARGET,
    TOP,
    edit,
    manifest_json,
    run_compile,
    write_dbt,
)
from support.snapshots import assert_matches

from floe_contracts.product.dbt import DbtNode, DbtProject


def test_models_of_a_good_project_compile(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dbt(platform, {"gold_customers": GOOD, "bronze_customers": BRONZE})
    code, text = run_compile(capsys)
    assert code == 0, text
    assert "      bronze_customers: valid (bronze layer)\n" in text
    assert "      gold_customers: valid (gold layer)\n" in text
    assert "Test coverage: 2 of 2 models, 100.0%" in text
    provenance = json.loads(TARGET.read_text())["data_contracts"][0]["provenance"]
    assert "dbt" in provenance.values()


def test_names_and_gates_fail_with_their_blocks(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = {
        "bronze_customers": BRONZE,
        "stg_payments": BRONZE,
        "gold_customers": {**GOOD, "columns": {"customer_id": {"name": "customer_id"}}},
    }
    write_dbt(platform, models)
    code, text = run_compile(capsys)
    assert code == 1
    assert_matches("compile-names-and-gates.txt", text)


SECRET = {"name": "email", "description": "Address", "meta": {"classification": "top_secret"}}


MODELS = [
    pytest.param(
        {"gold_customers": GOOD, "bronze_a": {}, "bronze_b": {}}, "E516", "Test coverage is 33.3%", id="coverage"
    ),
    pytest.param(
        {"gold_customers": GOOD, "bronze_a": {**BRONZE, "reads": ["source.shop.crm.people"]}},
        "E519",
        "reads the source crm",
        id="a source",
    ),
    pytest.param(
        {"gold_customers": GOOD, "bronze_a": {**BRONZE, "columns": {"email": {"name": "email"}}}},
        "E514",
        "holds personal data",
        id="personal data",
    ),
    pytest.param(
        {"gold_customers": {**GOOD, "columns": {**GOOD["columns"], "email": SECRET}}},
        "E511",
        "Classification weakening for field 'customers.email'",
        id="dbt above the contract",
    ),
]


@pytest.mark.parametrize(("models", "code", "words"), MODELS)
def test_models_are_held_to_the_platform(
    models: dict[str, Any], code: str, words: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dbt(platform, models)
    exit_code, text = run_compile(capsys)
    assert exit_code == 1, text
    assert f"FLOE-{code}" in text
    assert words in text


def test_a_gate_that_only_warns(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / TOP, "block_on_failure: true", "block_on_failure: false")
    write_dbt(platform, {"gold_customers": {**GOOD, "tests": []}})
    code, text = run_compile(capsys)
    assert code == 0, text
    assert "WARNING: gold_customers missing required tests" in text


def test_a_key_that_nobody_names_is_said(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / PRODUCT, "        primaryKey: true\n", "")
    write_dbt(platform, {"gold_customers": GOOD})
    code, text = run_compile(capsys)
    assert code == 1
    lines = [line.strip() for line in text.splitlines()]
    start = lines.index("ERROR: gold_customers missing required tests")
    assert lines[start + 2] == "Missing: [not_null_pk, unique_pk]"
    assert lines[start + 3].startswith("Suggestion: Name the primary key, by primaryKey: true in the contract")


def test_a_fresh_clone_cannot_tell(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dbt(platform, None)
    code, text = run_compile(capsys)
    assert code == 2
    assert "gold_customers: valid (gold layer)" in text
    assert "cannot tell: run dbt parse" in text
    assert not TARGET.exists()


def test_a_default_that_cannot_be_told_is_a_warning(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in (TOP, DOMAIN):
        text = (platform / file).read_text()
        start, end = text.index("  quality_gates:"), text.index("  sql_linting:")
        (platform / file).write_text(text[:start] + text[end:])
    write_dbt(platform, None)
    code, text = run_compile(capsys)
    assert code == 0, text
    assert "! FLOE-E516: test coverage cannot tell: run dbt parse" in text


LINTED = [
    pytest.param("ERROR", "SELECT a FROM b\n", 0, "Test coverage: 1 of 1", id="clean"),
    pytest.param("ERROR", "select a, from b where\n", 1, "gold_customers.sql", id="an error"),
    pytest.param("ERROR", None, 2, "SQL lint cannot tell: run dbt compile", id="no compiled SQL"),
]


@pytest.mark.parametrize(("level", "sql", "expected", "words"), LINTED)
def test_sql_is_linted_where_a_tier_asks_for_it(
    level: str, sql: str | None, expected: int, words: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dbt(platform, {"gold_customers": GOOD}, linted=True)
    if sql is not None:
        compiled = platform / FOLDER / "target/compiled/gold_customers.sql"
        compiled.parent.mkdir()
        compiled.write_text(sql)
    code, text = run_compile(capsys)
    assert code == expected, text
    assert words in text


SECOND = "  - type: dbt\n    path: marts/models\n"
TWO = [
    pytest.param({"gold_customers": GOOD}, 0, "marts/target/manifest.json: manifest v12, dbt 1.10.0", id="both good"),
    pytest.param({"stg_x": BRONZE}, 1, "at products/customer-360/marts/models/stg_x.sql", id="a name in the second"),
    pytest.param({"bronze_x": {}, "bronze_y": {}}, 1, "Test coverage is 33.3%", id="coverage over both"),
    pytest.param(None, 2, "cannot tell: run dbt parse", id="the second has no manifest"),
]


@pytest.mark.parametrize(("models", "expected", "words"), TWO)
def test_every_dbt_transform_is_read(
    models: dict[str, Any] | None, expected: int, words: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dbt(platform, {"bronze_a": BRONZE})
    write_dbt(platform, models, below="marts")
    edit(platform / FOLDER / "floe.yaml", "transforms:\n", "transforms:\n" + SECOND)
    code, text = run_compile(capsys)
    assert code == expected, text
    assert words in text
    assert "bronze_a: valid (bronze layer)" in text


def test_a_given_manifest_is_that_of_the_project_it_names(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dbt(platform, {"bronze_a": BRONZE})
    write_dbt(platform, None, below="marts")
    (platform / FOLDER / "marts/dbt_project.yml").write_text("name: marts\n")
    edit(platform / FOLDER / "floe.yaml", "transforms:\n", "transforms:\n" + SECOND)
    given = platform / "given.json"
    given.write_text(
        manifest_json({"gold_customers": GOOD}).replace('"project_name": "shop"', '"project_name": "marts"')
    )
    given.write_text(given.read_text().replace('"package_name": "shop"', '"package_name": "marts"'))
    code, text = run_compile(capsys, FOLDER, "--dbt-manifest", "given.json")
    assert code == 0, text
    assert "Test coverage: 2 of 2 models" in text


def test_a_coverage_by_layer_is_judged_by_layer(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / DOMAIN, "minimum_test_coverage: 80", "minimum_test_coverage: {all: 70, bronze: 60, gold: 100}")
    write_dbt(platform, {"gold_customers": GOOD, "bronze_a": {}, "bronze_b": BRONZE, "silver_c": BRONZE})
    code, text = run_compile(capsys)
    assert code == 1, text
    assert "Test coverage of layer bronze is 50.0%, below the minimum of 60%" in text
    assert text.count("FLOE-E516") == 1
    assert "Test coverage (gold): 1 of 1 models, 100.0%" in text


def test_models_are_looked_up_once_per_contract_and_not_once_per_pair(
    platform: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    find = DbtProject.find

    def count(project: DbtProject, table: str) -> DbtNode | None:
        looked.append(table)
        return find(project, table)

    monkeypatch.setattr(DbtProject, "find", count)
    names = [f"gold_t{number}" for number in range(20)]
    write_dbt(platform, dict.fromkeys(names, GOOD))
    text = (platform / PRODUCT).read_text()
    start, end = text.index("output_ports:"), text.index("transforms:")
    column = "{name: updated_at, type: timestamp, description: When, primaryKey: true}"
    ports = "".join(
        f"  - {{name: t{number}, table: {name}, schema: [{column}]}}\n" for number, name in enumerate(names)
    )
    (platform / PRODUCT).write_text(f"{text[:start]}output_ports:\n{ports}{text[end:]}")
    run_compile(capsys)
    assert {name: looked.count(name) for name in names} == dict.fromkeys(names, 2)


FOUND = [
    pytest.param("gold.orders", "orders", id="by name"),
    pytest.param("Sales_Orders", "orders_v2", id="by alias, in other letters"),
    pytest.param("events", "events", id="the latest version"),
    pytest.param("orders_v2", "orders_v2", id="a name before an alias"),
    pytest.param("nothing", None, id="none"),
]


@pytest.mark.parametrize(("table", "expected"), FOUND)
def test_the_model_of_a_table(table: str, expected: str | None) -> None:
    models = (
        DbtNode("events", alias="events_v1", latest=False, path="old"),
        DbtNode("events", alias="events_v2", path="new"),
        DbtNode("orders"),
        DbtNode("other", alias="orders_v2"),
        DbtNode("orders_v2", alias="sales_orders"),
    )
    node = DbtProject(models=models).find(table)
    assert (node.name if node else None) == expected
    assert node is None or node.latest
