"""Whose checks these are: one name for slots, metrics groups and lineage alike."""

from __future__ import annotations

from .model import Observability

DEFAULT = "floe"


def namespace_of(block: Observability, from_environment: str = "") -> str:
    """OPENLINEAGE_NAMESPACE as the caller read it, the settings' namespace, the mode's form, else `floe`."""
    return from_environment.strip() or block.namespace.strip() or _by_mode(block) or DEFAULT


def _by_mode(block: Observability) -> str:
    product = block.product.name.strip()
    if block.mode == "managed":
        return f"floe.{block.tenant_id}.{block.project_slug}" if block.tenant_id and block.project_slug else ""
    if block.mode == "mesh":
        return f"{block.domain}.{product}" if block.domain and product else ""
    return product
