"""manifest.yaml, floe.yaml and floe.lock: every key read, every mistake with its code and line."""

from __future__ import annotations

import jsonschema_rs
import pytest
from pydantic import ValidationError

from floe_contracts.compiler.artifacts import ARTIFACT_SCHEMA
from floe_contracts.contract.source import read_document
from floe_contracts.product import DataProduct, Manifest
from floe_contracts.product.ids import contract_id, contract_name, map_id, product_id, short_name
from floe_contracts.product.lock import lock_text
from floe_contracts.product.reading import read_lock, read_manifest, read_product
from floe_contracts.product.reference import NamedReference, OciReference, PathReference, parse_reference
from floe_contracts.product.schema import LOCK_SCHEMA, MANIFEST_SCHEMA, PRODUCT_SCHEMA, SCHEMAS, SchemaFile
from floe_contracts.results import Finding

EVERY_KEY = """\
apiVersion: floe.dev/v1
kind: Manifest
metadata: {name: acme-sales, version: 1.2.3, owner: sales@acme.com, description: Sales}
scope: domain
parent: {ref: ref/acme/v1.0.0}
plugins:
  compute: {type: duckdb, config: {threads: 4}}
  catalog: {type: polaris}
secrets_backend: infisical
shared_services: {airflow: {url: https://airflow.acme.com}}
catalog_namespace: sales
registration: {max_attempts: 5, initial_backoff: 2s, max_backoff: 20s, jitter: 0.1}
data_architecture:
  pattern: custom
  naming: {enforcement: Strict}
  layers: {raw: [raw_*], mart: [mart_*]}
governance:
  quality_gates:
    threshold: 95.5
    minimum_test_coverage: {gold: 100, all: 80%}
    block_on_failure: true
    required_tests: {gold: [unique_pk, freshness]}
  sql_linting: Error
  schedule: {minimum_interval: 1h, allowed_hours: "22:00-04:00", timezone: Europe/Berlin}
classification_levels: [internal, {name: secret, rank: 40}]
classification_categories: {pii: secret}
pii_names: ["*_email"]
naming_conventions: [raw_v2_*]
approved_plugins: [duckdb, snowflake]
approved_sources: [stripe]
access: {roles: [analyst]}
sla_minimums: {freshness: 24h, latency: {value: 4, unit: h}}
data_contracts:
  enforcement: off
  sql_trust: restricted
  requirements: {owner: true, pii_classified: true, required_fields: [id]}
  base: [base.yaml]
  validators: [acme]
  monitoring: {enabled: true, freshness: {check_interval: 15m}}
observability: {traces: false}
identity:
  enforcement: Enforce
  auto_register: false
  on_outage: fail
  ownership: attested
  oidc: {issuers: [https://token.actions.githubusercontent.com], audience: floe}
  catalog: {type: sql}
"""
PRODUCT = """\
apiVersion: floe.dev/v1
kind: DataProduct
metadata:
  name: customer-360
  version: "1.0"
  owner: sales-analytics@acme.com
  domain: sales
  repository: github.com/acme/sales-customer-360
domain: ../manifest.yaml
input_ports:
  - {name: payments, ref: finance.billing.payments, freshness_requirement: 4h}
output_ports:
  - name: customers
    version: 1.2.0
    description: One row per customer
    table: gold.customers
    schema:
      - {name: customer_id, type: string, required: true}
    sla: {freshness: PT6H}
    quality: [{metric: duplicateValues, mustBe: 0}]
    tags: [gold]
    server: {server: prod, type: local}
    access: [analyst]
transforms:
  - {type: dbt, path: models/}
  - {type: pyspark, path: jobs/score.py, master: "local[2]", options: [--verbose], reads: [a], writes: [b]}
  - {type: ingestion, plugin: dlt, source: stripe, write_disposition: merge, command: [python, load.py]}
schedule: {cron: 0 6 * * *, timezone: Europe/Berlin}
"""
HEAD = "apiVersion: floe.dev/v1\nkind: Manifest\nmetadata: {name: acme, version: 1.0.0}\nscope: enterprise\n"
PRODUCT_HEAD = "apiVersion: floe.dev/v1\nkind: DataProduct\nmetadata: {name: shop, version: 1.0.0}\n"


def messages(findings: tuple[Finding, ...]) -> list[str]:
    return [f"{item.location} {item.code.id} {item.message}" for item in findings]


def test_every_key_of_a_manifest_is_read() -> None:
    read = read_manifest(EVERY_KEY.encode(), "manifest.yaml")
    assert (messages(read.findings), read.manifest is not None) == ([], True)
    assert read.manifest
    dump = read.manifest.model_dump(mode="json")
    assert Manifest.model_validate(dump).model_dump(mode="json") == dump
    assert dump["governance"]["quality_gates"] == {
        "threshold": 95.5,
        "minimum_test_coverage": {"gold": 100, "all": 80},
        "block_on_failure": True,
        "required_tests": {"gold": ["unique_pk", "freshness"]},
    }
    assert dump["identity"]["enforcement"] == "enforce"
    assert dump["classification_levels"] == ["INTERNAL", {"name": "SECRET", "rank": 40}]


def test_every_key_of_a_product_is_read() -> None:
    read = read_product(PRODUCT.encode(), "floe.yaml")
    assert messages(read.findings) == []
    assert read.product
    assert (read.product.id, read.product.mode, read.product.metadata.version) == (
        "sales.customer_360",
        "mesh",
        "1.0.0",
    )
    dump = read.product.model_dump(mode="json", by_alias=True)
    assert DataProduct.model_validate(dump) == read.product


@pytest.mark.parametrize("schema", [pytest.param(schema, id=schema.name) for schema in (*SCHEMAS, ARTIFACT_SCHEMA)])
def test_the_published_schema_is_the_one_of_the_model(schema: SchemaFile) -> None:
    assert schema.read() == schema.generate(), "run scripts/write_schemas.py"


@pytest.mark.parametrize(
    ("text", "schema"),
    [
        pytest.param(EVERY_KEY, MANIFEST_SCHEMA, id="a manifest"),
        pytest.param(
            HEAD + "quality_gates: {threshold: 80}\ntest_coverage: {min: 70%}\n", MANIFEST_SCHEMA, id="aliases"
        ),
        pytest.param(PRODUCT, PRODUCT_SCHEMA, id="a product"),
        pytest.param("version: 1\nreferences: {}\nrefs: [../refs]\n", LOCK_SCHEMA, id="a lock"),
    ],
)
def test_an_editor_accepts_what_floe_accepts(text: str, schema: SchemaFile) -> None:
    value = read_document(text.encode()).plain()
    wrong = jsonschema_rs.validator_for(schema.read()).iter_errors(value)
    words = [
        error.message for error in wrong if "Enforce" not in error.message and "is not one of" not in error.message
    ]
    assert words == []


ALIASES = [
    pytest.param("quality_gates: {threshold: 80}\n", ("threshold", 80), id="quality_gates at the top"),
    pytest.param("test_coverage: {min: 70%}\n", ("minimum_test_coverage", 70), id="test_coverage.min"),
    pytest.param("test_coverage: {minimum_pct: 70}\n", ("minimum_test_coverage", 70), id="minimum_pct"),
    pytest.param("governance: {test_coverage: {min: 0.7}}\n", ("minimum_test_coverage", 70), id="in governance"),
    pytest.param(
        "quality_gates: {threshold: 80}\ngovernance: {quality_gates: {threshold: 80}}\n",
        ("threshold", 80),
        id="both and equal",
    ),
]


@pytest.mark.parametrize(("text", "expected"), ALIASES)
def test_an_alias_is_read_at_its_own_place(text: str, expected: tuple[str, object]) -> None:
    value = read_document((HEAD + text).encode()).plain()
    assert isinstance(value, dict)
    gates = Manifest.model_validate(value).model_dump(mode="json")["governance"]["quality_gates"]
    assert gates == {expected[0]: expected[1]}
    read = read_manifest((HEAD + text).encode(), "manifest.yaml")
    assert read.findings == ()
    assert read.source.locate(("governance", "quality_gates", expected[0])).line == 5 + text.count("\n") - 1


MISPLACED = [
    pytest.param(
        HEAD.replace("scope: enterprise\n", "").replace("1.0.0}", "1.0.0, scope: enterprise}"),
        "m.yaml:3:40 FLOE-E529 metadata.scope is read as scope",
        id="scope in metadata",
    ),
    pytest.param(PRODUCT_HEAD + "owner: a@b.c\n", "m.yaml:4:1 FLOE-E529 owner is read as metadata.owner", id="owner"),
    pytest.param(
        PRODUCT_HEAD + "domain: sales\n", "m.yaml:4:1 FLOE-E529 domain is read as metadata.domain", id="domain"
    ),
    pytest.param(
        PRODUCT_HEAD + "repository: github.com/a/b\n",
        "m.yaml:4:1 FLOE-E529 repository is read as metadata.repository",
        id="repository",
    ),
]


@pytest.mark.parametrize(("text", "message"), MISPLACED)
def test_a_key_in_the_wrong_place_is_read_with_a_warning(text: str, message: str) -> None:
    is_manifest = "kind: Manifest" in text
    findings = (read_manifest if is_manifest else read_product)(text.encode(), "m.yaml").findings
    assert messages(findings) == [message]
    assert [item.blocks for item in findings] == [False]


def test_a_domain_that_refers_to_a_manifest_stays_a_reference() -> None:
    read = read_product((PRODUCT_HEAD + "domain: sales/manifest.yaml\n").encode(), "floe.yaml")
    assert read.product
    assert (read.product.domain, read.product.metadata.domain, read.findings) == ("sales/manifest.yaml", "", ())


WRONG_MANIFESTS = [
    pytest.param(HEAD + "governence: {}\n", ["m:5:1 FLOE-E501 the file has no key 'governence'"], id="unknown key"),
    pytest.param(
        HEAD + "governance:\n  quality_gates: {treshold: 80}\n",
        ["m:6:19 FLOE-E501 governance.quality_gates has no key 'treshold'"],
        id="unknown key inside",
    ),
    pytest.param(
        HEAD + "quality_gates: {threshold: 80}\ngovernance: {quality_gates: {threshold: 90}}\n",
        [
            (
                "m:5:28 FLOE-E501 quality_gates.threshold and governance.quality_gates.threshold are the same setting"
                " and have different values"
            )
        ],
        id="both aliases and unequal",
    ),
    pytest.param(
        HEAD + "test_coverage: {min: 80, minimum_pct: 90}\n",
        [
            (
                "m:5:39 FLOE-E501 test_coverage.minimum_pct and test_coverage.min are the same setting"
                " and have different values"
            )
        ],
        id="two aliases of one key",
    ),
    pytest.param(
        HEAD + "classification_levels: [SECRET]\n",
        [
            (
                "m:5:25 FLOE-E501 classification_levels.0: SECRET is a level of your own; write its rank, as in"
                " {name: SECRET, rank: 15}"
            )
        ],
        id="a level without its rank",
    ),
    pytest.param(
        HEAD + "sla_minimums: {freshness: soon}\n",
        ["m:5:27 FLOE-E501 sla_minimums.freshness: 'soon' is not a length of time"],
        id="a minimum that means nothing",
    ),
    pytest.param(
        HEAD + "governance: {sql_linting: eror}\nidentity: {enforcement: of}\n",
        [
            "m:5:27 FLOE-E501 governance.sql_linting must be one of DISABLED, WARN, ERROR",
            "m:6:25 FLOE-E501 identity.enforcement must be one of off, warn, register, enforce",
        ],
        id="two mistakes at once",
    ),
    pytest.param(
        HEAD.replace("enterprise", "domain"),
        ["m:4:8 FLOE-E501 scope: a manifest of scope domain needs a parent; write parent: and the manifest above it"],
        id="a domain without parent",
    ),
    pytest.param(
        HEAD + "parent: ../m.yaml\n",
        [
            (
                "m:5:9 FLOE-E501 parent: a manifest of scope enterprise has no parent; "
                "remove parent:, or write scope: domain"
            )
        ],
        id="an enterprise with parent",
    ),
    pytest.param("[]\n", ["m:1:1 FLOE-E501 the file holds no keys"], id="a list"),
    pytest.param("", ["m:1:1 FLOE-E501 the file holds no keys"], id="nothing"),
    pytest.param("a: [1\n", None, id="no YAML"),
    pytest.param("a: &a [*a]\n", None, id="an anchor inside itself"),
    pytest.param("a: !!python/object:os.system x\n", None, id="a tag"),
    pytest.param(
        "x: " + "y" * 10_000_000,
        ["m FLOE-E509 the file has 10,000,003 bytes; it may have 1,048,576"],
        id="10 MB",
    ),
    pytest.param(HEAD + "scope: domain\n", None, id="a key twice"),
    pytest.param(HEAD + "plugins: {compute: {typ: x}}\n", None, id="a plugin without type"),
    pytest.param(HEAD + "approved_plugins: {computer: [a]}\n", None, id="an unknown category"),
    pytest.param(HEAD + "governance: {schedule: {allowed_hours: 6-22}}\n", None, id="hours that are none"),
    pytest.param(HEAD + "governance: {quality_gates: {threshold: 180}}\n", None, id="more than the whole"),
]


@pytest.mark.parametrize(("text", "expected"), WRONG_MANIFESTS)
def test_a_manifest_that_cannot_be_used_says_where(text: str, expected: list[str] | None) -> None:
    read = read_manifest(text.encode(), "m")
    assert read.manifest is None
    assert read.findings
    assert {item.code.id for item in read.findings} <= {"FLOE-E501", "FLOE-E509"}
    assert all(item.blocks for item in read.findings)
    if expected is not None:
        assert messages(read.findings) == expected


PORT = "output_ports:\n  - {name: customers}\n"
WRONG_PRODUCTS = [
    pytest.param(PORT + "  - {name: customers}\n", "the port 'customers' is there twice", id="a port twice"),
    pytest.param(
        "output_ports:\n  - {name: day-one}\n  - {name: Day_One}\n", "the same id day_one", id="two ports that meet"
    ),
    pytest.param("platform: a.yaml\ndomain: b.yaml\n", "platform: or domain:, not both", id="both references"),
    pytest.param("platform: oci://host\n", "not an OCI reference", id="half an OCI reference"),
    pytest.param("platform: oci://me:pw@host/repo:v1.0.0\n", "user and password never stand in it", id="a login"),
    pytest.param("platform: oci://token@host/repo:v1.0.0\n", "user and password never stand in it", id="a token"),
    pytest.param("platform: ref/acme/latest\n", "names no version", id="a name without version"),
    pytest.param("output_ports: [{name: a, verison: 1.0.0}]\n", "output_ports.0 has no key 'verison'", id="port key"),
    pytest.param("output_ports: [{name: a, version: 1.0}]\n", "it is not a version", id="a port's version is strict"),
    pytest.param("transforms: [{type: sql}]\n", "transforms.0", id="an unknown transform"),
    pytest.param("schedule: {cron: every day}\n", "schedule.cron", id="no cron"),
    pytest.param("platform_keys: {}\n", "no key 'platform_keys'", id="the reader's own key"),
    pytest.param(
        "output_ports: [{name: a, schema: [], columns: [{name: b}]}]\n", "are the same setting", id="schema and columns"
    ),
]


@pytest.mark.parametrize(("text", "message"), WRONG_PRODUCTS)
def test_a_product_that_cannot_be_used_says_where(text: str, message: str) -> None:
    read = read_product((PRODUCT_HEAD + text).encode(), "floe.yaml")
    assert read.product is None
    assert message in " ".join(messages(read.findings))
    assert all(item.location and (item.location.line or 0) >= 1 for item in read.findings)


def test_a_wrong_domain_is_told_once() -> None:
    text = PRODUCT_HEAD.replace("version: 1.0.0", "version: 1.0.0, domain: ../../x")
    (finding,) = read_product(text.encode(), "floe.yaml").findings
    assert finding.message == "metadata.domain: a name has letters, digits, - and _, and begins with a letter or digit"


def test_keys_of_the_platform_are_kept_for_the_enforcer() -> None:
    read = read_product((PRODUCT_HEAD + "plugins: {compute: {type: spark}}\n").encode(), "floe.yaml")
    assert read.product
    assert read.product.platform_keys == {"plugins": {"compute": {"type": "spark"}}}
    assert str(read.source.locate(("platform_keys", "plugins", "compute"))) == "floe.yaml:4:20"


def test_model_validate_refuses_unequal_aliases() -> None:
    value = {"quality_gates": {"threshold": 1}, "governance": {"quality_gates": {"threshold": 2}}}
    with pytest.raises(ValidationError, match="different values"):
        Manifest.model_validate(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("../platform/manifest.yaml", PathReference("../platform/manifest.yaml")),
        ("ref/acme-platform/v1.2.3", NamedReference("acme-platform", "1.2.3")),
        ("oci://registry.acme.com/floe-platform:v1.2.3", OciReference("registry.acme.com", "floe-platform", "v1.2.3")),
        (f"oci://host:5000/a/b@sha256:{'0' * 64}", OciReference("host:5000", "a/b", "", f"sha256:{'0' * 64}")),
        ("https://acme.com/manifest.yaml", None),
        ("ref/acme/v1", None),
        ("oci://[::1]:5000/a__b/c-d.e:v1.0.0", OciReference("[::1]:5000", "a__b/c-d.e", "v1.0.0")),
        ("oci://host/repo", None),
        ("/srv/platform/manifest.yaml", None),
        ("~/platform/manifest.yaml", None),
        ("C:\\platform\\manifest.yaml", None),
        ("oci://host/a/../b:v1.0.0", None),
        ("oci://host/a//b:v1.0.0", None),
        ("oci://host/a/:v1.0.0", None),
        ("oci://host?x=/a:v1.0.0", None),
        ("oci://host#x/a:v1.0.0", None),
        ("oci://host:port/a:v1.0.0", None),
        ("oci://.host/a:v1.0.0", None),
        ("", None),
    ],
    ids=str,
)
def test_a_reference_is_a_path_a_name_or_an_artifact(text: str, expected: object) -> None:
    reference, problem = parse_reference(text)
    assert reference == expected
    assert bool(problem) == (expected is None)


@pytest.mark.parametrize(
    "text",
    [
        "oci://ann:s3cret@host/repo:v1.0.0",
        "oci://s3cret@host/repo",
        "https://ann:s3cret@host/manifest.yaml",
        "oci://a@s3cret@host/",
    ],
)
def test_a_reference_with_a_password_is_refused_without_it(text: str) -> None:
    reference, problem = parse_reference(text)
    assert reference is None
    assert "s3cret" not in problem
    assert "//…@host/" in problem


def test_an_empty_lock_says_who_writes_it() -> None:
    (finding,) = read_lock(b"", "floe.lock").findings
    assert "floe platform lock" in finding.suggestions[0]


def test_capital_letters_of_a_repository_are_named() -> None:
    assert parse_reference("oci://host/ACME/platform:v1.0.0")[1].endswith("a repository has no capital letters")
    assert parse_reference("oci://REGISTRY.acme.com/platform")[1].endswith("write oci://host/repo:v1.2.3")


def test_ids_and_names() -> None:
    assert map_id("Customer-360") == "customer_360"
    assert product_id("sales", "customer-360") == "sales.customer_360"
    assert product_id("", "customer-360") == "customer_360"
    assert contract_id("sales", "customer-360", "customers", "1.0.0") == "sales.customer_360/customers:1.0.0"
    assert contract_name("sales", "customer-360", "customers") == "sales-customer-360-customers"
    assert contract_name("", "customer-360", "customers") == "customer-360-customers"
    assert short_name("sales-customer-360-customers", "sales", "customer-360") == "customers"
    assert short_name("orders", "sales", "customer-360") == "orders"


def test_a_lock_is_read_and_written() -> None:
    text = f"version: 1\nreferences:\n  ref/acme/v1.0.0:\n    digest: sha256:{'a' * 64}\nrefs:\n- ../refs\n"
    read = read_lock(text.encode(), "floe.lock")
    assert read.lock
    assert lock_text(read.lock) == text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("version: 2\n", id="another version"),
        pytest.param("version: 1\nreferences: {a: {digest: md5:1}}\n", id="no digest"),
        pytest.param("version: 1\nreference: {}\n", id="unknown key"),
    ],
)
def test_a_lock_that_cannot_be_used_says_where(text: str) -> None:
    read = read_lock(text.encode(), "floe.lock")
    assert read.lock is None
    assert read.findings[0].location
