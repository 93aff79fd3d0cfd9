"""Policy, and the five methods of the PolicyEnforcer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from support.tiers import domain, enterprise, nested

from floe_contracts.contract.load import load
from floe_contracts.contract.model import Contract
from floe_contracts.policy import (
    ClassificationLevel,
    ContractEnforcement,
    DbtModel,
    DbtTest,
    Policy,
    PolicyEnforcer,
    SqlLinting,
    merge_manifests,
    validate_policy_inheritance,
)
from floe_contracts.policy.gates import coverage, missing_tests
from floe_contracts.product import DataProduct, Manifest

INHERITANCE = [
    # type, field, parent, stricter, weaker
    ("classification", "level", "INTERNAL", ClassificationLevel.CONFIDENTIAL, "public"),
    ("quality_gate", "threshold", 80, 90, 70),
    ("test_coverage", "minimum_pct", "70%", 80, 60),
    ("sql_linting", "enforcement", "warn", SqlLinting.ERROR, "DISABLED"),
    ("contract_enforcement", "enforcement", "WARN", ContractEnforcement.BLOCK, "off"),
    ("contract_enforcement", "enforcement", "alert_only", "block", "warn"),
]


@pytest.mark.parametrize(("kind", "field", "parent", "stricter", "weaker"), INHERITANCE)
def test_a_policy_may_only_be_stricter(kind: str, field: str, parent: Any, stricter: Any, weaker: Any) -> None:
    def policy(value: Any) -> Policy:
        return Policy(type=kind, **{field: value})

    assert validate_policy_inheritance(policy(parent), policy(stricter)) is True
    assert validate_policy_inheritance(policy(parent), policy(parent)) is True
    assert validate_policy_inheritance(policy(parent), policy(weaker)) is False


@pytest.mark.parametrize(
    ("parent", "child", "named"),
    [
        pytest.param(Policy(type="x"), Policy(type="x"), "x", id="both unknown"),
        pytest.param(Policy(type="x"), Policy(type="quality_gate", threshold=1), "x", id="the parent's"),
        pytest.param(Policy(type="quality_gate", threshold=1), Policy(type="y"), "y", id="only the child's"),
        pytest.param(
            Policy(type="quality_gate", threshold=1),
            Policy(type="test_coverage", minimum_pct=1),
            "quality_gate",
            id="two",
        ),
    ],
)
def test_types_that_do_not_meet_are_an_error(parent: Policy, child: Policy, named: str) -> None:
    with pytest.raises(ValueError, match=rf"^Unknown policy type: {named}$"):
        validate_policy_inheritance(parent, child)


@pytest.mark.parametrize(
    "policy", [Policy(type="classification", level="secret"), Policy(type="quality_gate"), Policy(type="sql_linting")]
)
def test_a_policy_without_its_value_is_an_error(policy: Policy) -> None:
    with pytest.raises(ValueError, match=rf"^Policy {policy.type} needs"):
        validate_policy_inheritance(policy, policy)


def medallion(enforcement: str = "strict", **keys: Any) -> Manifest:
    return enterprise({"data_architecture": {"pattern": "medallion", "naming": {"enforcement": enforcement}}, **keys})


NAMES = [
    ("bronze_customers", "bronze", True),
    ("bronze_customers", "", True),
    ("gold_customers", "bronze", False),
    ("stg_payments", "bronze", False),
    ("stg_payments", "", False),
    ("Bronze_customers", "bronze", False),
]


@pytest.mark.parametrize(("name", "layer", "valid"), NAMES)
def test_names_show_their_layer(name: str, layer: str, valid: bool) -> None:
    assert PolicyEnforcer(medallion()).enforce_naming(name, layer).valid is valid
    warned = PolicyEnforcer(medallion("warn")).enforce_naming(name, layer)
    assert (warned.valid, bool(warned.message)) == (True, not valid)
    silent = PolicyEnforcer(medallion("off")).enforce_naming(name, layer)
    assert (silent.valid, silent.message) == (True, "")


def test_a_name_outside_the_layers_comes_with_suggestions() -> None:
    result = PolicyEnforcer(medallion()).enforce_naming("stg_payments", "")
    assert result.message == "'stg_payments' violates naming convention; expected: bronze_*, silver_*, gold_*"
    assert result.suggestions == (
        "Rename to bronze_payments (raw data)",
        "Rename to silver_payments (cleaned data)",
        "Rename to gold_payments (aggregated data)",
    )


@pytest.mark.parametrize(
    ("pattern", "name"), [("kimball", "dim_customer"), ("kimball", "fact_sales"), ("data_vault", "hub_customer")]
)
def test_other_architectures(pattern: str, name: str) -> None:
    enforcer = PolicyEnforcer(enterprise({"data_architecture": {"pattern": pattern}}))
    assert enforcer.enforce_naming(name, "").valid
    assert not enforcer.enforce_naming("bronze_x", "").valid


def test_layers_of_ones_own() -> None:
    layers = {"pattern": "custom", "layers": {"raw": ["raw_*"], "mart": ["mart_*", "m_*"]}}
    enforcer = PolicyEnforcer(enterprise({"data_architecture": layers}))
    assert enforcer.enforce_naming("m_x", "mart").valid
    assert enforcer.enforce_naming("stg_x", "raw").suggestions == ("Rename to raw_x",)


def test_a_name_matches_a_pattern_of_every_tier() -> None:
    merged = merge_manifests(enterprise({"naming_conventions": ["raw_*"]}), domain({"naming_conventions": ["*_v2_*"]}))
    enforcer = PolicyEnforcer(merged)
    assert [enforcer.enforce_naming(name, "").valid for name in ("raw_v2_x", "raw_x", "x_v2_y")] == [True, False, False]


MODELS = [
    pytest.param({"email": {"meta": {"classification": "pii"}}}, {}, [], id="classified"),
    pytest.param({"email": {}}, {}, ["'m.email' holds personal data"], id="by its name"),
    pytest.param({"e": {"meta": {"format": "email"}}}, {}, ["'m.e' holds personal data"], id="by its format"),
    pytest.param({"e": {"meta": {"pii_type": "name"}}}, {}, ["'m.e' holds personal data"], id="by pii_type"),
    pytest.param({"e": {"meta": {"classification": "pjj"}}}, {}, ["unknown classification 'pjj'"], id="unknown"),
    pytest.param({}, {"classification": "secrit"}, ["unknown classification 'secrit'"], id="unknown on the model"),
    pytest.param(
        {"e": {"meta": {"classification": "pii"}}}, {"classification": "internal"}, ["below its column 'e'"], id="below"
    ),
    pytest.param({"e": {"meta": {"classification": "pii"}}}, {"classification": "RESTRICTED"}, [], id="as high"),
    pytest.param({"e": {"config": {"meta": {"classification": "pii"}}}}, {"classification": "phi"}, [], id="dbt 1.10"),
]


@pytest.mark.parametrize(("columns", "meta", "expected"), MODELS)
def test_classifications_of_models(columns: Any, meta: Any, expected: list[str]) -> None:
    enforcer = PolicyEnforcer(enterprise({"pii_names": ["*email*"]}))
    violations = enforcer.check_classification_compliance(DbtModel("m", "gold", columns, meta, []))
    assert len(violations) == len(expected)
    for violation, words in zip(violations, expected, strict=True):
        assert words in violation.message
        assert violation.code == "FLOE-E514"


def product(**keys: Any) -> DataProduct:
    head = {"apiVersion": "floe.dev/v1", "kind": "DataProduct", "metadata": {"name": "shop", "version": "1.0"}}
    return DataProduct.model_validate({**head, **keys})


HOURLY = {"governance": {"schedule": {"minimum_interval": "1h"}}}
DAYTIME = {"governance": {"schedule": {"allowed_hours": "06:00-22:00", "timezone": "Europe/Berlin"}}}
NIGHT = {"governance": {"schedule": {"allowed_hours": "22:00-04:00"}}}
DUCKDB = {"plugins": {"compute": {"type": "duckdb"}}}
PRODUCTS = [
    pytest.param({}, {}, [], id="nothing"),
    pytest.param(
        DUCKDB,
        {"compute": "spark"},
        ["E517 compute is set by the platform (duckdb) and cannot be overridden"],
        id="compute",
    ),
    pytest.param(
        DUCKDB, {"plugins": {"compute": {"type": "x"}}}, ["E517 compute is set by the platform (duckdb)"], id="plugins"
    ),
    pytest.param(
        {},
        {"governance": {}, "quality_gates": {}},
        ["E517 governance is set", "E517 quality_gates is set"],
        id="blocks",
    ),
    pytest.param(HOURLY, {"schedule": {"cron": "0 * * * *"}}, [], id="every hour"),
    pytest.param(
        HOURLY,
        {"schedule": {"cron": "*/30 * * * *"}},
        ["E518 the product runs 30 minutes after a run"],
        id="every half hour",
    ),
    pytest.param(HOURLY, {"schedule": {"cron": "0,10 6 * * *"}}, ["E518"], id="the shortest gap counts"),
    pytest.param(HOURLY, {"schedule": {"cron": "0,30 0,23 * * 1"}}, ["E518"], id="on one day a week"),
    pytest.param(HOURLY, {"schedule": {"cron": "45 23 * * *"}}, [], id="once a day"),
    pytest.param(DAYTIME, {"schedule": {"cron": "0 6,22 * * *", "timezone": "Europe/Berlin"}}, [], id="both ends"),
    pytest.param(DAYTIME, {"schedule": {"cron": "0 5 * * *"}}, [], id="5 UTC is 6 in winter and 7 in summer"),
    pytest.param(
        DAYTIME,
        {"schedule": {"cron": "0 4 * * *"}},
        ["E518 the product runs at 05:00 Europe/Berlin"],
        id="4 UTC is 5 in winter",
    ),
    pytest.param(NIGHT, {"schedule": {"cron": "0 23,3 * * *"}}, [], id="across midnight"),
    pytest.param(NIGHT, {"schedule": {"cron": "0 0,22 * * *"}}, [], id="midnight is within the night"),
    pytest.param(NIGHT, {"schedule": {"cron": "0 12 * * *"}}, ["E518"], id="noon is not night"),
    pytest.param(
        {"approved_sources": ["stripe"]},
        {"transforms": [{"type": "ingestion", "source": "crm"}, {"type": "ingestion", "source": "stripe"}]},
        ["E519 the source crm is not approved"],
        id="a source",
    ),
    pytest.param({}, {"transforms": [{"type": "ingestion", "source": "crm"}]}, [], id="any source without a list"),
    pytest.param(
        {"plugins": {"ingestion": {"type": "airbyte"}}},
        {"transforms": [{"type": "ingestion", "source": "crm", "plugin": "dlt"}]},
        ["E517 ingestion is set by the platform (airbyte) and cannot be overridden"],
        id="another ingestion plugin than the platform's",
    ),
    pytest.param(
        {"approved_plugins": {"ingestion": ["airbyte", "dlt"]}},
        {
            "transforms": [
                {"type": "ingestion", "source": "crm", "plugin": "dlt"},
                {"type": "ingestion", "source": "crm", "plugin": "fivetran"},
            ]
        },
        ["E519 ingestion is fivetran, which is not approved"],
        id="an ingestion plugin that is not approved",
    ),
    pytest.param(
        {"plugins": {"ingestion": {"type": "airbyte"}}},
        {"transforms": [{"type": "ingestion", "source": "crm"}]},
        [],
        id="an ingestion that leaves the plugin to the platform",
    ),
    pytest.param(
        {"access": {"roles": ["analyst"]}},
        {"output_ports": [{"name": "a", "access": ["analyst", "boss"]}]},
        ["E519 the port a is opened to boss, which is not an approved role"],
        id="a role",
    ),
]


@pytest.mark.parametrize(("manifest", "keys", "expected"), PRODUCTS)
def test_products_keep_to_their_platform(manifest: Any, keys: Any, expected: list[str]) -> None:
    above = enterprise(manifest)
    errors = [
        f"{item.code.removeprefix('FLOE-')} {item.message}"
        for item in PolicyEnforcer(above).validate_data_product(product(**keys), above)
    ]
    assert len(errors) == len(expected)
    assert all(error.startswith(words) for error, words in zip(errors, expected, strict=True))


def test_the_domain_of_a_product_is_that_of_its_manifest() -> None:
    metadata = {"name": "shop", "version": "1.0", "domain": "finance"}
    below = product(metadata=metadata, domain="../manifest.yaml")
    errors = PolicyEnforcer(domain()).validate_data_product(below, domain())
    assert [item.code for item in errors] == ["FLOE-E501"]


def contract(text: str) -> Contract:
    loaded = load(text.encode(), "c.yaml")
    assert loaded.contract
    return loaded.contract


ORDERS = """\
schema: orders
version: 1.0.0
owner: {owner}
fields:
  - {{name: email, type: STRING{email}}}
sla: {{freshness_minutes: {minutes}}}
"""


def orders(owner: str = "a@b.c", email: str = ", classification: pii", minutes: int = 60) -> Contract:
    return contract(ORDERS.format(owner=owner, email=email, minutes=minutes))


REQUIRE = "data_contracts.requirements"
CONTRACTS = [
    pytest.param({}, orders(email=""), [], id="nothing is asked for"),
    pytest.param(nested("sla_minimums.freshness", "1h"), orders(), [], id="as fresh"),
    pytest.param(nested("sla_minimums.freshness", "30m"), orders(), ["FLOE-E510"], id="not fresh enough"),
    pytest.param(nested("sla_minimums.availability", "99%"), orders(), [], id="an absent level inherits"),
    pytest.param(nested(f"{REQUIRE}.owner", True), orders(owner='""'), ["FLOE-E514"], id="no owner"),
    pytest.param(nested(f"{REQUIRE}.required_fields", ["updated_at"]), orders(), ["FLOE-E514"], id="no such field"),
    pytest.param(
        {**nested(f"{REQUIRE}.pii_classified", True), "pii_names": ["EMAIL"]}, orders(email=""), ["FLOE-E514"], id="PII"
    ),
    pytest.param({}, orders(email=", classification: pjj"), ["FLOE-E514"], id="unknown classification"),
]


@pytest.mark.parametrize(("manifest", "given", "expected"), CONTRACTS)
def test_contracts_keep_to_their_platform(manifest: Any, given: Contract, expected: list[str]) -> None:
    above = enterprise(manifest)
    assert [item.code for item in PolicyEnforcer(above).validate_data_contracts([given], above)] == expected


def test_the_plugin_judges_contracts_too() -> None:
    class Strict:
        def validate_contract(self, contract: Contract) -> Any:
            from floe_contracts.codes import E501
            from floe_contracts.results import Finding

            return SimpleNamespace(errors=(Finding.of(E501, "strict", f"no {contract.name}"),))

    enforcer = PolicyEnforcer(enterprise(), contract_plugin=Strict())
    assert [item.message for item in enforcer.validate_data_contracts([orders()], enterprise())] == ["no orders"]


@pytest.mark.parametrize(("status", "count"), [("conflict", 1), ("valid", 0), ("available", 0), ("unknown", 0)])
def test_a_namespace_of_another_repository_is_a_conflict(status: str, count: int) -> None:
    class Catalog:
        def validate_product_identity(self, namespace: str, expected_repo: str) -> Any:
            return SimpleNamespace(status=status, repository="github.com/acme/other", owner="other@acme.com")

    violations = PolicyEnforcer(enterprise()).validate_product_identity(product(), Catalog())
    assert [item.code for item in violations] == ["IDENTITY_CONFLICT"] * count


def test_without_a_catalog_nobody_can_say() -> None:
    assert PolicyEnforcer(enterprise()).validate_product_identity(product(), None) == []


ALL_FOUR = ["not_null_pk", "unique_pk", "freshness", "documentation"]
GATE_ROWS = [
    pytest.param(DbtModel("m", "gold"), ALL_FOUR, id="nothing"),
    pytest.param(DbtModel("m", "silver"), [], id="another layer"),
    pytest.param(
        DbtModel(
            "m",
            "gold",
            {"id": {"description": "x"}},
            {},
            (DbtTest("unique", "id"), DbtTest("not_null", "id")),
            "A model",
            ("id",),
            True,
        ),
        [],
        id="everything",
    ),
    pytest.param(
        DbtModel("m", "gold", {}, {}, (DbtTest("unique", "id"), DbtTest("not_null", "id"))),
        ALL_FOUR,
        id="the key is unknown",
    ),
    pytest.param(
        DbtModel("m", "gold", {"id": {}}, {}, (DbtTest("not_null", "id"),), "A model", ("id",)),
        ["unique_pk", "freshness", "documentation"],
        id="some",
    ),
]


@pytest.mark.parametrize(("model", "missing"), GATE_ROWS)
def test_models_have_the_tests_of_their_layer(model: DbtModel, missing: list[str]) -> None:
    gates = enterprise(nested("governance.quality_gates.required_tests.gold", ALL_FOUR)).governance.quality_gates
    assert [list(item.missing) for item in missing_tests([model], gates)] == ([missing] if missing else [])


def test_coverage_is_the_share_of_models_with_a_test() -> None:
    gates = enterprise(nested("governance.quality_gates.minimum_test_coverage", {"all": 50, "gold": 100})).governance
    models = [DbtModel("a", "gold", tests=["t"]), DbtModel("b", "gold"), DbtModel("c", "silver", tests=["t"])]
    shares = {
        share.layer: (share.tested, share.models, share.enough) for share in coverage(models, gates.quality_gates)
    }
    assert shares == {"all": (2, 3, True), "gold": (1, 2, False)}
    assert [share.percent for share in coverage([], gates.quality_gates)] == [100.0, 100.0]
