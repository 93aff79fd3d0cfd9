"""A waiting person sees how far it is; a log never does."""

from __future__ import annotations

import io
import time

import pytest
from support.running import Terminal

from floe_contracts.adapters.process.progress import Progress, Waiting


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


@pytest.mark.parametrize(
    ("stream", "patience_seconds"),
    [pytest.param(Terminal(), 60.0, id="a terminal, at once"), pytest.param(io.StringIO(), 0.0, id="a log")],
)
def test_nobody_is_told_of_a_short_wait(stream: io.StringIO, patience_seconds: float) -> None:
    with Waiting("compiling floe.yaml", stream, patience_seconds=patience_seconds):
        pass
    assert stream.getvalue() == ""


def test_a_long_wait_is_told_and_the_line_goes() -> None:
    stream = Terminal()
    with Waiting("compiling floe.yaml", stream, patience_seconds=0.0):
        end = time.monotonic() + 30
        while not stream.getvalue() and time.monotonic() < end:
            time.sleep(0.001)
    assert stream.getvalue() == "\rcompiling floe.yaml … 0 s\r\x1b[K"
