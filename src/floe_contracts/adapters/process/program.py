"""The program floe as another process: where it is, for schedulers with hardly any PATH, and its report when run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Thread
from typing import IO

from ...errors import FloeError
from ...render.machine.json_report import parse
from ...render.safe import log_safe
from ...results import Report


def own_program() -> str:
    """An absolute path: what was started, the floe of this Python, or the one on the PATH."""
    started, beside = os.path.abspath(sys.argv[0]), os.path.join(os.path.dirname(sys.executable), "floe")
    if os.path.basename(started) == "floe" and os.path.isfile(started):
        return started
    if os.path.isfile(beside):
        return beside
    return os.path.abspath(shutil.which("floe") or started)


PATIENCE_S = 4.0  # Airflow kills a task that is not gone five seconds after it was asked to go


@dataclass(frozen=True, slots=True)
class Running:
    """A floe at work, with all that it started: Spark's Java must not outlive it."""

    process: subprocess.Popen[str]

    def stop(self) -> None:
        """Ask everything to end, and end what does not."""
        self._signal(signal.SIGTERM)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and self._anything_left():
            time.sleep(0.05)
        self._signal(signal.SIGKILL)

    def _anything_left(self) -> bool:
        self.process.poll()  # a program that ended counts until somebody asked how
        return self._signal(0)

    def _signal(self, number: int) -> bool:
        try:
            os.killpg(self.process.pid, number)  # it leads the group of its session
        except (ProcessLookupError, PermissionError):
            return False
        return True


def run_floe(
    floe: str,
    words: Sequence[str],
    *,
    log: Callable[[str], object],
    environ: Mapping[str, str] | None = None,
    folder: str = "",
    started: Callable[[Running], object] = lambda _: None,
) -> Report:
    """The report of `floe WORDS --format json`; what it prints on standard error goes to the log, line by line.

    Whatever ends this call ends floe too. `started` gets the means to stop it from elsewhere.
    """
    running = Running(_start(floe, words, environ, folder))
    with running.process:
        try:
            started(running)
            printed, lines = _read_output(running.process, log)
        except BaseException:  # also when an orchestrator interrupts its task
            running.stop()
            raise
    if not printed.strip():
        last = next((line for line in reversed(lines) if line.strip()), "it said nothing")
        code = running.process.returncode
        raise FloeError(f"floe ended with {code} and no report: {last}", fix="The lines above tell why.")
    return parse(printed)


def _start(floe: str, words: Sequence[str], environ: Mapping[str, str] | None, folder: str) -> subprocess.Popen[str]:
    command = [floe, *words, "--format", "json", "--log-format", "text", "--no-color"]
    try:
        return subprocess.Popen(
            command,
            cwd=folder or None,
            env={**os.environ, **(environ or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise FloeError(
            f"{log_safe(floe)} cannot be started: {error.strerror}",
            fix="Name the floe of the environment that has floe-contracts[spark], such as /opt/floe/bin/floe.",
        ) from error


def _read_output(process: subprocess.Popen[str], log: Callable[[str], object]) -> tuple[str, list[str]]:
    """All of standard output, and the lines of standard error, once the process has ended."""
    assert process.stdout is not None and process.stderr is not None  # noqa: S101, PT018 - both are pipes
    lines: list[str] = []
    listening = Thread(target=_listen, args=(process.stderr, lines, log), daemon=True)
    listening.start()
    printed = process.stdout.read()
    listening.join()
    process.wait()
    return printed, lines


def _listen(stream: IO[str], lines: list[str], log: Callable[[str], object]) -> None:
    for line in stream:
        text = log_safe(line.rstrip(), 1_000)
        lines.append(text)
        log(text)
