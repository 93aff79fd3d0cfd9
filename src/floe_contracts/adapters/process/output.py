"""The one place that prints: whatever a file or a person brought is made harmless on the way out.

tests/packaging/test_output.py keeps every other module of the tree from printing by itself.
"""

from __future__ import annotations

import sys

from ...render.safe import log_safe, page_safe

_LONGEST = 1_000


def say(text: str, *, error: bool = False) -> None:
    """One line, on standard output or on standard error."""
    put(f"{log_safe(text, _LONGEST)}\n", error=error)


def put_page(text: str) -> None:
    """A whole page that a renderer made; it ends as it ends."""
    put(page_safe(text))


def put(text: str, *, error: bool = False) -> None:
    """Text that is meant to be obeyed, such as commands for a runner; everything else goes through the other two."""
    stream = sys.stderr if error else sys.stdout
    stream.write(text)
    stream.flush()
