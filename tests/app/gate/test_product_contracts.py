"""Contracts in the folder of a floe.yaml count for gate and lint, whatever the globs say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox

from floe_contracts.cli.main import main
from floe_contracts.contract.discovery import selection

PRODUCT = "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: shop, version: 1.0.0}\n"
LESS = "schema: orders\nversion: 1.0.0\nowner: a\nfields:\n  - {name: id, type: STRING}\n"
MORE = LESS + "  - {name: total, type: STRING}\n"
PLACE = "shop/contracts/sales/orders.yaml"
OTHER_GLOBS = {".floe/config.yaml": "contracts: [tables/*.yaml]\n"}

PATHS = [
    pytest.param("shop/contracts/a.yaml", True, id="in contracts"),
    pytest.param("shop/contracts/deep/a.yml", True, id="below contracts"),
    pytest.param("shop/datacontract.yaml", True, id="beside floe.yaml"),
    pytest.param("shop/x/contracts/a.yaml", False, id="in contracts of a folder below"),
    pytest.param("other/contracts/a.yaml", False, id="in another folder"),
    pytest.param("shop/models/a.yaml", False, id="beside contracts"),
    pytest.param("shop/contracts/a.sql", False, id="no YAML"),
    pytest.param("shop/contracts/.a.yaml", False, id="hidden"),
    pytest.param("shop/contracts/drafts/a.yaml", False, id="excluded"),
    pytest.param("[a]/contracts/a.yaml", True, id="a folder whose name is a glob"),
    pytest.param("left/contracts/a.yaml", False, id="of an excluded product"),
]


@pytest.mark.parametrize(("path", "counts"), PATHS)
def test_paths(path: str, counts: bool) -> None:
    products = {"shop/floe.yaml", "[a]/floe.yaml", "left/floe.yaml"}
    chosen = selection(("tables/*.yaml",), ("**/drafts/**", "left/floe.yaml"), products.__contains__)
    assert (path in chosen) is counts


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    clone = Sandbox(tmp_path).init("shop")
    monkeypatch.chdir(clone.path)
    return clone


CHANGES = [
    pytest.param({"shop/floe.yaml": PRODUCT, PLACE: MORE}, {PLACE: LESS}, "E520", id="a break"),
    pytest.param({"shop/floe.yaml": PRODUCT, PLACE: MORE}, {PLACE: None}, PLACE, id="a deletion"),
    pytest.param(
        {"shop/floe.yaml": PRODUCT, PLACE: MORE},
        {"shop/floe.yaml": None, PLACE: LESS},
        "E520",
        id="a break beside a floe.yaml that goes",
    ),
    pytest.param(
        {PLACE: MORE}, {"shop/floe.yaml": PRODUCT, PLACE: LESS}, "E520", id="a break beside a floe.yaml that comes"
    ),
    pytest.param(
        {**OTHER_GLOBS, "shop/floe.yaml": PRODUCT, "shop/datacontract.yaml": MORE},
        {"shop/datacontract.yaml": LESS},
        "E520",
        id="with globs that match other files",
    ),
]


@pytest.mark.parametrize(("base", "head", "words"), CHANGES)
def test_the_gate_blocks(
    base: dict[str, str], head: dict[str, str | None], words: str, shop: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.commit(dict(base))
    shop.switch("rework", "main")
    for path, text in head.items():
        if text is None:
            (shop.path / path).unlink()
        else:
            shop.write({path: text})
    shop.git("add", "--all")
    code = main(["gate"])
    out = capsys.readouterr().out
    assert code == 1, out
    assert words in out


QUIET = [
    pytest.param({}, {PLACE: LESS}, id="no product"),
    pytest.param(
        {".floe/config.yaml": "exclude: [shop/**]\n", "shop/floe.yaml": PRODUCT}, {PLACE: LESS}, id="excluded"
    ),
]


@pytest.mark.parametrize(("more", "head"), QUIET)
def test_the_gate_leaves_alone(
    more: dict[str, str], head: dict[str, str], shop: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    shop.commit({"contracts/a.yaml": LESS.replace("orders", "a"), PLACE: MORE, **more})
    shop.switch("rework", "main")
    shop.write(dict(head))
    shop.git("add", "--all")
    assert main(["gate"]) == 0, capsys.readouterr().out


def test_a_product_that_comes_brings_its_contracts_to_the_gate(shop: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    shop.commit({PLACE: "schema: orders\nversion: x\nfields: []\n", "contracts/a.yaml": LESS.replace("orders", "a")})
    shop.switch("rework", "main")
    shop.write({"shop/floe.yaml": PRODUCT})
    shop.git("add", "--all")
    code = main(["gate"])
    out = capsys.readouterr().out
    assert (code, PLACE in out) == (1, True), out


@pytest.mark.parametrize("inside", [".", "shop"])
def test_lint_finds_them(inside: str, shop: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    shop.commit({**OTHER_GLOBS, "shop/floe.yaml": PRODUCT, PLACE: LESS, "shop/other.yaml": LESS})
    os.chdir(shop.path / inside)
    assert main(["lint"]) == 0
    assert "1 contract checked" in capsys.readouterr().out
