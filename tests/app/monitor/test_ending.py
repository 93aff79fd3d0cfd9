"""A run that gets SIGTERM gives its slots back, says so, and leaves with the code that shells know."""

from __future__ import annotations

import io
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.job_desk import Project
from support.monitored import HOUR

from floe_contracts.adapters.process.console import Console
from floe_contracts.adapters.process.signals import sigterm_raises
from floe_contracts.app.monitor.judge import RunJudge
from floe_contracts.app.monitor.log import RunLog
from floe_contracts.checks.verdict import Check
from floe_contracts.monitor.run.check import engine_judge
from floe_contracts.monitor.run.context import CheckContext, Checked
from floe_contracts.monitor.settings.model import MonitoringConfig


class Stuck:
    """A judge that says when it has begun, and waits; then it answers like the others."""

    def __init__(self, project: Project) -> None:
        self.began, self.go_on = threading.Event(), threading.Event()
        self.judge = engine_judge(project.engine)

    def __call__(self, now: CheckContext) -> Checked:
        self.began.set()
        self.go_on.wait(30)
        return self.judge(now)

    @contextmanager
    def judging(self, _: MonitoringConfig, __: Sequence[Check]) -> Iterator[RunJudge]:
        yield RunJudge(self, lambda *_: ())


@pytest.fixture(autouse=True)
def _heeds_ctrl_c() -> Iterator[None]:
    """A shell starts what it puts into the background with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    project = Project(tmp_path)
    project.contract()
    project.table("orders", HOUR)
    return project


@pytest.mark.parametrize(
    ("number", "code"), [pytest.param(signal.SIGTERM, 143, id="SIGTERM"), pytest.param(signal.SIGINT, 130, id="Ctrl-C")]
)
def test_slots_are_given_back(shop: Project, number: int, code: int) -> None:
    stuck = _interrupted(shop, number)
    assert shop.left == [code]
    again = _checked_now(shop)
    assert (again["status"], again["attempt"]) == ("", "2")
    stuck.go_on.set()


def test_what_a_slot_finds_after_the_end_is_not_kept(shop: Project) -> None:
    _interrupted(shop, signal.SIGTERM).go_on.set()
    for thread in threading.enumerate():
        if thread.name.startswith("floe"):
            thread.join(30)
    assert _checked_now(shop)["repeated"] == ""


def _interrupted(shop: Project, number: int) -> Stuck:
    stuck = Stuck(shop)
    shop.judging = stuck.judging

    def interrupt() -> None:
        stuck.began.wait(30)
        os.kill(os.getpid(), number)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        shop.run("freshness")
    return stuck


def _checked_now(shop: Project) -> dict[str, str]:
    shop.judging = None
    (result,) = shop.report("freshness")["results"]
    context: dict[str, Any] = result["context"]
    return {key: str(context.get(key, "")) for key in ("status", "attempt", "repeated")}


@pytest.mark.parametrize(
    ("slots", "words"),
    [
        pytest.param(0, "no slot was under way", id="none"),
        pytest.param(1, "1 slot under way given back", id="one"),
        pytest.param(2, "2 slots under way given back", id="two"),
    ],
)
def test_the_log_says_so(slots: int, words: str) -> None:
    stream = io.StringIO()
    RunLog(Console(), stream).note_end(slots)
    assert stream.getvalue() == (
        f"Told to end before everything was checked: {words}; the next run checks what is missing.\n"
    )


def test_the_handler_is_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with sigterm_raises():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_another_thread_changes_nothing() -> None:
    found: list[object] = []

    def look() -> None:
        with sigterm_raises():
            found.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join(10)
    assert found == [signal.getsignal(signal.SIGTERM)]
