"""The one table of keys: every key of the model has a row and a line in the docs, and every row a test of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError
from support.builds import ROOT
from support.tiers import at, domain, enterprise, nested

from floe_contracts.policy import PolicyViolationError, merge_manifests
from floe_contracts.policy.keys import HEAD
from floe_contracts.policy.row import Strategy
from floe_contracts.policy.table import ROWS, row_of
from floe_contracts.product.schema import MANIFEST_SCHEMA

GATES = "governance.quality_gates"
# Every row: key, parent, stricter child, equal child in another spelling where there is one, weaker child.
STRICTER: list[tuple[str, Any, Any, Any, Any]] = [
    (f"{GATES}.threshold", 80, 90, "80%", 70),
    (f"{GATES}.minimum_test_coverage", 70, 80, 0.7, 60),
    (f"{GATES}.minimum_test_coverage.gold", 90, 100, "90%", 89.5),
    (f"{GATES}.block_on_failure", False, True, False, None),
    (f"{GATES}.required_tests.gold", ["unique_pk"], ["unique_pk", "freshness"], ["unique_pk"], []),
    (f"{GATES}.required_tests.silver", ["unique_pk"], ["freshness", "unique_pk"], ["unique_pk"], ["freshness"]),
    ("governance.sql_linting", "WARN", "ERROR", "warn", "DISABLED"),
    ("governance.schedule.minimum_interval", "1h", "2h", "60m", "30m"),
    ("governance.schedule.allowed_hours", "06:00-22:00", "07:00-21:00", "06:00-22:00", "05:00-22:00"),
    ("data_contracts.enforcement", "warn", "block", "WARN", "off"),
    ("data_contracts.enforcement", "alert_only", "block", "Alert_Only", "warn"),
    ("data_contracts.monitoring.enabled", False, True, False, None),
    ("data_contracts.monitoring.availability.check_interval", "1h", "5m", "60m", "2h"),
    ("data_contracts.monitoring.freshness.check_interval", "1h", "5m", "60m", "2h"),
    ("data_contracts.monitoring.schema_drift.check_interval", "1h", "5m", "60m", "2h"),
    ("data_contracts.monitoring.quality.check_interval", "1h", "5m", "60m", "2h"),
    ("data_contracts.monitoring.lifecycle.check_interval", "1d", "5m", "24h", "2d"),
    ("data_contracts.requirements.owner", False, True, False, None),
    ("data_contracts.requirements.pii_classified", False, True, False, None),
    ("data_contracts.sql_trust", "full", "restricted", "Full", None),
    ("data_architecture.naming.enforcement", "warn", "strict", "Warn", "off"),
    ("identity.enforcement", "register", "enforce", "Register", "warn"),
    ("identity.ownership", "declared", "attested", "Declared", None),
    ("sla_minimums.freshness", "24h", "12h", "P1D", "25h"),
    ("sla_minimums.freshness", "P1W", "P6D", "7d", "P2W"),
    ("sla_minimums.freshness", {"value": 6, "unit": "h"}, {"value": 5, "unit": "h"}, "PT6H", {"value": 6, "unit": "d"}),
    ("sla_minimums.availability", "99%", "99.9%", 0.99, "98%"),
    ("sla_minimums.quality", 90, 95, "90%", 85),
    ("sla_minimums.latency", "PT30S", "PT20S", "30s", "PT300S"),
    ("sla_minimums.latency", "4d", "2d", "P4D", "5d"),
    ("sla_minimums.retention", "P1Y", "P2Y", "12mo", "P1M"),
    ("sla_minimums.errorRate", "5%", "1%", "5 percent", "6%"),
    ("classification_categories.pii", "CONFIDENTIAL", "RESTRICTED", "confidential", "PUBLIC"),
]
TRUE_ONLY = [
    f"{GATES}.block_on_failure",
    "data_contracts.monitoring.enabled",
    "data_contracts.requirements.owner",
    "data_contracts.requirements.pii_classified",
]
OVERRIDES: list[tuple[str, Any, Any]] = [
    ("plugins.compute", {"type": "duckdb"}, {"type": "snowflake", "config": {"size": "xs"}}),
    ("secrets_backend", "k8s-secrets", "infisical"),
    ("shared_services", {"a": 1}, {"b": 2}),
    ("catalog_namespace", "a", "b"),
    ("registration.max_attempts", 3, 1),
    ("registration.initial_backoff", "PT1S", "PT2S"),
    ("registration.max_backoff", "PT10S", "PT5S"),
    ("registration.jitter", 0.2, 0.1),
    ("data_architecture.pattern", "medallion", "kimball"),
    ("data_architecture.layers", {"raw": ["raw_*"]}, {"mart": ["mart_*"]}),
    ("data_contracts.standard", "odcs_v3", "odcs_v3"),
    ("data_contracts.plugin.type", "odcs", "datacontract-cli"),
    ("data_contracts.auto_generation.enabled", True, False),
    ("data_contracts.auto_generation.from_ports", True, False),
    ("data_contracts.auto_generation.from_dbt_manifest", True, False),
    ("data_contracts.alerting.openlineage_events", True, False),
    ("data_contracts.alerting.prometheus_metrics", True, False),
    ("data_contracts.monitoring.mode", "scheduled", "on_demand"),
    ("observability.traces", True, False),
    ("observability.metrics", True, False),
    ("observability.lineage", True, False),
    ("observability.namespace", "a", "b"),
    ("observability.mode", "simple", "mesh"),
    ("observability.domain", "a", "b"),
    ("observability.product.name", "a", "b"),
    ("observability.product.version", "1", "2"),
    ("observability.enterprise", "a", "b"),
    ("observability.tenant_id", "1", "2"),
    ("observability.project_slug", "a", "b"),
    ("identity.auto_register", False, True),
    ("identity.on_outage", "fail", "warn"),
    ("identity.oidc.issuers", ["a"], ["b"]),
    ("identity.oidc.audience", "a", "b"),
    ("identity.catalog", {"type": "sql"}, {"type": "rest"}),
    ("governance.schedule.timezone", "UTC", "Europe/Berlin"),
]
EXTENDS: list[tuple[str, Any, Any, Any]] = [
    (
        "classification_levels",
        ["PUBLIC", "internal"],
        ["CONFIDENTIAL", "PUBLIC"],
        ["PUBLIC", "INTERNAL", "CONFIDENTIAL"],
    ),
    ("naming_conventions", ["raw_*"], ["raw_v2_*", "raw_*"], ["raw_*", "raw_v2_*"]),
    ("pii_names", ["*email*"], ["*phone*"], ["*email*", "*phone*"]),
    ("data_contracts.validators", ["a"], ["b"], ["a", "b"]),
    ("data_contracts.base", ["a.yaml"], ["b.yaml"], ["a.yaml", "b.yaml"]),
    ("data_contracts.requirements.required_fields", ["id"], ["updated_at"], ["id", "updated_at"]),
]
INTERSECTS = ["approved_plugins.compute", "approved_plugins.secrets_backend", "approved_sources", "access.roles"]


def test_every_key_of_the_schema_has_a_row() -> None:
    missing = [".".join(path) for path in _paths(MANIFEST_SCHEMA.generate()) if row_of(path) is None]
    assert missing == []


def _paths(schema: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every key that a manifest may write, down to the leaf that a row must cover; names of open maps are `compute`."""
    from floe_contracts.product.manifest import Manifest

    def walk(model: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for name, field in model.model_fields.items():
            here = (*path, name)
            inner = field.annotation
            if row_of(here) or here in ((head,) for head in HEAD):
                if here not in ((head,) for head in HEAD):
                    yield here
            elif hasattr(inner, "model_fields"):
                yield from walk(inner, here)
            else:
                yield (*here, "compute")

    assert schema["properties"]
    yield from walk(Manifest, ())


def test_every_row_has_a_line_in_the_docs() -> None:
    page = (ROOT / "docs/policy.md").read_text("utf-8")
    assert [row.key for row in ROWS if row.meaning not in page] == []
    assert page.count("| OVERRIDE") + page.count("| EXTEND") + page.count("| INTERSECT") >= len(ROWS)


def test_every_row_is_tested_here() -> None:
    keys = [key for key, *_ in (*STRICTER, *OVERRIDES, *EXTENDS)] + INTERSECTS
    tested = {row.key for row in map(row_of, map(_pointer, keys)) if row}
    assert [row.key for row in ROWS if row.key not in tested] == []


def _pointer(key: str) -> tuple[str, ...]:
    parts = tuple(key.split("."))
    return (*parts, "all") if parts[-1] == "minimum_test_coverage" else parts


@pytest.mark.parametrize(("key", "parent", "stricter", "equal", "weaker"), STRICTER, ids=lambda value: str(value)[:40])
def test_a_child_may_only_be_stricter(key: str, parent: Any, stricter: Any, equal: Any, weaker: Any) -> None:
    above = enterprise(nested(key, parent))
    better = domain(nested(key, stricter))
    assert at(merge_manifests(above, better), key) == at(better, key)
    assert at(merge_manifests(above, domain(nested(key, equal))), key) is not None
    assert at(merge_manifests(above, domain()), key) == at(above, key)
    assert at(merge_manifests(enterprise(), domain(nested(key, parent))), key) == at(above, key)
    if weaker is not None:
        with pytest.raises(PolicyViolationError, match=r"weakens parent|cannot be compared"):
            merge_manifests(above, domain(nested(key, weaker)))
    with pytest.raises(PolicyViolationError, match="weakens parent"):
        merge_manifests(better, above)


@pytest.mark.parametrize("key", TRUE_ONLY)
def test_true_cannot_become_false(key: str) -> None:
    with pytest.raises(PolicyViolationError, match=r"Child .* \(false\) weakens parent \(true\)"):
        merge_manifests(enterprise(nested(key, True)), domain(nested(key, False)))


@pytest.mark.parametrize(("key", "parent", "child"), OVERRIDES, ids=lambda value: str(value)[:40])
def test_a_child_replaces_what_is_free(key: str, parent: Any, child: Any) -> None:
    above, below = enterprise(nested(key, parent)), domain(nested(key, child))
    assert at(merge_manifests(above, below), key) == at(below, key)
    assert at(merge_manifests(above, domain()), key) == at(above, key)
    assert at(merge_manifests(enterprise(), below), key) == at(below, key)


@pytest.mark.parametrize(("key", "parent", "child", "both"), EXTENDS, ids=lambda value: str(value)[:40])
def test_lists_are_extended(key: str, parent: Any, child: Any, both: Any) -> None:
    above = enterprise(nested(key, parent))
    assert at(merge_manifests(above, domain(nested(key, child))), key) == both
    assert at(merge_manifests(above, domain()), key) == at(above, key)


@pytest.mark.parametrize("key", INTERSECTS)
def test_a_child_chooses_from_what_is_approved(key: str) -> None:
    above = enterprise(nested(key, ["a", "b", "c"]))
    assert at(merge_manifests(above, domain(nested(key, ["c", "a"]))), key) == ["c", "a"]
    assert at(merge_manifests(above, domain(nested(key, ["a", "b", "c"]))), key) == ["a", "b", "c"]
    assert at(merge_manifests(above, domain()), key) == ["a", "b", "c"]
    assert at(merge_manifests(enterprise(), domain(nested(key, ["x"]))), key) == ["x"]
    for outside in (["a", "z", "y"], ["y", "z"]):
        with pytest.raises(PolicyViolationError, match=r"must be subset of parent\. Invalid: \{'y', 'z'\}"):
            merge_manifests(above, domain(nested(key, outside)))
    with pytest.raises(PolicyViolationError, match="allows nothing"):
        merge_manifests(above, domain(nested(key, [])))


UNKNOWN = [
    pytest.param({"sla_minimums": {"shine": "1"}}, {"sla_minimums": {"shine": "2"}}, id="a kind without direction"),
    pytest.param({}, {"classification_categories": {"pii": "SECRET"}}, id="a level that nobody declares"),
    pytest.param(
        {"classification_levels": [{"name": "SECRET", "rank": 40}]},
        {"classification_levels": [{"name": "SECRET", "rank": 5}]},
        id="another rank",
    ),
    pytest.param(
        {"governance": {"schedule": {"allowed_hours": "06:00-22:00"}}},
        {"governance": {"schedule": {"timezone": "Asia/Tokyo"}}},
        id="another zone for the same hours",
    ),
    pytest.param({"sla_minimums": {"retention": "P1M"}}, {"sla_minimums": {"retention": "30d"}}, id="a month and days"),
    pytest.param(
        {"identity": {"enforcement": "enforce", "auto_register": False}},
        {"identity": {"auto_register": True}},
        id="registering under enforce",
    ),
]


@pytest.mark.parametrize(("parent", "child"), UNKNOWN)
def test_what_cannot_be_compared_is_refused(parent: dict[str, Any], child: dict[str, Any]) -> None:
    with pytest.raises(PolicyViolationError):
        merge_manifests(enterprise(parent), domain(child))


def test_a_kind_without_direction_may_be_equal() -> None:
    keys = {"sla_minimums": {"shine": "1"}}
    assert at(merge_manifests(enterprise(keys), domain(keys)), "sla_minimums.shine") == "1"


@pytest.mark.parametrize(
    ("parent", "child"),
    [
        pytest.param(
            {"approved_plugins": ["duckdb"]}, {"plugins": {"compute": {"type": "spark"}}}, id="chosen by the child"
        ),
        pytest.param(
            {"approved_plugins": ["duckdb", "spark"], "plugins": {"compute": {"type": "spark"}}},
            {"approved_plugins": {"compute": ["duckdb"]}},
            id="inherited, and approved no longer",
        ),
        pytest.param(
            {"approved_plugins": {"secrets_backend": ["vault"]}}, {"secrets_backend": "infisical"}, id="secrets"
        ),
    ],
)
def test_a_plugin_outside_the_approved_ones_is_refused(parent: dict[str, Any], child: dict[str, Any]) -> None:
    with pytest.raises(PolicyViolationError) as raised:
        merge_manifests(enterprise(parent), domain(child))
    assert raised.value.code.id == "FLOE-E519"


def test_a_category_without_a_list_is_free() -> None:
    merged = merge_manifests(
        enterprise({"approved_plugins": ["duckdb"]}), domain({"plugins": {"catalog": {"type": "nessie"}}})
    )
    assert at(merged, "plugins.catalog.type") == "nessie"


def test_a_number_and_a_layer_of_coverage_both_hold() -> None:
    above = enterprise(nested(f"{GATES}.minimum_test_coverage", 80))
    merged = merge_manifests(above, domain(nested(f"{GATES}.minimum_test_coverage", {"gold": 100})))
    assert at(merged, f"{GATES}.minimum_test_coverage") == {"all": 80, "gold": 100}
    with pytest.raises(PolicyViolationError, match=r"Child test coverage \(70\) weakens parent \(80\)"):
        merge_manifests(merged, domain(nested(f"{GATES}.minimum_test_coverage", 70)))


def test_the_messages_of_the_seeds() -> None:
    with pytest.raises(
        PolicyViolationError, match=r"^Child quality gate \(70\) weakens parent \(80\); domain sales v1"
    ):
        merge_manifests(enterprise({"quality_gates": {"threshold": 80}}), domain({"quality_gates": {"threshold": 70}}))
    with pytest.raises(
        PolicyViolationError, match=r"^Child approved_plugins must be subset of parent\. Invalid: \{'x'\}"
    ):
        merge_manifests(enterprise({"approved_plugins": ["a"]}), domain({"approved_plugins": ["a", "x"]}))


def test_a_merged_manifest_has_the_head_of_the_child() -> None:
    merged = merge_manifests(enterprise(), domain())
    assert (merged.metadata.name, merged.scope, merged.parent) == ("sales", "domain", "../manifest.yaml")


def test_strategies_are_the_four_of_the_seeds() -> None:
    assert {strategy.value for strategy in Strategy} == {"OVERRIDE", "EXTEND", "INTERSECT", "OVERRIDE_IF_STRICTER"}


SPELLINGS = [
    pytest.param({"freshness_minutes": 60}, {"freshness": "2h"}, False, id="minutes, weaker"),
    pytest.param({"freshness_minutes": 60}, {"freshness": "30m"}, True, id="minutes, stricter"),
    pytest.param({"Freshness": "2h"}, {"freshness_minutes": 121}, False, id="another case"),
    pytest.param({"freshness": {"value": 6, "unit": "h"}}, {"freshness": "PT6H"}, True, id="value and unit, equal"),
]


@pytest.mark.parametrize(("parent", "child", "allowed"), SPELLINGS)
def test_spellings_of_a_service_level_meet(parent: dict[str, Any], child: dict[str, Any], allowed: bool) -> None:
    tiers = enterprise({"sla_minimums": parent}), domain({"sla_minimums": child})
    if allowed:
        merge_manifests(*tiers)
        return
    with pytest.raises(PolicyViolationError, match=r"sla_minimums\.freshness"):
        merge_manifests(*tiers)


@pytest.mark.parametrize(("alias", "same"), [("80%", True), (80, True), ("81%", False), (79, False)])
def test_an_alias_may_say_the_same_percentage(alias: object, same: bool) -> None:
    keys = {"test_coverage": {"min": alias}, "governance": {"quality_gates": {"minimum_test_coverage": 80}}}
    if same:
        assert at(enterprise(keys), "governance.quality_gates.minimum_test_coverage") == 80
        return
    with pytest.raises(ValidationError, match="different values"):
        enterprise(keys)
