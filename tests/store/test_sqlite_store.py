"""The store in a SQLite file keeps every rule of a store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from monitor.store_conformance import StoreConformance

from floe_contracts.adapters.store.opening import open_sql_store
from floe_contracts.monitor.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_sql_store(f"sqlite:///{tmp_path}/deep/monitoring.db")
    yield opened
    opened.close()


class TestSqliteStore(StoreConformance):
    """All of the conformance suite."""
