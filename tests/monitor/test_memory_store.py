"""The store in memory keeps every rule of a store."""

from __future__ import annotations

import pytest
from monitor.outbox_conformance import OutboxConformance
from monitor.pruning_conformance import PruningConformance
from monitor.store_conformance import StoreConformance

from floe_contracts.monitor.store.memory_store import MemoryStore
from floe_contracts.monitor.store.protocol import Store


@pytest.fixture
def store() -> Store:
    return MemoryStore()


class TestMemoryStore(StoreConformance, OutboxConformance, PruningConformance):
    """All of the conformance suite."""
