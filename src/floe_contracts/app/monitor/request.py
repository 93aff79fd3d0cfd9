"""Requests to check contracts or to follow their streams, as their options say them, and the process around a run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from ...checks.verdict import Check
from ...monitor.settings.model import CHECKS, MonitoringConfig
from .judge import RunJudge, open_judge


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A run of checks."""

    checks: tuple[Check, ...] = CHECKS
    contracts: tuple[str, ...] = ()
    artifacts: str = ""
    root: str = ""
    config: str = ""
    store: str = ""
    slot: str = ""
    run_id: str = ""
    only: tuple[str, ...] = ()
    server: str = ""
    connection: tuple[str, ...] = ()
    recheck: bool = False
    dry_run: bool = False
    fail_on_error: bool = False
    scheduled: bool = True
    limit_s: float = 600.0
    samples: int = 0
    quarantine: str = ""


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """A run over streams."""

    contracts: tuple[str, ...] = ()
    checkpoint: str = ""
    every_s: float | None = None  # None: what is there now
    late_us: int | None = None
    artifacts: str = ""
    root: str = ""
    config: str = ""
    store: str = ""
    only: tuple[str, ...] = ()
    server: str = ""
    connection: tuple[str, ...] = ()
    dry_run: bool = False
    fail_on_error: bool = False
    limit_s: float = 600.0


@dataclass(frozen=True, slots=True)
class ProcessPorts:
    """Everything around a run; a test gives its own clocks, environment and engine."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    open_judge: Callable[[MonitoringConfig, Sequence[Check]], AbstractContextManager[RunJudge]] = open_judge
    now_us: Callable[[], int] = lambda: time.time_ns() // 1000
    seconds: Callable[[], float] = time.monotonic
    leave: Callable[[int], object] = os._exit  # at once: whatever a thread still waits for
