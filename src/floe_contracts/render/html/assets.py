"""The style sheets and the script of the HTML pages, read from static/ when the first page is made."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files


def report_sheet() -> str:
    """The style sheet of a report: system fonts, light and dark, narrow and wide, screen and paper."""
    return f"\n{_read('palette.css')}{_read('report.css')}"


def page_sheet() -> str:
    """The style sheet of pages that people search: colours, what all of them share, and what only the board shows."""
    return "".join(f"\n{_read(name)}" for name in ("palette.css", "parts.css", "board.css"))


def page_script() -> str:
    """The script of pages that people search: filters, full text, and keys. Without it everything is shown."""
    return f"\n{_read('search.js')}"


def digest(content: str) -> str:
    """The hash by which a page's policy allows this content and no other."""
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


@cache
def _read(name: str) -> str:
    # Not by a path: the package may be a zip file.
    return (files(__package__) / "static" / name).read_text(encoding="utf-8")
