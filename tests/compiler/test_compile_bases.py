"""What contracts are held to beside the manifest: base contracts of every tier, and validators of the platform."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.platform_example import DOMAIN, PRODUCT, TARGET, TOP, edit, run_compile

BASE = "apiVersion: v3.0.2\nkind: DataContract\nname: acme-base\nversion: 1.0.0\nowner: platform@acme.com\n"


BASES = [
    pytest.param(
        "slaProperties:\n  freshness: {value: PT4H}\n", "E510", f"{PRODUCT}:39:16", "match parent: PT4H", id="SLA"
    ),
    pytest.param(
        "models:\n  customers:\n    elements:\n      email: {type: string, classification: top_secret}\n",
        "E511",
        f"{PRODUCT}:31:25",
        "Use classification 'top_secret' or stronger",
        id="classification",
    ),
    pytest.param(
        "models:\n  customers:\n    elements:\n      phone: {type: string, required: true}\n",
        "E514",
        f"{PRODUCT}:",
        "Add the field 'customers.phone'",
        id="a required field",
    ),
]


@pytest.mark.parametrize(("text", "code", "place", "advice"), BASES)
def test_contracts_are_held_to_the_base_of_every_tier(
    text: str, code: str, place: str, advice: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(platform / TOP, "data_contracts:\n", "data_contracts:\n  base: [base.yaml]\n")
    (platform / "enterprise/base.yaml").write_text(BASE + text)
    exit_code, printed = run_compile(capsys)
    assert exit_code == 1, printed
    assert f"FLOE-{code}" in printed
    assert f"at {place}" in printed
    assert advice in printed


def test_what_a_contract_does_not_say_it_inherits(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / TOP, "data_contracts:\n", "data_contracts:\n  base: [base.yaml]\n")
    (platform / "enterprise/base.yaml").write_text(BASE + "slaProperties:\n  retention: {value: P1Y}\n")
    code, text = run_compile(capsys)
    assert code == 0, text
    entry = json.loads(TARGET.read_text())["data_contracts"][0]
    assert "retention" in [sla["property"] for sla in entry["contract"]["slaProperties"]]
    assert entry["provenance"]["slaProperties.retention.value"] == "parent"


def test_the_base_of_a_domain_is_held_to_the_one_of_the_enterprise(
    platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(platform / TOP, "data_contracts:\n", "data_contracts:\n  base: [base.yaml]\n")
    edit(platform / DOMAIN, "data_contracts:\n", "data_contracts:\n  base: [base.yaml]\n")
    (platform / "enterprise/base.yaml").write_text(BASE + "slaProperties:\n  freshness: {value: PT8H}\n")
    (platform / "domains/sales/base.yaml").write_text(BASE + "slaProperties:\n  freshness: {value: PT9H}\n")
    code, text = run_compile(capsys)
    assert code == 1
    assert "at domains/sales/base.yaml:7:" in text
    assert text.count("✗") == 1, text


def test_a_base_that_is_not_there_could_not_be_checked(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / TOP, "data_contracts:\n", "data_contracts:\n  base: [base.yaml]\n")
    code, text = run_compile(capsys)
    assert (code, "enterprise/manifest.yaml:61:9" in text) == (2, True), text


def offer_validator(folder: Path) -> None:
    """A package that offers the validator `acme`, as an installed one would."""
    (folder / "acme_rules.py").write_text(
        "def check(contract):\n"
        "    return [] if contract.owner == 'boss@acme.com' else [f'{contract.name} is not of the boss']\n"
    )
    info = folder / "acme_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[floe_contracts.validators]\nacme = acme_rules:check\n")


def test_validators_of_the_platform_judge_every_contract(
    platform: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(platform / TOP, "data_contracts:\n", "data_contracts:\n  validators: [acme]\n")
    code, text = run_compile(capsys)
    assert (code, "enterprise/manifest.yaml:61:15: the validator 'acme' is not installed here" in text) == (2, True), (
        text
    )
    offer_validator(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    code, text = run_compile(capsys)
    assert code == 1, text
    assert "✗ FLOE-E514: sales-customer-360-customers is not of the boss" in text
    edit(platform / PRODUCT, "owner: sales-analytics@acme.com", "owner: boss@acme.com")
    assert run_compile(capsys)[0] == 0


SILENT = [
    pytest.param("", {"freshness": "12h", "availability": "99.5%", "quality": "90%"}, id="the stricter tier's"),
    pytest.param("  quality: 95%\n", {"freshness": "12h", "availability": "99.5%", "quality": "95%"}, id="of two"),
    pytest.param(
        "  quality: 85%\n  latency: PT5S\n",
        {"freshness": "12h", "availability": "99.5%", "quality": "90%", "latency": "PT5S"},
        id="all kinds",
    ),
]


@pytest.mark.parametrize(("more", "expected"), SILENT)
def test_a_silent_contract_inherits_the_least_service_levels(
    more: str, expected: dict[str, str], platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (platform / PRODUCT).read_text()
    start, end = text.index("    sla:\n"), text.index("transforms:")
    (platform / PRODUCT).write_text(text[:start] + "\n" + text[end:])
    edit(platform / DOMAIN, "sla_minimums:\n", f"sla_minimums:\n{more}")
    code, printed = run_compile(capsys)
    assert code == 0, printed
    (entry,) = json.loads(TARGET.read_text())["data_contracts"]
    assert {level["property"]: level["value"] for level in entry["contract"]["slaProperties"]} == expected
    assert {entry["provenance"][f"slaProperties.{name}.value"] for name in expected} == {"parent"}
