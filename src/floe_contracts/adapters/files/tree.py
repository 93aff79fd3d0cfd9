"""The files of a folder by path, hidden folders and links apart."""

from __future__ import annotations

import os
from pathlib import Path

from ...frozen import dataclass

_ASIDE = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})
_MAX_BYTES = 4 * 1024 * 1024  # of one file of code


@dataclass(frozen=True, slots=True)
class FolderTree:
    """A folder; paths are relative to it, with `/` between folders."""

    root: str

    def paths(self) -> list[str]:
        """Every file, in a stable order."""
        paths = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _ASIDE)
            inside = os.path.relpath(folder, self.root).replace(os.sep, "/")
            paths += [name if inside == "." else f"{inside}/{name}" for name in files]
        return sorted(paths)

    def read(self, path: str) -> bytes | None:
        """The bytes of a regular file; None for a link, a large file, or one that cannot be read."""
        file = Path(self.root, path)
        try:
            if file.is_symlink() or not file.is_file() or file.stat().st_size > _MAX_BYTES:
                return None
            return file.read_bytes()
        except OSError:
            return None
