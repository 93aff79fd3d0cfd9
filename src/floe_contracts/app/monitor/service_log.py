"""The log of a service on standard error: a line for people, or a JSON line for machines."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import TextIO

from ...checks.moments import iso
from ...render.safe import log_safe


@dataclass(frozen=True, slots=True)
class ServiceLog:
    """One line after the other, whichever thread says it; where nobody reads any more, the service goes on."""

    machines: bool = False
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    now_us: Callable[[], int] = lambda: time.time_ns() // 1000
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, level: str, message: str, fields: Mapping[str, str]) -> None:
        when = iso(self.now_us())
        if self.machines:
            line = json.dumps({"time": when, "level": level, "message": message, **fields})
            line = line.replace("##[", "##\\u005b")
        else:
            words = " ".join(f"{key}={json.dumps(text, ensure_ascii=False)}" for key, text in fields.items())
            line = log_safe(f"{when} {level} {message} {words}".rstrip(), 2_000)
        with self._lock, suppress(OSError):
            self.stream.write(f"{line}\n")
            self.stream.flush()
