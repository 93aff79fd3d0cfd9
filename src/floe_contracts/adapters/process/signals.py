"""SIGTERM as an exception of the main thread, so that what is under way can be put down."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from .boundary import INTERRUPTED

TERMINATED = 143  # 128 + SIGTERM, as shells report it


class Terminated(KeyboardInterrupt):
    """Somebody sent SIGTERM: a scheduler that stops a task, a cluster that moves a pod."""


@contextmanager
def sigterm_raises() -> Iterator[None]:
    """only the main thread gets signals; elsewhere nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(_: int, __: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a second one ends the process at once
        raise Terminated

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """The code that a shell would report for the signal behind an interrupt."""
    return TERMINATED if isinstance(interrupt, Terminated) else INTERRUPTED
