"""What a run says while it runs."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from support.monitored import orders, targets
from support.running import Terminal

from floe_contracts.adapters.process.console import Console
from floe_contracts.app.monitor.log import RunLog
from floe_contracts.monitor.run.run import Request
from floe_contracts.results import CheckResult, Outcome

DONE = CheckResult("freshness", "orders", Outcome.PASSED)
REQUESTS = [Request("freshness", "shop")]
TARGETS = targets(*(orders(name=f"orders{number}") for number in range(4)))


def said(stream: io.StringIO, times: Sequence[float], *, quiet: bool = False) -> str:
    """What was written while results came in at these times."""
    clock = [0.0]
    log = RunLog(Console(), stream, quiet=quiet, seconds=lambda: clock[0])
    with log.show_progress(REQUESTS, TARGETS):
        for clock[0] in times:
            log.count(DONE)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("stream", "times", "quiet", "words"),
    [
        pytest.param(Terminal(), (0.1, 1.0, 1.9), False, "", id="a short run"),
        pytest.param(Terminal(), (3.0, 9.0), False, "\rchecked 1 of 4 …\rchecked 2 of 4 …\r\x1b[K", id="a terminal"),
        pytest.param(io.StringIO(), (3.0, 9.0, 20.0), False, "checked 1 of 4 …\nchecked 3 of 4 …\n", id="a log"),
        pytest.param(io.StringIO(), (3.0, 9.0, 20.0), True, "", id="a report for machines"),
    ],
)
def test_progress(stream: io.StringIO, times: Sequence[float], quiet: bool, words: str) -> None:
    assert said(stream, times, quiet=quiet) == words
