"""The time that a catalog may take: no library of a catalog knows a limit for a whole call, so here it is left behind.

A call runs in a thread of its own, which does not keep the process alive. What it does after its time is over is
nobody's loss: creating is asked about again by reading.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from ...frozen import dataclass

Value = TypeVar("Value")

IDLE_S = 30.0
TOTAL_S = 300.0


class TimeIsOver(Exception):
    """No answer within the time that was left."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long a catalog may leave calls unanswered in a row, and how long everything may take."""

    idle_s: float = IDLE_S
    total_s: float = TOTAL_S


class Deadline:
    """The time that was spent waiting for one catalog, pauses between tries included."""

    def __init__(self, limits: TimeLimits, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._spent_s = 0.0
        self._unanswered_s = 0.0

    def call(self, act: Callable[[], Value], *, answers: bool = True) -> Value:
        """What the act returns or raises; TimeIsOver when it does neither in time.

        `answers` says whether its return shows that the catalog is there.
        """
        left = self._left()
        if left <= 0:
            raise TimeIsOver
        began = self._clock()
        ends: SimpleQueue[tuple[bool, object]] = SimpleQueue()
        threading.Thread(target=_answer, args=(act, ends), daemon=True).start()
        try:
            succeeded, value = ends.get(timeout=left)
        except Empty:
            raise TimeIsOver from None
        finally:
            self._count(self._clock() - began)
        if not succeeded:
            assert isinstance(value, BaseException)  # noqa: S101 - only _answer writes
            raise value
        if answers:
            self.answered()
        return value  # type: ignore[return-value]  # of this very act

    def answered(self) -> None:
        """The catalog is there."""
        self._unanswered_s = 0.0

    def pause(self, seconds: float, sleep: Callable[[float], None] = time.sleep) -> None:
        """Wait between two tries, but not beyond the end."""
        wait = max(0.0, min(seconds, self._left()))
        sleep(wait)
        self._count(wait)

    def _left(self) -> float:
        return min(self._limits.idle_s - self._unanswered_s, self._limits.total_s - self._spent_s)

    def _count(self, seconds: float) -> None:
        self._spent_s += seconds
        self._unanswered_s += seconds


def _answer(act: Callable[[], object], answers: SimpleQueue[tuple[bool, object]]) -> None:
    try:
        answers.put((True, act()))
    except BaseException as error:  # it belongs to the caller
        answers.put((False, error))
