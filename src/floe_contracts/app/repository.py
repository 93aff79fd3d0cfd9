"""The git repository around a folder, found without git."""

from __future__ import annotations

import os


def find_repository(folder: str) -> str | None:
    """The top of the git repository around a folder."""
    here = os.path.realpath(folder)
    while not os.path.exists(os.path.join(here, ".git")):
        here, below = os.path.dirname(here), here
        if here == below:
            return None
    return here
