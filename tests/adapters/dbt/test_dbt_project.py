"""Finding a dbt project, its target folder, and what can be told without a manifest."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from floe_contracts.adapters.dbt.project import find_project, load_project
from floe_contracts.errors import FloeError
from floe_contracts.product.dbt import CANNOT_TELL, DbtProject

RECORDED = Path(__file__).parents[2] / "fixtures" / "dbt"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A fresh clone of a dbt project: no target folder."""
    root = tmp_path / "shop"
    shutil.copytree(RECORDED / "project", root)
    (root / ".git").mkdir()
    return root


def put_manifest(path: Path) -> None:
    path.parent.mkdir(parents=True)
    shutil.copy(RECORDED / "manifest-v12.json", path)


@pytest.mark.parametrize("below", ["", "models", "models/staging/deep"])
def test_the_project_is_at_or_above_the_path(shop: Path, below: str) -> None:
    folder = find_project(shop / below, {})
    assert folder is not None
    assert (folder.root, folder.name, folder.manifest) == (shop, "shop", shop / "target" / "manifest.json")


def test_the_search_ends_at_the_repository(shop: Path) -> None:
    inner = shop / "other"
    (inner / ".git").mkdir(parents=True)
    assert find_project(inner, {}) is None


@pytest.mark.parametrize(
    ("line", "environ", "target"),
    [
        pytest.param("target-path: build/dbt", {}, "build/dbt", id="target-path"),
        pytest.param("target-path: build", {"DBT_TARGET_PATH": "elsewhere"}, "elsewhere", id="the environment wins"),
        pytest.param("target-path: \"{{ env_var('T') }}\"", {}, "target", id="Jinja cannot be told"),
    ],
)
def test_the_target_folder(shop: Path, line: str, environ: dict[str, str], target: str) -> None:
    with (shop / "dbt_project.yml").open("a") as file:
        file.write(f"{line}\n")
    put_manifest(shop / target / "manifest.json")
    assert load_project(shop, environ=environ).version == "v12"


def test_a_fresh_clone_knows_names_only(shop: Path) -> None:
    project = load_project(shop)
    assert (project.known, [model.name for model in project.models]) == (
        False,
        ["bronze_customers", "bronze_orders", "gold_revenue", "int_orders", "silver_customers", "stg_old"],
    )
    assert project.notes[0].endswith(f"tests, columns and descriptions are unknown; {CANNOT_TELL}")


def test_no_project_has_nothing_to_tell(tmp_path: Path) -> None:
    assert load_project(tmp_path) == DbtProject()


def test_a_project_without_models_has_nothing_to_tell(shop: Path) -> None:
    shutil.rmtree(shop / "models")
    assert (load_project(shop).models, load_project(shop).notes) == ((), ())


def test_a_given_manifest_is_read_instead(shop: Path, tmp_path: Path) -> None:
    put_manifest(tmp_path / "given" / "manifest.json")
    assert load_project(shop, tmp_path / "given" / "manifest.json").known


def test_a_given_manifest_must_exist(shop: Path) -> None:
    with pytest.raises(FloeError, match=r"cannot be read: No such file"):
        load_project(shop, shop / "nowhere.json")


def test_a_large_manifest_is_read(shop: Path) -> None:
    put_manifest(shop / "target" / "manifest.json")
    path = shop / "target" / "manifest.json"
    path.write_bytes(path.read_bytes() + b" " * (2 * 1024 * 1024))
    assert load_project(shop).known
