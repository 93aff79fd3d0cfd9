"""The stores in SQLite and PostgreSQL keep every rule of a store."""

from __future__ import annotations

from monitor.outbox_conformance import OutboxConformance
from monitor.pruning_conformance import PruningConformance
from monitor.store_conformance import StoreConformance


class TestSqlStore(StoreConformance, OutboxConformance, PruningConformance):
    """All of the conformance suite, on each database."""
