"""The block `observability`: whose checks these are, one name for slots, metrics groups and lineage alike."""

from __future__ import annotations

from typing import Literal

from .block import Scalar, WrittenBlock

DEFAULT = "floe"


class Product(WrittenBlock):
    """The data product that the contracts belong to."""

    name: str = ""
    version: Scalar = ""


class Observability(WrittenBlock):
    """Who we are in metrics, lineage and traces."""

    namespace: str = ""
    mode: Literal["simple", "centralized", "mesh", "managed"] = "simple"
    domain: str = ""
    product: Product = Product()
    enterprise: str = ""
    tenant_id: Scalar = ""
    project_slug: str = ""
    metrics: bool = True
    lineage: bool = True
    traces: bool = True


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
