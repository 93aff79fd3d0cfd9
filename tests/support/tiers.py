"""Manifests of tests, made from the keys that matter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from floe_contracts.product import Manifest


def enterprise(keys: Mapping[str, Any] | None = None) -> Manifest:
    return _manifest("acme", "enterprise", keys or {})


def domain(keys: Mapping[str, Any] | None = None, name: str = "sales") -> Manifest:
    return _manifest(name, "domain", {"parent": "../manifest.yaml", **(keys or {})})


def _manifest(name: str, scope: str, keys: Mapping[str, Any]) -> Manifest:
    head = {"apiVersion": "floe.dev/v1", "kind": "Manifest", "metadata": {"name": name, "version": "1.0.0"}}
    return Manifest.model_validate({**head, "scope": scope, **keys})


def nested(key: str, value: Any) -> dict[str, Any]:
    """`a.b: value` as mappings."""
    for part in reversed(key.split(".")):
        value = {part: value}
    assert isinstance(value, dict)
    return value


def at(manifest: Manifest, key: str) -> Any:
    """The value of a key in the manifest's dump; None when it is absent."""
    here: Any = manifest.model_dump(mode="json")
    for part in key.split("."):
        here = here.get(part) if isinstance(here, dict) else None
    return here
