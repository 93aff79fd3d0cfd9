"""One real browser for all tests of pages; without one they are listed skips, and failures on CI."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.needs import cannot_run
from support.web_driver import Browser, missing, started


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if absent := missing():
        cannot_run(absent)
    with started(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture(autouse=True)
def quiet_console(request: pytest.FixtureRequest) -> Iterator[None]:
    """What one page complains about is not laid at the next one's door."""
    yield
    if "browser" in request.fixturenames:
        request.getfixturevalue("browser").complaints()
