"""Whose checks these are: one name for slots, metrics groups and lineage alike."""

from __future__ import annotations

from .model import Observability

DEFAULT = "floe"


def namespace_of(said: Observability, from_environment: str = "") -> str:
    """OPENLINEAGE_NAMESPACE as the caller read it, the settings' namespace, the mode's form, else `floe`."""
    return from_environment.strip() or said.namespace.strip() or _by_mode(said) or DEFAULT


def _by_mode(said: Observability) -> str:
    product = said.product.name.strip()
    if said.mode == "managed":
        return f"floe.{said.tenant_id}.{said.project_slug}" if said.tenant_id and said.project_slug else ""
    if said.mode == "mesh":
        return f"{said.domain}.{product}" if said.domain and product else ""
    return product
