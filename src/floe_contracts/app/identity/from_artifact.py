"""The identity of a product as its artifact tells it: the settings are those of the compilation."""

from __future__ import annotations

import os
from typing import Any

from ...compiler.artifacts import CompiledArtifacts
from ...product.manifest import Manifest
from .product import IdentityProduct, spell_product
from .settings import plan_identity
from .workplace import find_workplace

_HEAD = {"apiVersion": "floe.dev/v1", "kind": "Manifest", "metadata": {"name": "artifact", "version": "0.0.0"}}
_BLOCKS = ("identity", "registration")


def identity_of(artifacts: CompiledArtifacts, folder: str) -> IdentityProduct:
    """The product of an artifact; `folder` is that of its file, in the repository that registers."""
    head = artifacts.product
    return IdentityProduct(
        head.id,
        spell_product(head.domain, head.name),
        head.repository,
        head.owner,
        head.version,
        plan_identity(_manifest(artifacts)),
        find_workplace(_existing(folder)),
    )


def _manifest(artifacts: CompiledArtifacts) -> Manifest:
    blocks: dict[str, Any] = {}
    for key, entry in artifacts.policy.items():
        block, _, rest = key.partition(".")
        if entry.tier == "default" or entry.value is None:
            continue
        if block in _BLOCKS:
            here = blocks.setdefault(block, {})
            *path, last = rest.split(".", 1 if rest.startswith("catalog") else -1)
            for step in path:
                here = here.setdefault(step, {})
            here[last] = entry.value
        elif key == "plugins.catalog":
            blocks["plugins"] = {"catalog": entry.value}
    return Manifest.model_validate({**_HEAD, "scope": "enterprise", **blocks})


def _existing(folder: str) -> str:
    while folder and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return folder or "."
