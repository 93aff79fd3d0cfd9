"""Every output format from the outside: chosen by --format, whole on stdout or in a file, verdict unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.contracts import FIELDS, MISSPELT, ORDERS
from support.git_sandbox import Clone
from support.orders import orders
from support.running import Floe

from floe_contracts.app.report import FORMATS
from floe_contracts.render.machine import json_report


@pytest.fixture
def contract() -> str:
    Path("orders.yaml").write_text(MISSPELT)
    return "orders.yaml"


def test_the_formats_are_these() -> None:
    assert FORMATS == ("terminal", "json", "github", "markdown", "sarif", "junit", "gitlab", "html")


@pytest.mark.parametrize("form", FORMATS)
def test_the_verdict_does_not_depend_on_the_format(floe: Floe, contract: str, form: str) -> None:
    ran = floe("lint", contract, "--format", form)
    assert ran.code == 1
    assert "required" in ran.out


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_holds_what_would_be_printed(floe: Floe, contract: str, form: str) -> None:
    printed = floe("lint", contract, "--format", form).out
    ran = floe("lint", contract, "--format", form, "--output", "report")
    assert Path("report").read_bytes().decode() == printed
    assert (ran.code, ran.out) == (1, "")


@pytest.mark.parametrize(
    ("form", "first"),
    [
        ("terminal", "BLOCKED: 1 error in orders.yaml:13:9. "),
        ("github", "BLOCKED: 1 error in orders.yaml:13:9. "),
        ("markdown", "### ❌ BLOCKED: 1 error in `orders.yaml:13:9`. "),
    ],
)
def test_the_first_line_is_verdict_and_cure(floe: Floe, contract: str, form: str, first: str) -> None:
    assert floe("lint", contract, "--format", form).out.startswith(first)


def test_machines_can_read_theirs(floe: Floe, contract: str) -> None:
    assert json_report.parse(floe("lint", contract, "--format", "json").out).verdict == "blocked"
    assert json.loads(floe("lint", contract, "--format", "sarif").out)["version"] == "2.1.0"
    assert ElementTree.fromstring(floe("lint", contract, "--format", "junit").out).get("failures") == "1"


def test_lines_are_links_inside_a_workflow(floe: Floe, contract: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.example.com")
    monkeypatch.setenv("GITHUB_REPOSITORY", "shop/data")
    monkeypatch.setenv("GITHUB_SHA", "4f1c2aa0b9d8")
    address = "https://github.example.com/shop/data/blob/4f1c2aa0b9d8/orders.yaml#L13"
    assert f"[`orders.yaml:13`]({address})" in floe("lint", contract, "--format", "markdown").out
    assert f'href="{address}"' in floe("lint", contract, "--format", "html").out


def test_a_diff_shows_both_texts(floe: Floe) -> None:
    Path("old.yaml").write_text(ORDERS)
    Path("new.yaml").write_text(ORDERS.replace("required: true", "required: false"))
    out = floe("diff", "old.yaml", "new.yaml", "--format", "html").out
    assert "Both texts side by side" in out
    assert "<mark>true</mark>" in out or "<mark>tru</mark>" in out


@pytest.mark.parametrize("head", ["index", "worktree", "HEAD"])
def test_a_gate_shows_both_texts(shop: Clone, floe: Floe, head: str) -> None:
    shop.commit({"contracts/orders.yaml": orders("1.1.0", columns=("order_id",)), "contracts/new.yaml": FIELDS})
    out = floe("gate", "--head", head, "--format", "html").out
    assert out.count("Both texts side by side</summary>") == 1, "a new contract has no other text"
    assert '<td class="old">version: 1.<mark>0</mark>.0</td>' in out


def test_a_first_commit_has_no_other_text(shop: Clone, floe: Floe) -> None:
    shop.git("checkout", "--quiet", "--orphan", "fresh")
    shop.git("branch", "--quiet", "-D", "main", "feature")
    ran = floe("gate", "--format", "html")
    assert "side by side" not in ran.out
    assert ran.out.startswith("<!doctype html>")
