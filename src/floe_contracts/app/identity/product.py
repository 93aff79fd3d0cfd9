"""A product as identity sees it, from floe.yaml with its manifests or from an artifact, and the registry it is in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager

from ...adapters.iceberg.catalog import CatalogOptions, load_catalog
from ...adapters.iceberg.loaders import sqlite_file
from ...frozen import dataclass, field
from ...identity.registry import NamespaceRegistry, ProductDetails
from ...product.data_product import DataProduct
from ...results import Location
from .settings import IdentityPlan
from .workplace import Workplace


@dataclass(frozen=True, slots=True)
class IdentityProduct:
    """Who asks for which namespace, from where, under which settings."""

    id: str
    spelling: str  # domain and name as written
    repository: str
    owner: str
    version: str
    plan: IdentityPlan
    workplace: Workplace
    location: Location | None = None  # of metadata.repository, else of the file
    access: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def details(self) -> ProductDetails:
        return ProductDetails(self.spelling, self.version, self.access)

    @contextmanager
    def open_registry(self, *, look_only: bool = False) -> Iterator[NamespaceRegistry | None]:
        """The registry while the block runs; None for a file that is not there and must not be made."""
        settings = self.plan.catalog_for(self.workplace.top)
        file = sqlite_file(settings)
        if look_only and file and not os.path.exists(file):
            yield None
            return
        with closing(load_catalog(settings, CatalogOptions(self.plan.retries, look_only=look_only))) as registry:
            yield registry


def spell_product(domain: str, name: str) -> str:
    """Domain and name as they are written."""
    return f"{domain}.{name}" if domain else name


def roles_by_port(product: DataProduct) -> dict[str, tuple[str, ...]]:
    """The roles that every output port is opened to."""
    return {port.name: tuple(port.access) for port in product.output_ports if port.access}
