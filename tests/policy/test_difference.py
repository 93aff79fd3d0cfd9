"""What another version of a platform makes stricter, weaker or just other."""

from __future__ import annotations

from typing import Any

import pytest
from support.tiers import enterprise, nested

from floe_contracts.policy.difference import compare_policies
from floe_contracts.policy.merge import merge_tiers
from floe_contracts.policy.tier import tier_of

GATES = "governance.quality_gates"
CASES = [
    pytest.param(f"{GATES}.threshold", 80, 90, "stricter", id="a higher threshold"),
    pytest.param(f"{GATES}.threshold", 90, 80, "weaker", id="a lower threshold"),
    pytest.param(f"{GATES}.threshold", None, 80, "stricter", id="a threshold at all"),
    pytest.param(f"{GATES}.threshold", 80, None, "weaker", id="no threshold any more"),
    pytest.param(f"{GATES}.minimum_test_coverage", None, 90, "stricter", id="more than the default"),
    pytest.param(f"{GATES}.minimum_test_coverage", None, 70, "weaker", id="less than the default"),
    pytest.param("approved_sources", ["a", "b"], ["a"], "stricter", id="fewer sources"),
    pytest.param("approved_sources", ["a"], ["a", "b"], "weaker", id="more sources"),
    pytest.param("approved_sources", ["a"], ["b"], "other", id="other sources"),
    pytest.param("approved_sources", None, ["a"], "stricter", id="sources are limited"),
    pytest.param("approved_sources", ["a"], None, "weaker", id="sources are free"),
    pytest.param("pii_names", ["a"], ["a", "b"], "stricter", id="more personal names"),
    pytest.param("pii_names", ["a", "b"], ["a"], "weaker", id="fewer personal names"),
    pytest.param("sla_minimums.freshness", "24h", "12h", "stricter", id="fresher"),
    pytest.param("sla_minimums.freshness", "12h", "24h", "weaker", id="less fresh"),
    pytest.param("governance.sql_linting", "WARN", "ERROR", "stricter", id="a later word"),
    pytest.param("classification_categories.pii", "RESTRICTED", "CONFIDENTIAL", "weaker", id="a lower level"),
    pytest.param("plugins.compute", {"type": "duckdb"}, {"type": "spark"}, "other", id="another engine"),
]


@pytest.mark.parametrize(("key", "before", "after", "direction"), CASES)
def test_one_key(key: str, before: Any, after: Any, direction: str) -> None:
    old, new = (
        merge_tiers([tier_of(enterprise(nested(key, value) if value is not None else {}))]) for value in (before, after)
    )
    changes = compare_policies(old, new)
    assert [change.direction.value for change in changes] == [direction], changes
    assert compare_policies(old, old) == compare_policies(new, new) == []
    assert str(changes[0]).startswith(f"{direction}: {key}")
