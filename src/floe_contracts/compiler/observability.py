"""What a product is called in lineage and metrics: as the tiers write it, else by its own name and reference."""

from __future__ import annotations

from collections.abc import Iterator

from ..codes import E501
from ..contract.model import Pointer
from ..product.observability import Observability, Product
from ..results import Finding, Location
from .inputs import CompileInputs

_BLOCK = "observability"
_NEEDS = {"managed": ("tenant_id", "project_slug"), "mesh": ("domain",)}


def observability_of(inputs: CompileInputs) -> Observability:
    """The merged block with what the product itself says where no tier writes it."""
    block = inputs.manifest.observability
    written, head = block.model_fields_set, inputs.product.metadata
    return block.model_copy(
        update={
            "mode": block.mode if "mode" in written else inputs.product.mode,
            "domain": block.domain or inputs.domain,
            "product": Product(name=block.product.name or head.name, version=block.product.version or head.version),
        }
    )


def observability_findings(inputs: CompileInputs) -> Iterator[Finding]:
    """A mode without the parts that its namespace is made of; one that only the reference implies asks for nothing."""
    if "mode" not in inputs.manifest.observability.model_fields_set:
        return
    block = observability_of(inputs)
    missing = [name for name in _NEEDS.get(block.mode, ()) if not str(getattr(block, name)).strip()]
    if missing and not block.namespace.strip():
        names = " and ".join(missing)
        yield Finding.of(
            E501,
            "namespace",
            f"observability.mode {block.mode} needs {names} beside it",
            element=f"{_BLOCK}.mode",
            location=_place(inputs, (_BLOCK, "mode")),
            suggestions=(f"Write {names}, or observability.namespace.",),
        )


def _place(inputs: CompileInputs, pointer: Pointer) -> Location | None:
    written = (tier.keys.get(pointer) for tier in reversed(inputs.merged.tiers))
    return next((value.location for value in written if value), None)
