"""A floe of another environment never outlives whoever started it, and neither does what it started."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from logging import getLogger
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pytest

from floe_contracts import schedules
from floe_contracts.adapters.process.program import Running, run_floe
from floe_contracts.errors import FloeError

POLITE = """\
#!/bin/sh
echo at work >&2
sleep 120 &
echo $! > "$PIDS.new" && mv "$PIDS.new" "$PIDS"
wait
"""
STUBBORN = POLITE.replace("sleep 120", "trap '' TERM\nsleep 120")
DEAF_CHILD = POLITE.replace("sleep 120", "(trap '' TERM; exec sleep 120)")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no groups of processes")


@pytest.fixture
def floe(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    program = tmp_path / "floe"
    program.write_text(request.param)
    program.chmod(0o755)
    return str(program)


every_floe = pytest.mark.parametrize(
    "floe",
    [
        pytest.param(POLITE, id="one that goes when asked"),
        pytest.param(STUBBORN, id="one that does not"),
        pytest.param(DEAF_CHILD, id="one whose child does not"),
    ],
    indirect=True,
)


def child_of(place: Path) -> str:
    """The process that floe started, once it has."""
    until = time.monotonic() + 10
    while not (place / "pids").exists() and time.monotonic() < until:
        time.sleep(0.02)
    return (place / "pids").read_text().strip()


def after_its_child_began(place: Path, stop: Callable[[], None]) -> None:
    child_of(place)
    stop()


def gone(pid: str) -> bool:
    until = time.monotonic() + 5
    while _state(pid) and time.monotonic() < until:
        time.sleep(0.05)
    return not _state(pid)


def _state(pid: str) -> str:
    told = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False)
    return "" if told.stdout.startswith("Z") else told.stdout.strip()  # a process that ended may wait to be asked how


@every_floe
def test_an_exception_ends_floe_and_what_it_started(tmp_path: Path, floe: str) -> None:
    def interrupted(_: Running) -> None:
        child_of(tmp_path)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_floe(floe, [], log=print, environ={"PIDS": str(tmp_path / "pids")}, started=interrupted)
    assert gone(child_of(tmp_path))


@every_floe
def test_stopped_from_elsewhere_it_has_no_report(tmp_path: Path, floe: str) -> None:
    def later(running: Running) -> None:
        Thread(target=after_its_child_began, args=(tmp_path, running.stop)).start()

    with pytest.raises(FloeError, match="no report: at work"):
        run_floe(floe, [], log=print, environ={"PIDS": str(tmp_path / "pids")}, started=later)
    assert gone(child_of(tmp_path))


class _Operator:
    """As much of Airflow's operator as ours uses; Airflow itself is tried in tests/schedules."""

    log = getLogger("airflow")

    def __init__(self, **_: object) -> None: ...


@pytest.fixture
def operator(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    parts: dict[str, dict[str, object]] = {
        "airflow": {},
        "airflow.sdk": {"DAG": object, "BaseOperator": _Operator},
        "airflow.exceptions": {"AirflowException": RuntimeError},
    }
    for name, members in parts.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "floe_contracts.schedules.airflow", raising=False)
    monkeypatch.setattr(schedules, "airflow", None, raising=False)
    made: Callable[..., Any] = import_module("floe_contracts.schedules.airflow").ContractCheckOperator
    monkeypatch.delitem(sys.modules, "floe_contracts.schedules.airflow")
    return made


@pytest.mark.parametrize("floe", [pytest.param(POLITE, id="sleeping")], indirect=True)
def test_killing_the_task_of_airflow_kills_floe(tmp_path: Path, floe: str, operator: Callable[..., Any]) -> None:
    task = operator(check="lifecycle", contracts=["c"], slot="", floe=floe, env={"PIDS": str(tmp_path / "pids")})
    task.on_kill()  # before it began
    Thread(target=after_its_child_began, args=(tmp_path, task.on_kill)).start()
    with pytest.raises(FloeError, match="no report"):
        task.execute({})
    assert gone(child_of(tmp_path))
