"""What a monitor as a service needs of its process: clocks, rest, a log, an environment."""

from __future__ import annotations

import asyncio
import logging  # a service that alerts must be able to log; everything else returns values
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from .notify import Log

_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def _to_logger(level: str, message: str, fields: Mapping[str, str]) -> None:
    text = " ".join(f"{key}={value!r}" for key, value in fields.items())
    logging.getLogger("floe.contracts").log(_LEVELS[level], "%s %s", message, text, extra={"floe": dict(fields)})


@dataclass(frozen=True, slots=True)
class ServicePorts:
    """Clocks, log and environment of the monitor; a test gives its own."""

    now_us: Callable[[], int] = lambda: time.time_ns() // 1000
    seconds: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    log: Log = _to_logger
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
