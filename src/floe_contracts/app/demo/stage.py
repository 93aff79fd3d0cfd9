"""What a person sees of the demo: steps with a reason, the commands with their output, how long each took."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

from ...adapters.process.console import Console
from ...adapters.process.output import put_page
from ...errors import FloeError

_WAIT_S = 2.0
_TURN_S = 0.2
_SIGNS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


@dataclass(frozen=True, slots=True)
class Done:
    """A command that ended."""

    code: int
    out: str
    err: str


@dataclass(slots=True)
class DemoStage:
    """The demo's screen: prints, and runs real commands in one folder and one environment."""

    console: Console
    folder: Path
    environ: dict[str, str] = field(default_factory=dict)
    steps: int = 0
    _step: int = 0

    def say(self, text: str = "") -> None:
        put_page(f"{text}\n")

    def step(self, title: str, why: str) -> None:
        """Print the title of the next part, and why one should care."""
        self._step += 1
        self.say(f"\n{self._bold(f'━━ [{self._step}/{self.steps}] {title}')}\n   {self._dim(why)}")

    def show(self, *words: str, code: int = 0, title: str = "", last: int = 0) -> None:
        """Run a command as a person would; its exit code must be the one that the demo is about.

        With `last` only so many of its last lines are shown.
        """
        self.say(f"\n{self._bold(f'$ {title or shlex.join(words)}')}")
        began = time.monotonic()
        done = self._run(words, title or shlex.join(words[:3]))
        lines = done.out.rstrip("\n").splitlines()
        lines = ["…", *lines[-last:]] if last else lines
        self.say("\n".join(lines) or done.err.rstrip("\n"))
        self.say(self._dim(f"  exit {done.code} · {time.monotonic() - began:.1f} s"))
        _expect(done, code)

    def quietly(self, what: str, words: Sequence[str]) -> None:
        """Run a command that must be run and is not the point."""
        began = time.monotonic()
        _expect(self._run(words, what), 0)
        self.say(self._dim(f"   {what} · {time.monotonic() - began:.1f} s"))

    def _run(self, words: Sequence[str], what: str) -> Done:
        command = [sys.executable, "-m", "floe_contracts", *words[1:]] if words[0] == "floe" else [*words]
        with _Turning(what):
            done = subprocess.run(
                command,
                cwd=self.folder,
                env={**os.environ, **self.environ},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
        return Done(done.returncode, done.stdout, done.stderr)

    def _bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.console.colour(sys.stdout) else text

    def _dim(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[0m" if self.console.colour(sys.stdout) else text


def environment(values: Mapping[str, str]) -> dict[str, str]:
    """What the commands of the demo see beside the caller's own environment."""
    return {"COLUMNS": "120", "NO_COLOR": "1", "PYSPARK_PYTHON": sys.executable, **values}


def _expect(done: Done, code: int) -> None:
    if done.code != code:
        tail = "\n".join((done.out + done.err).strip().splitlines()[-20:])
        raise FloeError(
            f"the demo expected exit {code} of its last command and saw {done.code}:\n{tail}",
            fix="`floe doctor` and `spark-submit --version` say what is installed here.",
        )


class _Turning:
    """A line on stderr while something takes its time; only for a person at a terminal."""

    def __init__(self, what: str) -> None:
        self._what, self._on, self._done = what, sys.stderr.isatty(), False
        self._thread = Thread(target=self._turn, daemon=True)

    def __enter__(self) -> None:
        if self._on:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done = True
        if self._on:
            self._thread.join()

    def _turn(self) -> None:
        began, number = time.monotonic(), 0
        while not self._done:
            time.sleep(_TURN_S)
            passed = time.monotonic() - began
            if passed >= _WAIT_S:
                number += 1
                sys.stderr.write(f"\r   {_SIGNS[number % len(_SIGNS)]} {self._what[:90]}, {passed:.0f} s")
                sys.stderr.flush()
        if number:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
