"""What git holds: entries of a tree or an index, changes between two of them, and objects by one `cat-file --batch`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...errors import FloeError
from ...frozen import dataclass
from .command import Git

TYPE_CHECKING = False  # see adapters.git.command

if TYPE_CHECKING:
    from typing import IO, Literal


LONGEST = 1024 * 1024  # the size of the largest contract that is read; a test keeps it equal to contract.source's
_AT_ONCE = 50  # names sent before their answers are read: fits into the smallest pipe, so neither side ever waits
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class GitObject:
    """One object; content beyond LONGEST is cut just after it, so that whoever parses it sees that it is too long."""

    oid: str
    kind: str
    size: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit as it was written: its parents are known even where a shallow clone does not hold them."""

    oid: str
    tree: str
    parents: tuple[str, ...]
    time: int  # seconds since 1970, by the committer's clock


def read_objects(git: Git, names: Sequence[str]) -> Iterator[GitObject | None]:
    """One object per name, in order; None for a name that is not there."""
    if not names:
        return
    with git.talk("cat-file", "--batch") as (questions, answers):
        for start in range(0, len(names), _AT_ONCE):
            chunk = names[start : start + _AT_ONCE]
            questions.write("".join(f"{name}\n" for name in chunk).encode("utf-8", "surrogateescape"))
            questions.flush()
            for _ in chunk:
                yield _next_object(answers)


def read_commits(git: Git, names: Sequence[str]) -> list[Commit | None]:
    """One commit per name; tags are peeled, anything else is None."""
    objects = read_objects(git, [f"{name}^{{commit}}" for name in names])
    return [_parse_commit(item) if item is not None else None for item in objects]


def _next_object(answers: IO[bytes]) -> GitObject | None:
    header = answers.readline()
    if not header:
        raise EOFError
    words = header.decode("utf-8", "surrogateescape").split()
    if words[-1] in ("missing", "ambiguous"):
        return None
    oid, kind, size = words[0], words[1], int(words[2])
    content = answers.read(min(size, LONGEST + 1))
    if len(content) < min(size, LONGEST + 1):
        raise EOFError
    _skip(answers, size - len(content) + 1)  # and the newline that follows
    return GitObject(oid, kind, size, content)


def _skip(answers: IO[bytes], count: int) -> None:
    while count > 0:
        part = answers.read(min(count, _CHUNK))
        if not part:
            raise EOFError
        count -= len(part)


def _parse_commit(item: GitObject) -> Commit:
    tree, parents, time = "", [], 0
    for line in item.content.decode("utf-8", "replace").split("\n\n", 1)[0].split("\n"):
        word, _, rest = line.partition(" ")
        if word == "tree":
            tree = rest
        elif word == "parent":
            parents.append(rest)
        elif word == "committer":
            clock = rest.split(" ")[-2:][0]
            time = int(clock) if clock.isdecimal() else 0
    return Commit(item.oid, tree, tuple(parents), time)


Match = Callable[[str], bool]

RAW = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv")  # what raw_changes reads

_LINK, _SUBMODULE = "120000", "160000"  # modes
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One path in one revision; without an object id the content lies in the work tree."""

    path: str
    mode: str
    oid: str = ""

    @property
    def kind(self) -> Literal["file", "symlink", "submodule"]:
        return "symlink" if self.mode == _LINK else "submodule" if self.mode == _SUBMODULE else "file"


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
        return "is a symbolic link that leads to no file of this repository; put the contract itself there"
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


def tree_entries(out: bytes, match: Match, *, links: bool = False) -> Iterator[TreeEntry]:
    """The matching entries in the output of `ls-tree -z`; with `links` every symbolic link too."""
    for meta, path in _records(out):
        if match(path) or (links and meta.startswith(_LINK)):
            mode, _, oid = meta.split()
            yield TreeEntry(path, mode, oid)


def index_entries(out: bytes, match: Match, *, links: bool = False) -> Iterator[TreeEntry]:
    """The matching entries in the output of `ls-files --stage -z`; a matching path with conflicts is an error."""
    for meta, path in _records(out):
        if match(path) or (links and meta.startswith(_LINK)):
            mode, oid, stage = meta.split()
            if stage != "0":
                raise unmerged_error(path)
            yield TreeEntry(path, mode, oid)


def raw_changes(out: bytes, match: Match, *, conflicts: bool = False, links: bool = False) -> dict[str, Change]:
    """The matching changes by path, from `--raw -z`; unfinished merges are left out with `conflicts`, else an error."""
    fields = decode(out).split("\0")
    changes: dict[str, Change] = {}
    for meta, path in zip(fields[::2], fields[1::2], strict=False):
        if not (match(path) or (links and _LINK in meta[:14])):
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
