"""The identity of a product in a folder, with everything that its manifests, git and CI say."""

from __future__ import annotations

import os

from ...compiler.inputs import domain_of
from ...errors import UsageError
from ...product.data_product import DataProduct
from ...product.ids import product_id
from ...product.reading import ReadProduct
from ..policy import LoadedPolicy, describe_first, load_policy
from .product import IdentityProduct, roles_by_port, spell_product
from .settings import plan_identity
from .workplace import find_workplace


def gather_identity(loaded: LoadedPolicy, read: ReadProduct, product: DataProduct) -> IdentityProduct:
    """The product as identity sees it."""
    head, domain = product.metadata, domain_of(product, loaded.chain)
    pointer = ("metadata", "repository") if head.repository else ("metadata",)
    return IdentityProduct(
        product_id(domain, head.name),
        spell_product(domain, head.name),
        head.repository,
        head.owner,
        head.version,
        plan_identity(loaded.manifest),
        find_workplace(os.path.dirname(read.source.path)),
        read.source.locate(pointer),
        roles_by_port(product),
    )


def identity_here(folder: str = ".", refs: tuple[str, ...] = ()) -> IdentityProduct:
    """The identity of the product in a folder; a manifest that cannot be used is an error."""
    path = os.path.join("" if folder == "." else folder, "floe.yaml")
    if not os.path.lexists(path):
        raise UsageError(f"there is no {path}", fix="Change to the folder of the product.")
    loaded = load_policy(path, refs)
    read = loaded.product
    if read is None or read.product is None or not loaded.chain.whole:
        raise describe_first(
            loaded.findings, f"{path} is not a DataProduct", "Run floe compile, which lists everything."
        )
    return gather_identity(loaded, read, read.product)
