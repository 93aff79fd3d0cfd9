"""A line on stderr that tells a waiting person how far a long run is, and nobody else."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TextIO, TypeVar

Item = TypeVar("Item")

_REFRESH_SECONDS = 0.2


class Progress:
    """Silent for a while, silent without a terminal, gone when done."""

    def __init__(self, verb: str, stream: TextIO | None = None, *, patience_seconds: float = 2.0) -> None:
        self._verb = verb
        self._stream = stream or sys.stderr
        self._next = time.monotonic() + patience_seconds if self._stream.isatty() else float("inf")
        self._shown = False

    def over(self, items: Iterable[Item]) -> Iterator[Item]:
        for number, item in enumerate(items, start=1):
            yield item
            if time.monotonic() >= self._next:
                self._next = time.monotonic() + _REFRESH_SECONDS
                self._shown = True
                self._write(f"\r{self._verb} {number:,} files …")

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()


class Waiting:
    """A line with the seconds that something takes which cannot be counted: silent for a while, gone when done."""

    def __init__(self, label: str, stream: TextIO | None = None, *, patience_seconds: float = 2.0) -> None:
        self._label = label
        self._stream = stream or sys.stderr
        self._patience_seconds = patience_seconds
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Waiting:
        if self._stream.isatty():
            self._thread = threading.Thread(target=self._tell, daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def _tell(self) -> None:
        started = time.monotonic()
        pause = self._patience_seconds
        shown = False
        while not self._done.wait(pause):
            self._write(f"\r{self._label} … {time.monotonic() - started:.0f} s")
            shown, pause = True, 1.0
        if shown:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
