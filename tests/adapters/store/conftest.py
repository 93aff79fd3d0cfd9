"""Empty stores in real databases: SQLite in a file of its own, PostgreSQL in a database of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.postgres_server import PostgresServer, postgres_server

from floe_contracts.adapters.store.address import open_sql_store
from floe_contracts.adapters.store.sql_store import SqlStore

KINDS = ["sqlite", pytest.param("postgresql", marks=pytest.mark.service)]


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a store that nobody has opened yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/deep/monitoring.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    made = server.new_database()
    yield made
    server.run_sql(f"DROP DATABASE {made.rpartition('/')[2]} WITH (FORCE)")


@pytest.fixture
def store(address: str) -> Iterator[SqlStore]:
    opened = open_sql_store(address)
    yield opened
    opened.close()
