"""`floe compile` on the three-tier example: it compiles, and what cannot be read or written is said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema_rs
import pytest
from support.builds import ROOT
from support.git_sandbox import Sandbox
from support.platform_example import DOMAIN, FOLDER, PRODUCT, TARGET, edit, run_compile
from support.snapshots import assert_matches

from floe_contracts.cli.main import main
from floe_contracts.compiler.artifacts import ARTIFACT_SCHEMA, CompiledArtifacts
from floe_contracts.contract.load import load


def test_the_example_compiles(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run_compile(capsys)
    assert code == 0
    assert_matches("compile-example.txt", text)
    artifacts = json.loads(TARGET.read_text("utf-8"))
    jsonschema_rs.validator_for(ARTIFACT_SCHEMA.read()).validate(artifacts)
    assert CompiledArtifacts.model_validate(artifacts).text() == TARGET.read_text("utf-8")
    assert artifacts["mode"] == "mesh"
    assert artifacts["observability"]["namespace"] == "sales.customer-360"
    assert [tier["name"] for tier in artifacts["platform"]] == ["acme-data-platform", "sales"]
    assert artifacts["data_contracts"][0]["id"] == "sales.customer_360/customers:1.0.0"
    assert artifacts["policy"]["governance.quality_gates.threshold"] == {
        "value": 90,
        "tier": "domain sales v2.0.0",
        "source": "../../domains/sales/manifest.yaml:29:16",
    }
    assert str(platform) not in TARGET.read_text("utf-8")


def test_the_same_input_gives_the_same_bytes_from_anywhere(
    platform: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_compile(capsys)[0] == 0
    first = TARGET.read_bytes()
    monkeypatch.chdir(platform / FOLDER)
    assert run_compile(capsys, ".")[0] == 0
    assert (platform / TARGET).read_bytes() == first
    assert run_compile(capsys, "--output", "elsewhere.json")[0] == 0
    assert Path("elsewhere.json").read_bytes() == first


UNREADABLE = [
    pytest.param(DOMAIN, "scope: domain", "scope: team", 1, id="a tier with a mistake"),
    pytest.param(PRODUCT, "kind: DataProduct", "kind: DataProduct\nkinds: x", 1, id="a product with a mistake"),
    pytest.param(DOMAIN, "../../enterprise/manifest.yaml", "../../nowhere.yaml", 2, id="a parent that is not there"),
    pytest.param(DOMAIN, "../../enterprise/manifest.yaml", "manifest.yaml", 1, id="a cycle"),
    pytest.param(DOMAIN, "../../enterprise/manifest.yaml", "/srv/manifest.yaml", 1, id="a place of one machine"),
    pytest.param(DOMAIN, "\nscope: domain", f"\n# {'x' * 2_000_000}\nscope: domain", 1, id="a tier of 2 MB"),
    pytest.param(PRODUCT, "\nmetadata:", f"\n# {'x' * 2_000_000}\nmetadata:", 1, id="a product of 2 MB"),
]


@pytest.mark.parametrize(("file", "old", "new", "expected"), UNREADABLE)
def test_what_cannot_be_read_stops_at_once(
    file: str, old: str, new: str, expected: int, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(platform / file, old, new)
    code, text = run_compile(capsys)
    assert code == expected
    assert text.startswith("[1/6] Loading platform artifacts\n      ✗ FLOE-E5")
    assert f"        at {file}" in text
    assert text.endswith("[2/6] Compilation FAILED\n")
    assert not TARGET.exists()


def test_machines_are_told_of_a_tier_that_is_not_there(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / DOMAIN, "../../enterprise/manifest.yaml", "../../nowhere.yaml")
    for command in (("compile", FOLDER), ("policy", "check", PRODUCT)):
        assert main([*command, "--format", "json"]) == 2
        results = json.loads(capsys.readouterr().out)["results"]
        (finding,) = (finding for result in results for finding in result["findings"])
        assert finding["location"] == {"path": DOMAIN, "line": 9, "column": 9}
        assert "there is no such file" in finding["message"]


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_machines_get_the_same_findings(form: str, platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / DOMAIN, "threshold: 90", "threshold: 70")
    code, text = run_compile(capsys, FOLDER, "--format", form)
    assert code == 1
    assert "FLOE-E513" in text
    if form != "github":
        json.loads(text)


def test_machines_are_told_what_could_not_be_read(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["compile", FOLDER, "--dbt-manifest", "nowhere.json", "--format", "json"])
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (code, result["outcome"]) == (2, "errored")
    assert result["findings"][0]["message"].startswith("nowhere.json cannot be read")


def test_an_explicit_contract_wins_over_its_port(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (platform / FOLDER / "datacontract.yaml").write_text(
        "apiVersion: v3.0.2\nkind: DataContract\nname: sales-customer-360-customers\nversion: 1.1.0\n"
        "owner: x@acme.com\nmodels:\n  customers:\n    elements:\n      customer_id: {type: string, required: true}\n"
    )
    code, text = run_compile(capsys)
    assert code == 0, text
    compiled = json.loads(TARGET.read_text())["data_contracts"]
    assert [(item["origin"], item["version"]) for item in compiled] == [("merged", "1.1.0")]


def test_a_product_without_any_contract_is_told_both_places(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (platform / PRODUCT).read_text()
    start, end = text.index("output_ports:"), text.index("transforms:")
    (platform / PRODUCT).write_text(text[:start] + text[end:])
    code, printed = run_compile(capsys)
    assert code == 1
    assert "FLOE-E500" in printed
    assert "output_ports" in printed
    assert "datacontract.yaml" in printed


def test_a_product_on_its_own_compiles(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "floe.yaml").write_text(
        "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: shop, version: '1'}\n"
        "output_ports: [{name: orders, schema: [{name: id, type: string}]}]\n"
    )
    code, text = run_compile(capsys, ".")
    assert code == 0, text
    assert json.loads(Path("target/floe/compiled.json").read_text())["mode"] == "simple"


def test_references_by_name_are_locked(
    platform: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    refs = platform / "refs/sales/v2.0.0"
    refs.mkdir(parents=True)
    shutil.copy(platform / DOMAIN, refs / "manifest.yaml")
    edit(refs / "manifest.yaml", "../../enterprise/manifest.yaml", "../../../enterprise/manifest.yaml")
    edit(platform / PRODUCT, "domain: ../../domains/sales/manifest.yaml", "domain: ref/sales/v2.0.0")
    assert run_compile(capsys, FOLDER, "--refs", "refs")[0] == 0
    lock = (platform / FOLDER / "floe.lock").read_text()
    assert "ref/sales/v2.0.0" in lock
    monkeypatch.setenv("CI", "true")
    assert run_compile(capsys, FOLDER, "--refs", "refs")[0] == 0
    edit(refs / "manifest.yaml", "threshold: 90", "threshold: 91")
    assert run_compile(capsys, FOLDER, "--refs", "refs")[0] == 2
    assert (platform / FOLDER / "floe.lock").read_text() == lock


def test_a_folder_without_a_product(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run_compile(capsys, str(tmp_path))
    assert (code, "there is no" in text) == (2, True)


def test_versions_of_explicit_contracts_are_judged_as_by_the_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    product = "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: shop, version: 1.0.0}\n"
    contract = "schema: orders\nversion: 1.0.0\nowner: a\nfields:\n  - {name: id, type: STRING}\n"
    column = "  - {name: total, type: STRING}\n"
    shop = Sandbox(tmp_path).init("shop")
    shop.commit({"shop/floe.yaml": product, "shop/datacontract.yaml": contract + column})
    shop.switch("rework", "main")
    shop.write({"shop/datacontract.yaml": contract, "shop/contracts/b.yaml": contract.replace("orders", "b")})
    shop.git("add", "--all")
    monkeypatch.chdir(shop.path)
    code, text = run_compile(capsys, "shop")
    assert code == 1, text
    assert "✗ FLOE-E520" in text
    assert "at shop/datacontract.yaml:" in text
    assert "outside the globs" not in text


def test_outside_git_that_is_said(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (platform / FOLDER / "contracts").mkdir()
    shutil.copy(ROOT / "examples/contracts/orders.yaml", platform / FOLDER / "contracts/orders.yaml")
    _, text = run_compile(capsys)
    assert "Versions: not compared, there is no git repository" in text


def test_contracts_of_ports_are_printed_or_written(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contract", "generate", FOLDER]) == 0
    printed = capsys.readouterr().out
    assert main(["contract", "generate", FOLDER, "--output", "made"]) == 0
    written = (platform / "made/sales-customer-360-customers.yaml").read_text()
    assert written == printed
    assert load(written.encode(), "x.yaml").contract is not None


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        pytest.param("output_ports: []\n", 2, "no output ports", id="no ports"),
        pytest.param("outputs: []\n", 2, "floe.yaml:4:1", id="a mistake"),
    ],
)
def test_ports_that_are_not_there_cannot_be_printed(
    text: str,
    code: int,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    head = "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: shop, version: 1.0.0}\n"
    (tmp_path / "floe.yaml").write_text(head + text)
    assert main(["contract", "generate"]) == code
    assert words in capsys.readouterr().err


HEAD = "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: shop, version: 1.0.0}\n"
ALONE = "apiVersion: floe.dev/v1\nkind: Manifest\nmetadata: {name: acme, version: 1.0.0}\n"
MISTAKES = [
    pytest.param("output_ports:\n  - {name: a}\n  - {name: a}\n", "", "floe.yaml:6:12", "is there twice", id="ports"),
    pytest.param(
        "output_ports:\n  - {name: a-b}\n  - {name: a_b}\n", "", "floe.yaml:6:12", "the same id a_b", id="ids of ports"
    ),
    pytest.param(
        "output_ports:\n  - {name: a, schema: [{name: id, typ: x}]}\n", "", "floe.yaml:5:35", "'type'", id="a column"
    ),
    pytest.param(
        "output_ports:\n  - {name: a, version: '1.0'}\n",
        "",
        "floe.yaml:5:24",
        "MAJOR.MINOR.PATCH",
        id="a port's version",
    ),
    pytest.param("domain: m.yaml\nplatform: m.yaml\n", "scope: enterprise\n", "floe.yaml:5:11", "not both", id="both"),
    pytest.param("platform: m.yaml\n", "scope: domain\n", "m.yaml:4:8", "needs a parent", id="no parent"),
    pytest.param("platform: m.yaml\n", "scope: enterprise\nparent: x\n", "m.yaml:5:9", "has no parent", id="a parent"),
    pytest.param("platform: m.yaml\n", "scope: enterprise\nplugin: x\n", "m.yaml:5:1", "'plugins'", id="a key"),
    pytest.param("platform: m.yaml\n", "scope: &a enterprise\nx: [*a, *a]\n", "m.yaml:5:1", "no key 'x'", id="aliases"),
    pytest.param("platform: m.yaml\n", "scope: !!python/name:os x\n", "m.yaml:4:8", "not allowed", id="a tag"),
    pytest.param("platform: m.yaml\n", "# " + "x" * 10_000_000 + "\n", "m.yaml", "1,048,576", id="ten megabytes"),
    pytest.param("transforms: []\n", "", "floe.yaml:", "output_ports", id="no contract at all"),
]


@pytest.mark.parametrize(("product", "manifest", "place", "words"), MISTAKES)
def test_a_mistake_is_told_at_its_line_and_nothing_is_written(
    product: str,
    manifest: str,
    place: str,
    words: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "floe.yaml").write_text(HEAD + product)
    (tmp_path / "m.yaml").write_text(ALONE + manifest)
    code, text = run_compile(capsys, ".")
    assert code == 1, text
    assert f"at {place}" in text, text
    assert words in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["floe.yaml", "m.yaml"]


@pytest.mark.parametrize("flag", ["enabled", "from_ports"])
def test_ports_that_make_no_contracts_are_said(flag: str, platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / "enterprise/manifest.yaml", f"{flag}: true\n    ", f"{flag}: false\n    ")
    code, text = run_compile(capsys)
    assert (code, f"data_contracts.auto_generation.{flag} is false" in text) == (1, True), text
    assert f"at {PRODUCT}:17:1" in text or f"at {PRODUCT}:" in text


def test_a_folder_that_cannot_be_made_is_said(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (platform / "file").write_text("")
    code, text = run_compile(capsys, FOLDER, "--output", "file/below/compiled.json")
    assert (code, "the folder file/below cannot be made" in text) == (2, True), text
