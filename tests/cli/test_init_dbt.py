"""`floe init --from dbt`: a contract per model from what dbt really knows, and the gate holds the models to them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.builds import ROOT
from support.git_sandbox import Clone, Sandbox
from support.running import Floe

from floe_contracts.app.init.dbt import propose_models
from floe_contracts.errors import FloeError, UsageError

FIXTURES = ROOT / "tests/fixtures/dbt"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """The recorded dbt project after `dbt build` and `dbt docs generate`, committed."""
    (tmp_path / "sandbox").mkdir()
    repo = Sandbox(tmp_path / "sandbox").init()
    shutil.copytree(FIXTURES / "project", repo.path, dirs_exist_ok=True)
    repo.commit({".gitignore": "target/\n"})
    (repo.path / "target").mkdir()
    shutil.copy(FIXTURES / "manifest-v12.json", repo.path / "target/manifest.json")
    shutil.copy(FIXTURES / "catalog.json", repo.path / "target/catalog.json")
    monkeypatch.chdir(repo.path)
    return repo


def test_every_model_with_columns_has_a_contract_of_its_name(floe: Floe, shop: Clone) -> None:
    assert floe("init", "--from", "dbt", "target/manifest.json", "--yes").code == 0
    written = sorted(path.name for path in (shop.path / "contracts").iterdir())
    assert written == [
        f"{name}.odcs.yaml" for name in ("bronze_customers", "bronze_orders", "gold_revenue", "silver_customers")
    ]
    assert floe("lint", "contracts", "--strict").code == 0


def test_types_are_those_of_yaml_and_catalog_and_never_made_up() -> None:
    contracts, notes = propose_models(str(FIXTURES / "manifest-v12.json"), "", "")
    types = {
        column.name: (column.physical_type, column.required, column.unique)
        for contract in contracts
        for column in contract.objects[0].properties
        if contract.name == "silver_customers"
    }
    assert types["customer_id"] == ("integer", True, True)
    assert types["email"][1] is True
    bronze = next(contract for contract in contracts if contract.name == "bronze_orders")
    assert {column.name for column in bronze.objects[0].properties} >= {"order_id", "amount"}
    assert notes == ()


def test_without_a_catalog_only_what_the_yaml_says_is_promised(floe: Floe, shop: Clone) -> None:
    (shop.path / "target/catalog.json").unlink()
    ran = floe("init", "--from", "dbt", "target/manifest.json", "--yes")
    assert "no contract for 1 model without columns (bronze_customers); `dbt docs generate` writes" in ran.err
    text = (shop.path / "contracts/bronze_orders.odcs.yaml").read_text("utf-8")
    assert "logicalType" not in text.split("customer_id")[1].split("- name")[0]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [("country", "land", "FLOE-E531"), ("upper(country)", "upper(country)", "")],
    ids=["a renamed column", "no change"],
)
def test_the_gate_holds_the_models_to_what_was_proposed(floe: Floe, shop: Clone, old: str, new: str, code: str) -> None:
    floe("init", "--from", "dbt", "target/manifest.json", "--owner", "shop", "--yes")
    shop.commit()
    shop.switch("rework", "main")
    model = shop.path / "models/silver_customers.sql"
    text = model.read_text("utf-8")
    model.write_text(text.replace(old, new) if code else text + "\n", "utf-8")
    shop.git("add", "--all")
    ran = floe("gate")
    assert (ran.code, "FLOE-E531" in ran.out) == ((1, True) if code else (0, False))
    if code:
        assert "models/silver_customers.sql:" in ran.out


def test_a_name_is_for_one_model_only() -> None:
    with pytest.raises(UsageError, match="--name is for one contract"):
        propose_models(str(FIXTURES / "manifest-v12.json"), "shop", "")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param(None, "cannot be read", id="no file"),
        pytest.param("{", "is not what dbt writes", id="no JSON"),
        pytest.param(
            json.dumps(
                {
                    "metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json"},
                    "nodes": {},
                }
            ),
            "has columns",
            id="no models",
        ),
    ],
)
def test_a_manifest_that_leads_to_nothing(tmp_path: Path, text: str | None, why: str) -> None:
    path = tmp_path / "manifest.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(FloeError, match=why):
        propose_models(str(path), "", "")
