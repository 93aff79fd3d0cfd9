"""A waiting person sees how far it is; a log never does."""

from __future__ import annotations

import io

import pytest
from support.running import Terminal

from floe_contracts.adapters.process.progress import Progress


@pytest.mark.parametrize(
    ("stream", "patience_seconds", "shown"),
    [
        pytest.param(Terminal(), 0.0, "\rlinted 1 files …\r\x1b[K", id="a terminal, after a while"),
        pytest.param(Terminal(), 60.0, "", id="a terminal, at once"),
        pytest.param(io.StringIO(), 0.0, "", id="a log"),
    ],
)
def test_progress_line(stream: io.StringIO, patience_seconds: float, shown: str) -> None:
    with Progress("linted", stream, patience_seconds=patience_seconds) as progress:
        assert list(progress.over("abc")) == ["a", "b", "c"]
    assert stream.getvalue() == shown
