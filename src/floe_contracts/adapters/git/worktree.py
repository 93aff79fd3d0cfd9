"""The work tree as a revision: tracked and new files as they lie on disk, without following a symbolic link."""

from __future__ import annotations

import os
import stat
from hashlib import sha1, sha256

from ...errors import FloeError
from .objects import LONGEST, RAW, Change, Match, TreeEntry, decode, raw_changes

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from . import Repository

_SPARSE = "S"  # tracked, but left out of the work tree by a sparse checkout: the index speaks for it
_NEW = "?"


def worktree_files(repo: Repository, match: Match, *, links: bool = False) -> dict[str, TreeEntry]:
    """The matching files that are tracked, or new and not ignored, as they are on disk; with `links` every link too."""
    out = repo.git.read("ls-files", "-z", "-t", "--stage", "--cached", "--others", "--exclude-standard", "--full-name")
    disk = Disk(repo.top)
    entries: dict[str, TreeEntry] = {}
    for record in decode(out).split("\0"):
        tag, _, rest = record.partition(" ")
        meta, _, path = ("", "", rest) if tag == _NEW else rest.partition("\t")
        if not path or path in entries or not (match(path) or (links and disk.is_link(path))):
            continue
        mode, oid, _ = meta.split() if meta else ("", "", "")
        entry = TreeEntry(path, mode, oid) if tag == _SPARSE or mode == "160000" else disk.entry(path)
        if entry is not None:
            entries[path] = entry
    return {path: entries[path] for path in sorted(entries)}


def worktree_changes(repo: Repository, old: str, match: Match, *, links: bool = False) -> tuple[Change, ...]:
    """What differs from a commit. A file that git would store otherwise than it lies there may be listed needlessly."""
    tracked = repo.git.read("diff-index", "--ignore-submodules=dirty", *RAW, old, "--")
    others = repo.git.read("ls-files", "-z", "--others", "--exclude-standard", "--full-name")
    changes = raw_changes(tracked, match, conflicts=True, links=links)
    disk = Disk(repo.top)
    for path in decode(others).split("\0"):
        entry = disk.entry(path) if path and (match(path) or (links and disk.is_link(path))) else None
        if entry is not None:
            before = changes.get(path)  # removed from the index, but still there
            changes[path] = Change(path, before.old if before else None, entry)
    return tuple(changes[path] for path in sorted(changes) if not _only_touched(disk, repo.top, changes[path]))


class Disk:
    """What lies at a path of the work tree; remembers which folders are real ones."""

    __slots__ = ("_real", "_top")

    def __init__(self, top: str) -> None:
        self._top = os.path.realpath(top)
        self._real: dict[str, bool] = {}

    def entry(self, path: str) -> TreeEntry | None:
        """None where no file is; a file that is reached through a linked folder counts as a link itself."""
        try:
            mode = os.lstat(os.path.join(self._top, path)).st_mode
        except (OSError, ValueError):
            return None
        if stat.S_ISLNK(mode) or not self._is_real(os.path.dirname(path)):
            return TreeEntry(path, "120000")
        return TreeEntry(path, "100755" if mode & stat.S_IXUSR else "100644") if stat.S_ISREG(mode) else None

    def is_link(self, path: str) -> bool:
        """Whether the path itself is a symbolic link."""
        return os.path.islink(os.path.join(self._top, path))

    def _is_real(self, folder: str) -> bool:
        if folder not in self._real:
            full = os.path.join(self._top, folder).rstrip("/")
            self._real[folder] = os.path.realpath(full) == full
        return self._real[folder]


def read_worktree_file(top: str, path: str) -> bytes:
    """The bytes of a regular file; what is longer than a contract may be is cut just after the limit."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(os.path.join(top, path), flags)
        with os.fdopen(handle, "rb") as file:
            return file.read(LONGEST + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FloeError(
            f"{path} cannot be read: {reason}", fix="Check that the file exists and is readable."
        ) from error


def _only_touched(disk: Disk, top: str, change: Change) -> bool:
    """Whether the content is the old one: git goes by the time of the last write."""
    old, new = change.old, change.new
    if old is None or new is None or new.oid or old.mode != new.mode or new.kind != "file":
        return False
    entry = disk.entry(new.path)
    if entry is None or entry.kind != "file":
        return False
    content = read_worktree_file(top, new.path)
    algorithm = sha1 if len(old.oid) == 40 else sha256
    return algorithm(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest() == old.oid
