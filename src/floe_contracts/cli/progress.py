"""A line on stderr that tells a waiting person how far a long run is, and nobody else."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TypeVar

Item = TypeVar("Item")

_PATIENCE_SECONDS = 2.0
_REFRESH_SECONDS = 0.2


class Progress:
    """Silent for two seconds, silent without a terminal, gone when done."""

    def __init__(self, verb: str) -> None:
        self._verb = verb
        self._next = time.monotonic() + _PATIENCE_SECONDS if sys.stderr.isatty() else float("inf")
        self._shown = False

    def over(self, items: Iterable[Item]) -> Iterator[Item]:
        for number, item in enumerate(items, start=1):
            yield item
            if time.monotonic() >= self._next:
                self._show(f"\r{self._verb} {number:,} files …")

    def _show(self, text: str) -> None:
        self._next = time.monotonic() + _REFRESH_SECONDS
        self._shown = True
        sys.stderr.write(text)
        sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
