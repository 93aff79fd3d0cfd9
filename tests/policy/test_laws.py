"""Laws of merging on random tiers, and agreement with a second merge that knows nothing but the table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tiers import domain, enterprise

from floe_contracts.policy import PolicyViolationError, merge_manifests
from floe_contracts.policy.row import Strategy
from floe_contracts.policy.table import row_of
from floe_contracts.product import Manifest

Flat = dict[str, Any]

# What a test may write for a key, and how strict it is: a number that the reference compares. The direction is typed
# here by hand from PLATFORM's table, not taken from the code.
NUMBERS = {"governance.quality_gates.threshold": 1, "governance.quality_gates.minimum_test_coverage.all": 1}
HOURS = {
    "sla_minimums.freshness": -1,
    "sla_minimums.latency": -1,
    "data_contracts.monitoring.freshness.check_interval": -1,
    "governance.schedule.minimum_interval": 1,
}
WORDS = {
    "governance.sql_linting": ["DISABLED", "WARN", "ERROR"],
    "data_contracts.enforcement": ["off", "warn", "alert_only", "block"],
    "identity.enforcement": ["off", "warn", "register", "enforce"],
    "data_architecture.naming.enforcement": ["off", "warn", "strict"],
    "identity.ownership": ["declared", "attested"],
    "data_contracts.sql_trust": ["full", "restricted"],
    "classification_categories.pii": ["PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"],
}
FLAGS = ["governance.quality_gates.block_on_failure", "data_contracts.requirements.owner"]
SETS = {"governance.quality_gates.required_tests.gold": ["not_null_pk", "unique_pk", "freshness", "documentation"]}
EXTENDED = ["naming_conventions", "pii_names", "data_contracts.requirements.required_fields"]
CHOSEN = ["approved_plugins.compute", "approved_sources", "access.roles"]
FREE = ["catalog_namespace", "observability.namespace"]
LETTERS = st.sampled_from("abcd")


def _values() -> dict[str, st.SearchStrategy[Any]]:
    lists = st.lists(LETTERS, min_size=1, max_size=3, unique=True)
    return {
        **dict.fromkeys(NUMBERS, st.integers(2, 100)),
        **dict.fromkeys(HOURS, st.integers(1, 48).map(lambda hours: f"{hours}h")),
        **{key: st.sampled_from(words) for key, words in WORDS.items()},
        **dict.fromkeys(FLAGS, st.booleans()),
        **{key: st.lists(st.sampled_from(names), max_size=4, unique=True) for key, names in SETS.items()},
        **dict.fromkeys((*EXTENDED, *CHOSEN), lists),
        **dict.fromkeys(FREE, LETTERS),
    }


TIERS = st.fixed_dictionaries({}, optional=_values())


class RefusedError(Exception):
    """The reference's refusal."""


def strictness(key: str) -> Callable[[Any], Any]:
    """How strict a value is, as something that Python can order; sets by inclusion."""
    if key in NUMBERS:
        return lambda value: value * NUMBERS[key]
    if key in HOURS:
        return lambda value: timedelta(hours=int(value[:-1])) * HOURS[key]
    if key in WORDS:
        return WORDS[key].index
    return frozenset if key in SETS else int


def reference_merge(tiers: list[Flat]) -> Flat:
    """The table of PLATFORM §2 in plain Python."""
    merged: Flat = {}
    for tier in tiers:
        above = dict(merged)
        for key, child in tier.items():
            parent = above.get(key)
            if key in CHOSEN:
                if not child or (parent is not None and not set(child) <= set(parent)):
                    raise RefusedError(key)
                merged[key] = child
            elif key in EXTENDED:
                merged[key] = list(dict.fromkeys([*(parent or []), *child]))
            elif key in FREE or parent is None:
                merged[key] = child
            else:
                rank = strictness(key)
                if not rank(child) >= rank(parent):
                    raise RefusedError(key)
                merged[key] = child
    return merged


def build(tiers: list[Flat]) -> list[Manifest]:
    made = []
    for place, tier in enumerate(tiers):
        keys: dict[str, Any] = {}
        for key, value in tier.items():
            here = keys
            *above, last = key.split(".")
            for part in above:
                here = here.setdefault(part, {})
            here[last] = value
        made.append(domain(keys, f"tier-{place}") if place else enterprise(keys))
    return made


def flat(manifest: Manifest) -> Flat:
    """The keys of a dump, as the tests write them."""
    dump, result = manifest.model_dump(mode="json"), {}
    for key in _values():
        here: Any = dump
        for part in key.removesuffix(".all").split("."):
            here = here.get(part) if isinstance(here, dict) else None
        if here is not None:
            result[key] = here
    return result


def written(tiers: list[Flat]) -> Flat:
    return flat(build([tiers[0] if len(tiers) == 1 else reference_merge(tiers)])[0])


def fold(manifests: list[Manifest]) -> Manifest | None:
    merged = manifests[0]
    try:
        for manifest in manifests[1:]:
            merged = merge_manifests(merged, manifest)
    except PolicyViolationError:
        return None
    return merged


@given(st.lists(TIERS, min_size=1, max_size=4))
def test_merge_agrees_with_the_reference(tiers: list[Flat]) -> None:
    merged = fold(build(tiers))
    try:
        expected = written([reference_merge(tiers)])
    except RefusedError:
        assert merged is None
    else:
        assert merged is not None
        assert flat(merged) == expected


@given(TIERS, TIERS, TIERS)
def test_merge_is_associative(top: Flat, middle: Flat, bottom: Flat) -> None:
    first, second, third = build([top, middle, bottom])
    left = fold([first, second, third])
    lower = fold([second, third])
    right = fold([first, lower]) if lower is not None else None
    assert (left is None) == (right is None)
    assert left == right


@given(TIERS)
def test_merge_is_idempotent(tier: Flat) -> None:
    manifest = build([tier])[0]
    assert merge_manifests(manifest, manifest) == manifest


@given(st.lists(TIERS, min_size=2, max_size=4))
def test_nothing_ends_weaker_than_any_tier(tiers: list[Flat]) -> None:
    merged = fold(build(tiers))
    if merged is None:
        return
    held = flat(merged)
    for tier in tiers:
        for key, value in flat(build([tier])[0]).items():
            if key in EXTENDED:
                assert set(value) <= set(held[key])
            elif key in CHOSEN:
                assert set(held[key]) <= set(value)
            elif key not in FREE:
                rank = strictness(key)
                assert rank(_spell(key, held[key])) >= rank(_spell(key, value))


@given(TIERS, TIERS)
def test_a_stricter_child_is_never_lost(parent: Flat, child: Flat) -> None:
    merged = fold(build([parent, child]))
    if merged is None:
        return
    held, own = flat(merged), flat(build([child])[0])
    assert {key: held[key] for key in own if key not in EXTENDED} == {
        key: value for key, value in own.items() if key not in EXTENDED
    }


def _spell(key: str, value: Any) -> Any:
    """Lengths of time in the spelling of the tests; the dump of an interval is ISO 8601."""
    if key not in HOURS or not str(value).startswith("P"):
        return value
    from floe_contracts.contract.meaning.duration import parse_duration

    length, _ = parse_duration(value)
    assert length
    return f"{length.microseconds // 3_600_000_000}h"


def test_the_keys_of_these_laws_are_of_the_table() -> None:
    strategies = {key: row.strategy for key in _values() if (row := row_of(tuple(key.split("."))))}
    assert len(strategies) == len(_values())
    assert {strategies[key] for key in CHOSEN} == {Strategy.INTERSECT}
    assert {strategies[key] for key in EXTENDED} == {Strategy.EXTEND}
    assert {strategies[key] for key in FREE} == {Strategy.OVERRIDE}
    rest = [key for key in strategies if key not in (*CHOSEN, *EXTENDED, *FREE)]
    assert {strategies[key] for key in rest} == {Strategy.OVERRIDE_IF_STRICTER}


def test_a_merged_manifest_is_a_manifest() -> None:
    merged = merge_manifests(enterprise({"pii_names": ["a"]}), domain({"pii_names": ["b"]}))
    assert Manifest.model_validate(merged.model_dump(mode="json")) == merged


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
def test_the_order_of_keys_in_a_file_does_not_matter(order: tuple[int, ...]) -> None:
    keys = [
        ("pii_names", ["a"]),
        ("classification_levels", [{"name": "X", "rank": 40}]),
        ("classification_categories", {"pii": "X"}),
    ]
    merged = merge_manifests(enterprise(), domain(dict(keys[place] for place in order)))
    assert merged.classification_categories == {"pii": "X"}
