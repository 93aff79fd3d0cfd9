"""Merging against a second merge, written from PLATFORM's table alone: every key of the table, on random tiers."""

from __future__ import annotations

from functools import reduce
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.tiers import domain, enterprise

from floe_contracts.policy import PolicyViolationError, merge_manifests
from floe_contracts.policy.table import ROWS, row_of
from floe_contracts.product import Manifest

Flat = dict[str, Any]

# The table, by hand: words from weak to strict, numbers and lengths with the sign of the stricter side.
CATEGORIES = ["compute", "orchestrator", "catalog", "semantic_layer", "ingestion"]
WORDS = {
    "governance.sql_linting": "DISABLED WARN ERROR",
    "data_contracts.enforcement": "off warn alert_only block",
    "identity.enforcement": "off warn register enforce",
    "data_architecture.naming.enforcement": "off warn strict",
    "identity.ownership": "declared attested",
    "data_contracts.sql_trust": "full restricted",
    "classification_categories.pii": "PUBLIC INTERNAL CONFIDENTIAL RESTRICTED",
    "classification_categories.own": "PUBLIC INTERNAL CONFIDENTIAL RESTRICTED",
}
PERCENT = {
    "governance.quality_gates.threshold": 1,
    "governance.quality_gates.minimum_test_coverage.all": 1,
    "sla_minimums.availability": 1,
    "sla_minimums.quality": 1,
    "sla_minimums.errorRate": -1,
}
LENGTHS = {
    **dict.fromkeys(("sla_minimums.freshness", "sla_minimums.latency"), -1),
    **{
        f"data_contracts.monitoring.{check}.check_interval": -1
        for check in ("availability", "freshness", "schema_drift", "quality", "lifecycle")
    },
    **dict.fromkeys(("sla_minimums.retention", "governance.schedule.minimum_interval"), 1),
}
TRUE = [
    "governance.quality_gates.block_on_failure",
    "data_contracts.monitoring.enabled",
    "data_contracts.requirements.owner",
    "data_contracts.requirements.pii_classified",
]
TESTS = "governance.quality_gates.required_tests.gold"
EXTEND = [
    *("naming_conventions", "pii_names", "data_contracts.requirements.required_fields"),
    *("data_contracts.base", "data_contracts.validators"),
]
INTERSECT = [f"approved_plugins.{name}" for name in (*CATEGORIES, "secrets_backend")]
INTERSECT += ["approved_sources", "access.roles"]
HOURS, ZONE = "governance.schedule.allowed_hours", "governance.schedule.timezone"
LEVELS, REGISTER = "classification_levels", "identity.auto_register"
LETTERS = st.sampled_from("abc")
FREE: dict[str, st.SearchStrategy[Any]] = {
    **{f"plugins.{name}": LETTERS.map(lambda kind: {"type": kind}) for name in CATEGORIES},
    **dict.fromkeys(("secrets_backend", "catalog_namespace", "identity.oidc.audience"), LETTERS),
    **dict.fromkeys(("shared_services", "identity.catalog"), LETTERS.map(lambda word: {"uri": word})),
    "registration.max_attempts": st.integers(1, 9),
    **dict.fromkeys(("registration.initial_backoff", "registration.max_backoff"), st.sampled_from(["1s", "2s"])),
    "registration.jitter": st.sampled_from([0.1, 0.5]),
    "data_architecture.pattern": st.sampled_from(["medallion", "kimball", "data_vault", "custom"]),
    "data_architecture.layers": LETTERS.map(lambda word: {word: [f"{word}_*"]}),
    "data_contracts.standard": st.just("odcs_v3"),
    "data_contracts.plugin.type": LETTERS,
    **{f"data_contracts.auto_generation.{n}": st.booleans() for n in ("enabled", "from_ports", "from_dbt_manifest")},
    **{f"data_contracts.alerting.{name}": st.booleans() for name in ("openlineage_events", "prometheus_metrics")},
    "data_contracts.monitoring.mode": st.sampled_from(["scheduled", "continuous", "on_demand"]),
    **{f"observability.{name}": st.booleans() for name in ("traces", "metrics", "lineage")},
    **{
        f"observability.{name}": LETTERS
        for name in ("namespace", "domain", "enterprise", "tenant_id", "project_slug", "product.name")
    },
    "observability.product.version": st.sampled_from(["1.0.0", "2.0.0"]),
    "observability.mode": st.sampled_from(["simple", "centralized", "mesh", "managed"]),
    "identity.on_outage": st.sampled_from(["warn", "fail"]),
    "identity.oidc.issuers": st.lists(LETTERS, max_size=2, unique=True),
}
VALUES: dict[str, st.SearchStrategy[Any]] = {
    **{key: st.sampled_from(words.split()) for key, words in WORDS.items()},
    **dict.fromkeys(PERCENT, st.integers(2, 100)),
    **dict.fromkeys(LENGTHS, st.integers(1, 48).map(lambda hours: f"{hours}h")),
    **dict.fromkeys((*TRUE, REGISTER), st.booleans()),
    TESTS: st.lists(st.sampled_from(["not_null_pk", "unique_pk", "freshness"]), max_size=3, unique=True),
    **dict.fromkeys((*EXTEND, *INTERSECT), st.lists(LETTERS, min_size=1, max_size=3, unique=True)),
    HOURS: st.sampled_from(
        ["06:00-22:00", "08:00-20:00", "22:00-04:00", "23:00-03:00", "00:00-24:00", "21:00-05:00", "00:00-03:00"]
    ),
    ZONE: st.sampled_from(["UTC", "Europe/Berlin"]),
    LEVELS: st.lists(
        st.fixed_dictionaries({"name": st.sampled_from(["X", "Y"]), "rank": st.sampled_from([15, 40])}),
        min_size=1, max_size=2, unique_by=lambda level: level["name"],
    ),
    **FREE,
}  # fmt: skip


class WeakerError(Exception):
    """The reference's refusal."""


def minutes(span: str) -> set[int]:
    first, last = (int(text[:2]) * 60 + int(text[3:]) for text in span.split("-"))
    return {minute % 1440 for minute in range(first, last + (1440 if last <= first else 0))}


def meets(key: str, child: Any, parent: Any, above: Flat) -> bool:
    """Whether a child's value may stand below its parent's."""
    if key in WORDS:
        words = WORDS[key].split()
        return words.index(child) >= words.index(parent)
    if key in PERCENT:
        return bool((child - parent) * PERCENT[key] >= 0)
    if key in LENGTHS:
        return (int(child[:-1]) - int(parent[:-1])) * LENGTHS[key] >= 0
    if key in TRUE:
        return child or not parent
    if key == TESTS:
        return set(parent) <= set(child)
    if key == HOURS:
        return minutes(child) <= minutes(parent)
    if key == REGISTER:
        return parent or not child or above.get("identity.enforcement") != "enforce"
    return True  # OVERRIDE


def combine(key: str, child: Any, above: Flat) -> Any:
    """What holds for a key that a tier writes below the others."""
    parent: Any = above.get(key)
    if key == ZONE and HOURS in above and child != above.get(ZONE, "UTC"):
        raise WeakerError(key)
    if key not in above:
        return child
    if key in EXTEND or key == LEVELS:
        return parent + [item for item in child if item not in parent]
    if key in INTERSECT and not set(child) <= set(parent):
        raise WeakerError(key)
    if not meets(key, child, parent, above):
        raise WeakerError(key)
    return child


def merge(tiers: list[Flat]) -> Flat:
    """The table of PLATFORM §2 in plain Python."""
    merged: Flat = {}
    for tier in tiers:
        above = dict(merged)
        merged |= {key: combine(key, child, above) for key, child in tier.items()}
        levels = [level["name"] for level in merged.get(LEVELS, [])]
        if len(levels) > len(set(levels)):  # one name with two ranks
            raise WeakerError(LEVELS)
        for category in (*CATEGORIES, "secrets_backend"):
            chosen = merged.get(category if category == "secrets_backend" else f"plugins.{category}")
            name = chosen["type"] if isinstance(chosen, dict) else chosen
            if name and name not in merged.get(f"approved_plugins.{category}", [name]):
                raise WeakerError(category)
    return merged


def manifest_of(tier: Flat, place: int) -> Manifest:
    keys: dict[str, Any] = {}
    for key, value in tier.items():
        here = keys
        *above, last = key.split(".")
        for part in above:
            here = here.setdefault(part, {})
        here[last] = value
    return domain(keys, f"tier-{place}") if place else enterprise(keys)


def fold(manifests: list[Manifest]) -> Manifest | None:
    """All tiers merged; None for a refusal. The first is merged with itself, for alone nobody holds it to anything."""
    try:
        return reduce(merge_manifests, manifests, manifests[0])
    except PolicyViolationError:
        return None


@st.composite
def some_tiers(draw: st.DrawFn) -> list[Flat]:
    """A few keys in a few tiers, so that many are written twice and few examples are refused for something else."""
    keys = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=5, unique=True))
    if draw(st.booleans()):  # keys that look at each other
        keys += draw(
            st.sampled_from([[HOURS, ZONE], [REGISTER, "identity.enforcement"], ["plugins.compute", INTERSECT[0]]])
        )
    tier = st.fixed_dictionaries({}, optional={key: VALUES[key] for key in dict.fromkeys(keys)})
    return draw(st.lists(tier, min_size=1, max_size=4))


@settings(max_examples=600)
@given(some_tiers())
def test_merge_agrees_with_the_table(tiers: list[Flat]) -> None:
    merged = fold([manifest_of(tier, place) for place, tier in enumerate(tiers)])
    try:
        expected = manifest_of(merge(tiers), 0).model_dump(mode="json")
    except WeakerError:
        assert merged is None
        return
    assert merged is not None
    head = ("metadata", "scope", "parent")
    assert {key: value for key, value in merged.model_dump(mode="json").items() if key not in head} == {
        key: value for key, value in expected.items() if key not in head
    }


def test_the_reference_knows_every_row_of_the_table() -> None:
    rows = [row_of(tuple(key.split("."))) for key in VALUES]
    assert {row.key for row in rows if row} == {row.key for row in ROWS}
