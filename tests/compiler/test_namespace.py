"""The namespace in the artifact: as a tier writes it, by the mode that a tier writes, else by the reference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.platform_example import DOMAIN, FOLDER, TARGET, TOP, edit, run_compile

from floe_contracts.app.monitor.artifact import floor_of, open_product

MANAGED = "{mode: managed, tenant_id: 42, project_slug: crm}"
NAMES = [
    pytest.param("", "", "sales.customer-360", "mesh", id="by the reference"),
    pytest.param("{mode: simple}", "", "customer-360", "simple", id="simple"),
    pytest.param("{mode: centralized}", "", "customer-360", "centralized", id="centralized"),
    pytest.param("{mode: mesh}", "", "sales.customer-360", "mesh", id="mesh"),
    pytest.param("{mode: mesh, domain: north}", "", "north.customer-360", "mesh", id="mesh with another domain"),
    pytest.param(MANAGED, "", "floe.42.crm", "managed", id="managed"),
    pytest.param(MANAGED, "{project_slug: erp}", "floe.42.erp", "managed", id="managed, a part by the domain"),
    pytest.param(MANAGED, "{namespace: own}", "own", "managed", id="a namespace wins"),
    pytest.param("{mode: managed, namespace: own}", "", "own", "managed", id="a namespace needs no parts"),
    pytest.param("{product: {name: other}}", "", "sales.other", "mesh", id="another name of the product"),
]


def write(path: Path, block: str) -> None:
    if block:
        text = path.read_text()
        start = text.find("observability:")
        end = text.find("\nidentity:") if start >= 0 else len(text)
        path.write_text(f"{text[: start if start >= 0 else end]}observability: {block}\n{text[end:]}")


@pytest.mark.parametrize(("top", "domain", "namespace", "mode"), NAMES)
def test_the_namespace_follows_the_tiers(
    top: str, domain: str, namespace: str, mode: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(platform / TOP, top)
    write(platform / DOMAIN, domain)
    code, text = run_compile(capsys)
    assert code == 0, text
    assert json.loads(TARGET.read_text())["observability"]["namespace"] == namespace
    block = floor_of(open_product(str(TARGET))).config.observability
    assert (block.namespace, block.mode) == (namespace, mode)


MISSING = [
    pytest.param("{mode: managed}", "tenant_id and project_slug", id="both parts"),
    pytest.param("{mode: managed, tenant_id: 42}", "needs project_slug", id="one part"),
]


@pytest.mark.parametrize(("block", "words"), MISSING)
def test_a_mode_without_its_parts_is_a_mistake(
    block: str, words: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(platform / DOMAIN, block)
    code, text = run_compile(capsys)
    assert code == 1, text
    assert "FLOE-E501" in text
    assert words in text
    assert f"at {DOMAIN}:" in text


def test_a_mesh_without_a_domain_is_a_mistake(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(platform / TOP, "{mode: mesh}")
    edit(platform / FOLDER / "floe.yaml", "domain: ../../domains/sales/manifest.yaml", f"platform: ../../{TOP}")
    edit(platform / FOLDER / "floe.yaml", "  domain: sales\n", "")
    code, text = run_compile(capsys)
    assert (code, "needs domain beside it" in text) == (1, True), text
