"""`floe compile` on the three-tier example: it compiles, and every weakening fails at its line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from support.builds import ROOT
from support.git_sandbox import Sandbox
from support.snapshots import assert_matches

from floe_contracts.cli.main import main
from floe_contracts.compiler.artifacts import ARTIFACT_SCHEMA, CompiledArtifacts
from floe_contracts.contract.load import load

TOP, DOMAIN, PRODUCT = "enterprise/manifest.yaml", "domains/sales/manifest.yaml", "products/customer-360/floe.yaml"
FOLDER = "products/customer-360"
TARGET = Path(FOLDER, "target/floe/compiled.json")


@pytest.fixture
def platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples/platform", tmp_path / "p")
    monkeypatch.chdir(tmp_path / "p")
    monkeypatch.delenv("CI", raising=False)
    return tmp_path / "p"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) >= 1, old
    path.write_text(text.replace(old, new, 1), "utf-8")


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    code = main(["compile", *(argv or (FOLDER,))])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def test_the_example_compiles(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys)
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
    assert run(capsys)[0] == 0
    first = TARGET.read_bytes()
    monkeypatch.chdir(platform / FOLDER)
    assert run(capsys, ".")[0] == 0
    assert (platform / TARGET).read_bytes() == first
    assert run(capsys, "--output", "elsewhere.json")[0] == 0
    assert Path("elsewhere.json").read_bytes() == first


# A single weakening each: file, old text, new text, code, place, a piece of the advice.
WEAKENINGS = [
    (DOMAIN, "threshold: 90", "threshold: 70", "E513", f"{DOMAIN}:29:16", "at least 80"),
    (DOMAIN, "minimum_test_coverage: 80", "minimum_test_coverage: 60", "E513", f"{DOMAIN}:30:28", "at least 70"),
    (DOMAIN, "[not_null_pk, unique_pk, documentation]", "[documentation]", "E513", f"{DOMAIN}:32:13", "not_null_pk"),
    (DOMAIN, "[not_null_pk, unique_pk, documentation]", "[]", "E513", f"{DOMAIN}:32:13", "not_null_pk"),
    (DOMAIN, "sql_linting: ERROR", "sql_linting: DISABLED", "E513", f"{DOMAIN}:33:16", "at least WARN"),
    (DOMAIN, "allowed_hours: 04:00-22:00", "minimum_interval: 5m", "E513", f"{DOMAIN}:35:23", "PT1H"),
    (DOMAIN, "freshness: 12h", "freshness: 2d", "E513", f"{DOMAIN}:38:14", "24h"),
    (DOMAIN, "freshness: 12h", "freshness: P1W", "E513", f"{DOMAIN}:38:14", "24h"),
    (DOMAIN, "freshness: 12h", "freshness: {value: 2, unit: d}", "E513", f"{DOMAIN}:38:14", "24h"),
    (DOMAIN, "availability: 99.5%", "availability: 98%", "E513", f"{DOMAIN}:39:17", "99%"),
    (DOMAIN, "enforcement: alert_only", "enforcement: off", "E513", f"{DOMAIN}:42:16", "warn"),
    (DOMAIN, "check_interval: 15m", "check_interval: 2h", "E513", f"{DOMAIN}:47:23", "PT1H"),
    (DOMAIN, "  monitoring:\n", "  monitoring:\n    enabled: false\n", "E513", f"{DOMAIN}:46:14", "true"),
    (DOMAIN, "required_fields: [updated_at]", "owner: false", "E513", f"{DOMAIN}:44:12", "true"),
    (DOMAIN, "required_fields: [updated_at]", "pii_classified: false", "E513", f"{DOMAIN}:44:21", "true"),
    (DOMAIN, "enforcement: strict", "enforcement: off", "E513", f"{DOMAIN}:19:18", "warn"),
    (DOMAIN, "pii: RESTRICTED", "pii: PUBLIC", "E513", f"{DOMAIN}:24:8", "CONFIDENTIAL"),
    (DOMAIN, "pii: RESTRICTED", "pii: UNHEARD", "E513", f"{DOMAIN}:24:8", "classification_categories.pii"),
    (DOMAIN, "compute: [duckdb, snowflake]", "compute: [duckdb, redshift]", "E513", f"{DOMAIN}:14:12", "duckdb"),
    (DOMAIN, "compute: [duckdb, snowflake]", "compute: [snowflake]", "E519", f"{DOMAIN}:14:12", "snowflake"),
    (DOMAIN, "compute: [duckdb, snowflake]", "compute: []", "E513", f"{DOMAIN}:14:12", "duckdb"),
    (
        DOMAIN,
        "approved_sources: [stripe, shop]",
        "approved_sources: [stripe, ebay]",
        "E513",
        f"{DOMAIN}:15:19",
        "stripe",
    ),
    (DOMAIN, "secrets_backend: infisical", "secrets_backend: plain", "E519", f"{DOMAIN}:11:18", "infisical"),
    (DOMAIN, "threshold: 90", "block_on_failure: false", "E513", f"{DOMAIN}:29:23", "true"),
    (
        PRODUCT,
        "freshness:\n        value: PT6H",
        "freshness:\n        value: PT13H",
        "E510",
        f"{PRODUCT}:39:16",
        "PT12H",
    ),
    (PRODUCT, "availability: 99.9%", "availability: 99%", "E510", f"{PRODUCT}:41:21", "99.5%"),
    (PRODUCT, "quality: 95%", "quality: 85%", "E510", f"{PRODUCT}:42:16", "90%"),
    (PRODUCT, "classification: pii\n", "unique: true\n", "E514", f"{PRODUCT}:28:9", "classification: pii"),
    (
        PRODUCT,
        "classification: pii\n",
        "classification: restrcted\n",
        "E514",
        f"{PRODUCT}:31:25",
        "Did you mean 'RESTRICTED'?",
    ),
    (PRODUCT, "  owner: sales-analytics@acme.com\n", "", "E514", f"{PRODUCT}:17:5", "owner"),
    (PRODUCT, "source: stripe", "source: crm", "E519", f"{PRODUCT}:47:13", "Approved are stripe, shop"),
    (PRODUCT, "access: [analyst, marketing]", "access: [analyst, boss]", "E519", f"{PRODUCT}:21:23", "analyst"),
    (PRODUCT, "cron: 0 6 * * *", "cron: '*/10 6 * * *'", "E518", f"{PRODUCT}:53:9", "PT1H"),
    (PRODUCT, "cron: 0 6 * * *", "cron: 0 1 * * *", "E518", f"{PRODUCT}:53:9", "04:00-22:00"),
    (PRODUCT, "schedule:", "compute: spark\nschedule:", "E517", f"{PRODUCT}:52:1", "Remove compute"),
    (PRODUCT, "  domain: sales\n", "  domain: finance\n", "E501", f"{PRODUCT}:8:11", "Write sales"),
]


@pytest.mark.parametrize(("file", "old", "new", "code", "place", "advice"), WEAKENINGS)
def test_a_single_weakening_fails_at_its_line(
    file: str,
    old: str,
    new: str,
    code: str,
    place: str,
    advice: str,
    platform: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    edit(platform / file, old, new)
    exit_code, text = run(capsys)
    assert exit_code == 1, text
    assert "[5/6] Compilation FAILED" in text
    errors = [line for line in text.splitlines() if "✗" in line]
    assert [line.split()[1] for line in errors] == [f"FLOE-{code}:"], text
    assert f"at {place}" in text
    assert advice in text
    assert not TARGET.exists()


def test_a_required_field_that_is_gone(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / PRODUCT, "      - name: updated_at", "      - name: changed_at")
    edit(platform / PRODUCT, "        element: updated_at\n", "")
    code, text = run(capsys)
    assert code == 1
    assert "✗ FLOE-E514: table 'customers' has no field 'updated_at', which the platform requires" in text
    assert "Add the column updated_at" in text


def test_every_error_is_listed_at_once(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / DOMAIN, "threshold: 90", "threshold: 70")
    edit(platform / PRODUCT, "availability: 99.9%", "availability: 99%")
    edit(platform / PRODUCT, "schedule:", "compute: spark\nschedule:")
    code, text = run(capsys)
    assert code == 1
    assert_matches("compile-three-errors.txt", text)


UNREADABLE = [
    pytest.param(DOMAIN, "scope: domain", "scope: team", 1, id="a tier with a mistake"),
    pytest.param(PRODUCT, "kind: DataProduct", "kind: DataProduct\nkinds: x", 1, id="a product with a mistake"),
    pytest.param(DOMAIN, "../../enterprise/manifest.yaml", "../../nowhere.yaml", 2, id="a parent that is not there"),
    pytest.param(DOMAIN, "../../enterprise/manifest.yaml", "manifest.yaml", 1, id="a cycle"),
]


@pytest.mark.parametrize(("file", "old", "new", "expected"), UNREADABLE)
def test_what_cannot_be_read_stops_at_once(
    file: str, old: str, new: str, expected: int, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(platform / file, old, new)
    code, text = run(capsys)
    assert code == expected
    assert ("[2/6] Compilation FAILED" in text) is (expected == 1)
    assert "[3/6]" not in text
    assert not TARGET.exists()


@pytest.mark.parametrize("form", ["json", "sarif", "github"])
def test_machines_get_the_same_findings(form: str, platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / DOMAIN, "threshold: 90", "threshold: 70")
    code, text = run(capsys, FOLDER, "--format", form)
    assert code == 1
    assert "FLOE-E513" in text
    if form != "github":
        json.loads(text)


def manifest_json(models: dict[str, dict[str, Any]]) -> str:
    """A manifest of dbt with these models; `tests` are names of generic tests by column."""
    nodes: dict[str, Any] = {}
    for name, model in models.items():
        unique = f"model.shop.{name}"
        nodes[unique] = {
            "unique_id": unique, "name": name, "resource_type": "model", "package_name": "shop", "alias": name,
            "original_file_path": f"models/{name}.sql", "config": {"materialized": "table", "enabled": True},
            "description": model.get("description", ""), "columns": model.get("columns", {}),
            "compiled_path": f"target/compiled/{name}.sql", "meta": model.get("meta", {}),
            "depends_on": {"nodes": model.get("reads", [])},
        }  # fmt: skip
        for column, test in model.get("tests", []):
            key = f"test.shop.{test}_{name}_{column}"
            nodes[key] = {
                "unique_id": key, "name": key, "resource_type": "test", "package_name": "shop", "config": {},
                "attached_node": unique, "column_name": column, "test_metadata": {"name": test, "kwargs": {}},
                "depends_on": {"nodes": [unique]},
            }  # fmt: skip
    sources = {"source.shop.crm.people": {"source_name": "crm", "name": "people"}}
    version = "https://schemas.getdbt.com/dbt/manifest/v12.json"
    metadata = {
        "dbt_schema_version": version,
        "dbt_version": "1.10.0",
        "project_name": "shop",
        "adapter_type": "duckdb",
    }
    return json.dumps({"metadata": metadata, "nodes": nodes, "sources": sources})


GOOD: dict[str, Any] = {
    "description": "Customers",
    "columns": {"customer_id": {"name": "customer_id", "description": "Number"}},
    "tests": [("customer_id", "unique"), ("customer_id", "not_null")],
}
BRONZE: dict[str, Any] = {"tests": [("id", "not_null")]}


def write_dbt(platform: Path, models: dict[str, dict[str, Any]] | None, *, linted: bool = False) -> None:
    folder = platform / FOLDER
    if not linted:  # sqlfluff takes a second
        edit(platform / TOP, "  sql_linting: WARN\n", "")
        edit(platform / DOMAIN, "  sql_linting: ERROR\n", "")
    (folder / "models").mkdir()
    (folder / "dbt_project.yml").write_text("name: shop\n")
    for name in models or {"gold_customers": {}}:
        (folder / f"models/{name}.sql").write_text("select 1\n")
    if models is not None:
        (folder / "target").mkdir()
        (folder / "target/manifest.json").write_text(manifest_json(models))


def test_models_of_a_good_project_compile(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dbt(platform, {"gold_customers": GOOD, "bronze_customers": BRONZE})
    code, text = run(capsys)
    assert code == 0, text
    assert "      bronze_customers: valid (bronze layer)\n" in text
    assert "      gold_customers: valid (gold layer)\n" in text
    assert "Test coverage: 2 of 2 models, 100.0%" in text
    provenance = json.loads(TARGET.read_text())["data_contracts"][0]["provenance"]
    assert "dbt" in provenance.values()


def test_names_and_gates_fail_with_their_blocks(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = {
        "bronze_customers": BRONZE,
        "stg_payments": BRONZE,
        "gold_customers": {**GOOD, "columns": {"customer_id": {"name": "customer_id"}}},
    }
    write_dbt(platform, models)
    code, text = run(capsys)
    assert code == 1
    assert_matches("compile-names-and-gates.txt", text)


SECRET = {"name": "email", "description": "Address", "meta": {"classification": "top_secret"}}
MODELS = [
    pytest.param(
        {"gold_customers": GOOD, "bronze_a": {}, "bronze_b": {}}, "E516", "Test coverage is 33.3%", id="coverage"
    ),
    pytest.param(
        {"gold_customers": GOOD, "bronze_a": {**BRONZE, "reads": ["source.shop.crm.people"]}},
        "E519",
        "reads the source crm",
        id="a source",
    ),
    pytest.param(
        {"gold_customers": GOOD, "bronze_a": {**BRONZE, "columns": {"email": {"name": "email"}}}},
        "E514",
        "holds personal data",
        id="personal data",
    ),
    pytest.param(
        {"gold_customers": {**GOOD, "columns": {**GOOD["columns"], "email": SECRET}}},
        "E511",
        "Classification weakening for field 'customers.email'",
        id="dbt above the contract",
    ),
]


@pytest.mark.parametrize(("models", "code", "words"), MODELS)
def test_models_are_held_to_the_platform(
    models: dict[str, Any], code: str, words: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dbt(platform, models)
    exit_code, text = run(capsys)
    assert exit_code == 1, text
    assert f"FLOE-{code}" in text
    assert words in text


def test_a_gate_that_only_warns(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / TOP, "block_on_failure: true", "block_on_failure: false")
    write_dbt(platform, {"gold_customers": {**GOOD, "tests": []}})
    code, text = run(capsys)
    assert code == 0, text
    assert "WARNING: gold_customers missing required tests" in text


def test_a_fresh_clone_cannot_tell(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dbt(platform, None)
    code, text = run(capsys)
    assert code == 2
    assert "gold_customers: valid (gold layer)" in text
    assert "cannot tell: run dbt parse" in text
    assert not TARGET.exists()


def test_a_default_that_cannot_be_told_is_a_warning(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in (TOP, DOMAIN):
        text = (platform / file).read_text()
        start, end = text.index("  quality_gates:"), text.index("  sql_linting:")
        (platform / file).write_text(text[:start] + text[end:])
    write_dbt(platform, None)
    code, text = run(capsys)
    assert code == 0, text
    assert "! FLOE-E516: test coverage cannot tell: run dbt parse" in text


def test_an_explicit_contract_wins_over_its_port(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (platform / FOLDER / "datacontract.yaml").write_text(
        "apiVersion: v3.0.2\nkind: DataContract\nname: sales-customer-360-customers\nversion: 1.1.0\n"
        "owner: x@acme.com\nmodels:\n  customers:\n    elements:\n      customer_id: {type: string, required: true}\n"
    )
    code, text = run(capsys)
    assert code == 0, text
    compiled = json.loads(TARGET.read_text())["data_contracts"]
    assert [(item["origin"], item["version"]) for item in compiled] == [("merged", "1.1.0")]


def test_a_product_without_any_contract_is_told_both_places(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (platform / PRODUCT).read_text()
    start, end = text.index("output_ports:"), text.index("transforms:")
    (platform / PRODUCT).write_text(text[:start] + text[end:])
    code, printed = run(capsys)
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
    code, text = run(capsys, ".")
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
    assert run(capsys, FOLDER, "--refs", "refs")[0] == 0
    lock = (platform / FOLDER / "floe.lock").read_text()
    assert "ref/sales/v2.0.0" in lock
    monkeypatch.setenv("CI", "true")
    assert run(capsys, FOLDER, "--refs", "refs")[0] == 0
    edit(refs / "manifest.yaml", "threshold: 90", "threshold: 91")
    assert run(capsys, FOLDER, "--refs", "refs")[0] == 2
    assert (platform / FOLDER / "floe.lock").read_text() == lock


def test_a_folder_without_a_product(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, str(tmp_path))
    assert (code, "there is no" in text) == (2, True)


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
    exit_code, printed = run(capsys)
    assert exit_code == 1, printed
    assert f"FLOE-{code}" in printed
    assert f"at {place}" in printed
    assert advice in printed


def test_what_a_contract_does_not_say_it_inherits(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / TOP, "data_contracts:\n", "data_contracts:\n  base: [base.yaml]\n")
    (platform / "enterprise/base.yaml").write_text(BASE + "slaProperties:\n  retention: {value: P1Y}\n")
    code, text = run(capsys)
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
    code, text = run(capsys)
    assert code == 1
    assert "at domains/sales/base.yaml:7:" in text
    assert text.count("✗") == 1, text


def test_a_base_that_is_not_there_could_not_be_checked(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(platform / TOP, "data_contracts:\n", "data_contracts:\n  base: [base.yaml]\n")
    code, text = run(capsys)
    assert (code, "enterprise/manifest.yaml:61:9" in text) == (2, True), text


LINTED = [
    pytest.param("ERROR", "SELECT a FROM b\n", 0, "Test coverage: 1 of 1", id="clean"),
    pytest.param("ERROR", "select a, from b where\n", 1, "gold_customers.sql", id="an error"),
    pytest.param("ERROR", None, 2, "SQL lint cannot tell: run dbt compile", id="no compiled SQL"),
]


@pytest.mark.parametrize(("level", "sql", "expected", "words"), LINTED)
def test_sql_is_linted_where_a_tier_asks_for_it(
    level: str, sql: str | None, expected: int, words: str, platform: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dbt(platform, {"gold_customers": GOOD}, linted=True)
    if sql is not None:
        compiled = platform / FOLDER / "target/compiled/gold_customers.sql"
        compiled.parent.mkdir()
        compiled.write_text(sql)
    code, text = run(capsys)
    assert code == expected, text
    assert words in text


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
    code, text = run(capsys, "shop")
    assert code == 1, text
    assert "✗ FLOE-E520" in text
    assert "at shop/datacontract.yaml:" in text
    assert "outside the globs" not in text


def test_outside_git_that_is_said(platform: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (platform / FOLDER / "contracts").mkdir()
    shutil.copy(ROOT / "examples/contracts/orders.yaml", platform / FOLDER / "contracts/orders.yaml")
    _, text = run(capsys)
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
    code, text = run(capsys)
    assert (code, "enterprise/manifest.yaml:61:15: the validator 'acme' is not installed here" in text) == (2, True), (
        text
    )
    offer_validator(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    code, text = run(capsys)
    assert code == 1, text
    assert "✗ FLOE-E514: sales-customer-360-customers is not of the boss" in text
    edit(platform / PRODUCT, "owner: sales-analytics@acme.com", "owner: boss@acme.com")
    assert run(capsys)[0] == 0
