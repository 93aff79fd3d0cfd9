"""A lock for catalogs without an atomic create, proved on a double that loses every race without it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.memory_namespaces import MemoryNamespaces

from floe_contracts import ContractMetadata, ImmutableVersionError
from floe_contracts.adapters.iceberg.locking import LockingCatalog
from floe_contracts.adapters.store.address import open_store
from floe_contracts.identity.names import Levels
from floe_contracts.identity.namespaces import Properties
from floe_contracts.identity.protocol import CatalogPlugin, CatalogUnreachable
from floe_contracts.identity.registry import NamespaceRegistry

PRODUCT = "sales.customer_360"
RACERS = 8


class RacyNamespaces(MemoryNamespaces):
    """A double whose create looks first and writes later: the last of many creators wins, and all are told so."""

    def put_if_absent(self, name: Levels, properties: Properties) -> bool:
        if name in self.held:
            return False
        time.sleep(0.05)
        self.held[name] = dict(properties)
        return True


def race(make: Callable[[RacyNamespaces], CatalogPlugin]) -> list[str]:
    shared, barrier, answers = RacyNamespaces(), threading.Barrier(RACERS), list[str]()

    def run(number: int) -> None:
        catalog = make(shared)
        barrier.wait()
        answers.append(
            catalog.register_product_identity(PRODUCT, f"github.com/acme/repo-{number}", "team").status.value
        )

    threads = [threading.Thread(target=run, args=(number,)) for number in range(RACERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(answers)


def plain(shared: RacyNamespaces) -> NamespaceRegistry:
    return NamespaceRegistry(shared, lambda: "2026-08-01T00:00:00+00:00")


def test_without_the_lock_the_double_has_several_winners() -> None:
    assert race(plain).count("SUCCESS") > 1


def test_with_the_lock_there_is_one(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    open_store(url)
    answers = race(lambda shared: LockingCatalog(plain(shared), open_store(url)))
    assert answers == ["CONFLICT"] * (RACERS - 1) + ["SUCCESS"]


def test_contracts_are_registered_under_the_lock_too(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'store.db'}")
    catalog = LockingCatalog(plain(RacyNamespaces()), store, wait_s=0.1)
    about = ContractMetadata("team")
    assert catalog.register_product_identity(PRODUCT, "github.com/acme/sales", "team").status == "SUCCESS"
    assert catalog.register_contract(PRODUCT, "customers", "1.0.0", "sha256:a", about).status == "SUCCESS"
    with pytest.raises(ImmutableVersionError):
        catalog.register_contract(PRODUCT, "customers", "1.0.0", "sha256:b", about)
    assert catalog.validate_product_identity(PRODUCT, "github.com/acme/sales").status == "valid"
    with store.lock(f"floe:namespace:lock:{PRODUCT}", 1) as held:
        assert held
        with pytest.raises(CatalogUnreachable, match=r"lock of sales\.customer_360"):
            catalog.register_product_identity("sales.customer-360", "github.com/acme/sales", "team")
