"""floe-contract-policy: every floe.yaml of a repository, from the work tree, offline, and nothing written."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.git_sandbox import Clone
from support.platform_example import copy_platform
from support.running import Floe as Hook

POLICY = "floe-contract-policy"
TOP, DOMAIN = "enterprise/manifest.yaml", "domains/sales/manifest.yaml"
FOLDER = "products/customer-360"
PRODUCT = f"{FOLDER}/floe.yaml"
LONE = (
    "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {{name: {name}, version: 1.0.0}}\n"
    "output_ports: [{{name: orders, schema: [{{name: id, type: string}}]}}]\n"
)


@pytest.fixture
def platform(repo: Clone) -> Path:
    """The example of three tiers, in the work tree of the repository."""
    copy_platform(repo.path, without="revenue")
    return repo.path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if ".git" not in path.parts}


def add_models(platform: Path) -> None:
    (platform / FOLDER / "dbt_project.yml").write_text("name: shop\n")
    (platform / FOLDER / "models").mkdir()
    (platform / FOLDER / "models/gold_customers.sql").write_text("select 1\n")


def refer_by_name(platform: Path) -> None:
    """The product refers to its domain as ref/sales/v2.0.0, which lies in refs/."""
    refs = platform / "refs/sales/v2.0.0"
    refs.mkdir(parents=True)
    shutil.move(str(platform / DOMAIN), refs / "manifest.yaml")
    edit(refs / "manifest.yaml", "../../enterprise/manifest.yaml", "../../../enterprise/manifest.yaml")
    edit(platform / PRODUCT, "../../domains/sales/manifest.yaml", "ref/sales/v2.0.0")


def test_no_product_says_nothing(hook: Hook) -> None:
    ran = hook(POLICY)
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_a_good_product_passes_and_nothing_is_written(platform: Path, hook: Hook) -> None:
    before = files(platform)
    ran = hook(POLICY)
    assert (ran.code, ran.err) == (0, ""), ran.out
    assert ran.out.startswith("PASS: 1 product checked, no errors")
    assert files(platform) == before


WRONG = [
    pytest.param(PRODUCT, "transforms:", "compute: spark\ntransforms:", "E517", PRODUCT, id="a key of the platform"),
    pytest.param(DOMAIN, "threshold: 90", "threshold: 70", "E513", DOMAIN, id="a weaker domain"),
    pytest.param(PRODUCT, "apiVersion", "apVersion", "E501", PRODUCT, id="a misspelt key"),
    pytest.param(PRODUCT, "value: PT6H", "value: PT48H", "E510", PRODUCT, id="a weaker promise"),
]


@pytest.mark.parametrize(("path", "old", "new", "code", "place"), WRONG)
def test_what_does_not_comply_blocks(
    path: str, old: str, new: str, code: str, place: str, platform: Path, hook: Hook
) -> None:
    edit(platform / path, old, new)
    ran = hook(POLICY)
    assert ran.code == 1, ran.out + ran.err
    assert f"FLOE-{code}" in ran.out
    assert f"{place}:" in ran.out


def test_the_work_tree_counts_whether_staged_or_not(platform: Path, repo: Clone, hook: Hook) -> None:
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--message", "Add the platform")
    edit(platform / PRODUCT, "transforms:", "compute: spark\ntransforms:")
    script = Path(sys.executable).with_name(POLICY)
    assert subprocess.run([script], cwd=repo.path, env=repo.environ, capture_output=True, check=False).returncode == 1


def test_places_are_shown_from_the_folder_that_one_is_in(platform: Path, repo: Clone) -> None:
    edit(platform / PRODUCT, "transforms:", "compute: spark\ntransforms:")
    script = Path(sys.executable).with_name(POLICY)
    done = subprocess.run(
        [script], cwd=platform / FOLDER, env=repo.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "\nfloe.yaml" in done.stdout


def test_every_product_is_checked(platform: Path, repo: Clone, hook: Hook) -> None:
    repo.write({"a/floe.yaml": LONE.format(name="a"), "b/floe.yaml": "kind: DataProduct\n"})
    ran = hook(POLICY)
    assert ran.code == 1
    assert "in 1 of 3 products" in ran.out


def test_products_that_meet_after_mapping_are_an_error(repo: Clone, hook: Hook) -> None:
    repo.write({"a/floe.yaml": LONE.format(name="my-shop"), "b/floe.yaml": LONE.format(name="my_shop")})
    ran = hook(POLICY)
    assert ran.code == 1
    assert "FLOE-E501" in ran.out
    assert "the id my_shop is that of the product in a/floe.yaml" in ran.out


LEFT_OUT = [
    pytest.param({".floe/config.yaml": "exclude: [drafts/**]\n"}, "drafts/x/floe.yaml", id="excluded"),
    pytest.param({}, ".cache/floe.yaml", id="hidden"),
    pytest.param({".gitignore": "drafts\n"}, "drafts/floe.yaml", id="ignored by git"),
    pytest.param({}, "x/my-floe.yaml", id="another name"),
]


@pytest.mark.parametrize(("settings", "path"), LEFT_OUT)
def test_files_that_are_left_out(settings: dict[str, str], path: str, repo: Clone, hook: Hook) -> None:
    repo.write({**settings, path: "kind: DataProduct\n"})
    ran = hook(POLICY)
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_a_deleted_product_is_not_there(platform: Path, repo: Clone, hook: Hook) -> None:
    repo.git("add", "--all")
    (platform / PRODUCT).unlink()
    assert hook(POLICY).out == ""


def test_a_fresh_clone_is_told_what_it_takes(platform: Path, hook: Hook) -> None:
    add_models(platform)
    ran = hook(POLICY)
    assert ran.code == 0, ran.out + ran.err
    assert "cannot tell: run dbt parse" in ran.out
    assert "warning" in ran.out


def test_a_name_that_cannot_be_looked_up_is_a_warning(platform: Path, hook: Hook) -> None:
    refer_by_name(platform)
    ran = hook(POLICY)
    assert ran.code == 0, ran.out + ran.err
    assert "cannot tell: products/customer-360/floe.yaml" in ran.out
    assert "--refs" in ran.out


def test_a_name_is_looked_up_where_told_and_not_locked(platform: Path, hook: Hook) -> None:
    refer_by_name(platform)
    ran = hook(POLICY, "--refs", "refs")
    assert (ran.code, "no errors" in ran.out, "cannot tell" in ran.out) == (0, True, False), ran.out + ran.err
    assert not (platform / FOLDER / "floe.lock").exists()


def test_bytes_that_differ_from_the_lock_are_no_warning(platform: Path, hook: Hook) -> None:
    refer_by_name(platform)
    lock = f"version: 1\nreferences:\n  ref/sales/v2.0.0: {{digest: sha256:{'0' * 64}}}\nrefs: [../../refs]\n"
    (platform / FOLDER / "floe.lock").write_text(lock)
    ran = hook(POLICY)
    assert (ran.code, "floe.lock says" in ran.out) == (2, True), ran.out + ran.err


def test_a_validator_that_is_not_installed_is_a_warning(platform: Path, hook: Hook) -> None:
    edit(platform / TOP, "data_contracts:\n", "data_contracts:\n  validators: [acme]\n")
    ran = hook(POLICY)
    assert (ran.code, "the validator 'acme' is not installed here" in ran.out) == (0, True), ran.out + ran.err


def test_a_path_that_leads_nowhere_could_not_be_checked(platform: Path, repo: Clone, hook: Hook) -> None:
    edit(platform / PRODUCT, "../../domains/sales", "../../domains/sale")
    repo.write({"a/floe.yaml": LONE.format(name="a")})
    ran = hook(POLICY)
    assert ran.code == 2
    assert "cannot be resolved" in ran.out


def test_outside_a_repository(tmp_path: Path, repo: Clone) -> None:
    script = Path(sys.executable).with_name(POLICY)
    done = subprocess.run([script], cwd=tmp_path, env=repo.environ, capture_output=True, text=True, check=False)
    assert (done.returncode, "not inside a git repository" in done.stderr) == (2, True)
