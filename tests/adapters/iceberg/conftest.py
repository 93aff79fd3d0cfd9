"""One real catalog of every kind for a whole run; a test takes names of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import pytest
from support.catalogs import BACKENDS, Settings
from support.memory_namespaces import MemoryNamespaces

from floe_contracts.adapters.iceberg.catalog import load_catalog
from floe_contracts.identity.registry import NamespaceRegistry

_NUMBERS = count(1)
_SERVICE = pytest.mark.service
_JAVA = (_SERVICE, pytest.mark.slow)  # up to half a minute until one answers
REAL = [
    pytest.param("sqlite"),
    pytest.param("postgres", marks=_SERVICE),
    pytest.param("glue", marks=_SERVICE),
    pytest.param("hive", marks=_JAVA),
    pytest.param("iceberg-rest", marks=_JAVA),
    pytest.param("nessie", marks=_JAVA),
]
DOUBLES = [pytest.param("memory", id="memory-double"), pytest.param("rest-double")]


class Backends:
    """Servers that were started so far."""

    def __init__(self, stack: ExitStack, factory: pytest.TempPathFactory) -> None:
        self._stack, self._factory = stack, factory
        self._started: dict[str, Settings] = {}

    def settings(self, kind: str) -> Settings:
        if kind not in self._started:
            place: Path = self._factory.mktemp(kind)
            self._started[kind] = self._stack.enter_context(BACKENDS[kind](place))
        return self._started[kind]


@pytest.fixture(scope="session")
def backends(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backends]:
    with ExitStack() as stack:
        yield Backends(stack, tmp_path_factory)


@pytest.fixture(params=REAL)
def settings(request: pytest.FixtureRequest, backends: Backends) -> Settings:
    """The settings of a real catalog."""
    return backends.settings(request.param)


@pytest.fixture(params=[*DOUBLES, *REAL])
def registry(request: pytest.FixtureRequest, backends: Backends) -> Iterator[NamespaceRegistry]:
    """A registry in every kind of catalog, and in the doubles."""
    if request.param == "memory":
        yield NamespaceRegistry(MemoryNamespaces(), lambda: "2026-08-01T00:00:00+00:00")
        return
    with closing(load_catalog(backends.settings(request.param))) as registry:
        yield registry


@pytest.fixture
def product() -> str:
    """The id of a product that no other test has."""
    return f"sales.product_{next(_NUMBERS)}"
