"""Where a page goes: into a file, whole or not at all, or to standard output."""

from __future__ import annotations

import sys

from .console import Console
from .outfile import write_whole


def put_page(console: Console, page: str, output: str | None) -> None:
    """Write a page; people are told where."""
    if output is None or output == "-":
        sys.stdout.write(page)
        return
    write_whole(output, page)
    console.note(f"Written to {output}.")
