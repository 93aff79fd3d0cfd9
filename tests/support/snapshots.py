"""Rendered output compared with a reviewed file; `UPDATE_SNAPSHOTS=1 pytest …` rewrites the file."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "snapshots"


def assert_matches(name: str, text: str) -> None:
    path = FOLDER / name
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    assert text == path.read_bytes().decode(), f"{name} changed: review it, then run with UPDATE_SNAPSHOTS=1"
