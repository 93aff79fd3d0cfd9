"""A real PostgreSQL for the tests that run migrations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.postgres_server import PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server
