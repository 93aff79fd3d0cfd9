"""Files that floe writes: whole or not at all, so that a reader never meets half a report."""

from __future__ import annotations

import os

from ...errors import FloeError

_IGNORED = (
    "# Written by floe: results of checks are not for git, the settings beside them are.\n*.db\n*.db-*\n*.lock\n*.log\n"
)


def write_whole(path: str, content: str | bytes) -> None:
    """Replace a file by way of a new one beside it; a symlink is followed, permissions are kept."""
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    target = os.path.realpath(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            _write_through(target, data)  # /dev/stdout and pipes cannot be replaced
        else:
            _replace(target, data)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        fix = "Name a file in a folder that exists and can be written to."
        raise FloeError(f"{path} cannot be written: {reason}", fix=fix) from error


def make_folder_of(path: str) -> None:
    """Make the folder that a file will lie in; the one that cannot be made is named."""
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder or ".", exist_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FloeError(
            f"the folder {folder} cannot be made: {reason}", fix="Name a folder that can be written to."
        ) from None


def make_data_folder(folder: str) -> None:
    """Make the folder of a database; in `.floe`, whose settings belong into git, git is told to leave it alone."""
    os.makedirs(folder, exist_ok=True)
    ignored = os.path.join(folder, ".gitignore")
    if os.path.basename(folder) == ".floe" and not os.path.lexists(ignored):
        with open(ignored, "w", encoding="utf-8") as file:
            file.write(_IGNORED)


def _replace(target: str, data: bytes) -> None:
    from tempfile import mkstemp  # dear, and most runs of the gate write nothing

    handle, name = mkstemp(dir=os.path.dirname(target), prefix=f".{os.path.basename(target)[:100]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _write_through(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
