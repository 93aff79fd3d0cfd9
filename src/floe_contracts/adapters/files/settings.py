"""The settings as they stand in the work tree, for what runs before a commit; the gate itself reads the base."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import date

from ...compat.settings import Settings, read_settings, require_usable
from ...compat.settings_paths import CONSUMERS, FOLDER, is_settings_path
from ...contract.discovery import Selection, selection
from ...errors import FloeError
from ..git import open_repository
from ..process.environment import utc_today
from .read import present_in, read_file


def settings_here(folder: str = ".", today: date | None = None) -> Settings:
    """The settings below a folder, read today unless another day is given; a file with mistakes is a SettingsError."""
    names = [f"{inside}{name}" for inside in (FOLDER, CONSUMERS) for name in _names(os.path.join(folder, inside))]
    files = {path: _content(os.path.join(folder, path)) for path in names if is_settings_path(path)}
    return require_usable(read_settings(files, today or utc_today()))


def selection_here(more: Iterable[str] = (), folder: str = ".", today: date | None = None) -> Selection:
    """Which files count as contracts in a folder, the current one unless told otherwise."""
    config = settings_here(folder, today).config
    return selection((*config.include, *more), config.exclude, present_in(folder))


def top_here() -> str:
    """The top of the repository around the current folder, where the settings are; else the folder itself."""
    try:
        return open_repository().top
    except FloeError:
        return "."


def _content(path: str) -> bytes | None:
    file = read_file(path)
    return file.data if file.problem is None else None


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
