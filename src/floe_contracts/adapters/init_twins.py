"""Whether a contract that `floe init` is about to write is there already, in whatever file."""

from __future__ import annotations

import os
import re

from ..contract.discovery import selection
from ..contract.load import load
from ..errors import FloeError, UsageError
from .files import find_contracts, read_file
from .worktree_settings import selection_here

_NAME = re.compile(r"[^./\\][^/\\]*")


def fit_for_a_file(name: str) -> str:
    """The name, when a file in `contracts/` can have it; a UsageError otherwise."""
    if not _NAME.fullmatch(name) or ".." in name or not name.isprintable():
        raise UsageError(
            f"{name!r} cannot be the name of a contract",
            fix="Use no slashes, no two dots in a row and no control characters, and begin with a letter.",
        )
    return name


def file_of(key: str, top: str, beside: str) -> str:
    """The first file, seen from the top, of a contract with this key; empty when only the one `beside` has it."""
    try:
        globs = selection_here(folder=top)
    except FloeError:  # a mistake in the settings of the gate is the gate's to tell
        globs = selection()
    word = key.rpartition("/")[2].encode()
    for path in find_contracts(top, globs):
        shown = os.path.relpath(path, top).replace(os.sep, "/")
        data = read_file(path).data if shown != beside else b""
        if word in data and _key(data, path) == key:  # reading YAML takes long, and most files are about something else
            return shown
    return ""


def _key(data: bytes, path: str) -> str:
    loaded = load(data, path)
    contract = loaded.contract or loaded.unfit
    return contract.key if contract is not None else ""
