"""A lock around a catalog without an atomic create: whoever registers holds the namespace's lock of a store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...identity.names import id_of
from ...identity.protocol import (
    CatalogPlugin,
    CatalogUnreachable,
    ContractMetadata,
    IdentityResult,
    RegistrationResult,
)
from ...monitor.store.protocol import Store

WAIT_S = 30.0


class LockingCatalog:
    """A CatalogPlugin whose registrations of one namespace never overlap, wherever they run with the same store."""

    def __init__(self, catalog: CatalogPlugin, store: Store, wait_s: float = WAIT_S) -> None:
        self._catalog, self._store, self._wait_s = catalog, store, wait_s

    def register_product_identity(
        self, namespace: str, repository: str, owner: str, if_not_exists: bool = True
    ) -> RegistrationResult:
        with self._hold(namespace):
            return self._catalog.register_product_identity(namespace, repository, owner, if_not_exists)

    def validate_product_identity(self, namespace: str, expected_repo: str) -> IdentityResult:
        return self._catalog.validate_product_identity(namespace, expected_repo)

    def register_contract(
        self, namespace: str, contract_name: str, contract_version: str, schema_hash: str, metadata: ContractMetadata
    ) -> RegistrationResult:
        with self._hold(namespace):
            return self._catalog.register_contract(namespace, contract_name, contract_version, schema_hash, metadata)

    @contextmanager
    def _hold(self, namespace: str) -> Iterator[None]:
        with self._store.lock(f"floe:namespace:lock:{id_of(namespace)}", self._wait_s) as held:
            if not held:
                raise CatalogUnreachable(
                    f"the lock of {id_of(namespace)} did not become free within {self._wait_s:.0f} s",
                    fix="Another run registers this product; run again when it has ended.",
                )
            yield
