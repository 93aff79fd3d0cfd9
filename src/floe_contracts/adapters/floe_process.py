"""Runs floe as a program of another environment, for orchestrators that have no Spark in their own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from threading import Thread
from typing import IO

from ..errors import FloeError
from ..render.json_report import parse
from ..render.safe import log_safe
from ..results import Report


def run_floe(
    floe: str,
    words: Sequence[str],
    *,
    log: Callable[[str], object],
    environ: Mapping[str, str] | None = None,
    folder: str = "",
) -> Report:
    """The report of `floe WORDS --format json`; what it says on the way goes to the log, line by line."""
    command = [floe, *words, "--format", "json", "--log-format", "text", "--no-color"]
    try:
        running = subprocess.Popen(
            command,
            cwd=folder or None,
            env={**os.environ, **(environ or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise FloeError(
            f"{log_safe(floe)} cannot be started: {error.strerror}",
            fix="Name the floe of the environment that has floe-contracts[spark], such as /opt/floe/bin/floe.",
        ) from error
    with running:
        assert running.stdout is not None and running.stderr is not None  # noqa: S101, PT018 - both are pipes
        said: list[str] = []
        listening = Thread(target=_listen, args=(running.stderr, said, log), daemon=True)
        listening.start()
        printed = running.stdout.read()
        listening.join()
    if not printed.strip():
        last = next((line for line in reversed(said) if line.strip()), "it said nothing")
        raise FloeError(f"floe ended with {running.returncode} and no report: {last}", fix="The lines above tell why.")
    return parse(printed)


def _listen(stream: IO[str], said: list[str], log: Callable[[str], object]) -> None:
    for line in stream:
        text = log_safe(line.rstrip(), 1_000)
        said.append(text)
        log(text)
