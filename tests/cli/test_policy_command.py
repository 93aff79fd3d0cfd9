"""`floe policy` and `floe platform compile`: references, tiers, bad input, and the places that explain names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.builds import ROOT

from floe_contracts.cli.main import main
from floe_contracts.contract.source import read_document
from floe_contracts.policy.keys import keys_of
from floe_contracts.policy.row import show_key
from floe_contracts.product.reading import read_manifest

EXAMPLE = ROOT / "examples/platform"
TOP = "apiVersion: floe.dev/v1\nkind: Manifest\nmetadata: {name: acme, version: 1.0.0}\nscope: enterprise\n"
DOMAIN = TOP.replace("acme", "sales").replace("enterprise", "domain")
PRODUCT = "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: shop, version: 1.0.0}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    code = main(list(argv))
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def test_the_example_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(EXAMPLE, folder / "p")
    code, text = run(capsys, "policy", "check", "p/products/customer-360/floe.yaml")
    assert (code, text.splitlines()[0]) == (0, "PASS: 3 files checked, no errors.")


WRITTEN = [
    (path, show_key(pointer))
    for path in ("enterprise/manifest.yaml", "domains/sales/manifest.yaml")
    for pointer in keys_of(read_manifest((EXAMPLE / path).read_bytes(), path).manifest)  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("path", "key"), WRITTEN, ids=str)
def test_explain_names_a_line_that_holds_the_value(
    path: str, key: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLE)
    code, text = run(capsys, "policy", "explain", key, "--manifest", "products/customer-360/floe.yaml")
    assert code == 0
    assert "effective" in text.splitlines()[-1]
    line = next(line for line in text.splitlines() if path in line)
    place = next(word for word in line.split("  ") if path in word)
    file, number, column = place.rsplit(":", 2)
    rest = Path(file).read_text("utf-8").splitlines()[int(number) - 1][int(column) - 1 :]
    value = line.partition(": ")[2].partition("  ")[0]
    first = next(
        word
        for word in value.replace("{", " ")
        .replace("[", " ")
        .replace("]", " ")
        .replace(",", " ")
        .replace("}", " ")
        .split()
        if not word.endswith(":")
    )
    written = {"PT1H": "1h", "PT15M": "15m"}.get(first, first)
    assert written in rest


UNKNOWN_KEYS = [
    ("governance.quality_gates.treshold", "governance.quality_gates.threshold"),
    ("threshold", "governance.quality_gates.threshold"),
    ("pluggins", "plugins"),
    ("plugins.computer", "plugins"),
]


@pytest.mark.parametrize(("key", "meant"), UNKNOWN_KEYS)
def test_an_unknown_key_asks_what_was_meant(
    key: str, meant: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, {"manifest.yaml": TOP})
    code, text = run(capsys, "policy", "explain", key)
    assert code == 2
    assert f"Did you mean '{meant}'?" in text


PARTS = [("plugins.compute.type", 0), ("shared_services.mail.host", 0), ("plugins.compute.typ", 2)]


@pytest.mark.parametrize(("key", "expected"), PARTS)
def test_a_part_of_a_value_is_explained_by_the_whole(
    key: str, expected: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, {"manifest.yaml": TOP + "plugins: {compute: {type: x}}\nshared_services: {mail: {host: x}}\n"})
    code, text = run(capsys, "policy", "explain", key)
    assert (code, text.count("effective")) == (expected, 0 if expected else 1), text


def test_a_coverage_by_layer_has_no_default_beside_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {"manifest.yaml": TOP + "quality_gates: {minimum_test_coverage: {gold: 90}}\n"})
    code, text = run(capsys, "policy", "explain", "test_coverage")
    assert (code, len(text.splitlines())) == (0, 1), text
    assert text.startswith("governance.quality_gates.minimum_test_coverage.gold: 90  ")


def test_explain_shows_defaults_aliases_and_blocks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {"manifest.yaml": TOP + "quality_gates: {threshold: 80}\nsla_minimums: {dataFreshness: 1h}\n"})
    assert run(capsys, "policy", "explain", "test_coverage") == (
        0,
        "governance.quality_gates.minimum_test_coverage: 80  default, no tier sets it  effective\n",
    )
    assert run(capsys, "policy", "explain", "quality_gates.threshold") == (
        0,
        "governance.quality_gates.threshold: 80  enterprise acme v1.0.0  manifest.yaml:5:28  effective\n",
    )
    assert "manifest.yaml:6:" in run(capsys, "policy", "explain", "sla_minimums.freshness")[1]
    assert run(capsys, "policy", "explain", "registration")[1].count("effective") == 4
    assert run(capsys, "policy", "explain", "pii_names") == (0, "pii_names: nothing  no tier sets it  effective\n")


THREE = {
    "acme/manifest.yaml": TOP + "quality_gates: {threshold: 80}\n",
    "sales/manifest.yaml": DOMAIN + "parent: ../acme/manifest.yaml\nquality_gates: {threshold: 85}\n",
    "emea/manifest.yaml": DOMAIN.replace("sales", "emea") + "parent: ../sales/manifest.yaml\n",
    "shop/floe.yaml": PRODUCT + "domain: ../emea/manifest.yaml\n",
}


def test_sub_domains_inherit_from_all_above(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {**THREE, "emea/manifest.yaml": THREE["emea/manifest.yaml"] + "quality_gates: {threshold: 90}\n"})
    code, text = run(capsys, "policy", "explain", "quality_gates.threshold", "--manifest", "shop/floe.yaml")
    assert code == 0
    assert [line.split("  ")[0].rpartition(" ")[2] for line in text.splitlines()] == ["80", "85", "90"]


def test_a_weaker_sub_domain_is_listed_with_its_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {**THREE, "emea/manifest.yaml": THREE["emea/manifest.yaml"] + "quality_gates: {threshold: 82}\n"})
    code, text = run(capsys, "policy", "check", "shop/floe.yaml")
    assert code == 1
    assert "emea/manifest.yaml:6:28: FLOE-E513" in text
    assert "Child quality gate (82) weakens parent (85)" in text
    assert "set by domain sales v1.0.0 at sales/manifest.yaml:6:28" in text


def test_a_cycle_prints_every_file_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {**THREE, "sales/manifest.yaml": DOMAIN + "parent: ../emea/manifest.yaml\n"})
    code, text = run(capsys, "policy", "check", "shop/floe.yaml")
    assert code == 1
    assert "sales/manifest.yaml:5:9: FLOE-E512" in text
    assert "emea/manifest.yaml -> sales/manifest.yaml -> emea/manifest.yaml" in text


def test_a_manifest_that_is_its_own_parent_is_a_cycle(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {"manifest.yaml": DOMAIN + "parent: ./manifest.yaml\n"})
    code, text = run(capsys, "policy", "check")
    assert (code, "manifest.yaml -> manifest.yaml" in text) == (1, True)


UNRESOLVED = [
    pytest.param("../none/manifest.yaml", "there is no such file", id="no such path"),
    pytest.param("ref/acme/v1.0.0", "no folder was given", id="a name without a folder"),
    pytest.param("oci://127.0.0.1:1/platform:v1.0.0", "nothing listens", id="a registry that is down"),
]


@pytest.mark.parametrize(("reference", "words"), UNRESOLVED)
def test_a_reference_that_leads_nowhere_could_not_be_checked(
    reference: str, words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, {"floe.yaml": PRODUCT + f"platform: {reference}\n"})
    code, text = run(capsys, "policy", "check")
    assert code == 2
    assert "floe.yaml:4:11" in text
    assert words in text


REFS = {"refs/acme/v1.0.0/manifest.yaml": TOP, "floe.yaml": PRODUCT + "platform: ref/acme/v1.0.0\n"}


def test_a_name_is_looked_up_in_the_given_folders(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, REFS)
    assert run(capsys, "policy", "check", "--refs", "none", "--refs", "refs")[0] == 0
    write(folder, {"floe.lock": "version: 1\nrefs: [refs]\n"})
    assert run(capsys, "policy", "check")[0] == 0


def test_a_name_must_be_that_of_the_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, {**REFS, "refs/acme/v1.0.0/manifest.yaml": TOP.replace("1.0.0", "1.0.1")})
    code, text = run(capsys, "policy", "check", "--refs", "refs")
    assert code == 1
    assert "refs/acme/v1.0.0/manifest.yaml:3:33: FLOE-E501" in text


def test_another_digest_than_the_locked_one_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = f"version: 1\nrefs: [refs]\nreferences:\n  ref/acme/v1.0.0: {{digest: 'sha256:{'0' * 64}'}}\n"
    write(folder, {**REFS, "floe.lock": lock})
    code, text = run(capsys, "policy", "check")
    assert (code, "floe.lock says sha256:000" in text) == (2, True)


def test_ci_trusts_nothing_for_the_first_time(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder, REFS)
    monkeypatch.setenv("CI", "true")
    code, text = run(capsys, "policy", "check", "--refs", "refs")
    assert (code, "is not in floe.lock" in text) == (2, True)


LAUGHS = "\n".join(["a: &a0 [x]"] + [f"b{n}: &a{n + 1} [{','.join([f'*a{n}'] * 9)}]" for n in range(9)])
BAD = [
    pytest.param({"manifest.yaml": TOP + "governence: {}\n"}, 1, "manifest.yaml:5:1: FLOE-E501", id="an unknown key"),
    pytest.param(
        {"manifest.yaml": TOP + "test_coverage: {min: 70}\ngovernance: {quality_gates: {minimum_test_coverage: 80}}\n"},
        1,
        "manifest.yaml:5:22: FLOE-E501",
        id="both aliases and unequal",
    ),
    pytest.param({"manifest.yaml": DOMAIN}, 1, "manifest.yaml:4:8: FLOE-E501", id="no parent"),
    pytest.param({"manifest.yaml": DOMAIN + "parent: x.yaml\n"}, 2, "manifest.yaml:5:9", id="the parent is missing"),
    pytest.param(
        {"floe.yaml": PRODUCT + "output_ports: [{name: a}, {name: A}]\n"}, 1, "floe.yaml:4:34: FLOE-E501", id="ports"
    ),
    pytest.param({"manifest.yaml": TOP + "# " + "x" * 10_000_000}, 1, "FLOE-E509", id="10 MB"),
    pytest.param({"manifest.yaml": "a: &a [*a]\n"}, 1, "manifest.yaml:1", id="an anchor in itself"),
    pytest.param({"manifest.yaml": LAUGHS}, 1, "FLOE-E509", id="a billion laughs"),
    pytest.param({"manifest.yaml": "[" * 5_000}, 1, "FLOE-E5", id="deep"),
    pytest.param({"manifest.yaml": TOP + "---\na: 1\n"}, 1, "FLOE-E509", id="two documents"),
    pytest.param({}, 2, "neither floe.yaml nor manifest.yaml is here", id="nothing here"),
]


@pytest.mark.parametrize(("files", "expected", "words"), BAD)
@pytest.mark.parametrize("command", [["policy", "check"], ["platform", "compile"]], ids="-".join)
def test_bad_input_has_a_code_and_a_place_and_nothing_is_written(
    files: dict[str, str],
    expected: int,
    words: str,
    command: list[str],
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(folder, files)
    if command[0] == "platform":
        if "manifest.yaml" not in files:
            return
        command = [*command, "manifest.yaml"]
    code, text = run(capsys, *command)
    assert code == expected
    assert words in text
    assert not (folder / "target").exists()


def test_platform_compile_writes_the_same_bytes_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(EXAMPLE, folder / "p")
    target = folder / "p/domains/sales/target/platform"
    assert run(capsys, "platform", "compile", "p/domains/sales/manifest.yaml")[0] == 0
    files = {path.relative_to(target).as_posix(): path.read_bytes() for path in target.rglob("*.json")}
    assert sorted(files) == [
        "architecture/naming-rules.json",
        "manifest.json",
        "policies/classification.json",
        "policies/quality-gates.json",
    ]
    shutil.rmtree(target)
    assert run(capsys, "platform", "compile", "p/domains/sales/manifest.yaml")[0] == 0
    assert {path.relative_to(target).as_posix(): path.read_bytes() for path in target.rglob("*.json")} == files
    gates = json.loads(files["policies/quality-gates.json"])
    assert (gates["threshold"], gates["minimum_test_coverage"], gates["sql_linting"]) == (90, {"all": 80}, "ERROR")
    own = json.loads(files["manifest.json"])
    assert own["parent"] == "../../enterprise/manifest.yaml"
    assert read_document(files["manifest.json"]).problems == ()


def test_platform_compile_writes_nothing_when_a_tier_is_weaker(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, {"top.yaml": THREE["acme/manifest.yaml"]})
    write(folder, {"manifest.yaml": DOMAIN + "parent: top.yaml\nquality_gates: {threshold: 70}\n"})
    code, text = run(capsys, "platform", "compile")
    assert (code, "FLOE-E513" in text, (folder / "target").exists()) == (1, True, False)


SCOPES = [
    pytest.param({"m.yaml": TOP, "floe.yaml": PRODUCT + "domain: m.yaml\n"}, "Write platform: instead.", id="domain"),
    pytest.param(
        {"t.yaml": TOP, "m.yaml": DOMAIN + "parent: t.yaml\n", "floe.yaml": PRODUCT + "platform: m.yaml\n"},
        "Write domain: instead.",
        id="platform",
    ),
]


@pytest.mark.parametrize(("files", "words"), SCOPES)
def test_a_reference_must_lead_to_its_scope(
    files: dict[str, str], words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, files)
    code, text = run(capsys, "policy", "check")
    assert (code, words in text) == (1, True)


def test_a_product_that_breaks_its_platform_is_listed_with_lines(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, {"m.yaml": TOP + "plugins: {compute: {type: duckdb}}\n"})
    write(folder, {"floe.yaml": PRODUCT + "platform: m.yaml\ncompute: spark\n"})
    code, text = run(capsys, "policy", "check")
    assert code == 1
    assert "floe.yaml:5:1: FLOE-E517" in text
    assert "compute is set by the platform (duckdb) and cannot be overridden" in text
