"""The settings as they stand in the work tree, for what runs before a commit; the gate itself reads the base."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime, timezone

from ..compat.settings import CONSUMERS, FOLDER, Settings, is_settings_path, read_settings, usable
from ..contract.discovery import Selection, selection
from .files import read_file


def settings_here() -> Settings:
    """The settings below the current folder; a file with mistakes is a SettingsError."""
    paths = [f"{folder}{name}" for folder in (FOLDER, CONSUMERS) for name in _names(folder)]
    files = {path: read_file(path).data for path in paths if is_settings_path(path) and os.path.isfile(path)}
    return usable(read_settings(files, datetime.now(timezone.utc).date()))


def selection_here(more: Iterable[str] = ()) -> Selection:
    """Which files count as contracts here; without a settings file nothing is read."""
    if not os.path.isdir(FOLDER):
        from ..contract.discovery import DEFAULT_GLOBS

        return selection((*DEFAULT_GLOBS, *more))
    config = settings_here().config
    return selection((*config.include, *more), config.exclude)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
