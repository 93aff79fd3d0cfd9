"""`floe action compile` without act: which products it takes, what it writes and tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox
from support.platform_example import copy_platform
from support.running import Floe

PRODUCT = "products/customer-360/floe.yaml"
LONE = (
    "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {{name: {name}, version: 1.0.0}}\n"
    "output_ports: [{{name: orders, schema: [{{name: id, type: string}}]}}]\n"
)


@pytest.fixture
def checkout(floe: Floe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """The example of three tiers in a repository, with the environment of a job around it."""
    (tmp_path / "sandbox").mkdir()
    repo = Sandbox(tmp_path / "sandbox").init()
    copy_platform(repo.path, without="revenue")
    repo.commit({"README.md": "shop\n"})
    monkeypatch.chdir(repo.path)
    for name in ("OUTPUT", "STEP_SUMMARY"):
        monkeypatch.setenv(f"GITHUB_{name}", str(tmp_path / name))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(repo.path))
    monkeypatch.setenv("RUNNER_TEMP", str(tmp_path / "runner"))
    return repo


def outputs(tmp_path: Path) -> dict[str, str]:
    lines = (tmp_path / "OUTPUT").read_text().splitlines()
    return {lines[at].partition("<<")[0]: lines[at + 1] for at in range(0, len(lines), 3)}


def test_a_good_product_is_compiled(floe: Floe, checkout: Clone, tmp_path: Path) -> None:
    ran = floe("action", "compile")
    assert ran.code == 0, ran.out + ran.err
    told = outputs(tmp_path)
    assert (told["verdict"], told["error-count"]) == ("pass", "0")
    (artifact,) = json.loads(told["artifacts"])
    assert json.loads(Path(artifact).read_text())["product"]["id"] == "sales.customer_360"
    assert json.loads(Path(told["report-json"]).read_text())["command"] == "compile"


@pytest.mark.parametrize("inside", [".", "products"])
def test_what_does_not_comply_is_marked_and_not_written(
    inside: str, floe: Floe, checkout: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (checkout.path / PRODUCT).read_text()
    checkout.write({PRODUCT: text.replace("transforms:", "compute: spark\ntransforms:")})
    monkeypatch.setenv("FLOE_INPUT_WORKING_DIRECTORY", inside)
    ran = floe("action", "compile")
    assert ran.code == 1, ran.out + ran.err
    assert f"::error file={PRODUCT},line=" in ran.out
    told = outputs(tmp_path)
    assert (told["verdict"], told["error-count"], told["artifacts"]) == ("blocked", "1", "[]")
    assert "BLOCKED" in (tmp_path / "STEP_SUMMARY").read_text()
    assert not (checkout.path / "products/customer-360/target").exists()


CHOICES = [
    pytest.param({}, "", 3, id="all of them"),
    pytest.param({}, "a\nb\na", 2, id="named ones, each once"),
    pytest.param({".floe/config.yaml": "exclude: [products/**]\n"}, "", 2, id="less the excluded ones"),
]


@pytest.mark.parametrize(("more", "named", "count"), CHOICES)
def test_which_products(
    more: dict[str, str],
    named: str,
    count: int,
    floe: Floe,
    checkout: Clone,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checkout.write({"a/floe.yaml": LONE.format(name="a"), "b/floe.yaml": LONE.format(name="b"), **more})
    monkeypatch.setenv("FLOE_INPUT_PRODUCTS", named)
    ran = floe("action", "compile")
    assert ran.code == 0, ran.out + ran.err
    assert len(json.loads(outputs(tmp_path)["artifacts"])) == count


def test_a_second_product_of_the_same_id_is_not_written(floe: Floe, checkout: Clone, tmp_path: Path) -> None:
    checkout.write({"a/floe.yaml": LONE.format(name="x-y"), "b/floe.yaml": LONE.format(name="x_y")})
    assert floe("action", "compile").code == 1
    written = [Path(path).parts[-4] for path in json.loads(outputs(tmp_path)["artifacts"])]
    assert written == ["a", "customer-360"]


NOTHING = [
    pytest.param("PRODUCTS", "nowhere", id="a folder without a product"),
    pytest.param("WORKING_DIRECTORY", "domains", id="no product at all"),
    pytest.param("WORKING_DIRECTORY", "nowhere", id="no such folder"),
    pytest.param("ANNOTATIONS", "perhaps", id="a word that means nothing"),
]


@pytest.mark.parametrize(("name", "text"), NOTHING)
def test_what_could_not_be_checked_is_no_pass(
    name: str, text: str, floe: Floe, checkout: Clone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"FLOE_INPUT_{name}", text)
    assert floe("action", "compile").code == 2
    assert outputs(tmp_path)["verdict"] == "error"
