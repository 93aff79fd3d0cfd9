"""The one place where monitoring meets the process around it: clocks, sleep, log and environment, all replaceable."""

from __future__ import annotations

import asyncio
import logging  # a service that alerts must be able to log; everything else returns values
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from .notify import Log

_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def _to_logger(level: str, message: str, fields: Mapping[str, str]) -> None:
    said = " ".join(f"{key}={value!r}" for key, value in fields.items())
    logging.getLogger("floe.contracts").log(_LEVELS[level], "%s %s", message, said, extra={"floe": dict(fields)})


@dataclass(frozen=True, slots=True)
class Outside:
    """A test gives its own; whoever reads the environment of the process gives that."""

    now_us: Callable[[], int] = lambda: time.time_ns() // 1000
    seconds: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    log: Log = _to_logger
    environ: Mapping[str, str] = field(default_factory=dict)
