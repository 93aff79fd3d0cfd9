"""Contracts of products held to the platform above them: gate, compile and the policy hook say the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.git_sandbox import Clone, Sandbox

from floe_contracts.adapters.process.environment import utc_today
from floe_contracts.app.products import check_products
from floe_contracts.cli.main import main
from floe_contracts.results import decide

MANIFEST, BASE, PRODUCT, CONTRACT = "acme/manifest.yaml", "acme/base.yaml", "shop/floe.yaml", "shop/datacontract.yaml"
HEAD = "apiVersion: v3.0.2\nkind: DataContract\n"
FILES: dict[str, str] = {
    MANIFEST: "apiVersion: floe.dev/v1\nkind: Manifest\nmetadata: {name: acme, version: 1.0.0}\nscope: enterprise\n"
    "sla_minimums: {availability: 99%}\nclassification_categories: {internal_only: RESTRICTED}\n"
    "pii_names: [mail]\nidentity: {enforcement: off}\n"
    "data_contracts:\n  base: [base.yaml]\n"
    "  requirements: {owner: true, pii_classified: true, required_fields: [id]}\n",
    BASE: f"{HEAD}name: base\nversion: 1.0.0\nowner: x@acme.com\nmodels:\n  orders:\n    elements:\n"
    "      id: {type: string, required: true}\n      secret: {type: string, classification: internal_only}\n"
    "      address: {type: object, elements: {zip: {type: string, required: true}}}\n"
    "slaProperties: {freshness: {value: PT6H}}\n",
    PRODUCT: "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: shop, version: 1.0.0}\n"
    "platform: ../acme/manifest.yaml\n",
    CONTRACT: f"{HEAD}name: shop-orders\nversion: 1.0.0\nstatus: active\nowner: x@acme.com\nmodels:\n  orders:\n"
    "    elements:\n      id: {type: string, required: true}\n      mail: {type: string, classification: pii}\n"
    "      secret: {type: string, classification: restricted}\n"
    "      address: {type: object, elements: {zip: {type: string}}}\n"
    "slaProperties: {freshness: {value: PT6H}, availability: {value: 99.9%}}\n",
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    clone = Sandbox(tmp_path).init("shop")
    clone.commit(dict(FILES))
    clone.switch("rework", "main")
    monkeypatch.chdir(clone.path)
    return clone


def edit(clone: Clone, path: str, *changes: tuple[str, str]) -> None:
    text = (clone.path / path).read_text()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    clone.write({path: text})
    clone.git("add", "--all")


NEXT = ("version: 1.0.0", "version: 2.0.0")
OWN = [
    pytest.param((), "", id="as strict"),
    pytest.param((("PT6H", "PT12H"),), "E510", id="a weaker level than the base's"),
    pytest.param((("99.9%", "98%"),), "E510", id="a weaker level than the platform's least"),
    pytest.param((("classification: restricted", "classification: internal"),), "E511", id="a weaker classification"),
    pytest.param((("zip: {type: string}", "zip: {type: string, required: false}"),), "E514", id="a nested promise"),
    pytest.param((("zip: {type: string}", "code: {type: string}"),), "E514", id="a nested field that is gone"),
    pytest.param(((", classification: pii", ""),), "E514", id="personal data by its name"),
    pytest.param((("owner: x@acme.com\n", ""),), "E514", id="no owner"),
    pytest.param((("  id: {", "  number: {"),), "E514", id="a required field that is gone"),
    pytest.param((("owner: ", "parent: datacontract.yaml\nowner: "),), "E512", id="a circle"),
]


@pytest.mark.parametrize(("changes", "code"), OWN)
def test_gate_compile_and_hook_say_the_same(
    changes: tuple[tuple[str, str], ...], code: str, shop: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(shop, CONTRACT, NEXT, *changes)
    hook = check_products(".", [PRODUCT], (), utc_today())
    said = {"hook": (int(decide(hook)), {item.code.id for item in hook.all_findings() if item.blocks})}
    for command in (["gate"], ["compile", "shop"]):
        exit_code = main([*command, "--format", "json"])
        results = json.loads(capsys.readouterr().out)["results"]
        codes = {item["code"] for result in results for item in result["findings"] if item["blocks"]}
        said[command[0]] = (exit_code, codes)
    expected = (1, {f"FLOE-{code}"}) if code else (0, set[str]())
    assert said == dict.fromkeys(said, expected)


ABOVE = [
    pytest.param(BASE, (("PT6H", "PT1H"),), "E510", id="a base that promises more"),
    pytest.param(MANIFEST, (("99%", "99.99%"),), "E510", id="a manifest that asks for more"),
    pytest.param(MANIFEST, (("[id]", "[id, tenant]"),), "E514", id="a column that the platform wants"),
    pytest.param(MANIFEST, (("name: acme,", "name: acme, description: x,"),), "", id="another description"),
    pytest.param(BASE, (("owner: x@acme.com", "owner: y@acme.com"),), "", id="another owner of the base"),
]


@pytest.mark.parametrize(("path", "changes", "code"), ABOVE)
def test_contracts_that_did_not_change_are_held_to_tiers_that_did(
    path: str, changes: tuple[tuple[str, str], ...], code: str, shop: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(shop, path, *changes)
    exit_code, text = main(["gate"]), capsys.readouterr().out
    assert (exit_code, f"{CONTRACT}:" in text and f"FLOE-{code}" in text) == (int(bool(code)), bool(code)), text


def test_drafts_are_reported(shop: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    edit(shop, CONTRACT, NEXT, ("status: active", "status: draft"), ("PT6H", "PT12H"))
    exit_code, text = main(["gate"]), capsys.readouterr().out
    assert (exit_code, "FLOE-E510" in text) == (0, True), text


def test_a_classification_may_be_in_dbt(shop: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    edit(shop, PRODUCT, ("platform:", "transforms: [{type: dbt}]\nplatform:"))
    edit(shop, CONTRACT, NEXT, (", classification: pii", ""))
    exit_code, text = main(["gate"]), capsys.readouterr().out
    assert (exit_code, "FLOE-E514" in text) == (0, False), text


def test_a_platform_that_is_not_here_is_said(shop: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    edit(shop, PRODUCT, ("../acme/manifest.yaml", "oci://registry.acme.com/platform:v1.0.0"))
    edit(shop, CONTRACT, NEXT, ("PT6H", "PT12H"))
    exit_code, text = main(["gate"]), capsys.readouterr().out
    assert exit_code == 0
    assert f"{PRODUCT}: its contracts were not held to its platform (oci://registry.acme.com/platform:v1.0.0: " in text


def test_a_platform_by_name_is_read_from_the_revision(shop: Clone, capsys: pytest.CaptureFixture[str]) -> None:
    refs = {f"refs/acme/v1.0.0/{name}": FILES[f"acme/{name}"] for name in ("manifest.yaml", "base.yaml")}
    shop.commit({**refs, "shop/floe.lock": "version: 1\nreferences: {}\nrefs: [../refs]\n"})
    edit(shop, PRODUCT, ("../acme/manifest.yaml", "ref/acme/v1.0.0"))
    edit(shop, CONTRACT, NEXT, ("PT6H", "PT12H"))
    (shop.path / "refs/acme/v1.0.0/base.yaml").unlink()  # the index counts
    exit_code, text = main(["gate"]), capsys.readouterr().out
    assert (exit_code, "FLOE-E510" in text) == (1, True), text
