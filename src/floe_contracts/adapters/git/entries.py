"""What git says about paths, as values: entries of a tree or an index, and changes between two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...errors import FloeError
from ...frozen import dataclass

TYPE_CHECKING = False  # see adapters.git.command
if TYPE_CHECKING:
    from typing import Literal

Match = Callable[[str], bool]

RAW = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv")  # what raw_changes reads

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One path in one revision; without an object id the content lies in the work tree."""

    path: str
    mode: str
    oid: str = ""

    @property
    def kind(self) -> Literal["file", "symlink", "submodule"]:
        return "symlink" if self.mode == "120000" else "submodule" if self.mode == "160000" else "file"


@dataclass(frozen=True, slots=True)
class Change:
    """One path that differs; `old` is None when it was added, `new` when it was deleted."""

    path: str
    old: TreeEntry | None
    new: TreeEntry | None


def everything(_path: str) -> bool:
    """The match that takes every path."""
    return True


def unreadable_reason(entry: TreeEntry, content: bytes | None) -> str | None:
    """Why a path cannot be read as a contract, for a person; None when it can."""
    if entry.kind == "symlink":
        return "is a symbolic link; put the contract itself there"
    if entry.kind == "submodule":
        return "is a submodule; gate the contracts in their own repository"
    if content is not None and content.startswith(_LFS_POINTER):
        return "is a Git LFS pointer; keep contracts out of LFS (`git lfs untrack` the path)"
    return None


def unmerged_error(path: str) -> FloeError:
    """The error for a path whose merge is not finished."""
    return FloeError(
        f"{path} has merge conflicts in the index",
        fix="Resolve the conflict, `git add` the file, then run again.",
    )


def tree_entries(out: bytes, match: Match) -> Iterator[TreeEntry]:
    """The matching entries in the output of `ls-tree -z`."""
    for meta, path in _records(out):
        if match(path):
            mode, _, oid = meta.split()
            yield TreeEntry(path, mode, oid)


def index_entries(out: bytes, match: Match) -> Iterator[TreeEntry]:
    """The matching entries in the output of `ls-files --stage -z`; a matching path with conflicts is an error."""
    for meta, path in _records(out):
        if match(path):
            mode, oid, stage = meta.split()
            if stage != "0":
                raise unmerged_error(path)
            yield TreeEntry(path, mode, oid)


def raw_changes(out: bytes, match: Match, *, conflicts: bool = False) -> dict[str, Change]:
    """The matching changes by path, from `--raw -z`; unfinished merges are left out with `conflicts`, else an error."""
    fields = decode(out).split("\0")
    changes: dict[str, Change] = {}
    for meta, path in zip(fields[::2], fields[1::2], strict=False):
        if not match(path):
            continue
        if not meta.endswith(" U"):
            changes[path] = raw_change(meta, path)
        elif not conflicts:
            raise unmerged_error(path)
    return changes


def raw_change(meta: str, path: str) -> Change:
    """The change that one record of the raw format tells."""
    old_mode, new_mode, old_oid, new_oid, _ = meta.removeprefix(":").split()
    return Change(path, _side(path, old_mode, old_oid), _side(path, new_mode, new_oid))


def decode(path: bytes) -> str:
    """Text that turns back into the same bytes, whatever they are."""
    return path.decode("utf-8", "surrogateescape")


def _side(path: str, mode: str, oid: str) -> TreeEntry | None:
    if mode == "000000":
        return None
    return TreeEntry(path, mode, oid if oid.strip("0") else "")


def _records(out: bytes) -> Iterator[tuple[str, str]]:
    for record in decode(out).split("\0"):
        meta, tab, path = record.partition("\t")
        if tab:
            yield meta, path
