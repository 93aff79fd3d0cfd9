"""The files of a compiled platform: the manifest as data, and what holds after all tiers, for tools that read JSON."""

from __future__ import annotations

import json
from typing import Any

from ..product.manifest import Manifest
from .classification import classifications_of
from .naming import architecture_of

FOLDER = "target/platform"


def platform_files(own: Manifest, merged: Manifest) -> dict[str, str]:
    """Path below the folder -> text; the same manifests give the same bytes."""
    return {
        "manifest.json": json_text(own.model_dump(mode="json")),
        "policies/classification.json": json_text(_classification(merged)),
        "policies/quality-gates.json": json_text(_quality_gates(merged)),
        "architecture/naming-rules.json": json_text(_naming_rules(merged)),
    }


def _classification(manifest: Manifest) -> dict[str, Any]:
    words = classifications_of(manifest)
    ordered = sorted(words.levels.items(), key=lambda level: (level[1], level[0]))
    return {
        "levels": [{"name": name, "rank": rank} for name, rank in ordered],
        "categories": dict(words.categories),
        "pii_names": list(words.pii_names),
    }


def _quality_gates(manifest: Manifest) -> dict[str, Any]:
    gates = manifest.governance.quality_gates
    return {
        "threshold": gates.threshold if "threshold" in gates.model_fields_set else None,
        "minimum_test_coverage": gates.coverage_by_layer,
        "block_on_failure": gates.block_on_failure,
        "required_tests": {layer: list(tests) for layer, tests in gates.required_tests.items()},
        "sla_minimums": manifest.model_dump(mode="json").get("sla_minimums", {}),
        "sql_linting": manifest.governance.sql_linting.value,
    }


def _naming_rules(manifest: Manifest) -> dict[str, Any]:
    architecture = architecture_of(manifest)
    return {
        "pattern": architecture.pattern or None,
        "enforcement": manifest.data_architecture.naming.enforcement.value,
        "layers": [
            {"layer": layer, "globs": list(globs), "holds": holds}
            for layer, (globs, holds) in architecture.layers.items()
        ],
        "naming_conventions": [list(globs) for globs in architecture.tier_patterns],
    }


def json_text(value: Any) -> str:
    """Readable JSON, the same bytes for the same value."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
