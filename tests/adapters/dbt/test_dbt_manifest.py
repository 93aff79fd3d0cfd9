"""Manifests that real dbt wrote (scripts/record_dbt.py says how), read as values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from floe_contracts.adapters.dbt.manifest import read_manifest
from floe_contracts.adapters.dbt.views import CatalogView, RunResultsView, read_artifact, schema_version
from floe_contracts.errors import FloeError
from floe_contracts.product.dbt import DbtNode, DbtProject

RECORDED = Path(__file__).parents[2] / "fixtures" / "dbt"
VERSIONS = {"v10": "1.6", "v11": "1.7", "v12": "1.11"}


def manifest_bytes(version: str) -> bytes:
    """A recorded manifest; Fusion, which writes v20, cannot be installed here, so v20 is v12 under its number."""
    if version == "v20":
        return manifest_bytes("v12").replace(b"manifest/v12.json", b"manifest/v20.json")
    return (RECORDED / f"manifest-{version}.json").read_bytes()


def project(version: str = "v12") -> DbtProject:
    return read_manifest(manifest_bytes(version), "target/manifest.json")


def node(name: str, version: str = "v12") -> DbtNode:
    found = project(version).find(name)
    assert found is not None
    return found


def edited(**changes: Any) -> bytes:
    """The newest manifest with some of its parts replaced."""
    return json.dumps({**json.loads(manifest_bytes("v12")), **changes}).encode()


@pytest.mark.parametrize("version", ["v10", "v11", "v12", "v20"])
def test_every_version_says_the_same_about_a_project(version: str) -> None:
    read = project(version)
    assert (read.version, read.adapter, read.notes, read.known) == (version, "duckdb", (), True)
    assert [(model.name, model.kind, model.counts) for model in read.models] == [
        ("bronze_customers", "model", True),
        ("bronze_orders", "model", True),
        ("gold_revenue", "model", True),
        ("int_orders", "model", False),
        ("silver_customers", "model", True),
        ("raw_customers", "seed", False),
        ("raw_orders", "seed", False),
    ]


@pytest.mark.parametrize(("version", "release"), VERSIONS.items())
def test_the_recorded_file_says_which_dbt_wrote_it(version: str, release: str) -> None:
    assert project(version).dbt_version.startswith(f"{release}.")


@pytest.mark.parametrize("version", ["v10", "v11", "v12", "v20"])
def test_tests_stand_at_the_model_they_are_written_for(version: str) -> None:
    assert [(test.name, test.column) for test in node("silver_customers", version).tests] == [
        ("accepted_values", "country"),
        ("not_null", "customer_id"),
        ("unique", "customer_id"),
        ("not_null", "email"),
    ]
    relation = next(test for test in node("bronze_orders", version).tests if test.name == "relationships")
    assert (relation.column, dict(relation.arguments)) == (
        "customer_id",
        {"to": "ref('silver_customers')", "field": "customer_id"},
    )


def test_a_singular_test_stands_at_the_models_it_reads() -> None:
    assert [test.name for test in node("gold_revenue").tests] == ["revenue_is_positive"]


def test_a_test_that_only_warns_promises_nothing() -> None:
    assert [(test.column, test.binding) for test in node("bronze_orders").tests] == [
        ("customer_id", True),
        ("status", False),
    ]


@pytest.mark.parametrize("version", ["v10", "v11", "v12"])
def test_descriptions_types_and_meta_are_read(version: str) -> None:
    model = node("silver_customers", version)
    email = model.column("EMAIL")
    assert email is not None
    assert (email.data_type, email.description) == ("varchar", "Where the customer reads mail.")
    assert dict(email.meta) == {"classification": "pii"}
    assert dict(model.meta) == {"primary_key": "customer_id", "owner": "crm"}


def test_sources_are_followed_through_models() -> None:
    assert [(name, node(name).sources, node(name).fresh) for name in ("silver_customers", "gold_revenue")] == [
        ("silver_customers", ("crm",), True),
        ("gold_revenue", (), False),
    ]


@pytest.mark.parametrize(
    ("table", "name"),
    [
        pytest.param("silver_customers", "silver_customers", id="its name"),
        pytest.param("shop.main.silver_customers", "silver_customers", id="the last part of a table"),
        pytest.param("gold.dim_customers", "silver_customers", id="its alias"),
        pytest.param("GOLD_REVENUE", "gold_revenue", id="another case"),
        pytest.param("customers", None, id="nothing"),
    ],
)
def test_the_model_of_a_table(table: str, name: str | None) -> None:
    found = project().find(table)
    assert (found.name if found else None) == name


def test_a_name_means_the_latest_version() -> None:
    nodes = json.loads(manifest_bytes("v12"))["nodes"]
    for version in (1, 2):
        more = {"name": "dim_shops", "version": version, "latest_version": 2, "alias": f"dim_shops_v{version}"}
        path = {"original_file_path": f"models/dim_shops_v{version}.sql"}
        nodes[f"model.shop.dim_shops.v{version}"] = {**nodes["model.shop.gold_revenue"], **more, **path}
    project = read_manifest(edited(nodes=nodes), "m.json")
    aliases = [found.alias for name in ("dim_shops", "gold.dim_shops_v1") if (found := project.find(name))]
    assert aliases == ["dim_shops_v2", "dim_shops_v1"]


def test_models_of_packages_are_not_the_teams() -> None:
    nodes = json.loads(manifest_bytes("v12"))["nodes"]
    nodes["model.utils.stg_days"] = {**nodes["model.shop.gold_revenue"], "package_name": "utils", "name": "stg_days"}
    assert "stg_days" not in [model.name for model in read_manifest(edited(nodes=nodes), "m.json").models]


def test_a_newer_manifest_is_read_and_noted() -> None:
    data = manifest_bytes("v12").replace(b"manifest/v12.json", b"manifest/v13.json")
    assert read_manifest(data, "m.json").notes == ("m.json is a manifest v13, which is newer than floe knows",)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"", "m.json is not what dbt writes: the file: Invalid JSON", id="no bytes"),
        pytest.param(b"[]", "m.json is not what dbt writes: the file: Input should be an object", id="a list"),
        pytest.param(b'{"metadata": {}}', "m.json is not what dbt writes: nodes: Field required", id="no nodes"),
        pytest.param(
            b'{"metadata": {"dbt_schema_version": "x"}, "nodes": {}}',
            "m.json says dbt_schema_version 'x', not manifest",
            id="another kind of file",
        ),
        pytest.param(
            manifest_bytes("v12").replace(b"manifest/v12.json", b"manifest/v7.json"),
            "m.json is a manifest v7, floe reads v10 and later",
            id="too old",
        ),
    ],
)
def test_a_file_that_is_no_manifest_cannot_be_used(data: bytes, message: str) -> None:
    with pytest.raises(FloeError) as caught:
        read_manifest(data, "m.json")
    assert caught.value.message.startswith(message)


def test_a_catalog_tells_the_types_of_the_engine() -> None:
    catalog = read_artifact((RECORDED / "catalog.json").read_bytes(), "catalog.json", CatalogView)
    assert schema_version(catalog.metadata, "catalog", "catalog.json") == 1
    columns = catalog.nodes["model.shop.gold_revenue"].columns
    assert {name: column.type for name, column in columns.items()} == {"customer_id": "INTEGER", "revenue": "DOUBLE"}


def test_run_results_tell_how_each_node_ended() -> None:
    results = read_artifact((RECORDED / "run_results.json").read_bytes(), "run_results.json", RunResultsView)
    assert schema_version(results.metadata, "run-results", "run_results.json") == 6
    assert {result.status for result in results.results} == {"success", "pass"}
